"""Play a match yourself, in the terminal.

You see what your seat sees. When it is your turn, the legal actions are listed; type one by its
name or number, with what it needs:

  vote 3            vote ada                      kill 2 quick and quiet
  say Good morning. say @4 And you, what did you see?
  ?                 lists the actions again       table   shows who is alive
  quit              stops; your seat stays yours, and `lanternwell play MATCH` takes it up again

Without a move before the deadline the rules play for you. You register by yourself if need be.

  lanternwell play --practice
  lanternwell play k3jw7qzm5c2xdn4a
"""

import argparse
import asyncio
import sys
from contextlib import suppress
from typing import Final

from lanternwell.agent import Agent
from lanternwell.cli import connection, tabling
from lanternwell.cli.keyboard import Keyboard
from lanternwell.cli.typing_moves import Unclear, menu, read_move
from lanternwell.client import AsyncClient
from lanternwell.errors import LanternwellError, Refused, Unreachable
from lanternwell.model import Move, Turn, View
from lanternwell.runner import play
from lanternwell.show.closing import result
from lanternwell.show.screen import (
    LineScreen,
    PlainScreen,
    Screen,
    can_colour,
    safe_stdout,
    when,
)
from lanternwell.show.story import Line, Tone, clean
from lanternwell.show.watcher import Watcher

UNFINISHED: Final = 1
"""The exit code of who stops before the match is over."""

LOOK_S: Final = 2.0
"""How often it is checked whether a turn still stands, while a person thinks."""


