"""Playing a match with an agent: listen, ask the agent, move."""

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Mapping, Set
from contextlib import aclosing
from typing import Any, Final

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

RULESET: Final = "werewolf-0.2"
"""What is played where nobody says otherwise."""

HOUSE_BOTS: Final = "house-bots"

SEAT_GONE: Final = frozenset({"match_not_open", "not_invited", "table_full"})
"""Refusals of a seat that somebody else may have taken meanwhile."""

MISSED_AT_MOST: Final = 5


async def play(
    agent: Agent, client: AsyncClient, match_id: str, *, stream: MatchStream | None = None
) -> Summary:
    """Play a match with the client's agent to its end.

    The agent may take its seat before this or soon after. Raises `Refused` when the service does
    not know this agent. `stream` is the client's stream of the match, if it has one already.
    """
    agent.clock = client.clock
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


async def take_seat(
    client: AsyncClient,
    *,
    match_id: str | None = None,
    practice: bool = False,
    ruleset: str = RULESET,
    invite: str | None = None,
    seats: int | None = None,
    options: Mapping[str, Any] | None = None,
) -> str:
    """Sit down, and get the id of the match.

    That is at this match; or, to `practice`, at a new table where house bots take all other seats
    and the match starts at once; or else at an open table of the rule set. Where there is none, one
    is opened. `seats` and `options` are for a table that is opened here.
    """
    new: dict[str, Any] = {"seats": seats, "options": options}
    if practice:
        match_id = (await client.open_table(ruleset, fill=HOUSE_BOTS, **new)).match_id
    if match_id is not None:
        await client.sit(match_id, invite=invite)
        return match_id
    missed: set[str] = set()
    while True:
        found = await _table(client, ruleset, missed, new)
        try:
            await client.sit(found)
        except Refused as refusal:
            if refusal.code not in SEAT_GONE or len(missed) >= MISSED_AT_MOST:
                raise
            missed.add(found)  # somebody was quicker
        else:
            return found


async def _table(
    client: AsyncClient, ruleset: str, missed: Set[str], new: Mapping[str, Any]
) -> str:
    page = await client.tables(status="open", ruleset=ruleset)
    for table in page.matches:
        # a table for house bots keeps its last seat for its host
        if table.match_id not in missed and table.taken < table.seats and table.fill is None:
            return table.match_id
    return (await client.open_table(ruleset, **new)).match_id


async def join_and_play(
    agent: Agent,
    client: AsyncClient,
    *,
    name: str | None = None,
    match_id: str | None = None,
    practice: bool = False,
    ruleset: str = RULESET,
) -> Summary:
    """Register (unless the client has a token), sit down and play one match to its end.

    Where to sit is said as in `take_seat`.
    """
    if client.token is None:
        await client.register(name or type(agent).__name__)
    match_id = await take_seat(client, match_id=match_id, practice=practice, ruleset=ruleset)
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
    practice: bool = False,
    ruleset: str = RULESET,
) -> Summary:
    """`join_and_play` for a program that does nothing else; tells on the terminal what it does."""

    async def main() -> Summary:
        async with AsyncClient(http, ws=ws, token=token) as client:
            return await join_and_play(
                agent,
                client,
                name=name,
                match_id=match_id,
                practice=practice,
                ruleset=ruleset,
            )

    logging.basicConfig(format="%(message)s")
    logging.getLogger("lanternwell").setLevel(logging.INFO)
    try:
        summary = asyncio.run(main())
    except LanternwellError as error:
        raise SystemExit(f"lanternwell: {error}") from error
    except KeyboardInterrupt:
        raise SystemExit("lanternwell: stopped; the seat at the table is still taken") from None
    print(f"match {summary.match_id} is over: {summary.verdict}")
    return summary
