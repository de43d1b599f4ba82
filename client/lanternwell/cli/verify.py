"""Check that a finished match was played by the rules and by the dice that were committed to.

The engine deals and plays the match again from the seed, the players' entropy and the moves in the
replay, and compares the commitment, the seating, the deal, every die, every event, the ranking and
the digest. Exit code 0: true to the last byte; 1: not true, and the first thing that is wrong is
named; 2: there is no replay that can be read.
"""

import argparse
import asyncio
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lanternwell.client import AsyncClient
from lanternwell.errors import LanternwellError
from werewolf.replay import Difference, Unreadable, first_difference, read


class NoReplay(LanternwellError):
    """What was given is no replay."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("source", metavar="FILE-or-URL", help="the replay; - reads it from stdin")
    parser.add_argument(
        "--commitment",
        metavar="HEX",
        help="the commitment that you noted when the table opened; it must be the replay's",
    )


def run(arguments: argparse.Namespace) -> int:
    """Check the replay."""
    text = _read(arguments.source)
    try:
        document = read(text)
    except Unreadable as error:
        raise NoReplay(f"{arguments.source} is no replay that can be read: {error}") from error
    found = _other_commitment(document, arguments.commitment) or first_difference(text)
    if found is not None:
        print(f"NOT TRUE: {found}")
        return 1
    print(_verdict(document))
    return 0


def _read(source: str) -> bytes:
    if source == "-":
        return sys.stdin.buffer.read()
    if source.startswith(("http://", "https://")):
        return asyncio.run(_fetch(source))
    return Path(source).read_bytes()


async def _fetch(url: str) -> bytes:
    async with AsyncClient(url) as client:
        return await client.file("")


def _other_commitment(replay: Mapping[str, Any], noted: str | None) -> Difference | None:
    told, wanted = replay.get("commitment"), (noted or "").strip().lower()
    if noted is None or told == wanted:
        return None
    return Difference("commitment", str(told), f"{wanted}, as you noted it")


def _verdict(replay: Mapping[str, Any]) -> str:
    """What was checked, in one line."""
    return (
        f"TRUE: match {replay['match_id']} ({replay['ruleset']}, {len(replay['players'])} seats): "
        f"commitment, seating, deal and every die, {len(replay['moves'])} inputs, "
        f"{len(replay['events'])} events, winner ({replay['winner']}), ranking and digest agree"
    )
