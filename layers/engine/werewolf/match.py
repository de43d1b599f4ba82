"""The compact state of a match. It does not grow with the match: what was said is in the events."""

import json
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from werewolf import roles as r
from werewolf.events import Event
from werewolf.options import OptionValue

OVER: Final = "over"

REVISION: Final = 2
"""How often the rules were amended since the first match, counted from 1. A match keeps to those of
its start, so that what was played before stays true: 2 brought bounds to what only goodwill ended,
and counts thoughts in bytes."""

new: Final = tuple.__new__
"""Makes a named tuple out of its fields in order, quicker than a call of its class: every move
makes a match, a transition, some events and a turn."""

Pick = tuple[int, int]
Ballot = tuple[int, int | str | None]


_encode: Final = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode
"""One encoder for all: `json.dumps` would make a new one for every match."""


class Match(NamedTuple):
    """A match at one moment.

    `moves` counts, per seat, the turns taken in the present phase. `upcoming` are the seats whose
    turn comes after `awaiting` in a phase that is played in turns. `picks` (seat, target) are the
    choices of the present night, `ballots` (seat, target, or what else was voted for) those of the
    present vote. `eliminated` (seat, day, cause) is in the order in which they went. `notes` is
    what the rule set alone has to remember. `pause` is None while the clock runs; while the table
    waits it holds since when (`at`), the time that was `left`, who was `awaiting`, and `for` whom:
    seat, and missing since how many milliseconds after `at`. `standing` (seat, rank, score) is
    empty until the end. `revision` says by which amendments of the rules it is played, and
    `last_move` (day, time) when a seat last made a move of its own; before the first one, day 0 and
    the start. Fields with a default are missing in states that earlier versions wrote.
    """

    ruleset: str
    seed: str
    options: Mapping[str, OptionValue]
    roles: tuple[str, ...]
    day: int
    phase: str
    alive: tuple[int, ...]
    awaiting: tuple[int, ...]
    upcoming: tuple[int, ...]
    deadline: int | None
    moves: tuple[int, ...]
    strikes: tuple[int, ...]
    picks: tuple[Pick, ...]
    ballots: tuple[Ballot, ...]
    eliminated: tuple[tuple[int, int, str], ...]
    throws: int
    notes: Mapping[str, Any]
    pause: Mapping[str, Any] | None
    winner: str | None
    standing: tuple[tuple[int, int, int], ...]
    revision: int = 1
    last_move: tuple[int, int] | None = None

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.phase == OVER

    @property
    def void(self) -> bool:
        """Whether the match has ended without counting: nobody has won, nor is it a draw."""
        return self.over and self.winner is None

    @property
    def waiting_for(self) -> tuple[int, ...]:
        """The seats that the table waits for, in order; the clock stands while there are any."""
        return () if self.pause is None else tuple(seat for seat, _ in self.pause["for"])

    @property
    def ranking(self) -> list[dict[str, int]]:
        """`[{"seat", "rank", "score"}]` once the match is over, best first; before, empty."""
        return [{"seat": seat, "rank": rank, "score": score} for seat, rank, score in self.standing]

    def to_json(self) -> str:
        """The match as one compact JSON string."""
        state = self._asdict()
        state["roles"] = r.spell(self.roles)
        return _encode(state)

    @classmethod
    def from_json(cls, text: str) -> "Match":
        """The match that `to_json` wrote."""
        state = json.loads(text)
        state["roles"] = r.unspell(state["roles"])
        for name in ("alive", "awaiting", "upcoming", "moves", "strikes"):
            state[name] = tuple(state[name])
        for name in ("picks", "ballots", "eliminated", "standing"):
            state[name] = tuple(map(tuple, state[name]))
        if state.get("last_move") is not None:
            state["last_move"] = tuple(state["last_move"])
        return cls(**state)


class Transition(NamedTuple):
    """A match after a change, and what happened on the way."""

    match: Match
    events: tuple[Event, ...]


class Turn(NamedTuple):
    """What a seat may do now. `deadline` is in milliseconds since the epoch, or None."""

    turn_id: str
    phase: str
    day: int
    legal_actions: list[dict[str, Any]]
    deadline: int | None

    def as_dict(self) -> dict[str, Any]:
        """The form in which a turn goes over the wire."""
        return {
            "turn_id": self.turn_id,
            "phase": self.phase,
            "day": self.day,
            "legal_actions": self.legal_actions,
            "deadline_ms": self.deadline,
        }
