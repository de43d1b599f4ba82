"""How a client opens a WebSocket."""

from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Final, Protocol

from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

BROKEN: Final = (OSError, WebSocketException)
"""What goes wrong with a socket."""

CLOSE_S: Final = 1.0
"""How long a socket that is left is given to say goodbye."""


class Socket(Protocol):
    """An open socket. Its methods raise what is in `BROKEN` once it is closed."""

    async def send(self, message: str) -> None:
        """Send a frame."""

    async def recv(self) -> str | bytes:
        """Wait for a frame."""

    async def close(self) -> None:
        """Close it; doing so again changes nothing."""


OpenSocket = Callable[[str, Mapping[str, str]], AbstractAsyncContextManager[Socket]]
"""From an address and headers to an open socket."""


def open_socket(url: str, headers: Mapping[str, str]) -> AbstractAsyncContextManager[Socket]:
    """A socket on the network, kept alive by pings."""
    return connect(url, additional_headers=headers, close_timeout=CLOSE_S)
