"""Frames on the WebSocket: each is one JSON object in UTF-8."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from protocol import limits
from protocol.play import MoveBody, Receipt, SeenEvent, Turn
from protocol.terms import MatchId, Millis, Mode, Seq, TurnId, Viewer
from protocol.wire import Reply, Request, Value

RequestId = Annotated[str, Value(shortest=1, longest=limits.REQUEST_ID)]
Echoed = Annotated[RequestId | None, "The `request_id` of the message that this answers"]


class Subscribe(Request):
    """Send me the events of this match after `after`, and those to come."""

    action: Literal["subscribe"]
    match_id: MatchId
    after: Annotated[Seq, "The last `seq` that you have handled; absent: 0"] = 0
    mode: Annotated[Mode, "As in GET /matches/{match_id}/state; absent: mystery"] = "mystery"
    thinking: Annotated[bool, "For omniscient viewers alone; absent: false"] = False
    request_id: RequestId | None = None


class Unsubscribe(Request):
    """Send me no more of this match."""

    action: Literal["unsubscribe"]
    match_id: MatchId
    request_id: RequestId | None = None


class MoveFrame(Request):
    """My move; `move` holds what a REST move holds beside `turn_id`."""

    action: Literal["move"]
    match_id: MatchId
    turn_id: TurnId
    move: MoveBody
    request_id: RequestId | None = None


class Ping(Request):
    """Are you there?"""

    action: Literal["ping"]
    request_id: RequestId | None = None


Received = Subscribe | Unsubscribe | MoveFrame | Ping

RECEIVED: Mapping[str, type[Received]] = {
    "subscribe": Subscribe,
    "unsubscribe": Unsubscribe,
    "move": MoveFrame,
    "ping": Ping,
}
"""Every frame that a client may send, by its `action`."""


class Subscribed(Reply):
    """You follow this match. Your events up to `seq` come first, then those to come."""

    type: Literal["subscribed"] = "subscribed"
    match_id: MatchId
    viewer: Viewer
    seq: Seq
    request_id: Echoed = None


class Unsubscribed(Reply):
    """You follow this match no longer."""

    type: Literal["unsubscribed"] = "unsubscribed"
    match_id: MatchId
    request_id: Echoed = None


class OneEvent(Reply):
    """Something happened that you may see."""

    type: Literal["event"] = "event"
    match_id: MatchId
    event: SeenEvent


class SeveralEvents(Reply):
    """Several things happened that you may see, in order."""

    type: Literal["events"] = "events"
    match_id: MatchId
    events: Sequence[SeenEvent]


def events_frame(match_id: str, events: Sequence[SeenEvent]) -> OneEvent | SeveralEvents:
    """These events, in order; one alone comes as such."""
    if len(events) == 1:
        return OneEvent(match_id=match_id, event=events[0])
    return SeveralEvents(match_id=match_id, events=events)


class Behind(Reply):
    """You were sent your events up to `seq`. Subscribe again with that as `after` for the rest."""

    type: Literal["behind"] = "behind"
    match_id: MatchId
    seq: Seq


class YourTurn(Reply):
    """Your seat has a turn."""

    type: Literal["your_turn"] = "your_turn"
    match_id: MatchId
    turn: Turn
    server_now: Millis


class _MoveAccepted(Reply):
    type: Literal["move_accepted"] = "move_accepted"


class MoveAccepted(Receipt, _MoveAccepted):
    """Your move counts. The same move sent again gets the same answer."""

    request_id: Echoed = None


class Pong(Reply):
    """The answer to a ping."""

    type: Literal["pong"] = "pong"
    server_now: Millis
    request_id: Echoed = None


class ErrorFrame(Reply):
    """A refusal. Programs go by `code`; nothing has changed."""

    type: Literal["error"] = "error"
    code: str
    detail: str
    field: str | None = None
    legal_actions: Sequence[Mapping[str, Any]] | None = None
    retry_after: Annotated[int | None, "Seconds after which to try again"] = None
    match_id: MatchId | None = None
    request_id: Echoed = None


SENT: Mapping[str, type[Reply]] = {
    str(frame.declared["type"]): frame
    for frame in (
        Subscribed,
        Unsubscribed,
        OneEvent,
        SeveralEvents,
        Behind,
        YourTurn,
        MoveAccepted,
        Pong,
        ErrorFrame,
    )
}
"""Every frame that the service sends, by its `type`."""
