"""Watching a match: what a client sees of it is told on a screen as it happens."""

import asyncio
import time
from contextlib import aclosing, suppress
from math import inf
from typing import Final

from lanternwell.client import AsyncClient
from lanternwell.errors import LanternwellError, Refused, Unreachable
from lanternwell.model import Event
from lanternwell.show.screen import Screen
from lanternwell.show.story import Story
from lanternwell.stream import MatchStream

FRAME_S: Final = 0.15
LOOK_S: Final = 0.8

BY_DAY: Final = frozenset({"dawn", "talk", "vote"})


class StalledError(LanternwellError):
    """Nothing has happened for longer than the deadlines allow."""


class Watcher:
    """Watches one match and tells it on a screen, as the client's seat or as a spectator.

    With `stalled_s` a match in which nothing happens for so long is given up.
    """

    def __init__(
        self, client: AsyncClient, match_id: str, screen: Screen, *, stalled_s: float = inf
    ) -> None:
        self.story = Story()
        self._client = client
        self._match_id = match_id
        self._screen = screen
        self._stalled_s = stalled_s
        self._last_event = time.monotonic()
        self._look_now = asyncio.Event()

    async def watch(self) -> None:
        """Until the match is over, or its table closed. Raises `StalledError` when it stalls."""
        helpers = [asyncio.create_task(self._draw()), asyncio.create_task(self._look())]
        listening = asyncio.create_task(self._listen())
        try:
            await asyncio.wait({listening, *helpers}, return_when=asyncio.FIRST_COMPLETED)
            for task in (listening, *helpers):
                if task.done():
                    task.result()
        finally:
            for task in (listening, *helpers):
                task.cancel()
            await asyncio.gather(listening, *helpers, return_exceptions=True)

    async def _listen(self) -> None:
        stream = MatchStream(self._client, self._match_id)
        async with aclosing(stream.signals()) as signals:
            async for signal in signals:
                if isinstance(signal, Event):
                    self._last_event = time.monotonic()
                    for line in self.story.feed(signal):
                        self._screen.tell(line, self.story)
                    self._refresh()
                    self._look_now.set()

    async def _draw(self) -> None:
        while True:
            self._refresh()
            if time.monotonic() - self._last_event > self._stalled_s:
                raise StalledError(f"nothing has happened for {self._stalled_s:.0f} s")
            await asyncio.sleep(FRAME_S)

    def _refresh(self) -> None:
        self._screen.refresh(self.story, self._client.clock.now())

    async def _look(self) -> None:
        """Whose turn it is has no event of its own, so the state is looked at by day."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_S):
                    await self._look_now.wait()
            self._look_now.clear()
            if self.story.phase not in BY_DAY:
                continue
            try:
                self.story.look(await self._client.state(self._match_id))
            except (Refused, Unreachable):
                continue  # the next look may succeed; without it only the clock is not shown
