"""The clock on one machine: a timer over the deadlines that are stored in the hot items.

It has no state of its own, so a restart loses nothing: a deadline that passed meanwhile is played
at once.
"""

import logging
from collections.abc import Callable, Mapping
from typing import Any, Final

from hosting.adapters.local_worker import backoff_ms
from hosting.adapters.sqlite import MATCHES, Database
from hosting.items import read_state

_BATCH: Final = 25

_log = logging.getLogger(__name__)


class LocalClockStarter:
    """Starts nothing: whoever commits a deadline has told `LocalClock` all."""

    def start(self, name: str, payload: str) -> None:
        """Nothing is to be done."""


class LocalClock:
    """Calls the function `deadline` for each match whose deadline has passed."""

    def __init__(
        self,
        database: Database,
        call: Callable[[Mapping[str, Any]], Any],
        *,
        now: Callable[[], int],
    ) -> None:
        self._database = database
        self._call = call
        self._now = now
        self._failed: dict[str, tuple[int, int]] = {}
        """Matches whose deadline could not be played: how often, and when to try again (ms)."""

    def run(self) -> int | None:
        """Play deadlines that have passed; when to come again (ms), or None."""
        now = self._now()
        waiting = {key for key, (_, again) in self._failed.items() if again > now}
        marks = ", ".join("?" * len(waiting))
        condition = f"deadline <= ? AND pk NOT IN ({marks}) ORDER BY deadline LIMIT {_BATCH}"
        with self._database.reading() as items:
            due = items.find(MATCHES, condition, now, *waiting)
        kept = waiting | {str(item["PK"]) for item in due}
        self._failed = {key: self._failed[key] for key in self._failed if key in kept}
        for item in due:
            self._play(str(item["PK"]), {**item})
        return now if len(due) == _BATCH else self._next(now)

    def _play(self, key: str, item: dict[str, Any]) -> None:
        state = read_state(item)
        event = {"match_id": state.match_id, "generation": state.clock, "wakes": 0}
        try:
            answer = self._call(event)
        except Exception:  # noqa: BLE001 - whatever it was, it is tried again
            _log.exception("a deadline could not be played")
            answer = None
        if answer is not None and self._moved_on(key, state.version):
            self._failed.pop(key, None)
        else:
            attempts = self._failed.get(key, (0, 0))[0] + 1
            self._failed[key] = (attempts, self._now() + backoff_ms(attempts))

    def _moved_on(self, key: str, version: int) -> bool:
        with self._database.reading() as items:
            rows = items.find(MATCHES, "pk = ? AND deadline <= ?", key, self._now())
        return not rows or read_state(rows[0]).version > version

    def _next(self, now: int) -> int | None:
        with self._database.reading() as items:
            ((later,),) = items.rows(MATCHES, "MIN(deadline)", "deadline > ?", now)
        times = [again for _, again in self._failed.values()] + ([] if later is None else [later])
        return min(times, default=None)
