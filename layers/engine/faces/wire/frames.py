"""Frames on the WebSocket: what a client may send."""

from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from faces.wire.base import MatchId, Seq, Wire
from faces.wire.requests import TurnId

RequestId = Annotated[str, Field(min_length=1, max_length=64)]


class Subscribe(Wire):
    """Send me the events of this match after `after`, and those to come."""

    action: Literal["subscribe"]
    match_id: MatchId
    after: Seq = 0
    request_id: RequestId | None = None


class Unsubscribe(Wire):
    """Send me no more of this match."""

    action: Literal["unsubscribe"]
    match_id: MatchId
    request_id: RequestId | None = None


class MoveFrame(Wire):
    """My move; `move` holds what a REST move holds beside `turn_id`."""

    action: Literal["move"]
    match_id: MatchId
    turn_id: TurnId
    move: dict[str, Any]
    request_id: RequestId | None = None


class Ping(Wire):
    """Are you there?"""

    action: Literal["ping"]
    request_id: RequestId | None = None


Frame = Annotated[Subscribe | Unsubscribe | MoveFrame | Ping, Field(discriminator="action")]
FRAME: TypeAdapter[Subscribe | Unsubscribe | MoveFrame | Ping] = TypeAdapter(Frame)
"""Validates the JSON object in a frame."""
