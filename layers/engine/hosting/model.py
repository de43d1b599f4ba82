"""What the platform keeps of a match, and who looks at it.

A match is two items and a log. `State` is hot: small, of constant size, read and written by every
move. `Table` is cold: written when somebody sits down or stands up, at the start and at the end.
A `LogEntry` is written with every change, and never again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import werewolf
from protocol.terms import Mode, Outcome, Status
from werewolf import Event
from werewolf.inputs import InputBy

DIGEST_BYTES = 32

BOT_MARK = bytes(16)
"""How the key of a house bot begins. A token's digest would begin so once in 2^128 tokens."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Who a request says it comes from: not proven until `digest` is compared with a stored one.

    `digest` is the SHA-256 of the whole token.
    """

    agent_id: str
    digest: bytes


@dataclass(frozen=True, slots=True)
class Agent:
    """A registered agent."""

    agent_id: str
    name: str
    digest: bytes


@dataclass(frozen=True, slots=True)
class Sheet:
    """What a character is. `strategy` holds notes by rule set. Only the name is never blank."""

    name: str
    archetype: str
    backstory: str
    personality: str
    strategy: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Character:
    """An agent's character. `version` moves on with every change to the sheet."""

    agent_id: str
    character_id: str
    version: int
    sheet: Sheet
    created_at: int
    updated_at: int


class Unchanged(NamedTuple):
    """A character as it was read: at this version, or not there (None)."""

    agent_id: str
    character_id: str
    version: int | None


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of a seat's last accepted move.

    `seq` is the number of events that the seat had seen once the move was in.
    """

    turn_id: str
    fingerprint: str
    outcome: Outcome
    seq: int


@dataclass(frozen=True, slots=True)
class State:
    """The hot item.

    `keys` holds the token digests of the seated agents, 32 bytes each: in joining order while the
    match is open, in seat order afterwards. `seen` counts the events that each viewer has seen so
    far: the seats (none while the match is open), then spectators, then the omniscient. `match` is
    the engine's match as JSON, None while open. `receipts` and `missed` have one entry per seat:
    the receipt of its last accepted move, and the last turn that it let pass ("" for none).
    `host` is the host's token digest, and only where the match's options allow omniscient viewing;
    `mode` is how the host looks on, None until its first view.
    """

    match_id: str
    version: int
    status: Status
    ruleset: str
    keys: bytes = b""
    seen: tuple[int, ...] = (0, 0)
    deadline: int | None = None
    clock: int = 0
    match: str | None = None
    receipts: tuple[Receipt | None, ...] = ()
    missed: tuple[str, ...] = ()
    host: bytes = b""
    mode: Mode | None = None

    @property
    def taken(self) -> int:
        """How many agents are seated."""
        return len(self.keys) // DIGEST_BYTES

    def key(self, place: int) -> bytes:
        """The digest at this place (after the start: of this seat)."""
        return self.keys[place * DIGEST_BYTES : (place + 1) * DIGEST_BYTES]

    def is_bot(self, place: int) -> bool:
        """Whether a house bot sits at this place (after the start: in this seat)."""
        return self.key(place).startswith(BOT_MARK)

    @property
    def started(self) -> bool:
        """Whether the roles have been dealt."""
        return self.match is not None

    def engine(self) -> werewolf.Match:
        """The engine's match; only once it has started."""
        if self.match is None:
            raise ValueError("the match has not started")
        return werewolf.Match.from_json(self.match)


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody at the table. `place` counts who sat down before; `character_id` is the agent's."""

    agent_id: str
    name: str
    place: int
    character_id: str | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """The cold item.

    `players` is in joining order, after the start in seat order. `entropies` is always in joining
    order, an empty string for who brought none. `seed` is the server's and secret until the match
    is over; `commitment` is public from the start. `cast` is the version of the log entry that
    tells of the characters, None when nobody brought one.

    `fill` has house bots take the free seats. `invite` is the SHA-256 of the code (hex digits) that
    one must know to sit down; `reserved` are the agents for whom the seats are kept. `rematch` is
    the match that these players play next.
    """

    match_id: str
    title: str
    ruleset: str
    status: Status
    host: str
    seats: int
    options: Mapping[str, Any]
    players: tuple[Player, ...]
    commitment: str
    opened_at: int
    seed: str
    entropies: tuple[str, ...] = ()
    started_at: int | None = None
    cast: int | None = None
    ended_at: int | None = None
    winner: str | None = None
    ranking: tuple[Mapping[str, Any], ...] | None = None
    fill: bool = False
    invite: str | None = None
    reserved: tuple[str, ...] = ()
    rematch: str | None = None

    @property
    def private(self) -> bool:
        """Whether it is left out of the lists: not everybody may sit down."""
        return self.invite is not None or bool(self.reserved)


@dataclass(frozen=True, slots=True)
class TableChange:
    """What a commit changes in the cold item; None leaves it as it is."""

    status: Status | None = None
    players: tuple[Player, ...] | None = None
    entropies: tuple[str, ...] | None = None
    started_at: int | None = None
    cast: int | None = None
    ended_at: int | None = None
    winner: str | None = None
    ranking: tuple[Mapping[str, Any], ...] | None = None


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """One input of a match, for the replay.

    `seat` is None at the start, and for a timeout that met several seats at once.
    """

    by: InputBy
    seat: int | None = None
    move: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class LogEntry:
    """What one commit did. `bots` are those of the seats with a new turn that the house plays, each
    with its pause before that turn (`pause_before`), which nobody may know.

    `before` is `State.seen` as it was before `events`; `turns` are (seat, turn as it goes over the
    wire) for each seat whose turn is new; `effects` says what must follow ("clock"). `commit_id`
    tells this commit from any other.
    """

    match_id: str
    version: int
    at: int
    commit_id: str
    events: tuple[Event, ...] = ()
    before: tuple[int, ...] = (0, 0)
    turns: tuple[tuple[int, Mapping[str, Any]], ...] = ()
    moves: tuple[PlayedMove, ...] = ()
    effects: frozenset[str] = frozenset()
    clock: int = 0
    deadline: int | None = None
    bots: Mapping[int, float] = field(default_factory=dict)


class Kept(NamedTuple):
    """The events of one log entry that views show on later days too."""

    version: int
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A line in somebody's own list of matches, kept beside the match under the seat's key.

    `listed` is where it stands in that list: None takes it out. `agent_id` says in whose list, and
    is None where that stays as it is.
    """

    key: bytes
    listed: str | None
    agent_id: str | None = None


@dataclass(frozen=True, slots=True)
class Commit:
    """One transaction. `state.version` is the version that was read plus one.

    It is written only if the characters in `unchanged` are still what was read.
    """

    state: State
    entry: LogEntry
    table: TableChange | None = None
    rows: tuple[SeatRow, ...] = ()
    unchanged: tuple[Unchanged, ...] = ()


@dataclass(frozen=True, slots=True)
class Connection:
    """An open WebSocket. `caller` was authenticated when it was opened; None for a spectator."""

    connection_id: str
    caller: Caller | None
    matches: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Watcher:
    """A connection that follows a match; it has been sent its viewer's events up to `after`.

    `mode` was fixed when it subscribed; `thinking` is for omniscient viewers who asked for it.
    Whatever happened up to `version`, it has been told.
    """

    connection_id: str
    agent_id: str | None
    after: int
    mode: Mode = "mystery"
    thinking: bool = False
    version: int = 0


def players_at(places: Sequence[Player]) -> tuple[Player, ...]:
    """The players with their places counted anew, in the order given."""
    return tuple(replace(player, place=place) for place, player in enumerate(places))
