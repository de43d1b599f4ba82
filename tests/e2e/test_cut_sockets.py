"""The client through a wire that is cut again and again."""

import asyncio
import contextlib
import random
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from lanternwell import AsyncClient, Event, MatchStream, play, take_seat
from lanternwell.agents import RandomAgent
from lanternwell.pacing import Paced
from tests.client.playing import Recorder

PATIENCE_S = 240.0
CUTS_EVERY_S = (0.02, 0.1)


class Wire:
    """Hands on to a WebSocket address whatever comes, until it is cut."""

    def __init__(self, url: str) -> None:
        self._target = urlsplit(url)
        self._ends: set[asyncio.StreamWriter] = set()
        self.cuts = 0
        self.url = ""

    @asynccontextmanager
    async def laid(self) -> AsyncIterator["Wire"]:
        server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        self.url = urlunsplit(self._target._replace(netloc=f"127.0.0.1:{port}"))
        async with server:
            yield self
            self.cut()

    def cut(self) -> None:
        """Drop all connections, with what is under way in them."""
        self.cuts += bool(self._ends)
        for end in self._ends:
            end.transport.abort()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there = await asyncio.open_connection(self._target.hostname, self._target.port)
        ends = {writer, there[1]}
        self._ends |= ends
        tasks = [
            asyncio.create_task(self._hand_on(reader, there[1])),
            asyncio.create_task(self._hand_on(there[0], writer)),
        ]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        self._ends -= ends
        for end in ends:
            end.transport.abort()
        await asyncio.gather(*tasks, return_exceptions=True)

    @staticmethod
    async def _hand_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(65_536):
                writer.write(data)
                await writer.drain()


async def cut_now_and_then(wire: Wire) -> None:
    dice = random.Random(7)
    while True:
        await asyncio.sleep(dice.uniform(*CUTS_EVERY_S))
        wire.cut()


async def all_events(client: AsyncClient, match_id: str) -> list[Event]:
    events: list[Event] = []
    more = True
    while more:
        page = await client.events(match_id, after=len(events))
        events += page.events
        more = page.more
    return events


def test_an_agent_on_a_wire_that_is_cut_misses_nothing_and_is_handed_nothing_twice(
    here: Any,
) -> None:
    async def main() -> None:
        async with (
            asyncio.timeout(PATIENCE_S),
            Wire(here.ws_url).laid() as wire,
            AsyncClient(here.http_url, ws=wire.url) as client,
        ):
            await client.register(f"cut {uuid.uuid4().hex[:12]}")
            options = {"max_days": 3, "talk_rounds": 2, "turn_deadline_ms": 60_000}
            match_id = await take_seat(client, practice=True, seats=5, options=options)
            agent = Recorder(Paced(RandomAgent(1), 0.1))
            cutting = asyncio.create_task(cut_now_and_then(wire))
            try:
                stream = MatchStream(client, match_id, idle_s=2.0)
                summary = await play(agent, client, match_id, stream=stream)
            finally:
                cutting.cancel()
            assert wire.cuts
            assert summary.over
            assert agent.summary == summary
            assert agent.events == await all_events(client, match_id)
            assert [event.seq for event in agent.events] == [*range(1, len(agent.events) + 1)]
            assert len(agent.turns) == len(set(agent.turns))
            (seat,) = (player.seat for player in summary.players if not player.bot)
            moves = [
                move
                for move in (await client.replay(match_id))["moves"]
                if move["seat"] == seat and move["by"] != "start"
            ]
            assert {move["by"] for move in moves} <= {"player"}
            assert len(moves) == len(agent.turns)

    asyncio.run(main())
