"""The service's clock, as well as it can be told from here."""

import time


class ServiceClock:
    """Follows the service's `server_now`. Milliseconds since the epoch.

    Every `server_now` is older by the time that it travelled, so the one that travelled least is
    kept. Until the first arrives, this machine's clock has to do.
    """

    def __init__(self) -> None:
        self._offset_ms: float | None = None

    def hear(self, server_now: int) -> None:
        """The service said what time it was."""
        offset = server_now - time.monotonic() * 1000
        if self._offset_ms is None or offset > self._offset_ms:
            self._offset_ms = offset

    def now(self) -> int:
        """What time it is there."""
        if self._offset_ms is None:
            return int(time.time() * 1000)
        return int(time.monotonic() * 1000 + self._offset_ms)

    def seconds_until(self, moment_ms: int) -> float:
        """How far away a moment is; negative when it has passed."""
        return (moment_ms - self.now()) / 1000
