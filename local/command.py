"""What commands do with a platform that they start: tell its addresses, keep it up, stop it."""

import logging
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, Final, Protocol

if TYPE_CHECKING:
    from local.server import LocalServer

_ENGINE: Final = Path(__file__).resolve().parents[1] / "layers" / "engine"
_QUIET: Final = {"POWERTOOLS_METRICS_DISABLED": "true", "POWERTOOLS_LOG_LEVEL": "WARNING"}


class Addressed(Protocol):
    """A platform that runs."""

    @property
    def addresses(self) -> Mapping[str, str]:
        """Where it is, by name; `HTTP` and `WebSocket` are among them."""


Started = AbstractContextManager[Any]


def server(
    database: Path | None = None,
    *,
    host: str = "127.0.0.1",
    port: int | None = None,
    pace: int = 1,
) -> "LocalServer":
    """The platform in one process, which tells standard error of what goes wrong alone.

    `pace` is how many seconds a house bot takes for a move at most. Raises `LocalCloudError`.
    """
    if _ENGINE.exists() and str(_ENGINE) not in sys.path:
        sys.path.insert(0, str(_ENGINE))
    os.environ |= _QUIET | os.environ
    logging.basicConfig(format="lanternwell: %(message)s", level=logging.WARNING)
    # It takes a socket that is refused with a body for an error. The gateway tells of its own.
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
    from local.server import LocalServer

    settings = {"BOT_PACE_SECONDS": str(pace)}
    return LocalServer(database, host=host, port=port, settings=settings)


def take_signals() -> None:
    """Let Ctrl-C and a request to stop raise `KeyboardInterrupt`, once."""
    signal.signal(signal.SIGINT, _interrupt)  # a background job ignores it else
    signal.signal(signal.SIGTERM, _interrupt)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    """Stop, once: nothing may interrupt the stopping itself, or it would leave things behind."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


def stay_up(platform: Addressed) -> int:
    """Stay up until somebody stops it, from the moment on at which the addresses are told."""
    try:
        _tell(platform)
        print("up; Ctrl-C stops it", file=sys.stderr, flush=True)
        while True:
            threading.Event().wait(3600)
    except KeyboardInterrupt:
        return 0


def run_program(platform: Addressed, program: list[str]) -> int:
    """Run the program to its end. Ctrl-C reaches it from the terminal; a stop is handed on.

    `{http}` and `{ws}` in its arguments become the addresses.
    """
    _tell(platform)
    http, ws = platform.addresses["HTTP"], platform.addresses["WebSocket"]
    process = subprocess.Popen(
        [part.replace("{http}", http).replace("{ws}", ws) for part in program]
    )
    signal.signal(signal.SIGTERM, lambda *_: process.terminate())
    signal.signal(signal.SIGINT, lambda *_: None)
    code = process.wait()
    return code if code >= 0 else 128 - code


def _tell(platform: Addressed) -> None:
    for name, address in platform.addresses.items():
        print(f"{name:<9} {address}")
    sys.stdout.flush()
