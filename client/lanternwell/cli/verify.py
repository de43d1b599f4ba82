"""Check that a finished match was played by the rules and by the dice that were committed to.

The engine deals and plays the match again from the seed, the players' entropy and the moves in the
replay, and compares the commitment, the seating, the deal, every die, every event, the ranking and
the digest. Exit code 0: true to the last byte; 1: not true, and the first difference is named;
2: the replay cannot be read.
"""

import argparse
import asyncio
import json
import sys
from pathlib import Path

from lanternwell.client import AsyncClient
from werewolf.replay import Difference, first_difference


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
    found = first_difference(text)
    if found is None and arguments.commitment is not None:
        found = _other_commitment(json.loads(text)["commitment"], arguments.commitment)
    if found is not None:
        print(f"NOT TRUE: {found.where} is {found.told}, and should be {found.true}")
        return 1
    print(_verdict(text))
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


def _other_commitment(told: str, noted: str) -> Difference | None:
    noted = noted.strip().lower()
    return None if told == noted else Difference("commitment", told, f"{noted}, as you noted it")


def _verdict(text: bytes) -> str:
    """What was checked, in one line."""
    replay = json.loads(text)
    return (
        f"TRUE: match {replay['match_id']} ({replay['ruleset']}, {len(replay['players'])} seats): "
        f"commitment, seating, deal and every die, {len(replay['moves'])} inputs, "
        f"{len(replay['events'])} events, winner ({replay['winner']}), ranking and digest agree"
    )
