"""Let an agent out of a Python file play one match to its end.

The file holds a class that inherits from `lanternwell.Agent`, or an object named `agent`; instead
of a file, `random`, `heuristic` and `llm` are the example agents. It plays at the table that you
name, at an open one, or with --practice at once against house bots. It registers by itself, and
takes up again a match in which it has a seat.

  lanternwell run my_agent.py --practice
  lanternwell run my_agent.py --practice --ruleset arena-1 --as Ada
  lanternwell run my_agent.py k3jw7qzm5c2xdn4a
  lanternwell run heuristic
"""

import argparse
import asyncio
import logging
import secrets
import sys
from pathlib import Path

from lanternwell.agent import Agent
from lanternwell.arena import cast
from lanternwell.arena.casting import BUILT_IN
from lanternwell.cli import connection, tabling
from lanternwell.cli.loading import load_agent
from lanternwell.model import Summary
from lanternwell.runner import play


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("file", metavar="AGENT.py")
    tabling.add_choice(parser)
    parser.add_argument("--agent", metavar="NAME", help="which agent, where the file has several")
    parser.add_argument("-q", "--quiet", action="store_true", help="say only how it ended")
    connection.add_address(parser, socket=True)
    connection.add_identity(parser, new=True)


def run(arguments: argparse.Namespace) -> int:
    """Play a match."""
    connection.http_address(arguments)  # before anything of the file runs
    agent = _agent(arguments)
    logging.basicConfig(format="%(message)s", stream=sys.stderr)
    logging.getLogger("lanternwell").setLevel(logging.WARNING if arguments.quiet else logging.INFO)
    who = connection.known_or_new(arguments, type(agent).__name__)
    summary = asyncio.run(_play(arguments, agent, who))
    print(f"Match {summary.match_id} is over: {summary.verdict}.{_own(summary, who)}")
    return 0


def _agent(arguments: argparse.Namespace) -> Agent:
    if arguments.file in BUILT_IN:
        (contestant,) = cast([arguments.file])
        return contestant.make(secrets.token_hex(8))
    return load_agent(Path(arguments.file), arguments.agent)


async def _play(arguments: argparse.Namespace, agent: Agent, who: connection.Identity) -> Summary:
    async with connection.player(arguments, who) as client:
        match_id = await tabling.sit(arguments, client)
        if not arguments.quiet:
            print(f"{who.name} is seated at {match_id}; lanternwell watch {match_id} shows it.")
        return await play(agent, client, match_id)


def _own(summary: Summary, who: connection.Identity) -> str:
    """How the agent itself did, as far as that is told."""
    agent_id = who.token.partition(".")[0]
    seats = {player.agent_id: player.seat for player in summary.players}
    for placing in summary.ranking:
        if placing.seat == seats.get(agent_id, -1):
            return f" {who.name}: rank {placing.rank}, score {placing.score:g}."
    return ""
