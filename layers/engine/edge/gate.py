"""The gate before the router: what an HTTP event must be to be let in."""

import base64
from collections.abc import Mapping
from typing import Any

from edge.strict_json import NotStrictJson, read_object
from hosting.errors import BodyTooLarge, Malformed
from protocol import limits


def admit(event: Mapping[str, Any]) -> dict[str, Any]:
    """The event with lower-case header names and its body as text.

    The body is read as JSON whatever Content-Type was sent (`curl -d` sends a form's).
    Raises `BodyTooLarge`, or `Malformed` for bytes that are no UTF-8.
    """
    headers = {str(name).lower(): value for name, value in (event.get("headers") or {}).items()}
    headers["content-type"] = "application/json"
    return {**event, "headers": headers, "body": _text(event), "isBase64Encoded": False}


def read_body(text: str) -> dict[str, Any]:
    """The JSON object in the body. Raises `Malformed`."""
    try:
        return read_object(text)
    except NotStrictJson as error:
        raise Malformed(f"body: {error}", field="body") from None


def _text(event: Mapping[str, Any]) -> str | None:
    body = event.get("body")
    if not body:
        return None
    if len(body) > 2 * limits.BODY_BYTES:  # base64 adds a third; no need to decode what is far over
        raise _too_large()
    try:
        raw = (
            base64.b64decode(body, validate=True) if event.get("isBase64Encoded") else body.encode()
        )
        if len(raw) > limits.BODY_BYTES:
            raise _too_large()
        return raw.decode() or None
    except ValueError:  # no base64, or no UTF-8
        raise Malformed("body: not UTF-8", field="body") from None


def _too_large() -> BodyTooLarge:
    return BodyTooLarge(f"a body has at most {limits.BODY_BYTES} bytes")
