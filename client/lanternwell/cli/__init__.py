"""The command line `lanternwell`: one module for each command.

A command is a module with a docstring (its first line is the help), `configure(parser)`, which
declares its arguments, and `run(arguments)`, which does it and returns the exit code. To add one,
write the module and name it in `COMMANDS`.
"""

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, NoReturn, Protocol

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
    serve,
    tables,
    verify,
    watch,
)
from lanternwell.cli.explaining import explain
from lanternwell.errors import LanternwellError

UNREADABLE: Final = 2
"""The exit code for what could not be had or understood; arguments that make no sense, too."""

INTERRUPTED: Final = 130
NOBODY_READS: Final = 141
"""The exit codes after Ctrl-C, and when nobody reads the output any more (`| head`)."""


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
        "serve": serve,
    }
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; its exit code. Errors are told in one line."""
    parser = _parser()
    given = sys.argv[1:] if arguments is None else arguments
    if not given:
        parser.print_help()
        return UNREADABLE
    chosen = parser.parse_args(given)
    try:
        code: int = chosen.run(chosen)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(
            os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno()
        )  # for Python's own last flush
        return NOBODY_READS
    except (LanternwellError, OSError, httpx.InvalidURL) as error:
        print(f"lanternwell {chosen.command}: {explain(error, chosen)}", file=sys.stderr)
        return UNREADABLE
    except KeyboardInterrupt:
        return INTERRUPTED
    return code


class _Parser(argparse.ArgumentParser):
    """Tells what is wrong with the arguments in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(UNREADABLE, f"{self.prog}: {message} ({self.prog} --help says more)\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
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
