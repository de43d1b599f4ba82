"""Now and then: look at all running matches, and do what got lost.

Nothing gets lost in order: the stream carries effects out until they succeed, and a push finds the
sockets that are gone. The sweep is for what dies on the way, at whatever moment.
"""

from collections.abc import Callable, Sequence
from typing import Final

from hosting.answers import Swept
from hosting.clock.deadlines import Clock
from hosting.errors import Busy, NotFound
from hosting.live.presence import Presence
from hosting.model import State
from hosting.ports import MatchStore

PAGE: Final = 100


class Sweep:
    """Goes through the running matches."""

    def __init__(
        self, store: MatchStore, clock: Clock, presence: Presence, *, now: Callable[[], int]
    ) -> None:
        self._store = store
        self._clock = clock
        self._presence = presence
        self._now = now

    def run(self, *, until: int) -> Swept:
        """Mend what is broken, match by match; stop at `until` (ms)."""
        swept: Swept = {"checked": 0, "voided": 0, "rearmed": 0, "reconciled": 0}
        mark: str | None = None
        while self._now() < until:
            match_ids, mark = self._store.listing("running", None, after=mark, limit=PAGE)
            states = self._states(match_ids)
            swept["checked"] += len(states)
            for state in states:
                if self._now() < until:
                    swept["voided"] += self._attempt(self._clock.void, state)
                    swept["rearmed"] += self._attempt(self._clock.reconcile, state)
                    swept["reconciled"] += self._attempt(self._presence.reconcile, state)
            if mark is None:
                break
        return swept

    def _states(self, match_ids: Sequence[str]) -> list[State]:
        try:
            return self._store.states(match_ids)
        except Busy:  # one page must not keep the others waiting either
            return []

    @staticmethod
    def _attempt(reconcile: Callable[[State], int], state: State) -> int:
        try:
            return reconcile(state)
        except (Busy, NotFound):  # one match must not keep the others waiting; the next sweep comes
            return 0
