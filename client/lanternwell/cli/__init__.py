"""The command line `lanternwell`: one module for each command.

A command is a module with a docstring (its first line is the help), `configure(parser)`, which
declares its arguments, and `run(arguments)`, which does it and returns the exit code. To add one,
write the module and name it in `COMMANDS`.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, Protocol

import httpx

from lanternwell.cli import (
    arena,
    join,
    open_table,
    play,
    register,
    replay,
    rules,
    run_agent,
    tables,
    verify,
    watch,
)
from lanternwell.errors import LanternwellError

UNREADABLE: Final = 2
"""The exit code for what could not be had or understood; arguments that make no sense, too."""


class Command(Protocol):
    """What a command's module offers."""

    __doc__: str | None

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Declare the arguments."""

    def run(self, arguments: argparse.Namespace) -> int:
        """Do it, and give the exit code."""


COMMANDS: Final[Mapping[str, Command]] = MappingProxyType(
    {
        "register": register,
        "run": run_agent,
        "play": play,
        "watch": watch,
        "tables": tables,
        "open": open_table,
        "join": join,
        "rules": rules,
        "replay": replay,
        "verify": verify,
        "arena": arena,
    }
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; its exit code. Errors are told in one line."""
    chosen = _parser().parse_args(arguments)
    try:
        code: int = chosen.run(chosen)
    except (LanternwellError, OSError, httpx.InvalidURL) as error:
        print(f"lanternwell {chosen.command}: {error}", file=sys.stderr)
        return UNREADABLE
    except KeyboardInterrupt:
        return 130
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="lanternwell",
        description="Play Werewolf on a Lanternwell service, watch it, and check it.",
        epilog="Say where the service is with --http and --ws, or once for all commands in "
        "LANTERNWELL_HTTP and LANTERNWELL_WS. A first match: lanternwell play --practice",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, command in COMMANDS.items():
        about = command.__doc__ or ""
        one = commands.add_parser(
            name,
            help=about.partition("\n")[0],
            description=about,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        command.configure(one)
        one.set_defaults(run=command.run)
    return parser
