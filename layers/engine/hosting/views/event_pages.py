"""Pages of the events that a viewer may see."""

from collections.abc import Callable

from hosting.answers import ReadOn
from hosting.errors import Malformed
from hosting.model import Caller
from hosting.views.access import Viewing
from hosting.views.limits import THINKING_LIMIT
from hosting.views.log import Log
from hosting.views.polling import poll_after
from hosting.views.sequences import seen_by
from hosting.views.tags import tag_of
from protocol import limits
from protocol.play import EventPage, SeenEvent
from protocol.terms import Mode


class EventPages:
    """Tells what has happened since."""

    def __init__(self, log: Log, viewing: Viewing, *, now: Callable[[], int]) -> None:
        self._log = log
        self._viewing = viewing
        self._now = now

    def events(
        self,
        match_id: str,
        caller: Caller | None,
        *,
        after: int = 0,
        limit: int = 200,
        mode: Mode = "mystery",
        thinking: bool = False,
    ) -> EventPage:
        """The page of `read_on`, for callers who keep no tags."""
        read = self.read_on(
            match_id, caller, after=after, limit=limit, mode=mode, thinking=thinking
        )
        assert read.body is not None  # there was no tag that could hold
        return read.body

    def read_on(
        self,
        match_id: str,
        caller: Caller | None,
        *,
        after: int = 0,
        limit: int = 200,
        etag: str | None = None,
        mode: Mode = "mystery",
        thinking: bool = False,
    ) -> ReadOn:
        """The caller's events with a `seq` above `after`, at most `limit` (1 to 500).

        When `etag`, which the caller has, still holds, or when there is nothing after `after`, this
        costs one read. With `thinking` a page may be shorter, also before the last. Raises as
        `Viewing.look` does, and `Malformed` (fields `after`, `limit`).
        """
        if not 0 <= after <= limits.LARGEST_INTEGER:
            raise Malformed("not negative, and no larger than a seq can be", field="after")
        if not 1 <= limit <= limits.EVENTS_IN_A_PAGE:
            raise Malformed(f"1 to {limits.EVENTS_IN_A_PAGE}", field="limit")
        state, viewer = self._viewing.look(match_id, caller, mode=mode, thinking=thinking)
        seen = seen_by(state.seen, viewer)
        tag = tag_of([match_id, viewer, after, limit, thinking, seen])  # what was seen stays so
        again = poll_after(state, viewer, now=self._now())
        if tag == etag:
            return ReadOn(tag, None, again)
        events: list[SeenEvent] = []
        room = THINKING_LIMIT
        for event in self._log.events_after(state, viewer, after, thinking=thinking):
            room -= len(event.thinking or "")
            if len(events) == limit or room < 0:
                break
            events.append(event)
        last = events[-1].seq if events else after
        page = EventPage(events=events, next=last, more=last < seen, server_now=self._now())
        return ReadOn(tag, page, 0 if page.more else again)
