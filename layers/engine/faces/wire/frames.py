"""Frames on the WebSocket: what a client may send, and how it is read."""

from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter, ValidationError

from faces.problems import Refusal, malformed
from faces.wire.base import MatchId, Mode, Seq, Wire
from faces.wire.requests import MoveBody, TurnId

RequestId = Annotated[str, Field(min_length=1, max_length=64)]


class Subscribe(Wire):
    """Send me the events of this match after `after`, and those to come."""

    action: Literal["subscribe"]
    match_id: MatchId
    after: Seq = 0
    mode: Mode = "mystery"
    thinking: bool = False
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
    move: MoveBody
    request_id: RequestId | None = None


class Ping(Wire):
    """Are you there?"""

    action: Literal["ping"]
    request_id: RequestId | None = None


Frame = Subscribe | Unsubscribe | MoveFrame | Ping

_FRAME: TypeAdapter[Frame] = TypeAdapter(Annotated[Frame, Field(discriminator="action")])


def read_frame(message: dict[str, Any]) -> Frame:
    """The frame that a JSON object is. Raises `Refusal("malformed")` with the field."""
    try:
        return _FRAME.validate_python(message)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        if first["type"].startswith("union_tag"):
            detail = "action: one of subscribe, unsubscribe, move, ping"
            raise Refusal("malformed", detail, field="action") from None
        problem = malformed([{"loc": first["loc"][1:], "msg": first["msg"]}])
        raise Refusal("malformed", problem.detail, field=problem.field) from None


def echoes(message: dict[str, Any]) -> dict[str, str]:
    """What an answer repeats of a message, as far as it is of the right shape."""
    request_id = message.get("request_id")
    if isinstance(request_id, str) and 1 <= len(request_id) <= 64:
        return {"request_id": request_id}
    return {}
