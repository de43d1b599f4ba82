"""The service's clock, as well as it can be told from here."""

import time
from collections import deque
from collections.abc import Callable
from typing import Final, NamedTuple

SAMPLES: Final = 5
"""How many of the latest times are kept. A wrong one is outvoted by the next two, and a clock that
was set anew is followed after three."""

TRAVEL_S: Final = 10.0
"""How long a time travels at most that came without being asked for."""

SLACK_MS: Final = 50.0
"""How far apart the clocks of the service's own machines may be."""


class _Bounds(NamedTuple):
    """Between what the offset of the service's clock lies by one answer, in milliseconds."""

    low: float
    high: float


class ServiceClock:
    """Follows the service's `server_now`. Milliseconds since the epoch.

    A `server_now` was read between sending the request and getting the answer, which bounds the
    offset of the two clocks. What most of the latest ones agree on is believed (Marzullo's
    algorithm), and of these the one that travelled least. Until the first arrives, this machine's
    clock has to do. `monotonic` counts seconds.
    """

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._heard: deque[_Bounds] = deque(maxlen=SAMPLES)
        self._offset_ms: float | None = None

    def hear(self, server_now: int, *, sent_s: float | None = None) -> None:
        """The service said what time it was, in answer to what was sent then (by `monotonic`)."""
        heard_s = self._monotonic()
        sent_s = heard_s - TRAVEL_S if sent_s is None else sent_s
        self._heard.append(_Bounds(server_now - heard_s * 1000, server_now - sent_s * 1000))
        agreed = max(map(self._agreeing, reversed(self._heard)), key=len)
        self._offset_ms = max(bounds.low for bounds in agreed)

    def _agreeing(self, one: _Bounds) -> list[_Bounds]:
        """Those by which the offset may be the lower bound of this one."""
        return [b for b in self._heard if b.low - SLACK_MS <= one.low <= b.high + SLACK_MS]

    def now(self) -> int:
        """What time it is there."""
        if self._offset_ms is None:
            return int(time.time() * 1000)
        return int(self._monotonic() * 1000 + self._offset_ms)

    def seconds_until(self, moment_ms: int) -> float:
        """How far away a moment is; negative when it has passed."""
        return (moment_ms - self.now()) / 1000
