"""The platform in one process beside the same on the local cloud: how soon up, how many moves.

48 agents play six tables of `arena-1`. Each asks for its state all the time, with a pause of 50 ms
and the ETag of the last answer, and moves as soon as it is on turn. The platform has one core, the
agents the others. Then 300 tables stand open, and one looks how busy the process is.
"""

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parents[1]
TABLES, SEATS = 6, 8
SECONDS = float(os.environ.get("SECONDS", "10"))
PAUSE_S = 0.05
IDLE_TABLES = 300
IDLE_S = 5.0
CORES = sorted(os.sched_getaffinity(0))


class Connection:
    """HTTP with as little work as possible: what is measured is the platform."""

    def __init__(self, url: str) -> None:
        self._parts = urlsplit(url)
        self.token = ""

    async def open(self) -> "Connection":
        """Connect."""
        host, port = self._parts.hostname, self._parts.port
        self._reader, self._writer = await asyncio.open_connection(host, port)
        return self

    async def ask(
        self, method: str, path: str, body: Any = None, **headers: str
    ) -> tuple[int, dict[str, str], Any]:
        """The status, headers and JSON of an answer."""
        content = b"" if body is None else json.dumps(body).encode()
        head = [f"{method} {self._parts.path}{path} HTTP/1.1", f"host: {self._parts.netloc}"]
        head += [f"content-length: {len(content)}", "content-type: application/json"]
        if self.token:
            head.append(f"authorization: Bearer {self.token}")
        head += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        self._writer.write("\r\n".join(head).encode() + b"\r\n\r\n" + content)
        lines = (await self._reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        told = {name.lower(): value for name, _, value in (x.partition(": ") for x in lines[1:])}
        status = int(lines[0].split()[1])
        length = 0 if status in (204, 304) else int(told.get("content-length", 0))
        raw = await self._reader.readexactly(length)
        return status, told, json.loads(raw) if raw else None


class Player:
    """An agent that polls and makes any legal move."""

    def __init__(self, connection: Connection, number: int) -> None:
        self.connection = connection
        self.moves = self.looks = 0
        self._random = Random(number)

    async def play(self, match_id: str, end: float) -> None:
        """Play until the match or the time is over."""
        etag = ""
        while time.monotonic() < end:
            self.looks += 1
            status, told, state = await self.connection.ask(
                "GET", f"/matches/{match_id}/state", **({"if_none_match": etag} if etag else {})
            )
            etag = told.get("etag", etag)
            if status == 200 and state["status"] == "over":
                return
            if status == 200 and state["your_turn"]:
                await self._move(match_id, state["your_turn"])
            else:
                await asyncio.sleep(PAUSE_S)

    async def _move(self, match_id: str, turn: Mapping[str, Any]) -> None:
        offer = self._random.choice(turn["legal_actions"])
        move = {"turn_id": turn["turn_id"], "action": offer["action"]}
        for name in ("target", "role"):
            if f"{name}s" in offer:
                move[name] = self._random.choice(offer[f"{name}s"])
        status, _, _ = await self.connection.ask("POST", f"/matches/{match_id}/moves", move)
        self.moves += status == 200


async def measure(url: str) -> tuple[float, float]:
    """Moves and looks per second."""
    players = []
    for number in range(TABLES * SEATS):
        connection = await Connection(url).open()
        _, _, agent = await connection.ask("POST", "/agents", {"name": f"Agent {number}"})
        connection.token = agent["token"]
        players.append(Player(connection, number))
    seated = [await seat(players[n : n + SEATS]) for n in range(0, len(players), SEATS)]
    began = time.monotonic()
    async with asyncio.TaskGroup() as group:
        for match_id, table in zip(seated, range(0, len(players), SEATS), strict=True):
            for player in players[table : table + SEATS]:
                group.create_task(player.play(match_id, began + SECONDS))
    took = time.monotonic() - began
    moves, looks = (sum(getattr(p, what) for p in players) for what in ("moves", "looks"))
    return moves / took, looks / took


async def seat(players: list[Player]) -> str:
    """A match of these players."""
    options = {"ruleset": "arena-1"}
    _, _, table = await players[0].connection.ask("POST", "/matches", options)
    for player in players:
        await player.connection.ask("POST", f"/matches/{table['match_id']}/seats", {})
    return str(table["match_id"])


async def open_tables(url: str) -> None:
    """300 tables at which one sits and waits."""
    for number in range(IDLE_TABLES):
        if number % 3 == 0:
            connection = await Connection(url).open()
            _, _, agent = await connection.ask("POST", "/agents", {"name": f"Idle {number}"})
            connection.token = agent["token"]
        _, _, table = await connection.ask("POST", "/matches", {"ruleset": "arena-1"})
        await connection.ask("POST", f"/matches/{table['match_id']}/seats", {})


def cpu_s(pid: int) -> float:
    """The processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Measure both, one after the other."""
    speeds = {}
    for name, option in (("one process", []), ("local cloud", ["--cloud"])):
        began = time.monotonic()
        command = [sys.executable, "-m", "local", "up", "--pace", "0", *option]
        os.sched_setaffinity(0, {CORES[0]})  # what is started stays on this core
        with subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        ) as process:
            os.sched_setaffinity(0, set(CORES[1:]) or set(CORES))
            assert process.stdout is not None
            url = process.stdout.readline().split()[1]
            asyncio.run(_answers(url))
            print(f"{name:12} answers after {time.monotonic() - began:.2f} s")
            speeds[name], looks = asyncio.run(measure(url))
            print(f"{'':12} {speeds[name]:.1f} moves a second, {looks:.0f} looks")
            if not option:
                asyncio.run(open_tables(url))
                time.sleep(1)
                used = cpu_s(process.pid)
                time.sleep(IDLE_S)
                share = (cpu_s(process.pid) - used) / IDLE_S
                print(f"{'':12} {IDLE_TABLES} idle tables: {share:.2%} of a core")
            process.terminate()
    print(f"{speeds['one process'] / speeds['local cloud']:.0f} times as many moves")


async def _answers(url: str) -> None:
    status, _, _ = await (await Connection(url).open()).ask("GET", "/rules")
    assert status == 200


if __name__ == "__main__":
    main()
