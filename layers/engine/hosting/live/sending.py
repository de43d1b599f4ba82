"""Sending frames to sockets, trying again within bounds when told to slow down."""

from collections.abc import Callable
from typing import Final

from hosting.backoff import Backoff
from hosting.ports import SlowDown, Sockets

TRIES: Final = 5


class Sender:
    """Sends frames, and closes connections."""

    def __init__(self, sockets: Sockets, backoff: Backoff) -> None:
        self._sockets = sockets
        self._backoff = backoff

    def send(self, connection_id: str, frame: bytes) -> None:
        """Send one frame. Raises `Gone`, `SlowDown` after the last try, or what else fails."""
        self._insist(lambda: self._sockets.post(connection_id, frame))

    def close(self, connection_id: str) -> None:
        """Close the connection. Raises as `send` does."""
        self._insist(lambda: self._sockets.close(connection_id))

    def _insist(self, call: Callable[[], None]) -> None:
        for attempt in range(TRIES):
            self._backoff.before(attempt)
            try:
                call()
            except SlowDown:
                if attempt == TRIES - 1:
                    raise
            else:
                return
