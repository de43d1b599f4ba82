"""Reading the log of a match: as much of it as an answer needs."""

from collections.abc import Iterator
from typing import Final

from hosting.model import LogEntry, State
from hosting.ports import MatchStore
from hosting.views.sequences import seen_by, seen_events
from protocol.play import SeenEvent
from werewolf import Event, Viewer
from werewolf.lookback import Lookback

WHOLE_LOG: Final = 200
"""A log of so many entries is read whole: that is one query."""
KEPT_READ: Final = 200
"""As many entries with lasting events as there can be in the days that a view shows."""

_NEAR: Final = 50


class Log:
    """Reads logs."""

    def __init__(self, store: MatchStore) -> None:
        self._store = store

    def events_after(
        self, state: State, viewer: Viewer, after: int, *, thinking: bool = False
    ) -> Iterator[SeenEvent]:
        """The viewer's events above `after`, up to those in `state`, in order.

        Who is only a little behind is served from the end of the log; who is far behind, from the
        place in the log where its events go on. So the cost follows what is read, not the length
        of the match.
        """
        behind = seen_by(state.seen, viewer) - after
        if behind <= 0:
            return
        told = not thinking
        for entry in (
            self._near(state, viewer, after, told=told)
            if behind <= _NEAR
            else self._far(state, viewer, after, told=told)
        ):
            for event in seen_events(entry, viewer, thinking=thinking):
                if event.seq > after:
                    yield event

    def _near(self, state: State, viewer: Viewer, after: int, *, told: bool) -> Iterator[LogEntry]:
        found = []
        for entry in self._store.entries(
            state.match_id, 1, state.version, newest_first=True, told=told
        ):
            found.append(entry)
            if seen_by(entry.before, viewer) <= after:
                break
        return reversed(found)

    def _far(self, state: State, viewer: Viewer, after: int, *, told: bool) -> Iterator[LogEntry]:
        """From the last entry before which the viewer had seen at most `after`: by halving."""
        low, high = 1, state.version
        while low < high and after > 0:
            middle = (low + high + 1) // 2
            entry = self._store.entry(state.match_id, middle)
            if entry is not None and seen_by(entry.before, viewer) <= after:
                low = middle
            else:
                high = middle - 1
        return self._store.entries(state.match_id, low, state.version, told=told)

    def shown(self, state: State, *, told: bool) -> list[Event]:
        """The events that a view needs: of a long match, the newest and those that last."""
        match_id, last = state.match_id, state.version
        kept = self._store.kept(match_id, newest=KEPT_READ) if last > WHOLE_LOG else []
        if not kept:
            log = self._store.entries(match_id, 1, last, told=told)
            return [event for entry in log for event in entry.events]
        lookback, newest = Lookback(state.engine()), list[LogEntry]()
        for entry in self._store.entries(match_id, 1, last, newest_first=True, told=told):
            newest.append(entry)
            if lookback.is_enough(entry.events):
                break
        first = newest[-1].version
        before = [event for past in kept if past.version < first for event in past.events]
        return before + [event for entry in reversed(newest) for event in entry.events]
