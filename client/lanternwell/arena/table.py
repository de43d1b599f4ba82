"""One match between agents, on the engine alone.

What an agent is handed is what the service would hand it, through JSON and back. Time is counted,
not waited for: a move takes a second (half of what is left, where that is less), and a turn that an
agent lets pass takes until its deadline. An agent that raises, or whose answer is no move, lets its
turn pass; what it may be punished with is for the rules to say, and the match goes on.
"""

import asyncio
import inspect
import json
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

import werewolf
from lanternwell.agent import Agent
from lanternwell.arena.casting import Contestant
from lanternwell.arena.lineup import Pairing
from lanternwell.errors import Refused
from lanternwell.failures import own_traceback
from lanternwell.model import Event, Move, Placing, Player, Summary, Turn, View
from werewolf import IllegalMove
from werewolf.roles import team_of

T = TypeVar("T")

Record = dict[str, Any]
"""A match that was played, JSON-ready."""

VOID: Final = "void"
"""In place of the winner of a match that nobody played, which does not count."""

START_MS: Final = 1_767_225_600_000
PACE_MS: Final = 1_000


@dataclass(frozen=True, slots=True)
class Game:
    """What is played: a rule set, its seats and options."""

    ruleset: str
    seats: int
    options: Mapping[str, Any] = field(default_factory=dict)


def play_match(game: Game, contestants: Sequence[Contestant], pairing: Pairing) -> Record:
    """Play a match to its end. The same arguments give the same record."""
    random.seed(f"{pairing.seed}/{pairing.rotation}")  # for agents that use the module's own dice
    names = [contestants[number].name for number in pairing.seats]
    hands = [
        Hands(contestants[number], f"{pairing.seed}/{pairing.rotation}/{seat}")
        for seat, number in enumerate(pairing.seats)
    ]
    with asyncio.Runner() as loop:
        for hand in hands:
            hand.wait = loop.run
        table = Table(game, names, pairing.seed, hands)
        table.play(f"match {pairing.number}")
    return _record(game, pairing, names, table)


class Hands:
    """A seat's agent. Whatever it raises is counted, and nothing else comes of it."""

    def __init__(self, contestant: Contestant, seed: str) -> None:
        self.errors = 0
        self.first_error: str | None = None
        self.wait: Callable[[Any], Any] = asyncio.run
        self._agent = self._guarded(lambda: contestant.make(seed))
        self.listens = self._agent is not None and type(self._agent).on_event is not Agent.on_event

    def choose(self, turn: Turn, view: View) -> Move | None:
        """Its move, or None when it makes none."""
        agent = self._agent
        return None if agent is None else self._guarded(lambda: self._move(agent, turn, view))

    def choose_again(self, turn: Turn, view: View, move: Move, refusal: Refused) -> Move | None:
        """Its move after that one was refused."""
        agent = self._agent
        if agent is None:
            return None
        return self._guarded(lambda: _checked(agent.on_refused(turn, view, move, refusal)))

    def hear(self, event: Event) -> None:
        """It learns of something."""
        if self._agent is not None:
            agent = self._agent
            self._guarded(lambda: agent.on_event(event))

    def end(self, summary: Summary) -> None:
        """It learns that the match is over."""
        if self._agent is not None:
            agent = self._agent
            self._guarded(lambda: agent.on_over(summary))

    def _move(self, agent: Agent, turn: Turn, view: View) -> Move | None:
        answer = agent.on_turn(turn, view)
        if inspect.isawaitable(answer):
            answer = self.wait(_result(answer))
        return _checked(answer)

    def _guarded(self, call: Callable[[], T]) -> T | None:
        try:
            return call()
        except (Exception, SystemExit) as error:  # noqa: BLE001 - an agent may fail as it likes
            self.fail(own_traceback(error))
            return None

    def fail(self, why: str) -> None:
        """Count an error of the agent."""
        self.errors += 1
        self.first_error = self.first_error or why.rstrip()


