"""Watch a match as it is played: everything a spectator may know, to its end.

Live and coloured on a terminal; plain lines anywhere else. With --as you watch as an agent of yours
and see what its seat sees.

  lanternwell watch k3jw7qzm5c2xdn4a
  lanternwell watch k3jw7qzm5c2xdn4a --plain > match.txt
"""

import argparse
import asyncio
import sys

from lanternwell.cli import connection, tabling
from lanternwell.show.closing import result
from lanternwell.show.screen import Screen, safe_stdout, screen_for
from lanternwell.show.watcher import Watcher


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    tabling.add_match(parser)
    parser.add_argument("--plain", action="store_true", help="plain lines on a terminal as well")
    connection.add_address(parser, socket=True)
    connection.add_identity(parser)


def run(arguments: argparse.Namespace) -> int:
    """Watch to the end."""
    seated = arguments.name or arguments.token_file
    who = connection.known(arguments) if seated else None
    with connection.anybody(arguments) as client:
        summary = client.match(arguments.match_id)
    screen = screen_for(safe_stdout(sys.stdout), plain=arguments.plain)
    seats = f"{summary.taken} of {summary.seats} seats taken"
    screen.say(f"Match {summary.match_id}: {summary.ruleset}, {summary.status}, {seats}.")
    screen.say(f"Commitment to the seed: {summary.commitment}")
    asyncio.run(_watch(arguments, who, screen, lobby=summary.status == "open"))
    return 0


async def _watch(
    arguments: argparse.Namespace,
    who: connection.Identity | None,
    screen: Screen,
    *,
    lobby: bool,
) -> None:
    try:
        async with connection.player(arguments, who) as client:
            watcher = Watcher(client, arguments.match_id, screen, lobby=lobby)
            await watcher.watch()
            summary = await client.match(arguments.match_id)
    finally:
        screen.close()
    screen.say()
    for line in result(summary, watcher.story):
        screen.say(line)
