"""The whole platform in one process: its functions on SQLite, behind HTTP and WebSockets."""

import errno
import os
import socket
import sqlite3
import threading
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import uvicorn

from hosting.adapters.connection_items import INFO, connection_id_in
from hosting.adapters.local_clock import LocalClock
from hosting.adapters.local_ports import LocalPorts
from hosting.adapters.local_stream import LocalStream
from hosting.adapters.local_worker import Every, LocalWorker, Part
from hosting.adapters.sqlite import AGENTS, CONNECTIONS, Database
from hosting.errors import Busy
from hosting.wiring import Platform
from local.errors import LocalCloudError, PortTakenError
from local.functions import Functions
from local.gateway import STAGE, Gateway

SETTINGS: Final = {
    # Everybody may come from one address, and the machine belongs to whoever runs this.
    "REGISTER_LIMIT_PER_MINUTE": "100000",
    "CHARACTER_LIMIT_PER_MINUTE": "100000",
    "OPEN_LIMIT_PER_MINUTE": "1000",
    "MOVE_LIMIT_PER_SECOND": "1000",
    "BOT_PACE_SECONDS": "1",
}
"""Limits of the platform, unless the environment says otherwise."""

FUNCTIONS: Final = ("api", "authorizer", "bots", "deadline", "follow", "push", "socket", "sweep")
_SWEEP_MS: Final = 60_000
_FORGET_MS: Final = 600_000
_MESSAGE_BYTES: Final = 128 * 1024
_PUSH_ATTEMPTS: Final = 5
_FOLLOW_ATTEMPTS: Final = 100
_STOP_S: Final = 5


class LocalServer:
    """A context manager: serves from a thread of its own until its end.

    `database` is a file, or None for one in memory. `port` is one of `host`, a free one by default.
    `settings` are variables of the platform on top of `SETTINGS` and the environment. Raises
    `PortTakenError`, or `LocalCloudError` when the database cannot be opened.
    """

    def __init__(
        self,
        database: Path | None = None,
        *,
        host: str = "127.0.0.1",
        port: int | None = None,
        settings: Mapping[str, str] | None = None,
    ) -> None:
        self._listener = _listen(host, port)
        name = f"[{host}]" if ":" in host else host
        self._address = f"{name}:{self._listener.getsockname()[1]}"
        self.platform = self.make_platform(
            {
                **SETTINGS,
                **os.environ,
                **(settings or {}),
                "SOCKET_ENDPOINT": f"{self.http_url}/{STAGE}",
                "LANTERNWELL_DATABASE": ":memory:" if database is None else str(database),
            }
        )
        ports = self.platform.ports
        assert isinstance(ports, LocalPorts)
        self._ports = ports
        try:
            ports.database.claim()
        except (Busy, sqlite3.DatabaseError) as error:
            self._listener.close()
            raise LocalCloudError(f"{database}: {error}") from error
        self.functions = Functions(self.platform)
        self._worker = LocalWorker(self.make_parts(), now=self.platform.now)
        self._server = uvicorn.Server(
            uvicorn.Config(
                self.make_app(),
                lifespan="off",
                log_config=None,
                access_log=False,
                server_header=False,
                ws="websockets-sansio",
                ws_max_size=_MESSAGE_BYTES,
                ws_per_message_deflate=False,
                timeout_graceful_shutdown=_STOP_S,
            )
        )

    def make_platform(self, environment: Mapping[str, str]) -> Platform:
        """The platform that is served."""
        return Platform(environment)

    def make_app(self) -> Gateway:
        """What stands between it and its clients."""
        return Gateway(self.functions, self._ports.sockets)

    @property
    def http_url(self) -> str:
        """Base address of the REST calls, without a slash at its end."""
        return f"http://{self._address}"

    @property
    def ws_url(self) -> str:
        """Address to which WebSockets are opened."""
        return f"ws://{self._address}/{STAGE}"

    @property
    def addresses(self) -> Mapping[str, str]:
        """Its addresses by name."""
        return {"HTTP": self.http_url, "WebSocket": self.ws_url}

    def start(self) -> Self:
        """Serve, in a thread; returns when requests are answered."""
        self._thread = threading.Thread(target=self._serve, name="server")
        self._thread.start()
        self._worker.start()
        self._ports.database.listen(self._worker.wake)
        return self

    def stop(self) -> None:
        """Finish what is under way, and end."""
        self._server.should_exit = True
        self._thread.join()
        self._worker.stop()
        self.functions.close()
        self._ports.database.close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def _serve(self) -> None:
        self._server.run(sockets=[self._listener])

    def make_parts(self) -> list[Part]:
        """What becomes due beside requests."""
        database, now = self._ports.database, self.platform.now
        call = {name: partial(self.functions.call, name) for name in FUNCTIONS}
        push = LocalStream(database, "push", call["push"], now=now, attempts=_PUSH_ATTEMPTS)
        follow = LocalStream(
            database, "follow", call["follow"], now=now, attempts=_FOLLOW_ATTEMPTS, effects=True
        )
        return [
            push,
            follow,
            self._ports.bots_queue.receiver(call["bots"]),
            LocalClock(database, call["deadline"], now=now),
            _Leftovers(database, call["socket"], now=now),
            Every(_SWEEP_MS, partial(call["sweep"], {}), now=now),
            Every(_FORGET_MS, lambda: database.forget(AGENTS, now() // 1000), now=now),
        ]


class _Leftovers:
    """The sockets that were open when the process before this one ended: they are closed."""

    def __init__(
        self,
        database: Database,
        call: Callable[[Mapping[str, Any]], Any],
        *,
        now: Callable[[], int],
    ) -> None:
        with database.reading() as items:
            rows = items.rows(CONNECTIONS, "pk", "sk = ?", INFO)
        self._ids = [connection_id_in(pk) for (pk,) in rows]
        self._call = call
        self._now = now

    def run(self) -> int | None:
        """Tell of one of them; when to come again (ms), or None."""
        if not self._ids:
            return None
        context = {
            "eventType": "DISCONNECT",
            "routeKey": "$disconnect",
            "connectionId": self._ids[-1],
            "requestId": "restart",
        }
        self._call({"requestContext": context, "isBase64Encoded": False})
        self._ids.pop()
        return self._now()


def _listen(host: str, port: int | None) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # With the protocol named, asyncio turns Nagle's algorithm off for what is accepted.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port or 0))
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE and port is not None:
            raise PortTakenError(port, host) from error
        raise LocalCloudError(f"cannot listen on {host}: {error.strerror}") from error
    listener.listen(1024)
    return listener
