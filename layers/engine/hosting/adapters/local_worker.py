"""A thread that carries out what is due on one machine, and sleeps until the next is."""

import logging
import threading
from collections.abc import Callable, Sequence
from typing import Final, Protocol

_LONGEST_SLEEP_MS: Final = 60_000
_FIRST_PAUSE_MS: Final = 100
_LONGEST_PAUSE_MS: Final = 30_000

_log = logging.getLogger(__name__)


class Part(Protocol):
    """Work that becomes due: a stream, a queue, a clock, a schedule."""

    def run(self) -> int | None:
        """Do some of what is due; when to come again (ms since the epoch), or None."""


class Every:
    """Calls something again and again, at once and then every so many milliseconds."""

    def __init__(
        self, period_ms: int, call: Callable[[], object], *, now: Callable[[], int]
    ) -> None:
        self._period_ms = period_ms
        self._call = call
        self._now = now
        self._next = 0

    def run(self) -> int:
        """Call it if it is time; when it is time again."""
        if self._next <= self._now():
            self._next = self._now() + self._period_ms
            self._call()
        return self._next


class LocalWorker:
    """Runs the parts in turn, in a thread of its own."""

    def __init__(self, parts: Sequence[Part], *, now: Callable[[], int]) -> None:
        self._parts = parts
        self._now = now
        self._awake = threading.Event()
        self._stopping = False
        self._thread = threading.Thread(target=self._work, name="worker", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def wake(self) -> None:
        """Something may be due by now."""
        self._awake.set()

    def stop(self) -> None:
        """Finish what is under way, and end."""
        self._stopping = True
        self._awake.set()
        self._thread.join()

    def round(self) -> int | None:
        """Run each part once; when to come again (ms), or None."""
        return min(
            (due for part in self._parts if (due := self._attempt(part)) is not None), default=None
        )

    def _work(self) -> None:
        while True:
            self._awake.clear()
            if self._stopping:
                return
            due = self.round()
            left = _LONGEST_SLEEP_MS if due is None else due - self._now()
            if left > 0:
                self._awake.wait(min(left, _LONGEST_SLEEP_MS) / 1000)

    def _attempt(self, part: Part) -> int | None:
        try:
            return part.run()
        except Exception:  # noqa: BLE001 - one part must not end the others
            if not self._stopping:
                _log.exception("%s failed", type(part).__name__)
            return self._now() + 10 * _FIRST_PAUSE_MS


def backoff_ms(attempts: int) -> int:
    """How long to wait after so many failed attempts (1 or more)."""
    return int(min(_LONGEST_PAUSE_MS, _FIRST_PAUSE_MS * 2 ** min(attempts - 1, 16)))
