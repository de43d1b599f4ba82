"""The real platform in memory, in a time of its own, and wires that lead clients to it.

The functions themselves answer, out of the stores in memory; sockets, clocks, bots and the sweeper
run in one event loop. All that takes time is to wait in that loop, whose clock leaps over it. So a
day costs what happens in it, and the same dice give the same match.
"""

import asyncio
import copy
import json
import selectors
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from concurrent.futures import Executor, Future
from contextlib import asynccontextmanager
from datetime import datetime
from functools import cached_property
from typing import Any, TypeVar

import httpx

from hosting.ports import Gone
from hosting.wiring import using
from lanternwell import Agent, AsyncClient, Summary, play
from lanternwell.backoff import Backoff
from protocol.codes import CODES
from tests.functions.house import http as call_api
from tests.functions.house import invoke, request, sample
from tests.hosting.fakes import NOW
from tests.hosting.world import MANY, World

T = TypeVar("T")

LATENCY_S = 0.005
SWEEP_S = 60.0


class LeapingLoop(asyncio.SelectorEventLoop):
    """Never waits: when nothing is ready, its clock leaps to what comes next."""

    def __init__(self) -> None:
        self._leapt = 0.0
        super().__init__(_Selector(self._leap))

    def time(self) -> float:
        return self._leapt

    def _leap(self, seconds: float | None) -> None:
        if seconds is None:
            raise AssertionError("everybody waits, and for nothing")
        self._leapt += seconds


class _Selector(selectors.DefaultSelector):
    def __init__(self, leap: Callable[[float | None], None]) -> None:
        super().__init__()
        self._leap = leap

    def select(self, timeout: float | None = None) -> Any:
        ready = super().select(0)
        if not ready and timeout != 0:
            self._leap(timeout)
        return ready


