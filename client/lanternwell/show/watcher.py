"""Watching a match: what a client sees of it is told on a screen as it happens."""

import asyncio
import time
from contextlib import aclosing, suppress
from math import inf
from typing import Final

from lanternwell.client import AsyncClient
from lanternwell.errors import BadAnswer, LanternwellError, Refused, Unreachable
from lanternwell.model import Event
from lanternwell.show.screen import Screen
from lanternwell.show.story import Story
from lanternwell.stream import MatchStream

FRAME_S: Final = 0.15
LOOK_S: Final = 0.8
MOST_S: Final = 5.0
"""How often the state is looked at, where the service asks for less: at least and at most."""

LOBBY: Final = frozenset({"seat_taken", "seat_freed"})


class StalledError(LanternwellError):
    """Nothing has happened for longer than the deadlines allow."""


class Watcher:
    """Watches one match and tells it on a screen, as the client's seat or as a spectator.

    With `stalled_s` a match in which nothing happens for so long is given up. `lobby` is whether to
    tell who sat down and stood up.
    """

    def __init__(
        self,
        client: AsyncClient,
        match_id: str,
        screen: Screen,
        *,
        stalled_s: float = inf,
        lobby: bool = True,
    ) -> None:
        self.story = Story()
        self.seq = 0
        self._client = client
        self._match_id = match_id
        self._screen = screen
        self._stalled_s = stalled_s
        self._lobby = lobby
        self._answered = True
        self._last_event = time.monotonic()
        self._look_now = asyncio.Event()

    async def watch(self) -> None:
        """Until the match is over, or its table closed. Raises `StalledError` when it stalls."""
        helpers = [asyncio.create_task(self._draw()), asyncio.create_task(self._look())]
        listening = asyncio.create_task(self._listen())
        try:
            await asyncio.wait({listening, *helpers}, return_when=asyncio.FIRST_COMPLETED)
            for task in (listening, *helpers):
                if task.done():
                    task.result()
        finally:
            for task in (listening, *helpers):
                task.cancel()
            await asyncio.gather(listening, *helpers, return_exceptions=True)

    async def catch_up(self) -> None:
        """Tell all that has happened by now, also what the stream has not brought yet."""
        with suppress(Refused, Unreachable, BadAnswer):
            state = await self._client.state(self._match_id)
            before = -1
            while before < self.seq < state.seq:
                before = self.seq
                page = await self._client.events(self._match_id, after=before)
                for event in page.events:
                    self._tell(event)
            self.story.look(state)

    async def _listen(self) -> None:
        stream = MatchStream(self._client, self._match_id)
        async with aclosing(stream.signals()) as signals:
            async for signal in signals:
                if isinstance(signal, Event):
                    self._tell(signal)
                    self._look_now.set()

    def _tell(self, event: Event) -> None:
        """Tell an event, once."""
        if event.seq != self.seq + 1:
            return
        self.seq = event.seq
        self._last_event = time.monotonic()
        lines = self.story.feed(event)
        if self._lobby or event.type not in LOBBY:
            for line in lines:
                self._screen.tell(line, self.story)

    async def _draw(self) -> None:
        while True:
            self._screen.refresh(self.story, self._client.clock.now())
            if time.monotonic() - self._last_event > self._stalled_s:
                raise StalledError(f"nothing has happened for {self._stalled_s:.0f} s")
            await asyncio.sleep(FRAME_S)

    async def _look(self) -> None:
        """Whose turn it is has no event of its own, so the state is looked at now and then."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(
                    max(LOOK_S, min(MOST_S, self._client.poll_after_s or 0))
                ):
                    await self._look_now.wait()
            self._look_now.clear()
            try:
                self.story.look(await self._client.state(self._match_id))
            except (Refused, Unreachable, BadAnswer) as error:
                self._told_of_answers(f"No answer from the service ({error}). Trying again.", False)
            else:
                self._told_of_answers("The service answers again.", True)

    def _told_of_answers(self, text: str, answered: bool) -> None:
        """Say when the service falls silent, and when it is back."""
        if answered != self._answered:
            self._answered = answered
            self._screen.say(text)
