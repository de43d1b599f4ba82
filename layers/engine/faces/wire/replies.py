"""Bodies of REST replies."""

from typing import Annotated, Any, Literal

from pydantic import Field

from faces.wire.base import AgentId, MatchId, Millis, Reply, Seat, Seq, is_absent
from faces.wire.characters import PublicCharacter, SeatedCharacter
from werewolf.replay import InputBy

Status = Literal["open", "running", "over", "closed"]


class ProblemBody(Reply):
    """A refusal (RFC 9457). Programs go by `code`."""

    type: Annotated[str, Field(examples=["urn:lanternwell:problem:turn_over"])]
    title: Annotated[str, Field(examples=["This turn is over"])]
    status: Annotated[int, Field(examples=[409])]
    code: Annotated[str, Field(examples=["turn_over"])]
    detail: str
    field: Annotated[str | None, Field(description="What is wrong in the request")] = None
    legal_actions: Annotated[
        list[dict[str, Any]] | None, Field(description="What this seat may do instead")
    ] = None


class Registered(Reply):
    """The new agent. The token is told this once and never again."""

    agent_id: AgentId
    name: str
    token: Annotated[str, Field(description="Send it as Authorization: Bearer <token>")]


IsBot = Annotated[
    Literal[True] | None, Field(description="There for house bots alone", exclude_if=is_absent)
]


class WaitingPlayer(Reply):
    """Somebody at an open table: `place` counts who came before."""

    agent_id: AgentId
    name: str
    place: int
    bot: IsBot = None


class SeatedPlayer(Reply):
    """Somebody in the game."""

    agent_id: AgentId
    name: str
    seat: Seat
    bot: IsBot = None
    character: Annotated[
        PublicCharacter | None,
        Field(description="For who brought one; left out in lists", exclude_if=is_absent),
    ] = None


class Rank(Reply):
    """How a seat did."""

    seat: Seat
    rank: int
    score: int


class MatchSummary(Reply):
    """What everybody may know of a match."""

    match_id: MatchId
    title: str
    ruleset: str
    status: Status
    seats: int
    taken: int
    options: dict[str, Any]
    host: AgentId
    players: list[WaitingPlayer] | list[SeatedPlayer]
    commitment: Annotated[str, Field(description="SHA-256 over the seed's bytes, in hex digits")]
    opened_at: Millis
    started_at: Millis | None = None
    ended_at: Millis | None = None
    winner: str | None = None
    ranking: list[Rank] | None = None
    private: Annotated[
        bool, Field(description="Not in the lists; one must be invited to sit down")
    ] = False
    fill: Annotated[Literal["house-bots"] | None, Field(description="Who takes the free seats")] = (
        None
    )
    rematch: Annotated[
        MatchId | None, Field(description="The match that these players play next")
    ] = None
    invite: Annotated[
        str | None,
        Field(
            description="The code to sit down at your private table; told here and never again",
            exclude_if=is_absent,
        ),
    ] = None
    day: int | None = None
    phase: str | None = None
    alive: list[Seat] | None = None


class MatchList(Reply):
    """A page of the list of tables; `next` is the cursor of the next page."""

    matches: list[MatchSummary]
    next: str | None


class Seated(Reply):
    """Your place at the table. Seats are drawn at the start."""

    match_id: MatchId
    agent_id: AgentId
    place: int
    status: Status


class Left(Reply):
    """You are gone from this table."""

    match_id: MatchId
    left: Literal[True]


class PutOut(Reply):
    """The player of this seat has left the game for good."""

    match_id: MatchId
    seat: Seat
    left: Literal[True]


class Turn(Reply):
    """What a seat may do now, and until when."""

    turn_id: str
    phase: str
    day: int
    legal_actions: list[dict[str, Any]]
    deadline_ms: Millis | None


class MatchState(Reply):
    """The match as this viewer may see it. `visible_state` is the rule set's own shape."""

    match_id: MatchId
    status: Status
    viewer: Seat | Literal["spectator", "omniscient"]
    visible_state: dict[str, Any] | None
    your_turn: Turn | None
    seq: Seq
    server_now: Millis
    characters: Annotated[
        list[SeatedCharacter] | None,
        Field(description="When anybody brought one", exclude_if=is_absent),
    ] = None
    thinking: Annotated[
        list[dict[str, Any]] | None,
        Field(
            description="For omniscient viewers who ask: the newest thoughts, in order",
            exclude_if=is_absent,
        ),
    ] = None


