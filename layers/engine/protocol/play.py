"""What a viewer sees of a match, and what a seat does in it."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from protocol import limits
from protocol.characters import SeatedCharacter
from protocol.terms import MatchId, Millis, Outcome, Seat, Seq, Status, TurnId, Viewer
from protocol.wire import Reply, Request, Value


class MoveBody(Request, closed=False):
    """An action. What else it needs (`target`, `message`, ...) depends on it, and on the rules."""

    action: Annotated[
        str,
        "An action of your_turn.legal_actions",
        Value(shortest=1, longest=limits.ACTION, example="say"),
    ]


class Move(MoveBody):
    """A move: an action in a turn. What else it needs (`target`, `message`) depends on it."""

    turn_id: TurnId


class Turn(Reply):
    """What a seat may do now, and until when."""

    turn_id: str
    phase: str
    day: int
    legal_actions: Sequence[Mapping[str, Any]]
    deadline_ms: Millis | None


class MatchState(Reply):
    """The match as this viewer may see it. `visible_state` is the rule set's own shape."""

    match_id: MatchId
    status: Status
    viewer: Viewer
    visible_state: Mapping[str, Any] | None
    your_turn: Turn | None
    seq: Seq
    server_now: Millis
    characters: Annotated[Sequence[SeatedCharacter] | None, "When anybody brought one"] = None
    thinking: Annotated[
        Sequence[Mapping[str, Any]] | None,
        "For omniscient viewers who ask: the newest thoughts, in order, the present day's at least",
    ] = None


class Receipt(Reply):
    """The move counts. The same move sent again gets the same receipt."""

    match_id: MatchId
    turn_id: str
    seat: Seat
    outcome: Outcome
    seq: Seq


class DryRun(Reply):
    """The move would count, if it were made now. Nothing has changed."""

    match_id: MatchId
    turn_id: str
    seat: Seat
    would_be: Outcome


class SeenEvent(Reply):
    """Something that this viewer saw. `data` is the rule set's own shape, by `type`."""

    seq: Seq
    at: Millis
    type: str
    data: Mapping[str, Any]
    thinking: Annotated[
        str | None, "For omniscient viewers who ask: what was thought with this move"
    ] = None


class EventPage(Reply):
    """Events after a sequence number; `next` is the `after` of the next page."""

    events: Sequence[SeenEvent]
    next: Seq
    more: bool
    server_now: Millis