class Here(Executor):
    """Carries out at once, in this thread, so that things happen in one order."""

    def submit(self, call: Callable[..., T], /, *args: Any, **kwargs: Any) -> "Future[T]":
        future: Future[T] = Future()
        try:
            future.set_result(call(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 - whatever it is, the future tells it
            future.set_exception(error)
        return future


class Service(World):
    """The platform, alive."""

    def __init__(self, environment: Mapping[str, str] = MANY) -> None:
        super().__init__(environment)
        self.push.__dict__["_pool"] = Here()
        self.open: dict[str, Socket] = {}

    def now(self) -> int:
        return NOW + int(asyncio.get_running_loop().time() * 1000)

    @cached_property
    def sockets(self) -> "Service":  # type: ignore[override]
        return self

    @cached_property
    def clock_starter(self) -> "Clocks":  # type: ignore[override]
        return Clocks(self)

    @cached_property
    def bots_queue(self) -> "Bots":  # type: ignore[override]
        return Bots(self)

    def post(self, connection_id: str, frame: bytes) -> None:
        """A frame for a socket."""
        if connection_id not in self.open:
            raise Gone(connection_id)
        self.open[connection_id].arrive(frame.decode())

    def close(self, connection_id: str) -> None:
        """Close a socket."""
        if connection_id in self.open:
            self.open[connection_id].break_off()

    def settle(self) -> None:
        """Let all follow from what was committed."""
        while self.matches.images:
            self.drain()

    async def sweep_now_and_then(self) -> None:
        """As the schedule does."""
        while True:
            await asyncio.sleep(SWEEP_S)
            self.sweep.run(until=self.now() + 1)
            self.closing.close_unfilled(until=self.now() + 1)
            self.settle()


class Clocks:
    """A ClockStarter whose executions sleep in the loop."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._started: set[str] = set()

    def start(self, name: str, payload: str) -> None:
        """Start an execution unless one of that name exists."""
        if name not in self._started:
            self._started.add(name)
            self._sleep(json.loads(payload) | {"wakes": 0})

    def _sleep(self, execution: Mapping[str, Any]) -> None:
        wake_s = datetime.fromisoformat(execution["wake_at"]).timestamp()
        wait_s = max(0.0, wake_s - self._service.now() / 1000)
        asyncio.get_running_loop().call_later(wait_s, self._wake, execution)

    def _wake(self, execution: Mapping[str, Any]) -> None:
        told = ("match_id", "generation", "wakes")
        answer = self._service.clock.wake(*(execution[name] for name in told))
        self._service.settle()
        if not answer["done"]:
            self._sleep(answer)


class Bots:
    """A Queue whose messages come in time."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def send(self, body: str, *, delay_s: int) -> None:
        """Have a bot play later."""
        asyncio.get_running_loop().call_later(delay_s + LATENCY_S, self._play, json.loads(body))

    def _play(self, message: Mapping[str, Any]) -> None:
        self._service.house_bots.take_turn(**message)
        self._service.settle()


class Socket:
    """The client's end of a socket."""

    def __init__(
        self,
        service: Service,
        connection_id: str,
        authorizer: Mapping[str, Any],
        lose_frame: Callable[[], bool],
    ) -> None:
        self._service = service
        self._lose_frame = lose_frame
        self.connection_id = connection_id
        self._authorizer = authorizer
        self._frames: deque[str] = deque()
        self._news = asyncio.Event()
        self._broken = False

    async def send(self, message: str) -> None:
        await asyncio.sleep(LATENCY_S)
        self._check()
        self.tell("ping", body=message)

    async def recv(self) -> str:
        while not self._frames:
            self._check()
            self._news.clear()
            await self._news.wait()
        await asyncio.sleep(0)
        return self._frames.popleft()

    async def close(self) -> None:
        self.break_off()

    def arrive(self, frame: str) -> None:
        if not self._lose_frame():
            self._frames.append(frame)
            self._news.set()

    def break_off(self) -> None:
        """The connection ends; the platform hears of it."""
        if not self._broken:
            self.go_silent()
            self.tell("disconnect")

    def go_silent(self) -> None:
        """The connection ends, and the platform does not hear of it."""
        self._broken = True
        self._news.set()
        self._service.open.pop(self.connection_id, None)

    def tell(self, name: str, **more: str) -> None:
        """An event of this socket, to the function."""
        event = sample(f"socket/{name}") | more
        event["requestContext"] |= {
            "connectionId": self.connection_id,
            "authorizer": self._authorizer,
        }
        invoke("socket", event)
        self._service.settle()

    def _check(self) -> None:
        if self._broken:
            raise ConnectionError("the socket is closed")


class Wire(httpx.AsyncBaseTransport):
    """What lies between one client and the service."""

    def __init__(self, service: Service, number: int) -> None:
        self._service = service
        self._number = number
        self._opened = 0
        self.down = False
        """Neither requests nor sockets get through."""
        self.no_sockets = False
        self.socket: Socket | None = None
        """The one opened last."""
        self.requests: list[tuple[str, str]] = []
        self.refuse: Callable[[str, str], str | None] = lambda *_: None
        """With which code a request (its method and path) is refused in place of an answer."""
        self.refuse_frame: Callable[[], str | None] = lambda: None
        """With which code a subscription is refused."""
        self.lose_frame: Callable[[], bool] = lambda: False

    def client(self, *, token: str | None = None, sockets: bool = True, **more: Any) -> AsyncClient:
        """A client at the end of this wire."""
        return AsyncClient(
            "http://lanternwell",
            ws="ws://lanternwell" if sockets else None,
            token=token,
            backoff=Backoff(jitter=lambda: 0.5),
            transport=self,
            open_socket=self._open_socket,
            monotonic=asyncio.get_running_loop().time,
            **more,
        )

    def cut(self) -> None:
        """Break the socket."""
        if self.socket is not None:
            self.socket.break_off()

    def forget_socket(self) -> None:
        """The platform takes the socket off; nobody tells the client."""
        if self.socket is not None:
            self._service.presence.close(self.socket.connection_id)
            self._service.settle()

    def cut_every(self, seconds: float) -> None:
        """Break the socket from now on every so often."""
        self.cut()
        asyncio.get_running_loop().call_later(seconds, self.cut_every, seconds)

    async def handle_async_request(self, asked: httpx.Request) -> httpx.Response:
        await asyncio.sleep(LATENCY_S)
        method, path = asked.method, asked.url.path
        self.requests.append((method, path))
        if self.down:
            raise httpx.ConnectError("the wire is down")
        code = self.refuse(method, path)
        if code is not None:
            return refusal(code)
        headers = {"if-none-match", "authorization"} & asked.headers.keys()
        answer = call_api(
            request(
                method,
                path,
                text=asked.content.decode() or None,
                query=dict(asked.url.params),
                headers={name: asked.headers[name] for name in headers},
            )
        )
        self._service.settle()
        await asyncio.sleep(LATENCY_S)
        if self.down:
            raise httpx.ReadError("the wire is down")
        told = {"etag", "retry-after", "link"} & answer.headers.keys()
        return httpx.Response(
            answer.status,
            content=answer.content,
            headers={name: answer.headers[name] for name in told},
        )

    @asynccontextmanager
    async def _open_socket(self, url: str, headers: Mapping[str, str]) -> AsyncIterator[Socket]:
        await asyncio.sleep(LATENCY_S)
        if self.down or self.no_sockets:
            raise ConnectionError("no socket gets through")
        event = copy.deepcopy(sample("authorizer/no-token"))
        event["headers"] |= headers
        policy = invoke("authorizer", event)
        if policy["policyDocument"]["Statement"][0]["Effect"] != "Allow":
            raise ConnectionError("403")
        self._opened += 1
        connection_id = f"wire-{self._number}-{self._opened}="
        authorizer = {"principalId": policy["principalId"], **policy["context"]}
        self.socket = socket = Socket(self._service, connection_id, authorizer, self.lose_frame)
        socket.tell("connect")
        self._service.open[connection_id] = socket
        code = self.refuse_frame()
        if code is not None:
            socket.arrive(json.dumps({"type": "error", "code": code, "detail": "?"}))
        try:
            yield socket
        finally:
            socket.break_off()


def refusal(code: str) -> httpx.Response:
    """A refusal with a code of the table, or (`http_418`) with a status alone."""
    if code not in CODES:
        return httpx.Response(int(code.removeprefix("http_")), json={"message": "?"})
    status = CODES[code].status
    headers = {"Retry-After": "1"} if CODES[code].reaction == "retry" else {}
    return httpx.Response(status, json={"code": code, "detail": "?"}, headers=headers)


def simulate(main: Callable[[Service], Coroutine[Any, Any, T]]) -> T:
    """Run this beside a new service until it is done."""

    async def beside() -> T:
        service = Service()
        with using(service):
            sweeping = asyncio.create_task(service.sweep_now_and_then())
            try:
                return await main(service)
            finally:
                sweeping.cancel()

    with asyncio.Runner(loop_factory=LeapingLoop) as runner:
        return runner.run(beside())


async def seated(
    service: Service,
    count: int,
    ruleset: str,
    options: Mapping[str, Any] | None = None,
    *,
    called: str = "agent",
) -> tuple[str, list[Wire], list[AsyncClient]]:
    """A match that has started, with a wire and a client for each player, in order of joining."""
    wires = [Wire(service, number) for number in range(count)]
    clients = [wire.client() for wire in wires]
    for number, client in enumerate(clients):
        await client.register(f"{called} {number}")
    table = await clients[0].open_table(ruleset, seats=count, options=options)
    for client in clients:
        await client.sit(table.match_id)
    return table.match_id, wires, clients


async def all_play(
    agents: Sequence[Agent], clients: Sequence[AsyncClient], match_id: str, **more: Any
) -> Summary:
    """All play to the end, and are told the same of it."""
    players = zip(agents, clients, strict=True)
    summaries = await asyncio.gather(*(play(*one, match_id, **more) for one in players))
    assert all(summary == summaries[0] for summary in summaries)
    assert summaries[0].over
    return summaries[0]
