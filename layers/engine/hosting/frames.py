"""The frames that go to sockets, as bytes of JSON."""

import json
from collections.abc import Mapping
from typing import Any

from hosting.answers import SeenEvent


def event_frame(match_id: str, event: SeenEvent) -> bytes:
    """Something happened that this viewer may see."""
    return frame({"type": "event", "match_id": match_id, "event": event})


def turn_frame(match_id: str, turn: Mapping[str, Any], server_now: int) -> bytes:
    """It is this seat's turn."""
    return frame(
        {"type": "your_turn", "match_id": match_id, "turn": turn, "server_now": server_now}
    )


def subscribed_frame(match_id: str, viewer: int | str, seq: int, request_id: str | None) -> bytes:
    """The viewer's events up to `seq` follow at once, and then those to come."""
    answer = {"type": "subscribed", "match_id": match_id, "viewer": viewer, "seq": seq}
    return frame(answer if request_id is None else answer | {"request_id": request_id})


def frame(message: Mapping[str, Any]) -> bytes:
    """A message as compact JSON in UTF-8."""
    return json.dumps(message, separators=(",", ":"), ensure_ascii=False).encode()
