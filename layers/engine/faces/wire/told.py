"""Frames on the WebSocket that the service sends: what a client must be able to read."""

from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from faces.wire.base import MatchId, Millis, Reply, Seat, Seq, is_absent
from faces.wire.frames import RequestId
from faces.wire.replies import SeenEvent, Turn

Echoed = Annotated[
    RequestId | None,
    Field(description="The `request_id` of the message that this answers", exclude_if=is_absent),
]


class Subscribed(Reply):
    """You follow this match. Your events up to `seq` come first, then those to come."""

    type: Literal["subscribed"]
    match_id: MatchId
    viewer: Seat | Literal["spectator", "omniscient"]
    seq: Seq
    request_id: Echoed = None


class Unsubscribed(Reply):
    """You follow this match no longer."""

    type: Literal["unsubscribed"]
    match_id: MatchId
    request_id: Echoed = None


class OneEvent(Reply):
    """Something happened that you may see."""

    type: Literal["event"]
    match_id: MatchId
    event: SeenEvent


class SeveralEvents(Reply):
    """Several things happened that you may see, in order."""

    type: Literal["events"]
    match_id: MatchId
    events: list[SeenEvent]


class Behind(Reply):
    """You were sent your events up to `seq`. Subscribe again with that as `after` for the rest."""

    type: Literal["behind"]
    match_id: MatchId
    seq: Seq


class YourTurn(Reply):
    """Your seat has a turn."""

    type: Literal["your_turn"]
    match_id: MatchId
    turn: Turn
    server_now: Millis


class MoveAccepted(Reply):
    """Your move counts. The same move sent again gets the same answer."""

    type: Literal["move_accepted"]
    match_id: MatchId
    turn_id: str
    seat: Seat
    outcome: Literal["accepted", "forfeit"]
    seq: Seq
    request_id: Echoed = None


class Pong(Reply):
    """The answer to a ping."""

    type: Literal["pong"]
    server_now: Millis
    request_id: Echoed = None


class ErrorFrame(Reply):
    """A refusal. Programs go by `code`; nothing has changed."""

    type: Literal["error"]
    code: str
    detail: str
    field: Annotated[str | None, Field(exclude_if=is_absent)] = None
    legal_actions: Annotated[list[dict[str, Any]] | None, Field(exclude_if=is_absent)] = None
    retry_after: Annotated[
        int | None, Field(description="Seconds after which to try again", exclude_if=is_absent)
    ] = None
    match_id: Annotated[MatchId | None, Field(exclude_if=is_absent)] = None
    request_id: Echoed = None


Told = (
    Subscribed
    | Unsubscribed
    | OneEvent
    | SeveralEvents
    | Behind
    | YourTurn
    | MoveAccepted
    | Pong
    | ErrorFrame
)

TOLD: TypeAdapter[Told] = TypeAdapter(Annotated[Told, Field(discriminator="type")])
"""Reads any frame that the service sends; `ValidationError` for anything else."""