class Receipt(Reply):
    """The move counts. The same move sent again gets the same receipt."""

    match_id: MatchId
    turn_id: str
    seat: Seat
    outcome: Literal["accepted", "forfeit"]
    seq: Seq


class DryRun(Reply):
    """The move would count, if it were made now. Nothing has changed."""

    match_id: MatchId
    turn_id: str
    seat: Seat
    would_be: Literal["accepted", "forfeit"]


class SeenEvent(Reply):
    """Something that this viewer saw."""

    seq: Seq
    at: Millis
    type: str
    data: dict[str, Any]
    thinking: Annotated[
        str | None,
        Field(
            description="For omniscient viewers who ask: what was thought with this move",
            exclude_if=is_absent,
        ),
    ] = None


class EventPage(Reply):
    """Events after a sequence number; `next` is the `after` of the next page."""

    events: list[SeenEvent]
    next: Seq
    more: bool
    server_now: Millis


class ReplayPlayer(Reply):
    """A player and the randomness that it brought."""

    seat: Seat
    agent_id: AgentId
    name: str
    entropy: str | None = None


class ReplayMove(Reply):
    """One input of the match; with the seed these make the match again."""

    at: Millis
    seat: Seat | None
    move: dict[str, Any] | None
    by: InputBy


class ReplayEvent(Reply):
    """An event with its audience: "everyone", or the seats that saw it at once."""

    seq: int
    at: Millis
    type: str
    data: dict[str, Any]
    audience: Literal["everyone"] | list[Seat]


class Replay(Reply):
    """Everything, once the match is over: enough to recompute it."""

    format: Literal["lanternwell-replay-1"]
    match_id: MatchId
    ruleset: str
    options: dict[str, Any]
    players: list[ReplayPlayer]
    seed: str
    commitment: str
    entropies: list[str]
    seating: list[int]
    mixed_seed: str
    started_at: Millis
    moves: list[ReplayMove]
    events: list[ReplayEvent]
    winner: str | None
    ranking: list[Rank]
    digest: Annotated[str, Field(description="SHA-256 over the rest, in its canonical form")]


class SeatRange(Reply):
    """How many may play."""

    min: int
    max: int
    default: int


class RulesetSummary(Reply):
    """A rule set; its rule page is at /rules/{id}."""

    id: str
    title: str
    seats: SeatRange
    options: Annotated[
        dict[str, dict[str, Any]],
        Field(description="Each option as a JSON schema with its default"),
    ]


class ManifestAction(Reply):
    """Something that may be done in a phase; `fields` tells each field of the move."""

    by: Annotated[str, Field(description="A role, or everybody who may act")]
    action: str
    fields: dict[str, dict[str, Any]]


class ManifestPhase(Reply):
    """A phase. Played in turns, or by all together; `time` names the options that set it."""

    phase: str
    kind: Literal["turns", "together"]
    actions: list[ManifestAction]
    time: dict[str, str | None]


class RulesetSchemas(Reply):
    """JSON schemas (draft 2020-12) of what differs from rule set to rule set."""

    visible_state: Annotated[
        dict[str, Any], Field(description="The visible state; tells which viewers have a field")
    ]
    legal_actions: Annotated[dict[str, Any], Field(description="What a turn offers")]
    events: Annotated[
        dict[str, dict[str, Any]], Field(description="The data of each type of event")
    ]


class RulesetManifest(Reply):
    """A rule set for programs, made from what the engine runs."""

    id: str
    title: str
    seats: SeatRange
    roles: list[str]
    options: Annotated[
        dict[str, dict[str, Any]],
        Field(description="Each option as a JSON schema with its default"),
    ]
    phases: list[ManifestPhase]
    any_move_may_carry: dict[str, dict[str, Any]]
    illegal_moves: Literal["refused", "forfeit"]
    waits_for_absent_players: bool
    events: Annotated[
        dict[str, str], Field(description="Each type of event, and who may know of it meanwhile")
    ]
    schemas: RulesetSchemas


class RulesetList(Reply):
    """The rule sets that can be played here."""

    rulesets: list[RulesetSummary]
