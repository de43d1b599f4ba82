"""Lines that a person types, while other things go on."""

import asyncio
import os
import threading
from io import UnsupportedOperation
from typing import TextIO


class Keyboard:
    """Reads lines in a thread of its own, so that nothing else has to wait for them.

    Use it as an async context manager, in the event loop that asks for lines.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._loop: asyncio.AbstractEventLoop | None = None
        self.ended = False

    async def __aenter__(self) -> "Keyboard":
        self._loop = asyncio.get_running_loop()
        threading.Thread(target=self._read, daemon=True).start()
        return self

    async def __aexit__(self, *_: object) -> None:
        self._loop = None

    def forget(self) -> None:
        """Drop what a person typed before anything was asked. What is piped in is kept."""
        while self._stream.isatty() and not self.ended and not self._lines.empty():
            self.ended = self._lines.get_nowait() is None

    async def line(self) -> str | None:
        """The next line without its end; None when there will be no more."""
        if self.ended:
            return None
        line = await self._lines.get()
        self.ended = line is None
        return line

    def _read(self) -> None:
        """The thread. It reads past Python's buffers, which a thread that waits would lock."""
        try:
            number = self._stream.fileno()
        except (UnsupportedOperation, AttributeError):
            for line in self._stream:
                self._put(line.rstrip("\n"))
            self._put(None)
            return
        left = b""
        while got := os.read(number, 4096):
            *lines, left = (left + got).split(b"\n")
            for one in lines:
                self._put(one.decode(errors="replace").rstrip("\r"))
        if left:
            self._put(left.decode(errors="replace"))
        self._put(None)

    def _put(self, line: str | None) -> None:
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self._lines.put_nowait, line)
