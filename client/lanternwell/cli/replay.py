"""Fetch the replay of a finished match, as the file that `lanternwell verify` checks."""

import argparse
import asyncio
import sys
from pathlib import Path

from lanternwell import calls
from lanternwell.client import AsyncClient


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("match_id", metavar="MATCH_ID")
    parser.add_argument("--http", metavar="URL", required=True, help="the service's HTTP address")
    parser.add_argument("-o", "--out", metavar="FILE", help="where to write it (default: stdout)")


def run(arguments: argparse.Namespace) -> int:
    """Write the bytes that the service gives, unchanged."""
    text = asyncio.run(_fetch(arguments.http, arguments.match_id))
    if arguments.out is None:
        sys.stdout.buffer.write(text)
        return 0
    Path(arguments.out).write_bytes(text)
    print(f"{len(text):,} bytes written to {arguments.out}", file=sys.stderr)
    return 0


async def _fetch(http: str, match_id: str) -> bytes:
    async with AsyncClient(http) as client:
        return await client.send(calls.replay_file(match_id))
