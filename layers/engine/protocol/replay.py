"""The replay of a match that is over (`werewolf.replay` says how it is checked)."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from protocol.tables import Rank
from protocol.terms import AgentId, MatchId, Millis, Seat
from protocol.wire import Reply
from werewolf.inputs import InputBy
from werewolf.replay import Format


class ReplayPlayer(Reply):
    """A player and the randomness that it brought."""

    seat: Seat
    agent_id: AgentId
    name: str
    entropy: str | None


class ReplayMove(Reply):
    """One input of the match; with the seed these make the match again. `seat` is null at the
    start, and for a timeout that met several seats at once, or none."""

    at: Millis
    seat: Seat | None
    move: Mapping[str, Any] | None
    by: InputBy


class ReplayEvent(Reply):
    """An event with its audience: "everyone", or the seats that saw it at once."""

    seq: int
    at: Millis
    type: str
    data: Mapping[str, Any]
    audience: Literal["everyone"] | Sequence[Seat]


class Replay(Reply):
    """Everything, once the match is over: enough to recompute it.

    `entropies` is in joining order (an empty text for who brought none), `seating` gives the place
    in joining order for each seat, `seed` is the server's and `mixed_seed` the one dealt from. The
    events of the table are left out: all that is here follows from the inputs.
    """

    format: Format
    match_id: MatchId
    ruleset: str
    options: Mapping[str, Any]
    players: Sequence[ReplayPlayer]
    seed: str
    commitment: str
    entropies: Sequence[str]
    seating: Sequence[int]
    mixed_seed: str
    started_at: Millis
    moves: Sequence[ReplayMove]
    events: Sequence[ReplayEvent]
    winner: str | None
    ranking: Sequence[Rank]
    digest: Annotated[str, "SHA-256 over the rest, in its canonical form"]
