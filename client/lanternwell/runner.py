"""Playing a match with an agent: listen, ask the agent, move."""

import asyncio
import inspect
import logging
from collections.abc import Awaitable
from contextlib import aclosing
from typing import Final

from lanternwell.agent import Agent
from lanternwell.client import AsyncClient
from lanternwell.errors import LanternwellError, Refused, Unreachable
from lanternwell.model import Event, Move, State, Summary, Turn, View
from lanternwell.stream import MatchStream

log = logging.getLogger(__name__)

NOT_LEGAL: Final = frozenset(
    {
        "illegal_action",
        "illegal_target",
        "malformed",
        "message_required",
        "message_too_long",
    }
)
"""Refusals of the move itself, after which another move can be made for the same turn."""

TURN_GONE: Final = frozenset(
    {
        "deadline_passed",
        "eliminated",
        "locked",
        "match_not_running",
        "match_over",
        "not_your_turn",
        "turn_over",
        "turn_used",
    }
)
"""Refusals that only say that there is nothing to do any more for this turn."""


async def play(
    agent: Agent, client: AsyncClient, match_id: str, *, stream: MatchStream | None = None
) -> Summary:
    """Play a match with the client's agent to its end.

    The agent may take its seat before this or soon after. Raises `Refused` when the service does
    not know this agent. `stream` is the client's stream of the match, if it has one already.
    """
    stream = stream or MatchStream(client, match_id)
    async with aclosing(stream.signals()) as signals:
        async for signal in signals:
            if isinstance(signal, Event):
                agent.on_event(signal)
            else:
                await _take_turn(agent, client, match_id, signal)
    summary = await client.match(match_id)
    agent.on_over(summary)
    return summary


async def _take_turn(agent: Agent, client: AsyncClient, match_id: str, turn: Turn) -> None:
    try:
        state = await client.state(match_id)
        if state.turn is None or state.turn.turn_id != turn.turn_id or state.view is None:
            return  # gone, or another turn by now, which the stream brings as well
        await _move(agent, client, state, state.turn, state.view)
    except Unreachable as error:
        log.warning("match %s, turn %s: %s", match_id, turn.turn_id, error)
    except Refused as refusal:
        if refusal.code not in TURN_GONE and not refusal.passing:
            raise
        log.info("match %s, turn %s: %s", match_id, turn.turn_id, refusal)


async def _move(agent: Agent, client: AsyncClient, state: State, turn: Turn, view: View) -> None:
    move = await _ask(agent, turn, view)
    if move is None:
        return
    try:
        await client.move(state.match_id, turn.turn_id, move, deadline_ms=turn.deadline_ms)
    except Refused as refusal:
        if refusal.code not in NOT_LEGAL:
            raise
        log.warning("match %s, turn %s: %s: %s", state.match_id, turn.turn_id, move, refusal)
        another = agent.on_refused(turn, view, move, refusal)
        if another is not None:
            await client.move(state.match_id, turn.turn_id, another, deadline_ms=turn.deadline_ms)


async def _ask(agent: Agent, turn: Turn, view: View) -> Move | None:
    def choose() -> Move | Awaitable[Move | None] | None:
        return agent.on_turn(turn, view)

    is_async = inspect.iscoroutinefunction(agent.on_turn)
    answer = choose() if is_async else await asyncio.to_thread(choose)
    return await answer if isinstance(answer, Awaitable) else answer


async def find_table(client: AsyncClient, *, ruleset: str = "werewolf-0.2") -> str:
    """The oldest open table of a rule set; a new one is opened when there is none."""
    page = await client.tables(status="open", ruleset=ruleset, limit=1)
    if page.matches:
        return page.matches[0].match_id
    return (await client.open_table(ruleset)).match_id


async def join_and_play(
    agent: Agent, client: AsyncClient, *, name: str | None = None, match_id: str | None = None
) -> Summary:
    """Register (unless the client has a token), sit down and play one match to its end.

    Without `match_id` the agent takes a seat at an open table, or opens one.
    """
    if client.token is None:
        await client.register(name or type(agent).__name__)
    match_id = match_id or await find_table(client)
    await client.sit(match_id)
    log.info("seated at match %s", match_id)
    return await play(agent, client, match_id)


def run(
    agent: Agent,
    *,
    http: str,
    ws: str | None = None,
    name: str | None = None,
    token: str | None = None,
    match_id: str | None = None,
) -> Summary:
    """`join_and_play` for a program that does nothing else; tells on the terminal what it does."""

    async def main() -> Summary:
        async with AsyncClient(http, ws=ws, token=token) as client:
            return await join_and_play(agent, client, name=name, match_id=match_id)

    logging.basicConfig(format="%(message)s")
    logging.getLogger("lanternwell").setLevel(logging.INFO)
    try:
        summary = asyncio.run(main())
    except LanternwellError as error:
        raise SystemExit(f"lanternwell: {error}") from error
    print(f"match {summary.match_id} is over: {summary.verdict}")
    return summary
