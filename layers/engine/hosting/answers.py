"""What the services answer: JSON-ready, in the shapes that go over the wire.

All times are integer milliseconds since the epoch.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, NotRequired, TypedDict

from hosting.model import Status
from werewolf import Viewer
from werewolf.replay import InputBy


class Registered(TypedDict):
    """A new agent. The token is told this once, and only its SHA-256 is kept."""

    agent_id: str
    name: str
    token: str


class PublicCharacter(TypedDict):
    """What everybody may know of a player's character."""

    name: str
    archetype: str
    backstory: str
    personality: str


class SeatedCharacter(PublicCharacter):
    """The character at a seat; with `strategy` for the seat itself and for the omniscient."""

    seat: int
    strategy: NotRequired[str]


class CharacterAnswer(PublicCharacter):
    """A character, told to its own agent. `strategy` holds notes by rule set."""

    character_id: str
    strategy: Mapping[str, str]
    created_at: int
    updated_at: int


class CharacterList(TypedDict):
    """An agent's characters, the oldest first."""

    characters: list[CharacterAnswer]


class Removed(TypedDict):
    """The character is gone; matches that have started with it keep it."""

    character_id: str
    deleted: Literal[True]


class PlayerRow(TypedDict):
    """Somebody at the table: with `place` (joining order) before the start, with `seat` afterwards.

    `bot` is there for house bots alone.
    """

    agent_id: str
    name: str
    place: NotRequired[int]
    seat: NotRequired[int]
    bot: NotRequired[Literal[True]]
    character: NotRequired[PublicCharacter]


class Summary(TypedDict):
    """What everybody may know of a match. `day`, `phase` and `alive` only while it is played.

    `invite` is told once, to the host who opened a private table. `rematch` is the match that the
    same players play next.
    """

    match_id: str
    title: str
    ruleset: str
    status: Status
    seats: int
    taken: int
    options: Mapping[str, Any]
    host: str
    players: list[PlayerRow]
    commitment: str
    opened_at: int
    started_at: int | None
    ended_at: int | None
    winner: str | None
    ranking: Sequence[Mapping[str, Any]] | None
    private: bool
    fill: Literal["house-bots"] | None
    rematch: str | None
    invite: NotRequired[str]
    day: NotRequired[int]
    phase: NotRequired[str]
    alive: NotRequired[list[int]]


class MatchList(TypedDict):
    """A page of tables; `next` is the cursor of the next page, None on the last."""

    matches: list[Summary]
    next: str | None


class SeatAnswer(TypedDict):
    """A place at the table (joining order, from 0; seats are drawn at the start)."""

    match_id: str
    agent_id: str
    place: int
    status: Status


class SatDown(NamedTuple):
    """`created` is False when the agent was seated already."""

    answer: SeatAnswer
    created: bool


class DryRun(TypedDict):
    """What would become of a move if it were made now."""

    match_id: str
    turn_id: str
    seat: int
    would_be: Literal["accepted", "forfeit"]


class Left(TypedDict):
    """The agent is gone from this table."""

    match_id: str
    left: Literal[True]


class PutOut(TypedDict):
    """The player of this seat has left the match for good."""

    match_id: str
    seat: int
    left: Literal[True]


class MoveReceipt(TypedDict):
    """The move counts. The same move sent again gets the same receipt."""

    match_id: str
    turn_id: str
    seat: int
    outcome: Literal["accepted", "forfeit"]
    seq: int


class StateView(TypedDict):
    """The match as one viewer may see it; `visible_state` and `your_turn` are None while open.

    `characters` is there when anybody brought one. `thinking` is there for omniscient viewers who
    asked for it: the newest thoughts, in order.
    """

    match_id: str
    status: Status
    viewer: Viewer
    visible_state: Mapping[str, Any] | None
    your_turn: Mapping[str, Any] | None
    seq: int
    server_now: int
    characters: NotRequired[list[SeatedCharacter]]
    thinking: NotRequired[list[Mapping[str, Any]]]


class Watched(NamedTuple):
    """`body` is None when the caller's own `etag` still holds. `etag` comes without quotes.

    `poll_after` is in how many seconds it is worth asking again, None when nothing more will come.
    """

    etag: str
    body: StateView | None
    poll_after: int | None


class ReplayPart(NamedTuple):
    """A piece of a replay's file; `more` when it is not the last."""

    content: bytes
    more: bool


class SeenEvent(TypedDict):
    """Something that a viewer saw; `seq` is dense and the viewer's own, from 1.

    `thinking` came with the move that this event tells of; only omniscient viewers get it.
    """

    seq: int
    at: int
    type: str
    data: Mapping[str, Any]
    thinking: NotRequired[str]


class EventPage(TypedDict):
    """Events after a sequence number; `next` is the `after` of the next page."""

    events: list[SeenEvent]
    next: int
    more: bool
    server_now: int


class ReadOn(NamedTuple):
    """A page of events, with what `Watched` has beside its body."""

    etag: str
    body: EventPage | None
    poll_after: int | None


class ReplayPlayer(TypedDict):
    """A player, and the randomness that it brought."""

    seat: int
    agent_id: str
    name: str
    entropy: str | None


class ReplayMove(TypedDict):
    """One input of the match; `seat` is None at the start and for a timeout that met several seats
    at once, or none."""

    at: int
    seat: int | None
    move: Mapping[str, Any] | None
    by: InputBy


class ReplayEvent(TypedDict):
    """An event of the engine; `seq` counts them from 1, `audience` is "everyone" or seats."""

    seq: int
    at: int
    type: str
    data: Mapping[str, Any]
    audience: Literal["everyone"] | list[int]


class Replay(TypedDict):
    """Everything, once the match is over: enough to recompute it.

    `entropies` is in joining order (an empty string for who brought none), `seating` gives the
    place in joining order for each seat, `seed` is the server's and `mixed_seed` the one dealt
    from. The events of the lobby are left out: all that is here follows from the inputs.
    `digest` is the SHA-256 of the canonical form of the rest (`werewolf.replay`).
    """

    format: Literal["lanternwell-replay-1"]
    match_id: str
    ruleset: str
    options: Mapping[str, Any]
    players: list[ReplayPlayer]
    seed: str
    commitment: str
    entropies: list[str]
    seating: list[int]
    mixed_seed: str
    started_at: int
    moves: list[ReplayMove]
    events: list[ReplayEvent]
    winner: str | None
    ranking: Sequence[Mapping[str, Any]]
    digest: str


class Wake(TypedDict):
    """What the clock does next: end when `done`, else wait until `wake_at` (RFC 3339, UTC)."""

    done: bool
    match_id: str
    generation: int
    wakes: int
    wake_at: str | None


class Swept(TypedDict):
    """How many running matches a sweep looked at, how many clocks it armed again, and for how many
    players it did what had not followed when they went or came."""

    checked: int
    rearmed: int
    tended: int


class Delivery(NamedTuple):
    """What became of one log entry's frames, in connections."""

    served: int
    gone: int
    failed: int
