"""The frames that go to sockets, as bytes of JSON.

    subscribed      match_id, viewer, seq         the viewer's events up to `seq` follow
    event           match_id, event               one event
    events          match_id, events              several, in order
    behind          match_id, seq                 all up to `seq` was sent; go on from there
    your_turn       match_id, turn, server_now
    unsubscribed    match_id
    move_accepted   the receipt
    pong            server_now
    error           code, detail; field, legal_actions, retry_after, match_id where they apply

Answers repeat the `request_id` of the message.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from hosting.answers import SeenEvent


def event_frame(match_id: str, event: SeenEvent) -> bytes:
    """Something happened that this viewer may see."""
    return frame({"type": "event", "match_id": match_id, "event": event})


def events_frame(match_id: str, events: Sequence[SeenEvent]) -> bytes:
    """These events, in order; one alone comes as such."""
    if len(events) == 1:
        return event_frame(match_id, events[0])
    return frame({"type": "events", "match_id": match_id, "events": events})


def behind_frame(match_id: str, seq: int) -> bytes:
    """The viewer was sent its events up to `seq`, and must subscribe again for the others."""
    return frame({"type": "behind", "match_id": match_id, "seq": seq})


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
