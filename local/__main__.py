"""``python -m local up`` and ``python -m local run -- PROGRAM``."""

import argparse
import signal
import subprocess
import sys
from types import FrameType
from typing import TYPE_CHECKING

from local.errors import LocalCloudError

if TYPE_CHECKING:
    from local.cloud import LocalCloud


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; the answer is the exit code."""
    options = _parser().parse_args(arguments)
    signal.signal(signal.SIGINT, _interrupt)
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        print("lanternwell: starting the local cloud ...", file=sys.stderr, flush=True)
        from local.cloud import LocalCloud  # takes a second, in which Ctrl-C is heard already

        with LocalCloud(
            port=options.port, parameters={"BotPaceSeconds": str(options.pace)}
        ) as cloud:
            return _up(cloud) if options.command == "up" else _run(options.program, cloud)
    except LocalCloudError as error:
        print(f"lanternwell: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m local", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    up = commands.add_parser("up", help="start the local cloud and keep it until Ctrl-C")
    run = commands.add_parser("run", help="start the local cloud for the time of one program")
    for command in (up, run):
        command.add_argument("--port", type=_port, help="port on 127.0.0.1 (default: a free one)")
        command.add_argument(
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


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    """Stop, once: nothing may interrupt the stopping itself, or it would leave things behind."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


def _tell_addresses(cloud: "LocalCloud") -> None:
    print(f"HTTP      {cloud.http_url}")
    print(f"WebSocket {cloud.ws_url}")
    print(f"AWS       {cloud.endpoint_url}", flush=True)


def _up(cloud: "LocalCloud") -> int:
    """Stay up until somebody stops it, from the moment on at which the addresses are told."""
    try:
        _tell_addresses(cloud)
        print("up; Ctrl-C stops it", file=sys.stderr, flush=True)
        while True:
            signal.pause()
    except KeyboardInterrupt:
        return 0


def _run(program: list[str], cloud: "LocalCloud") -> int:
    """Run the program to its end. Ctrl-C reaches it from the terminal; a stop is handed on."""
    _tell_addresses(cloud)
    process = subprocess.Popen(
        [part.replace("{http}", cloud.http_url).replace("{ws}", cloud.ws_url) for part in program]
    )
    signal.signal(signal.SIGTERM, lambda *_: process.terminate())
    signal.signal(signal.SIGINT, lambda *_: None)
    code = process.wait()
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main())
