"""Whole matches of `traditional-1` by our own client: slow agents on wires that break."""

import asyncio
import random
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

from lanternwell import Agent, AsyncClient, Event, Move, Turn, View
from lanternwell.agents import HeuristicAgent, RandomAgent
from tests.client.simulated import Service, Wire, all_play, seated, simulate
from tests.examples import examples

SEATS = 6
LONGEST_S = 90.0
"""How long a wire is broken at most."""

BACK_S = 60.0
"""How much longer a table may wait for a player whose wire works again."""


class Slow(Agent):
    """Takes its time, and keeps what it was handed."""

    def __init__(self, seed: str) -> None:
        self._dice = random.Random(seed)
        self._inner = self._dice.choice((*[HeuristicAgent] * 5, RandomAgent))(seed)
        self._longest_s = self._dice.choice((0.0, 2.0, 15.0, 50.0))
        self.events: list[Event] = []
        self.turns: list[str] = []

    async def on_turn(self, turn: Turn, view: View) -> Move | None:
        self.turns.append(turn.turn_id)
        await asyncio.sleep(self._dice.uniform(0, self._longest_s))
        return self._inner.on_turn(turn, view)

    def on_event(self, event: Event) -> None:
        self.events.append(event)


async def break_now_and_then(wire: Wire, dice: random.Random) -> None:
    """What happens to a wire until the match is over."""
    wire.lose_frame = lambda: dice.random() < 0.05
    while True:
        await asyncio.sleep(dice.expovariate(1 / 60))
        what = dice.choice(("cut", "silent", "down", "no_sockets", "forgotten"))
        if what == "silent" and wire.socket is not None:
            wire.socket.go_silent()
        elif what == "forgotten" and wire.socket is not None:
            wire.forget_socket()
        else:
            wire.cut()
        if what in ("down", "no_sockets"):
            setattr(wire, what, True)
            await asyncio.sleep(dice.uniform(0, LONGEST_S))
            setattr(wire, what, False)


async def all_events(client: AsyncClient, match_id: str) -> list[Event]:
    events: list[Event] = []
    more = True
    while more:
        page = await client.events(match_id, after=len(events), limit=500)
        events += page.events
        more = page.more
    return events


def waits(events: list[Event]) -> Iterator[int]:
    """How long the table waited, each time, in milliseconds."""
    since = None
    for event in events:
        if event.type == "paused" and since is None:
            since = event.at
        elif event.type == "resumed" and since is not None:
            yield event.at - since
            since = None


async def through_it_all(service: Service, seed: int) -> None:
    dice = random.Random(seed)
    options: dict[str, Any] = {"day_minutes": 2, "elimination": "plurality"}
    match_id, wires, clients = await seated(service, SEATS, "traditional-1", options)
    players = [
        wire.client(token=client.token, sockets=dice.random() < 0.85)
        for wire, client in zip(wires, clients, strict=True)
    ]
    agents = [Slow(f"{seed}/{number}") for number in range(SEATS)]
    breaking = [
        asyncio.create_task(break_now_and_then(wire, random.Random(f"{seed}/{number}")))
        for number, wire in enumerate(wires)
    ]
    try:
        async with asyncio.timeout(12 * 3600):
            await all_play(agents, players, match_id)
    finally:
        for task in breaking:
            task.cancel()
        with suppress(asyncio.CancelledError):
            await asyncio.gather(*breaking)
        for wire in wires:
            wire.down = False
    for agent, client in zip(agents, clients, strict=True):
        assert agent.events == await all_events(client, match_id)
    moves = (await clients[0].replay(match_id))["moves"]
    assert sum(move["by"] == "player" for move in moves) <= sum(len(a.turns) for a in agents)
    assert max(waits(agents[0].events), default=0) < (LONGEST_S * 3 + BACK_S) * 1000


@pytest.mark.parametrize("seed", range(examples(50)))
def test_our_own_client_plays_to_the_end(seed: int) -> None:
    simulate(lambda service: through_it_all(service, seed))
