"""Sending a frame to one socket, trying again within bounds when told to slow down."""

from typing import Final

from hosting.pauses import Pauses
from hosting.ports import SlowDown, Sockets

TRIES: Final = 5


class Sender:
    """Sends frames."""

    def __init__(self, sockets: Sockets, pauses: Pauses) -> None:
        self._sockets = sockets
        self._pauses = pauses

    def send(self, connection_id: str, frame: bytes) -> None:
        """Send one frame. Raises `Gone`, `SlowDown` after the last try, or what else fails."""
        for attempt in range(TRIES):
            self._pauses.before(attempt)
            try:
                self._sockets.post(connection_id, frame)
            except SlowDown:
                if attempt == TRIES - 1:
                    raise
            else:
                return
