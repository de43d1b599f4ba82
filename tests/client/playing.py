"""Whole matches on the fake service, with agents that write down what they are handed."""

import asyncio
from collections.abc import Awaitable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any

from lanternwell import (
    Agent,
    AsyncClient,
    Event,
    MatchStream,
    Move,
    Refused,
    Summary,
    Turn,
    View,
    play,
)
from lanternwell.agents import RandomAgent
from lanternwell.backoff import Backoff
from tests.client.service import Match, Service

RULESET = "werewolf-0.2"
IMPATIENT = Backoff(first_s=0.002, most_s=0.02)


class Recorder(Agent):
    """Plays like another agent and keeps all that it was handed."""

    def __init__(self, inner: Agent) -> None:
        self.inner = inner
        self.events: list[Event] = []
        self.turns: list[str] = []
        self.views: list[View] = []
        self.summary: Summary | None = None

    def on_event(self, event: Event) -> None:
        self.events.append(event)

    async def on_turn(self, turn: Turn, view: View) -> Move | None:
        self.turns.append(turn.turn_id)
        self.views.append(view)
        self.inner.clock = self.clock
        move = self.inner.on_turn(turn, view)
        return await move if isinstance(move, Awaitable) else move

    def on_refused(self, turn: Turn, view: View, move: Move, refusal: Refused) -> Move | None:
        return self.inner.on_refused(turn, view, move, refusal)

    def on_over(self, summary: Summary) -> None:
        self.summary = summary


@dataclass
class Played:
    table: Match
    agents: list[Recorder]
    """In seat order."""


async def play_a_match(
    service: Service,
    agents: Sequence[Agent],
    *,
    options: dict[str, Any] | None = None,
    idle_s: float = 0.5,
    sockets: bool = True,
) -> Played:
    """Seat the agents at a table and play it to its end."""
    recorders = [Recorder(agent) for agent in agents]
    async with AsyncExitStack() as stack:
        clients = [
            await stack.enter_async_context(
                AsyncClient(
                    service.http_url,
                    ws=service.ws_url if sockets else None,
                    backoff=IMPATIENT,
                    tries=12,
                )
            )
            for _ in agents
        ]
        for number, client in enumerate(clients):
            await client.register(f"agent {number}")
        summary = await clients[0].open_table(RULESET, seats=len(agents), options=options)
        async with asyncio.TaskGroup() as group:
            for recorder, client in zip(recorders, clients, strict=True):
                group.create_task(_sit_and_play(recorder, client, summary.match_id, idle_s))
    table = service.matches[summary.match_id]
    names = [player.name for player in table.players]
    return Played(table, [recorders[int(name.split()[1])] for name in names])


async def _sit_and_play(
    recorder: Recorder, client: AsyncClient, match_id: str, idle_s: float
) -> None:
    await client.sit(match_id)
    stream = MatchStream(client, match_id, idle_s=idle_s)
    await play(recorder, client, match_id, stream=stream)


def random_agents(count: int, seed: object = 0) -> list[Agent]:
    return [RandomAgent(f"{seed}/{number}") for number in range(count)]
