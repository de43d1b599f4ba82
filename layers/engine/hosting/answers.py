"""What the services answer beside what goes over the wire (`protocol`), or around it."""

from typing import NamedTuple, TypedDict

from protocol.play import EventPage, MatchState
from protocol.tables import Seated


class SatDown(NamedTuple):
    """`created` is False when the agent was seated already."""

    answer: Seated
    created: bool


class Watched(NamedTuple):
    """`body` is None when the caller's own `etag` still holds. `etag` comes without quotes.

    `poll_after` is in how many seconds it is worth asking again, None when nothing more will come.
    """

    etag: str
    body: MatchState | None
    poll_after: int | None


class ReadOn(NamedTuple):
    """A page of events, with what `Watched` has beside its body."""

    etag: str
    body: EventPage | None
    poll_after: int | None


class ReplayPart(NamedTuple):
    """A piece of a replay's file; `more` when it is not the last."""

    content: bytes
    more: bool


class Wake(TypedDict):
    """What the clock does next: end when `done`, else wait until `wake_at` (RFC 3339, UTC)."""

    done: bool
    match_id: str
    generation: int
    wakes: int
    wake_at: str | None


class Swept(TypedDict):
    """How many running matches a sweep looked at, how many of them had become void, how many clocks
    it armed again, and for how many players it did what had not followed when they went or came."""

    checked: int
    voided: int
    rearmed: int
    reconciled: int


class Delivery(NamedTuple):
    """What became of one log entry's frames, in connections."""

    served: int
    gone: int
    failed: int
