"""Run the whole service on this machine, until Ctrl-C.

lanternwell serve
lanternwell serve --database evening.db --port 8000

With a database it goes on where it was, however it ended: matches, deadlines and all. Without one
it keeps everything in memory. It is part of `pip install 'lanternwell[serve]'`.
"""

import argparse
import importlib
import sys
from pathlib import Path

from lanternwell.errors import LanternwellError

_HERE = Path(__file__).resolve().parents[1]
_REPOSITORY = _HERE.parents[1]


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--database", type=Path, metavar="FILE", help="where everything is kept")
    parser.add_argument("--host", default="127.0.0.1", help="where to listen (127.0.0.1)")
    parser.add_argument("--port", type=int, help="port to listen on (a free one)")
    parser.add_argument(
        "--pace",
        type=int,
        choices=range(61),
        default=1,
        metavar="S",
        help="seconds that a house bot takes for a move at most (1)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Serve until somebody stops it."""
    bundled = _HERE / "platform"
    sys.path.insert(0, str(bundled if bundled.exists() else _REPOSITORY))
    try:
        command, errors = map(importlib.import_module, ("local.command", "local.errors"))
        command.take_signals()
        server = command.server(
            arguments.database, host=arguments.host, port=arguments.port, pace=arguments.pace
        )
    except ImportError as error:
        install = "pip install 'lanternwell[serve]'"
        raise LanternwellError(f"{error.name} is missing; install it with: {install}") from error
    except errors.LocalCloudError as error:
        raise LanternwellError(str(error)) from error
    if arguments.database is None:
        print("lanternwell: in memory alone; --database FILE keeps it", file=sys.stderr)
    with server:
        code: int = command.stay_up(server)
    return code
