"""Reading the frames that clients send."""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from edge.problems import malformed
from hosting.errors import Malformed
from protocol.frames import RECEIVED, Received
from protocol.limits import REQUEST_ID
from protocol.schemas import adapter


def read_frame(message: Mapping[str, Any]) -> Received:
    """The frame that a JSON object is. Raises `Malformed` with the field."""
    kind = RECEIVED.get(str(message.get("action")))
    if kind is None:
        raise Malformed(f"action: one of {', '.join(RECEIVED)}", field="action")
    try:
        frame: Received = adapter(kind).validate_python(message)
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=False, include_input=False)
        raise malformed(found) from None
    return frame


def request_id_of(message: Mapping[str, Any]) -> str | None:
    """What an answer repeats of a message, if it is of the right shape."""
    request_id = message.get("request_id")
    fits = isinstance(request_id, str) and 1 <= len(request_id) <= REQUEST_ID
    return request_id if fits else None
