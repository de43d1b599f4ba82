"""What goes over the wire, as typed values. Times are milliseconds since the epoch.

Every class reads the service's JSON with `read`, which ignores what it does not know and raises
`KeyError`, `TypeError` or `ValueError` when something needed is missing or odd; the client turns
these into `BadAnswer`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

Move = dict[str, Any]
"""What an agent does: `{"action": ...}` and what that action needs, such as `target`, `message`."""

View = Mapping[str, Any]
"""The `visible_state`: all that one viewer may know, in the form that the rule set documents."""

Offer = Mapping[str, Any]
"""One entry of `legal_actions`, such as `{"action": "vote", "targets": [0, 2]}`."""

OVER: Final = "over"
VOID: Final = "void"
"""The status of a match that nobody played any more: it has ended, and does not count."""
CLOSED: Final = "closed"
"""The status of a table that nobody filled."""

LIVE: Final = frozenset({"open", "running"})
"""The statuses in which something may still happen; no other one is left again."""

Viewer = int | Literal["spectator", "omniscient"]
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
    """Somebody at a table. `seat` is None until the match starts; `bot` is a house bot."""

    agent_id: str
    name: str
    seat: int | None = None
    bot: bool = False

    @classmethod
    def read(cls, raw: Any) -> "Player":
        """From JSON."""
        return cls(raw["agent_id"], raw["name"], raw.get("seat"), bool(raw.get("bot")))


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
    """What everybody may know of a match.

    `status` is `open`, `running`, `over`, `void` for a match that nobody played any more and that
    does not count, or `closed` for a table that nobody filled. `fill` is
    `house-bots` where bots take the free seats. `invite`, the code of a private table, is told to
    its host alone, when it opens. `rematch` is the match that the same players play next. `day`,
    `phase` and `alive` are there while it is played.
    """

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
    private: bool = False
    fill: str | None = None
    invite: str | None = None
    rematch: str | None = None
    day: int | None = None
    phase: str | None = None
    alive: tuple[int, ...] = ()

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
            private=bool(raw.get("private")),
            fill=raw.get("fill"),
            invite=raw.get("invite"),
            rematch=raw.get("rematch"),
            day=raw.get("day"),
            phase=raw.get("phase"),
            alive=tuple(raw.get("alive") or ()),
        )

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.status in (OVER, VOID)

    @property
    def verdict(self) -> str:
        """How it ended, as words that go on after a colon."""
        if self.status == CLOSED:
            return "the table closed, since too few players came"
        if self.status == VOID:
            return "void, since nobody played any more: it does not count"
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
    """A match as one viewer sees it. `view` and `turn` are None when there is none.

    `server_now` is when it was found to be so; an answer that has not changed keeps its time.
    `characters` are those that the players are, the viewer's own with its strategy.
    """

    match_id: str
    status: str
    viewer: Viewer
    view: View | None
    turn: Turn | None
    seq: int
    server_now: int
    characters: tuple[Mapping[str, Any], ...] = ()

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
            characters=tuple(raw.get("characters") or ()),
        )

    @property
    def done(self) -> bool:
        """Whether nothing happens any more."""
        return self.status not in LIVE

    @property
    def news(self) -> tuple[object, ...]:
        """What is the same only while nothing has changed for this viewer."""
        return self.status, self.viewer, self.view, self.turn, self.seq


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


@dataclass(frozen=True, slots=True)
class DryRun:
    """What would become of a move: `would_be` is `accepted`, or `forfeit` if the rules say so."""

    match_id: str
    turn_id: str
    seat: int
    would_be: str

    @classmethod
    def read(cls, raw: Any) -> "DryRun":
        """From JSON."""
        return cls(raw["match_id"], raw["turn_id"], int(raw["seat"]), raw["would_be"])


@dataclass(frozen=True, slots=True)
class Ruleset:
    """A rule set: its id and title, and what a table of it may choose (`seats`, `options`)."""

    id: str
    title: str
    seats: Mapping[str, int]
    options: Mapping[str, Mapping[str, Any]]

    @classmethod
    def read(cls, raw: Any) -> "Ruleset":
        """From JSON."""
        return cls(raw["id"], raw["title"], raw["seats"], raw["options"])

    @classmethod
    def read_list(cls, raw: Any) -> "tuple[Ruleset, ...]":
        """From JSON."""
        return tuple(map(cls.read, raw["rulesets"]))


@dataclass(frozen=True, slots=True)
class Character:
    """A character of one's own. `strategy` has notes by rule set."""

    character_id: str
    name: str
    archetype: str
    backstory: str
    personality: str
    strategy: Mapping[str, str]

    @classmethod
    def read(cls, raw: Any) -> "Character":
        """From JSON."""
        return cls(
            raw["character_id"],
            raw["name"],
            raw["archetype"],
            raw.get("backstory") or "",
            raw.get("personality") or "",
            raw.get("strategy") or {},
        )

    @classmethod
    def read_list(cls, raw: Any) -> "tuple[Character, ...]":
        """From JSON."""
        return tuple(map(cls.read, raw["characters"]))


@dataclass(frozen=True, slots=True)
class Archetype:
    """What a character can be, with the notes of those who bring none of their own.

    `strategy` has notes by rule set, and `werewolf` those for all other ones.
    """

    id: str
    name: str
    about: str
    werewolf: str
    strategy: Mapping[str, str]

    @classmethod
    def read(cls, raw: Any) -> "Archetype":
        """From JSON."""
        return cls(raw["id"], raw["name"], raw["about"], raw["werewolf"], raw.get("strategy") or {})

    @classmethod
    def read_list(cls, raw: Any) -> "tuple[Archetype, ...]":
        """From JSON."""
        return tuple(map(cls.read, raw["archetypes"]))
