"""The platform in one process is killed at random moments, again and again, and nothing is lost.

Twenty agents play practice matches beside each other. After each kill the service starts anew on
the same file and port; who got no answer asks again. In the end, what is stored is compared with
what the agents were told: every move that was accepted is there once, in its order, and every
deadline was played in time, or as soon as the service was back.
"""

import asyncio
import contextlib
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, Final

import httpx
import pytest

from hosting.adapters.sqlite import Database
from hosting.adapters.sqlite_matches import SqliteMatches
from local.tools import ROOT
from tests.examples import LONG

AGENTS: Final = 20
KILLS: Final = 200 if LONG else 8
LATE_MS: Final = 1_000 if LONG else 10_000
"""By how much a deadline may be late, but for the time in which nobody was there. The quick loop
runs beside much else, so that it has patience."""

PATIENCE_S: Final = 60.0
RULESETS: Final = ("werewolf-0.2", "arena-1", "house-9")
HURRIED: Final = {"turn_deadline_ms": 1_500}
LEISURELY: Final = {"turn_deadline_ms": 600_000}


@dataclass
class Service:
    """A service that is killed and started again on one database and port."""

    database: Path
    port: int
    ups: list[int] = field(default_factory=list)
    downs: list[int] = field(default_factory=list)
    """When it came up and was killed, in milliseconds since the epoch."""
    _process: subprocess.Popen[str] | None = None

    async def start(self) -> None:
        await asyncio.to_thread(self._start)

    def _start(self) -> None:
        command = [sys.executable, "-m", "lanternwell", "serve", "--database", str(self.database)]
        path = os.pathsep.join([str(ROOT / "client"), str(ROOT / "layers" / "engine")])
        self._process = subprocess.Popen(
            [*command, "--port", str(self.port)],
            env={**os.environ, "PYTHONPATH": path},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self._process.stdout is not None
        assert self._process.stdout.readline().startswith("HTTP")
        self.ups.append(now_ms())

    def kill(self) -> None:
        assert self._process is not None
        self.downs.append(now_ms())
        self._process.kill()
        self._process.communicate()


@dataclass
class Played:
    """A match, and what its agent was told."""

    match_id: str
    agent_id: str
    hurried: bool
    accepted: list[Any] = field(default_factory=list)


class Agent:
    """Plays one practice match after the other, and asks until it is answered."""

    def __init__(self, http: httpx.AsyncClient, number: int) -> None:
        self._http = http
        self._number = number
        self._dice = Random(number)
        self._headers: dict[str, str] = {}
        self.played: list[Played] = []

    async def play(self, enough: asyncio.Event) -> None:
        """Until it is enough; the last match is left as it is."""
        agent = await self._ask("POST", "/agents", {"name": f"Agent {self._number}"})
        self._headers = {"authorization": f"Bearer {agent['token']}"}
        while not enough.is_set():
            hurried = self._number % 2 == 0
            ruleset = RULESETS[self._number % len(RULESETS)]
            options = HURRIED if hurried else LEISURELY
            body = {"ruleset": ruleset, "fill": "house-bots", "options": options}
            table = await self._ask("POST", "/matches", body)
            match = Played(table["match_id"], agent["agent_id"], hurried)
            self.played.append(match)
            await self._ask("POST", f"/matches/{match.match_id}/seats", {})
            while not enough.is_set() and await self._look(match):
                await asyncio.sleep(0.1)

    async def _look(self, match: Played) -> bool:
        """Move if it is one's turn, but for a turn now and then. Whether the match goes on."""
        state = await self._ask("GET", f"/matches/{match.match_id}/state")
        if state["status"] == "over":
            return False
        turn = state["your_turn"]
        if turn is not None and not (match.hurried and self._sleeps_through(turn["turn_id"])):
            move = self._move(turn)
            body = {"turn_id": turn["turn_id"], **move}
            receipt = await self._ask("POST", f"/matches/{match.match_id}/moves", body)
            if receipt.get("outcome") == "accepted":
                match.accepted.append(move)
        return True

    def _sleeps_through(self, turn_id: str) -> bool:
        """One turn in three, and the same ones whenever it is asked."""
        return Random(f"{self._number} {turn_id}").random() < 1 / 3

    def _move(self, turn: Any) -> Any:
        offer = self._dice.choice(turn["legal_actions"])
        move = {"action": offer["action"]}
        for field_name in ("target", "role"):
            if f"{field_name}s" in offer:
                move[field_name] = self._dice.choice(offer[f"{field_name}s"])
        if any(name.startswith("max_message") for name in offer):
            move["message"] = f"Number {self._dice.randrange(10**6)}."
        return move

    async def _ask(self, method: str, path: str, body: Any = None) -> Any:
        """The answer, however often it must be asked for. A name or a seat that is taken is one's
        own, from a request whose answer was lost."""
        end = time.monotonic() + PATIENCE_S
        while True:
            assert time.monotonic() < end, "it never came back"
            with contextlib.suppress(httpx.TransportError):
                answer = await self._http.request(
                    method, path, json=body, headers=self._headers, timeout=PATIENCE_S
                )
                if answer.status_code == 409 and path == "/agents":
                    body = {"name": f"{body['name']} again"}
                elif answer.status_code < 500:
                    return answer.json()
            await asyncio.sleep(0.05)


@asynccontextmanager
async def serving(service: Service) -> AsyncIterator[None]:
    await service.start()
    try:
        yield
    finally:
        service.kill()


async def play_and_kill(service: Service) -> list[Played]:
    dice, enough = Random(7), asyncio.Event()
    url = f"http://127.0.0.1:{service.port}"
    async with serving(service), httpx.AsyncClient(base_url=url) as http:
        agents = [Agent(http, number) for number in range(AGENTS)]
        async with asyncio.TaskGroup() as group:
            for agent in agents:
                group.create_task(agent.play(enough))
            for _ in range(KILLS):
                await asyncio.sleep(dice.uniform(0.05, 1.0))
                service.kill()
                await service.start()
            await asyncio.sleep(3)
            enough.set()
    return [match for agent in agents for match in agent.played]


def late(service: Service, deadline: int, at: int) -> int:
    """The longest time (ms) without a kill in which the service was up and had not played it."""
    lives = zip(service.ups, service.downs, strict=True)
    return max(min(down, at) - max(up, deadline) for up, down in lives)


def now_ms() -> int:
    return time.time_ns() // 1_000_000


@pytest.mark.timeout(1_800)
def test_killed_at_any_moment_it_loses_nothing(tmp_path: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    service = Service(tmp_path / "evening.db", port)
    played = asyncio.run(play_and_kill(service))
    assert len(service.ups) == KILLS + 1
    database = Database(service.database)
    matches = SqliteMatches(database)
    delays, moves = [], 0
    for match in played:
        state, table = matches.state(match.match_id), matches.table(match.match_id)
        assert state is not None
        assert table is not None
        entries = [*matches.entries(match.match_id, 1, state.version)]
        assert [entry.version for entry in entries] == [*range(1, state.version + 1)]
        seats = [player.agent_id for player in table.players]
        if match.agent_id not in seats:
            continue  # the table was just opened when it was enough
        seat = seats.index(match.agent_id)
        made = [m for entry in entries for m in entry.moves if m.by == "player" and m.seat == seat]
        assert [dict(move.move or {}) for move in made] == match.accepted
        moves += len(made)
        for before, entry in pairwise(entries):
            if any(move.by == "timeout" for move in entry.moves):
                assert match.hurried, "nobody, bots included, let an hour pass"
                assert before.deadline is not None
                delays.append(late(service, before.deadline, entry.at))
    database.close()
    assert moves > AGENTS
    assert delays
    assert max(delays) <= LATE_MS, sorted(delays)[-10:]
    print(json.dumps({"moves": moves, "timeouts": len(delays), "latest_ms": max(delays)}))
