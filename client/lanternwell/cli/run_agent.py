"""Let an agent play one match to its end.

An agent is `random`, `heuristic`, `llm` (the examples), or a class of yours that inherits from
`lanternwell.Agent`: `mine.py` where it is the only one in the file, `mine.py:Mine` where there are
more, or `module:Mine`. It plays at the table that you name, at an open one, or with --practice at
once against house bots. It registers by itself, and takes up again a match in which it has a seat.

  lanternwell run my_agent.py --practice
  lanternwell run my_agent.py:Mine --practice --ruleset arena-1 --as Ada --pace 2
  lanternwell run heuristic k3jw7qzm5c2xdn4a
"""

import argparse
import asyncio
import logging
import secrets
import shlex
import sys
from typing import Final

from lanternwell.agent import Agent
from lanternwell.cli import connection, tabling
from lanternwell.errors import LanternwellError
from lanternwell.failures import own_traceback
from lanternwell.loading import load_agent
from lanternwell.model import Summary
from lanternwell.pacing import Paced
from lanternwell.player import OnError
from lanternwell.runner import play

UNFINISHED: Final = 1
"""The exit code when the agent's error has ended the run."""

MOST_S: Final = 600.0
"""The longest pace."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("agent", metavar="AGENT", help="an example's name, or a class of yours")
    tabling.add_choice(parser)
    parser.add_argument(
        "--pace",
        metavar="S",
        type=_seconds,
        default=0.0,
        help="let it wait for so many seconds before each move, so that one can watch (0)",
    )
    parser.add_argument(
        "--stop-on-error",
        action="store_true",
        help="end with the first error of the agent; else it is told, and a quiet move is made",
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="say only how it ended")
    connection.add_address(parser, socket=True)
    connection.add_identity(parser, new=True)


def run(arguments: argparse.Namespace) -> int:
    """Play a match."""
    connection.http_address(arguments)  # before anything of the file runs
    if "" not in sys.path:
        sys.path.insert(0, "")
    agent = load_agent(arguments.agent, secrets.token_hex(8))
    name = type(agent).__name__
    if arguments.pace:
        agent = Paced(agent, arguments.pace)
    logging.basicConfig(format="%(message)s", stream=sys.stderr)
    logging.getLogger("lanternwell").setLevel(logging.WARNING if arguments.quiet else logging.INFO)
    logging.getLogger("lanternwell.stream").setLevel(logging.WARNING)  # of each socket that broke
    who = connection.known_or_new(arguments, name)
    try:
        summary = asyncio.run(_play(arguments, agent, who))
    except LanternwellError:
        raise
    except Exception as error:  # noqa: BLE001 - whatever the agent raised
        print(own_traceback(error), end="", file=sys.stderr)
        return UNFINISHED
    print(f"Match {summary.match_id} is over: {summary.verdict}.{_own(summary, who)}")
    return 0


async def _play(arguments: argparse.Namespace, agent: Agent, who: connection.Identity) -> Summary:
    async with connection.player(arguments, who) as client:
        match_id = await tabling.sit(arguments, client)
        if not arguments.quiet:
            print(f"{who.name} is seated at {match_id}; lanternwell watch {match_id} shows it.")
        try:
            on_error: OnError = "raise" if arguments.stop_on_error else "go_on"
            return await play(agent, client, match_id, on_error=on_error)
        except asyncio.CancelledError:
            again = f"lanternwell run {shlex.quote(arguments.agent)} {match_id}"
            print(
                f"\nStopped; the seat stays yours. To go on: {again} "
                f"{connection.again(arguments, who)}",
                file=sys.stderr,
            )
            raise


def _own(summary: Summary, who: connection.Identity) -> str:
    """How the agent itself did, as far as that is told."""
    agent_id = who.token.partition(".")[0]
    seats = {player.agent_id: player.seat for player in summary.players}
    for placing in summary.ranking or ():
        if placing.seat == seats.get(agent_id, -1):
            return f" {who.name}: rank {placing.rank}, score {placing.score:g}."
    return ""


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= MOST_S:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds from 0 to {MOST_S:g}")
    return seconds
