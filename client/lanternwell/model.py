"""What goes over the wire, as typed values. Times are milliseconds since the epoch.

Every class reads the service's JSON with `read`, which ignores what it does not know and raises
`KeyError`, `TypeError` or `ValueError` when something needed is missing or odd; the client turns
these into `BadAnswer`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Move = dict[str, Any]
"""What an agent does: `{"action": ...}` and what that action needs, such as `target`, `message`."""

View = Mapping[str, Any]
"""The `visible_state`: all that one viewer may know, in the form that the rule set documents."""

Offer = Mapping[str, Any]
"""One entry of `legal_actions`, such as `{"action": "vote", "targets": [0, 2]}`."""

Viewer = int | Literal["spectator"]
"""Who looks: a seat number, or somebody without a seat."""


@dataclass(frozen=True, slots=True)
class Registration:
    """A new agent. The token is shown this once."""

    agent_id: str
    name: str
    token: str

    @classmethod
    def read(cls, raw: Any) -> "Registration":
        """From JSON."""
        return cls(raw["agent_id"], raw["name"], raw["token"])


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody at a table. `seat` is None until the match starts."""

    agent_id: str
    name: str
    seat: int | None = None

    @classmethod
    def read(cls, raw: Any) -> "Player":
        """From JSON."""
        return cls(raw["agent_id"], raw["name"], raw.get("seat"))


@dataclass(frozen=True, slots=True)
class Placing:
    """How a seat ended."""

    seat: int
    rank: int
    score: float

    @classmethod
    def read(cls, raw: Any) -> "Placing":
        """From JSON."""
        return cls(raw["seat"], raw["rank"], raw["score"])


@dataclass(frozen=True, slots=True)
class Summary:
    """What everybody may know of a match. `status` is `open`, `running` or `over`."""

    match_id: str
    title: str | None
    ruleset: str
    status: str
    seats: int
    taken: int
    options: Mapping[str, Any]
    host: str | None
    players: tuple[Player, ...]
    commitment: str
    winner: str | None
    ranking: tuple[Placing, ...]

    @classmethod
    def read(cls, raw: Any) -> "Summary":
        """From JSON."""
        return cls(
            match_id=raw["match_id"],
            title=raw.get("title"),
            ruleset=raw["ruleset"],
            status=raw["status"],
            seats=int(raw["seats"]),
            taken=int(raw["taken"]),
            options=raw.get("options") or {},
            host=raw.get("host"),
            players=tuple(map(Player.read, raw.get("players") or ())),
            commitment=raw["commitment"],
            winner=raw.get("winner"),
            ranking=tuple(map(Placing.read, raw.get("ranking") or ())),
        )

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.status == "over"

    @property
    def verdict(self) -> str:
        """How it ended, as words that go on after a colon."""
        words = {None: "no result", "draw": "a draw, nobody wins"}
        return words.get(self.winner, f"the {self.winner} win")


@dataclass(frozen=True, slots=True)
class MatchPage:
    """A page of the list of matches. `next` is the cursor of the page after it, or None."""

    matches: tuple[Summary, ...]
    next: str | None

    @classmethod
    def read(cls, raw: Any) -> "MatchPage":
        """From JSON."""
        return cls(tuple(map(Summary.read, raw["matches"])), raw.get("next"))


@dataclass(frozen=True, slots=True)
class Turn:
    """What one seat may do now, until `deadline_ms` on the service's clock (None: no deadline)."""

    turn_id: str
    phase: str
    day: int
    legal_actions: tuple[Offer, ...]
    deadline_ms: int | None

    @classmethod
    def read(cls, raw: Any) -> "Turn":
        """From JSON."""
        return cls(
            raw["turn_id"],
            raw["phase"],
            int(raw["day"]),
            tuple(raw["legal_actions"]),
            raw.get("deadline_ms"),
        )


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened. `seq` counts, from 1, the events that this viewer may see."""

    seq: int
    at: int
    type: str
    data: Mapping[str, Any]

    @classmethod
    def read(cls, raw: Any) -> "Event":
        """From JSON."""
        return cls(int(raw["seq"]), int(raw["at"]), raw["type"], raw["data"])


@dataclass(frozen=True, slots=True)
class EventPage:
    """Events after a sequence number; `more` tells whether another page follows after `next`."""

    events: tuple[Event, ...]
    next: int
    more: bool
    server_now: int

    @classmethod
    def read(cls, raw: Any) -> "EventPage":
        """From JSON."""
        return cls(
            tuple(map(Event.read, raw["events"])),
            int(raw["next"]),
            bool(raw["more"]),
            int(raw["server_now"]),
        )


@dataclass(frozen=True, slots=True)
class State:
    """A match as one viewer sees it. `view` and `turn` are None when there is none."""

    match_id: str
    status: str
    viewer: Viewer
    view: View | None
    turn: Turn | None
    seq: int
    server_now: int

    @classmethod
    def read(cls, raw: Any) -> "State":
        """From JSON."""
        turn = raw.get("your_turn")
        return cls(
            match_id=raw["match_id"],
            status=raw["status"],
            viewer=raw["viewer"],
            view=raw.get("visible_state"),
            turn=None if turn is None else Turn.read(turn),
            seq=int(raw["seq"]),
            server_now=int(raw["server_now"]),
        )


@dataclass(frozen=True, slots=True)
class Receipt:
    """An accepted move. `outcome` is `accepted`, or `forfeit` where the rules say so."""

    match_id: str
    turn_id: str
    seat: int
    outcome: str
    seq: int

    @classmethod
    def read(cls, raw: Any) -> "Receipt":
        """From JSON."""
        return cls(
            raw["match_id"], raw["turn_id"], int(raw["seat"]), raw["outcome"], int(raw["seq"])
        )


@dataclass(frozen=True, slots=True)
class Place:
    """A place at an open table, or the seat that it became."""

    match_id: str
    agent_id: str
    place: int
    status: str

    @classmethod
    def read(cls, raw: Any) -> "Place":
        """From JSON."""
        return cls(raw["match_id"], raw["agent_id"], int(raw["place"]), raw["status"])
