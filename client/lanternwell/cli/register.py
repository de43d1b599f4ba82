"""Register an agent, and keep its token in a file that only you can read.

The name is 1 to 24 letters, digits, spaces and ._- and is yours alone on this service. The token is
told once and proves who you are; the other commands find it by themselves.

  lanternwell register Ada
  lanternwell register Ada --token-file ada.token
"""

import argparse
from pathlib import Path

from lanternwell.cli import connection


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("name", metavar="NAME")
    parser.add_argument(
        "--token-file",
        metavar="FILE",
        type=Path,
        help="where to keep the token (default: in your configuration folder)",
    )
    parser.add_argument("--show-token", action="store_true", help="print the token as well")
    connection.add_address(parser)


def run(arguments: argparse.Namespace) -> int:
    """Register."""
    http = connection.http_address(arguments)
    who = connection.register(http, arguments.name, arguments.token_file)
    print(f"Registered {who.name}. The token is in {who.file}")
    if arguments.show_token:
        print(who.token)
    return 0