class Quit(LanternwellError):
    """The person does not want to go on, or cannot."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    tabling.add_choice(parser)
    parser.add_argument("--plain", action="store_true", help="no colours")
    connection.add_address(parser, socket=True)
    connection.add_identity(parser, new=True)


def run(arguments: argparse.Namespace) -> int:
    """Play to the end."""
    stream = safe_stdout(sys.stdout)
    coloured = can_colour(stream) and not arguments.plain
    screen = LineScreen(stream) if coloured else PlainScreen(stream)
    who = connection.known_or_new(arguments, "Player")
    try:
        asyncio.run(_play(arguments, who, screen))
    except Quit as quit_:
        print(f"lanternwell play: {quit_}", file=sys.stderr)
        return UNFINISHED
    return 0


async def _play(arguments: argparse.Namespace, who: connection.Identity, screen: Screen) -> None:
    async with connection.player(arguments, who) as client, Keyboard(sys.stdin) as keyboard:
        match_id = await tabling.sit(arguments, client)
        summary = await client.match(match_id)
        screen.say(f"You are {who.name}, at match {match_id}.")
        screen.say(f"{summary.ruleset}, {summary.taken} of {summary.seats} seats taken.")
        if summary.status == "open":
            invite = " --invite CODE" if summary.private else ""
            others = f"lanternwell play {match_id}{invite}"
            screen.say(f"It starts when the table is full. Others join: {others}")
        watcher = Watcher(client, match_id, screen, lobby=summary.status == "open")
        person = Person(client, match_id, keyboard, screen, watcher)
        telling = asyncio.create_task(watcher.watch())
        playing = asyncio.create_task(play(person, client, match_id, on_error="raise"))
        try:
            await asyncio.wait({telling, playing}, return_when=asyncio.FIRST_EXCEPTION)
            for task in (playing, telling):
                if task.done():
                    task.result()
            summary = await playing
        except (Quit, asyncio.CancelledError):
            again = connection.again(arguments, who)
            screen.say()
            screen.say(f"Your seat stays yours. To go on: lanternwell play {match_id} {again}")
            raise
        finally:
            for task in (telling, playing):
                task.cancel()
            await asyncio.gather(telling, playing, return_exceptions=True)
        screen.say()
        for line in result(summary, watcher.story):
            screen.say(line)
        if summary.over:
            again = connection.again(arguments, who)
            screen.say()
            screen.say(f"The same players again: lanternwell join {match_id} --rematch {again}")


class Person(Agent):
    """Asks a person for every move. The match is told by somebody else."""

    def __init__(
        self,
        client: AsyncClient,
        match_id: str,
        keyboard: Keyboard,
        screen: Screen,
        watcher: Watcher,
    ) -> None:
        self._client = client
        self._match_id = match_id
        self._keyboard = keyboard
        self._screen = screen
        self._watcher = watcher
        self._story = watcher.story
        self._asked: tuple[object, ...] = ()
        self._helped = False

    async def on_turn(self, turn: Turn, view: View) -> Move | None:
        """The move that is typed in time. Raises `Quit`."""
        await self._watcher.catch_up()  # what led to this turn is told first
        self._keyboard.forget()
        self._ask(turn, view, again=True)
        typing = asyncio.create_task(self._typed(turn, view))
        try:
            while not typing.done():
                await asyncio.wait({typing}, timeout=LOOK_S)
                if not typing.done() and not await self._stands(turn):
                    self._say("This turn is over.")
                    return None
            return typing.result()
        finally:
            typing.cancel()

    async def _typed(self, turn: Turn, view: View) -> Move:
        while True:
            line = await self._keyboard.line()
            if line is None:
                raise Quit("nothing more can be typed")
            word = line.strip().lower()
            if word == "quit":
                raise Quit("you have stopped playing")
            if word == "table":
                self._show_table(view)
            elif word in ("", "?", "help"):
                self._ask(turn, view)
            else:
                try:
                    move = read_move(line, turn, self._story.names)
                    await self._try(turn, move)
                except Unclear as unclear:
                    self._say(f"{unclear}. (? lists what you may do)")
                else:
                    return move

    async def _try(self, turn: Turn, move: Move) -> None:
        """Raises `Unclear` when the service would not take the move, or would punish it."""
        try:
            tried = await self._client.dry_run(self._match_id, turn.turn_id, move)
        except Unreachable:
            return  # the move itself will be tried harder
        except Refused as refusal:
            if refusal.passing:
                return
            raise Unclear(refusal.detail or refusal.code) from refusal
        if tried.would_be == "forfeit":
            raise Unclear("that is not legal, and would put you out of the game")

    async def _stands(self, turn: Turn) -> bool:
        """Whether the turn can still be played, as far as that can be told."""
        if turn.deadline_ms is not None and self._client.clock.seconds_until(turn.deadline_ms) < 0:
            return False
        with suppress(Unreachable, Refused):
            now = (await self._client.state(self._match_id)).turn
            return now is not None and now.turn_id == turn.turn_id
        return True

    def _ask(self, turn: Turn, view: View, *, again: bool = False) -> None:
        """List what may be done; `again` leaves it at a line when that was listed before."""
        left = ""
        if turn.deadline_ms is not None:
            left = f", {max(0.0, self._client.clock.seconds_until(turn.deadline_ms)):.0f} s left"
        asked = turn.day, turn.phase, turn.legal_actions
        if again and asked == self._asked:
            self._say(f"Your turn again{left}. (? lists what you may do)")
            return
        self._asked = asked
        self._screen.say()
        self._say(f"Your turn, {view.get('your_role') or 'player'} ({when(self._story)}{left}):")
        for line in menu(turn, self._story.names):
            self._screen.tell(Line(Tone.TOLD, line), self._story)
        if not self._helped:
            self._helped = True
            hint = "(table shows who is alive, ? what you may do, quit stops)"
            self._screen.tell(Line(Tone.TOLD, hint), self._story)

    def _show_table(self, view: View) -> None:
        for player in view.get("players") or ():
            seat = player["seat"]
            you = " (you)" if seat == view.get("your_seat") else ""
            fate = self._story.fates.get(seat, "alive")
            card = f", {self._story.roles[seat]}" if seat in self._story.roles else ""
            self._screen.say(f"  {seat:>2} {clean(player['name'])}{you}: {fate}{card}")

    def _say(self, text: str) -> None:
        self._screen.tell(Line(Tone.ASKED, text), self._story)
