"""Fetch the replay of a finished match, as the file that `lanternwell verify` checks."""

import argparse
import sys
from pathlib import Path

from lanternwell.cli import connection, tabling


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    tabling.add_match(parser)
    parser.add_argument("-o", "--out", metavar="FILE", help="where to write it (default: stdout)")
    connection.add_address(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write the bytes that the service gives, unchanged."""
    with connection.anybody(arguments) as client:
        text = client.replay_file(arguments.match_id)
    if arguments.out is None:
        sys.stdout.buffer.write(text)
        return 0
    Path(arguments.out).write_bytes(text)
    print(f"{len(text):,} bytes written to {arguments.out}", file=sys.stderr)
    return 0
