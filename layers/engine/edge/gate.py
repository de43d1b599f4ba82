"""The gate before the router: what an HTTP event must be to be let in."""

import base64
from collections.abc import Mapping
from typing import Any

from edge.problems import Refusal
from edge.strict_json import NotStrictJson, read_object
from protocol import limits


def admit(event: Mapping[str, Any]) -> dict[str, Any]:
    """The event with lower-case header names and its body as text.

    The body is read as JSON whatever Content-Type was sent (`curl -d` sends a form's).
    Raises `Refusal`: `body_too_large`, or `malformed` for bytes that are no UTF-8.
    """
    headers = {str(name).lower(): value for name, value in (event.get("headers") or {}).items()}
    headers["content-type"] = "application/json"
    return {**event, "headers": headers, "body": _text(event), "isBase64Encoded": False}


def read_body(text: str) -> dict[str, Any]:
    """The JSON object in the body. Raises `Refusal("malformed")`."""
    try:
        return read_object(text)
    except NotStrictJson as error:
        raise Refusal("malformed", f"body: {error}", field="body") from None


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
        raise Refusal("malformed", "body: not UTF-8", field="body") from None


def _too_large() -> Refusal:
    return Refusal("body_too_large", f"a body has at most {limits.BODY_BYTES} bytes")
