"""WebSockets of this process."""

from typing import Protocol

from hosting.ports import Gone


class Channel(Protocol):
    """What holds one open socket. Called from any thread; neither call waits for the other side."""

    def send(self, frame: bytes) -> None:
        """Send a frame after those before it. Raises `Gone` when the other side is too slow."""

    def close(self) -> None:
        """Close the socket; one that is closed stays so."""


class LocalSockets:
    """The open sockets by connection id."""

    def __init__(self) -> None:
        self._open: dict[str, Channel] = {}

    def opened(self, connection_id: str, channel: Channel) -> None:
        """A socket was opened."""
        self._open[connection_id] = channel

    def closed(self, connection_id: str) -> None:
        """A socket was closed."""
        self._open.pop(connection_id, None)

    def post(self, connection_id: str, frame: bytes) -> None:
        """Send one frame."""
        channel = self._open.get(connection_id)
        if channel is None:
            raise Gone(connection_id)
        channel.send(frame)

    def close(self, connection_id: str) -> None:
        """Close the connection."""
        channel = self._open.pop(connection_id, None)
        if channel is not None:
            channel.close()
