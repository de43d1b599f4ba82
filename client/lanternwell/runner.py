"""Playing a match with an agent: listen, ask the agent, move."""

import asyncio
import logging
from contextlib import aclosing
from typing import Final

from lanternwell.agent import Agent
from lanternwell.client import AsyncClient
from lanternwell.errors import BadAnswer, LanternwellError, Refused, Unreachable
from lanternwell.model import Event, Summary
from lanternwell.player import OnError, Player
from lanternwell.seating import RULESET, take_seat
from lanternwell.stream import MatchStream

log = logging.getLogger(__name__)

SUMMARY_TRIES: Final = 20
"""How often the summary of a match is asked for."""


async def play(
    agent: Agent,
    client: AsyncClient,
    match_id: str,
    *,
    stream: MatchStream | None = None,
    on_error: OnError = "go_on",
) -> Summary:
    """Play a match with the client's agent to its end.

    The agent may take its seat before this or soon after. `stream` is the client's stream of the
    match, if it has one already. What the agent raises is logged with its traceback, and its seat
    plays on, with a quiet legal move where one was asked for; with `on_error="raise"` it is raised.
    Raises `Refused` when the service does not know this agent, and `Unreachable` when nothing was
    heard of the match for a day.
    """
    agent.clock = client.clock
    table = await _summary(client, match_id)
    if table.status == "open":
        log.info("%d of %d seats are taken; waiting for the others", table.taken, table.seats)
    stream = stream or MatchStream(client, match_id)
    player = Player(agent, client, stream, on_error)
    async with aclosing(stream.signals()) as signals:
        async for signal in signals:
            if isinstance(signal, Event):
                if signal.type == "role_private":
                    card = signal.data
                    log.info("it begins: seat %s, %s", card.get("seat"), card.get("role"))
                await player.hear(signal)
            else:
                await player.take_turn(signal)
    summary = await _summary(client, match_id)
    await player.end(summary)
    return summary


async def _summary(client: AsyncClient, match_id: str) -> Summary:
    """What everybody may know of the match, however long the service takes to say so."""
    for failures in range(1, SUMMARY_TRIES):
        try:
            return await client.match(match_id)
        except (Unreachable, BadAnswer, Refused) as error:
            if isinstance(error, Refused) and not error.passing:
                raise
            log.info("match %s: no summary yet (%s)", match_id, error)
        await asyncio.sleep(client.backoff.pause(failures))
    return await client.match(match_id)


async def join_and_play(
    agent: Agent,
    client: AsyncClient,
    *,
    name: str | None = None,
    match_id: str | None = None,
    practice: bool = False,
    ruleset: str = RULESET,
    on_error: OnError = "go_on",
) -> Summary:
    """Register (unless the client has a token), sit down and play one match to its end.

    Where to sit is said as in `take_seat`, and what becomes of errors as in `play`.
    """
    if client.token is None:
        await client.register(name or type(agent).__name__)
    match_id = await take_seat(client, match_id=match_id, practice=practice, ruleset=ruleset)
    log.info("seated at match %s", match_id)
    return await play(agent, client, match_id, on_error=on_error)


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
    on_error: OnError = "go_on",
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
                on_error=on_error,
            )

    logging.basicConfig(format="%(message)s")
    logging.getLogger("lanternwell").setLevel(logging.INFO)
    try:
        summary = asyncio.run(main())
    except LanternwellError as error:
        raise SystemExit(f"lanternwell: {' '.join(str(error).split())}") from error
    except KeyboardInterrupt:
        raise SystemExit("lanternwell: stopped; the seat at the table is still taken") from None
    print(f"match {summary.match_id} is over: {summary.verdict}")
    return summary
