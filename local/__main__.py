"""``python -m local up`` and ``python -m local run -- PROGRAM``."""

import argparse
import sys

from local import command
from local.errors import LocalCloudError


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; the answer is the exit code."""
    options = _parser().parse_args(arguments)
    command.take_signals()
    try:
        with _platform(options) as platform:
            if options.command == "up":
                return command.stay_up(platform)
            return command.run_program(platform, options.program)
    except LocalCloudError as error:
        print(f"lanternwell: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def _platform(options: argparse.Namespace) -> command.Started:
    """The platform that was asked for; importing what it needs takes a second."""
    if options.cloud:
        print("lanternwell: starting the local cloud ...", file=sys.stderr, flush=True)
        from local.cloud import LocalCloud

        return LocalCloud(port=options.port, parameters={"BotPaceSeconds": str(options.pace)})
    return command.server(port=options.port, pace=options.pace)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m local", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    up = commands.add_parser("up", help="start the platform and keep it until Ctrl-C")
    run = commands.add_parser("run", help="start the platform for the time of one program")
    for one in (up, run):
        one.add_argument(
            "--cloud",
            action="store_true",
            help="deploy template.yaml to a local cloud (default: one process, in memory)",
        )
        one.add_argument("--port", type=_port, help="port on 127.0.0.1 (default: a free one)")
        one.add_argument(
            "--pace",
            type=int,
            choices=range(61),
            default=1,
            metavar="S",
            help="seconds that a house bot takes for a move at most (1)",
        )
    run.add_argument(
        "program",
        nargs="+",
        help="program and arguments, after --; {http} and {ws} become the addresses",
    )
    return parser


def _port(text: str) -> int:
    port = int(text)
    if not 0 < port < 1 << 16:
        raise argparse.ArgumentTypeError("a port is a number from 1 to 65535")
    return port


if __name__ == "__main__":
    sys.exit(main())
