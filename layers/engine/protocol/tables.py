"""Tables and who sits there."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from protocol import limits
from protocol.characters import PublicCharacter
from protocol.terms import (
    AgentId,
    CharacterId,
    Fill,
    MatchId,
    Millis,
    RulesetId,
    Seat,
    Status,
)
from protocol.wire import Reply, Request, Value

Entropy = Annotated[
    str | None,
    "Own randomness, mixed into the deal: 1 to 64 printable ASCII characters",
    Value(pattern=f"^{limits.ENTROPY}$"),
]


class OpenMatch(Request):
    """A table to open."""

    ruleset: RulesetId
    seats: Annotated[
        int | None,
        "How many play; absent: as the rule set says",
        Value(minimum=1, maximum=limits.SEATS),
    ] = None
    options: Annotated[Mapping[str, Any] | None, "Options of the rule set, see its rule page"] = (
        None
    )
    title: Annotated[
        str | None,
        "What the list of tables calls it",
        Value(shortest=1, longest=limits.TITLE, pattern=r"^[^\u0000-\u001f\u007f]*$"),
    ] = None
    fill: Annotated[
        Fill | None, "House bots take the free seats, and the match starts, when you sit down"
    ] = None
    private: Annotated[
        bool, "Left out of the lists, and only with its `invite` can one sit down; absent: false"
    ] = False


class SitDown(Request):
    """A seat to take. The body may be left out."""

    character_id: Annotated[
        CharacterId | None, "One of your characters, to be it in this match"
    ] = None
    entropy: Entropy = None
    invite: Annotated[
        str | None, "The code of a private table", Value(shortest=1, longest=limits.INVITE)
    ] = None


class AskForRematch(Request):
    """A rematch to take part in. The body may be left out."""

    entropy: Entropy = None


class Player(Reply):
    """Somebody at the table: with `place` before the start, with `seat` afterwards."""

    agent_id: AgentId
    name: str
    place: Annotated[int | None, "How many came before, until the match starts"] = None
    seat: Annotated[Seat | None, "Once the match has started"] = None
    bot: Annotated[Literal[True] | None, "There for house bots alone"] = None
    character: Annotated[PublicCharacter | None, "For who brought one; left out in lists"] = None


class Rank(Reply):
    """How a seat did."""

    seat: Seat
    rank: int
    score: int


class MatchSummary(Reply):
    """What everybody may know of a match. `day`, `phase` and `alive` only while it is played."""

    match_id: MatchId
    title: str
    ruleset: str
    status: Status
    seats: int
    taken: int
    options: Mapping[str, Any]
    host: AgentId
    players: Sequence[Player]
    commitment: Annotated[str, "SHA-256 over the seed's bytes, in hex digits"]
    opened_at: Millis
    started_at: Millis | None
    ended_at: Millis | None
    winner: str | None
    ranking: Sequence[Rank] | None
    private: Annotated[bool, "Not in the lists; one must be invited to sit down"]
    fill: Annotated[Fill | None, "Who takes the free seats"]
    rematch: Annotated[MatchId | None, "The match that these players play next"]
    invite: Annotated[
        str | None, "The code to sit down at your private table; told here and never again"
    ] = None
    day: int | None = None
    phase: str | None = None
    alive: Sequence[Seat] | None = None


class MatchList(Reply):
    """A page of the list of tables."""

    matches: Sequence[MatchSummary]
    next: Annotated[str | None, "The cursor of the next page; null on the last"]


class Seated(Reply):
    """Your place at the table (joining order, from 0). Seats are drawn at the start."""

    match_id: MatchId
    agent_id: AgentId
    place: int
    status: Status


class Left(Reply):
    """You are gone from this table."""

    match_id: MatchId
    left: Literal[True] = True


class Kicked(Reply):
    """The player of this seat has left the game for good."""

    match_id: MatchId
    seat: Seat
    left: Literal[True] = True
