"""The platform in this process, for the client's tests, on free loopback ports.

Its faults are at the wire: `Faults` cuts sockets, loses and repeats frames, loses requests and
answers, and answers in the service's place.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import werewolf
from hosting.adapters.local_ports import LocalPorts
from hosting.adapters.sqlite import AGENTS, MATCHES
from hosting.items import TABLE, match_key
from hosting.live.subscriptions import Subscriptions
from hosting.model import Agent, LogEntry, Player, State, Table
from hosting.views.sequences import seen_events
from hosting.wiring import Platform
from local.gateway import Gateway, Message, Receive, Scope, Send
from local.server import LocalServer

Json = dict[str, Any]


def never(*_: Any) -> bool:
    return False


@dataclass
class Faults:
    """What goes wrong. Each is asked before (or after) what it names, and True means: now."""

    cut: Callable[[], bool] = never
    """Before a frame is sent: drop the connection, and the frame with it."""
    lose_frame: Callable[[Json], bool] = never
    repeat_frame: Callable[[Json], bool] = never
    fall_behind: Callable[[], bool] = never
    """At a subscription: after one event, tell how far it has come, and stop."""
    refuse_socket: Callable[[], bool] = never
    lose_request: Callable[[str, str], bool] = never
    """Before a request is carried out: close the connection."""
    lose_answer: Callable[[str, str], bool] = never
    """After a request was carried out: close the connection."""
    answer_instead: Callable[[str, str], tuple[int, dict[str, str]] | None] = lambda *_: None
    """Before a request is carried out: answer with this status and these headers."""
    poll_after: str | None = None
    """The Retry-After of `state` and `events`."""


class Match:
    """A match as the service knows it, also when the service has ended."""

    def __init__(self, service: "Service", match_id: str) -> None:
        self._service = service
        self.match_id = match_id

    @property
    def _kept(self) -> tuple[State, Table, list[LogEntry]]:
        return self._service.kept[self.match_id]

    @property
    def match(self) -> werewolf.Match:
        return self._kept[0].engine()

    @property
    def status(self) -> str:
        return self._kept[1].status

    @property
    def host(self) -> str:
        return self._kept[1].host

    @property
    def options(self) -> Mapping[str, Any]:
        return self._kept[1].options

    @property
    def title(self) -> str:
        return self._kept[1].title

    @title.setter
    def title(self, title: str) -> None:
        with self._service.ports.database.writing() as items:
            item = items.get(MATCHES, match_key(self.match_id), TABLE)
            assert item is not None
            items.put(MATCHES, {**item, "title": title})

    @property
    def rematch(self) -> str | None:
        return self._kept[1].rematch

    @property
    def players(self) -> tuple[Player, ...]:
        return self._kept[1].players

    @property
    def people(self) -> list[int]:
        """The places (after the start: the seats) of those who are no house bots."""
        return [place for place, _ in enumerate(self.players) if not self._kept[0].is_bot(place)]

    @property
    def moves(self) -> list[Json]:
        """What was played after the start."""
        played = [move for entry in self._kept[2] for move in entry.moves if move.by != "start"]
        return [{"by": move.by, "seat": move.seat, "move": move.move} for move in played]

    def events_for(self, viewer: int | str) -> list[Json]:
        seen = (seen_events(entry, cast("Any", viewer)) for entry in self._kept[2])
        return [dict(event) for events in seen for event in events]


class Service(LocalServer):
    """See the module. Use `running()` or `running_in_a_thread()`."""

    def __init__(self, faults: Faults | None = None) -> None:
        self.faults = faults or Faults()
        self.requests: list[tuple[str, str]] = []
        self.answers: list[tuple[str, int]] = []
        self.subscriptions = 0
        self._last: dict[str, tuple[State, Table, list[LogEntry]]] | None = None
        super().__init__(settings={"BOT_PACE_SECONDS": "0"})

    @asynccontextmanager
    async def running(self) -> AsyncIterator["Service"]:
        with self:
            yield self

    def stop(self) -> None:
        self._last = self.kept
        super().stop()

    def make_platform(self, environment: Mapping[str, str]) -> Platform:
        return _Platform(environment, self)

    def make_app(self) -> Gateway:
        return _Gateway(self)

    @property
    def ports(self) -> LocalPorts:
        return cast("LocalPorts", self.platform.ports)

    @property
    def agents(self) -> list[Agent]:
        """Who is registered, in this order."""
        with self.ports.database.reading() as items:
            rows = items.rows(AGENTS, "pk", "pk GLOB 'AGENT#*' ORDER BY number")
        found = (self.ports.agents.agent(pk.removeprefix("AGENT#")) for (pk,) in rows)
        return [agent for agent in found if agent is not None]

    def forget_everybody(self) -> None:
        """As if it had been started anew, without the tables."""
        with self.ports.database.writing() as items:
            items.connection.execute(f"DELETE FROM {AGENTS}")

    @property
    def matches(self) -> dict[str, Match]:
        """All matches by id, in the order of their opening."""
        return {match_id: Match(self, match_id) for match_id in self.kept}

    @property
    def kept(self) -> dict[str, tuple[State, Table, list[LogEntry]]]:
        """Of each match what is stored."""
        if self._last is not None:
            return self._last
        store, found = self.ports.matches, {}
        with self.ports.database.reading() as items:
            rows = items.rows(MATCHES, "pk", "sk = ? ORDER BY number", TABLE)
        for (pk,) in rows:
            match_id = pk.removeprefix("MATCH#")
            state, table = store.state(match_id), store.table(match_id)
            assert state is not None
            assert table is not None
            found[match_id] = (state, table, [*store.entries(match_id, 1, state.version)])
        return found


class _Platform(Platform):
    def __init__(self, environment: Mapping[str, str], service: Service) -> None:
        super().__init__(environment)
        self.service = service

    @cached_property
    def subscriptions(self) -> Subscriptions:
        service, made = self.service, Platform.subscriptions.func(self)
        subscribe, serve = made.subscribe, made._serve

        def counted(*args: Any, **kwargs: Any) -> None:
            service.subscriptions += 1
            subscribe(*args, **kwargs)

        def perhaps_late(connection: Any, served: Any, until: int) -> Any:
            return serve(connection, served, 0 if service.faults.fall_behind() else until)

        vars(made).update(subscribe=counted, _serve=perhaps_late)
        return made


class _Gateway(Gateway):
    """The gateway, with faults on its far side."""

    def __init__(self, service: Service) -> None:
        super().__init__(service.functions, service.ports.sockets)
        self._service = service

    async def _serve_http(self, scope: Scope, receive: Receive, send: Send) -> None:
        faults, asked = self._service.faults, (scope["method"], scope["path"])
        self._service.requests.append(asked)
        if faults.lose_request(*asked):
            await _hang_up(send)
        elif instead := faults.answer_instead(*asked):
            await self._note(scope, send, instead[0], [], b'{"code": "in_trouble"}', instead[1])
        else:
            status, headers, body = await self._answer(scope, receive)
            if faults.lose_answer(*asked):
                await _hang_up(send)
                return
            poll = {"Retry-After": faults.poll_after} if faults.poll_after else {}
            watches = asked[1].endswith(("/state", "/events"))
            await self._note(scope, send, status, headers, body, poll if watches else {})

    async def _note(
        self,
        scope: Scope,
        send: Send,
        status: int,
        headers: list[tuple[bytes, bytes]],
        body: bytes,
        more: Mapping[str, str],
    ) -> None:
        changed = {name.lower().encode(): value.encode() for name, value in more.items()}
        kept = [(name, value) for name, value in headers if name not in changed]
        self._service.answers.append((scope["path"], status))
        await send(
            {
                "type": "http.response.start",
                "status": status,
                "headers": [*kept, *changed.items()],
            }
        )
        await send({"type": "http.response.body", "body": body})

    async def _serve_socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def unsure(message: Message) -> None:
            faults = self._service.faults
            if message["type"] != "websocket.send":
                await send(message)
                return
            if faults.cut():
                await _hang_up(send)
                raise ConnectionAbortedError
            frame = json.loads(message["text"])
            if not faults.lose_frame(frame):
                await send(message)
            if faults.repeat_frame(frame):
                await send(message)

        if self._service.faults.refuse_socket():
            await receive()
            start = {"type": "websocket.http.response.start", "status": 503, "headers": []}
            await send(start)
            await send({"type": "websocket.http.response.body", "body": b""})
        else:
            await super()._serve_socket(scope, receive, unsure)


async def _hang_up(send: Send) -> None:
    """Drop the connection without a word."""
    send.__self__.transport.abort()  # type: ignore[attr-defined]
    await asyncio.sleep(0.001)  # until the server has noticed


@contextmanager
def running_in_a_thread(faults: Faults | None = None) -> Iterator[Service]:
    """The service beside a test that waits."""
    with Service(faults) as service:
        yield service