class Table:
    """A match in progress."""

    def __init__(self, game: Game, names: Sequence[str], seed: str, hands: Sequence[Hands]) -> None:
        self.names = names
        self.seed = seed
        self.moves = 0
        self.timeouts: Counter[int] = Counter()
        self.now = START_MS
        self.hands = hands
        self._log: list[werewolf.Event] = []
        self._heard = [0] * len(hands)
        self._passed = [""] * len(hands)
        started = werewolf.start(game.ruleset, names, seed=seed, now=self.now, options=game.options)
        self._happen(started)

    def play(self, title: str) -> None:
        """Play to the end."""
        while not self.match.over:
            did = [self._take_turn(seat) for seat in self.match.awaiting]
            if not any(did):
                self._let_time_pass()
        summary = self._summary(title)
        for hand in self.hands:
            hand.end(summary)

    def _take_turn(self, seat: int) -> bool:
        """Whether the seat did something. It is asked once for each turn that it has."""
        turn = werewolf.turn(self.match, seat)
        if turn is None or turn.turn_id == self._passed[seat]:
            return False
        left = PACE_MS * 2 if turn.deadline is None else turn.deadline - self.now
        if left < 2:
            self._let_time_pass()
            return True
        self.now += min(PACE_MS, left // 2)
        shown = Turn.read(_through_json(turn.as_dict()))
        view = _through_json(werewolf.view(self.match, self._log, seat))
        move = self.hands[seat].choose(shown, view)
        if move is not None and self._make(seat, shown, view, move):
            return True
        self._passed[seat] = turn.turn_id
        return False

    def _make(self, seat: int, turn: Turn, view: View, move: Move) -> bool:
        """Make the move, or the one that the agent makes instead when it is refused."""
        try:
            self._happen(werewolf.act(self.match, seat, move, now=self.now))
        except IllegalMove as refusal:
            another = self.hands[seat].choose_again(turn, view, move, _refused(refusal))
            if another is None:
                return False
            try:
                self._happen(werewolf.act(self.match, seat, another, now=self.now))
            except IllegalMove as refusal_of_another:
                self.hands[seat].fail(f"refused twice, at last {another}: {refusal_of_another}")
                return False
        self.moves += 1
        return True

    def _let_time_pass(self) -> None:
        assert self.match.deadline is not None
        self.now = max(self.now, self.match.deadline)
        before = len(self._log)
        self._happen(werewolf.expire(self.match, now=self.now))
        for event in self._log[before:]:
            if event.type in ("timeout", "timeout_private"):
                self.timeouts[event.data["seat"]] += 1

    def _happen(self, transition: werewolf.Transition) -> None:
        self.match = transition.match
        self._log += transition.events
        for seat, hand in enumerate(self.hands):
            if hand.listens:
                self._tell(seat, hand, transition.events)

    def _tell(self, seat: int, hand: Hands, events: Sequence[werewolf.Event]) -> None:
        for event in events:
            if werewolf.visible_to(event, seat):
                self._heard[seat] += 1
                data = _through_json(event.data)
                hand.hear(Event(seq=self._heard[seat], at=self.now, type=event.type, data=data))

    def _summary(self, title: str) -> Summary:
        match = self.match
        return Summary(
            match_id=title.replace(" ", "-"),
            title=title,
            ruleset=match.ruleset,
            status="over",
            seats=len(self.names),
            taken=len(self.names),
            options=match.options,
            host="",
            players=[
                Player(agent_id=name, name=name, seat=seat) for seat, name in enumerate(self.names)
            ],
            commitment=werewolf.commitment(self.seed),
            opened_at=0,
            started_at=0,
            ended_at=self.now,
            winner=match.winner,
            ranking=list(map(Placing.of, match.ranking)),
            private=True,
            fill=None,
            rematch=None,
        )


def _record(game: Game, pairing: Pairing, names: Sequence[str], table: Table) -> Record:
    match = table.match
    causes = {seat: cause for seat, _, cause in match.eliminated}
    unplaced = {"rank": None, "score": 0}
    places = {place["seat"]: place for place in match.ranking}
    return {
        "match": pairing.number,
        "ruleset": game.ruleset,
        "options": dict(match.options),
        "seed": pairing.seed,
        "rotation": pairing.rotation,
        "seats": [
            {
                "seat": seat,
                "agent": name,
                "role": match.roles[seat],
                "team": team_of(match.roles[seat]),
                **{name: places.get(seat, unplaced)[name] for name in unplaced},
                "forfeit": causes.get(seat) == "forfeit",
                "left": causes.get(seat) == "left",
                "timeouts": table.timeouts[seat],
                "errors": hand.errors,
                "first_error": hand.first_error,
            }
            for seat, (name, hand) in enumerate(zip(names, table.hands, strict=True))
        ],
        "winner": VOID if match.void else match.winner,
        "ranking": match.ranking,
        "days": match.day,
        "moves": table.moves,
    }


def _checked(answer: Any) -> Move | None:
    if answer is not None and not isinstance(answer, Mapping):
        raise TypeError(f"a {type(answer).__name__} is no move")
    return None if answer is None else _through_json(dict(answer))


async def _result(answer: Awaitable[T]) -> T:
    return await answer


def _refused(refusal: IllegalMove) -> Refused:
    return Refused(
        400 if refusal.code == "malformed" else 422,
        refusal.code,
        refusal.detail,
        field=refusal.field,
        legal_actions=refusal.legal_actions,
    )


def _through_json(value: Any) -> Any:
    return json.loads(json.dumps(value))
