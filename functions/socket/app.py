"""WebSockets: connections come and go, and clients send frames."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from aws_lambda_powertools.utilities.typing import LambdaContext

from edge.frames import read_frame, request_id_of
from edge.gate import admit, read_body
from edge.observability import COUNT, logger, metrics, observed
from edge.problems import error_frame
from hosting.errors import Busy, HostingError, Internal
from hosting.model import Caller
from hosting.ports import Gone
from hosting.wiring import platform
from protocol.frames import (
    MoveAccepted,
    MoveFrame,
    Ping,
    Pong,
    Received,
    Subscribe,
    Unsubscribe,
    Unsubscribed,
)
from protocol.wire import Reply

_COUNTED: Final = {"CONNECT": "Connects", "DISCONNECT": "Disconnects"}
"""By the event's type, which is the gateway's word. The route's name may be a client's: it follows
from the `action` of a message."""


@observed(correlation="requestContext.requestId")
def handler(event: Mapping[str, Any], _context: LambdaContext) -> dict[str, Any]:
    """Handle `$connect`, `$disconnect`, or one message. Answers go to the socket as frames."""
    request = event["requestContext"]
    connection_id = request["connectionId"]
    metrics.add_metric(name=_COUNTED.get(request["eventType"], "Messages"), unit=COUNT, value=1)
    match request["eventType"]:
        case "CONNECT":
            platform().subscriptions.connect(connection_id, _caller(request))
        case "DISCONNECT":
            _forget(connection_id, platform().subscriptions.disconnect)
        case _:
            answer = _answered(connection_id, _caller(request), event)
            if answer is not None:
                _send(connection_id, answer)
    return {"statusCode": 200}


def _answered(connection_id: str, caller: Caller | None, event: Mapping[str, Any]) -> Reply | None:
    """The answer to a message; None where a subscription has sent its own."""
    match_id = request_id = None
    try:
        try:
            message = read_body(admit(event)["body"] or "")
            request_id = request_id_of(message)
        finally:
            platform().messages.take(connection_id)
        asked = read_frame(message)
        match_id = None if isinstance(asked, Ping) else asked.match_id
        return _done(connection_id, caller, asked)
    except HostingError as refusal:
        metrics.add_metric(name="Refusals", unit=COUNT, value=1)
        return error_frame(refusal, match_id, request_id)
    except Exception:  # noqa: BLE001 - whatever goes wrong, the client gets an answer
        logger.exception("a message failed")
        metrics.add_metric(name="Failures", unit=COUNT, value=1)
        return error_frame(Internal("the message could not be handled"), match_id, request_id)


def _done(connection_id: str, caller: Caller | None, asked: Received) -> Reply | None:
    match asked:
        case Ping():
            return Pong(server_now=platform().now(), request_id=asked.request_id)
        case Subscribe():
            platform().subscriptions.subscribe(
                connection_id,
                asked.match_id,
                after=asked.after,
                mode=asked.mode,
                thinking=asked.thinking,
                request_id=asked.request_id,
            )
            return None
        case Unsubscribe():
            platform().subscriptions.unsubscribe(connection_id, asked.match_id)
            return Unsubscribed(match_id=asked.match_id, request_id=asked.request_id)
        case MoveFrame():
            move = dict(asked.move)
            receipt = platform().play.move(asked.match_id, caller, asked.turn_id, move)
            return MoveAccepted(**receipt, request_id=asked.request_id)


def _caller(request: Mapping[str, Any]) -> Caller | None:
    """Whom the authorizer let in: an agent, or None for a spectator."""
    found = request.get("authorizer") or {}
    if "agent_id" not in found:
        return None
    return Caller(found["agent_id"], bytes.fromhex(found["digest"]))


def _send(connection_id: str, frame: Reply) -> None:
    try:
        platform().sender.send(connection_id, frame.encoded())
    except Gone:
        _forget(connection_id, platform().subscriptions.fence)


def _forget(connection_id: str, forget: Callable[[str], None]) -> None:
    """The socket is closed, or to be. Nobody asks again when this fails: the sweep finds it."""
    try:
        forget(connection_id)
    except Busy:
        logger.warning("a closed connection is left to the sweep")
        metrics.add_metric(name="ClosedLater", unit=COUNT, value=1)
