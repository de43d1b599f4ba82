"""The typed clients: every call of the service as a method, to wait for or to await."""

import asyncio
import time
from collections.abc import Callable, Coroutine
from functools import update_wrapper
from types import TracebackType
from typing import Any, Concatenate, Final, ParamSpec, Self, TypeVar

import httpx

from lanternwell import calls
from lanternwell.backoff import Backoff
from lanternwell.calls import Call
from lanternwell.errors import Refused
from lanternwell.exchange import Exchange, Pieces, Session
from lanternwell.model import Move, Receipt, Registration, State
from lanternwell.sockets import OpenSocket, open_socket

T = TypeVar("T")
P = ParamSpec("P")

IN_PARTS: Final = "replay_in_parts"
POLL_S: Final = 1.0
"""The pause between two looks where the service asks for none."""


def _awaited(
    call: Callable[P, Call[T]],
) -> Callable[Concatenate["AsyncClient", P], Coroutine[Any, Any, T]]:
    """The method that carries this call out."""

    async def method(client: "AsyncClient", /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await client.send(call(*args, **kwargs))

    update_wrapper(method, call)
    return method


def _waited_for(call: Callable[P, Call[T]]) -> Callable[Concatenate["Client", P], T]:
    """The same for those who wait."""

    def method(client: "Client", /, *args: P.args, **kwargs: P.kwargs) -> T:
        return client.send(call(*args, **kwargs))

    update_wrapper(method, call)
    return method


class AsyncClient(Session):
    """One agent's (or, without a token, one spectator's) connection to a service.

    `http` and `ws` are the service's two addresses; without `ws` everything works by polling.
    Requests that may be repeated are repeated, up to `tries` times in all, when the connection
    fails or the service is in trouble; every request is repeated when it was refused as one too
    many, after the pause that the service asks for, if that is not longer than `patience_s`.
    An answer that has not changed does not come twice: `state` and `events` send the ETag of the
    last one. Methods raise `Refused`, `Unreachable` or `BadAnswer`. `transport`, `open_socket` and
    `monotonic` are how it reaches the service and counts seconds.
    """

    def __init__(
        self,
        http: str,
        *,
        ws: str | None = None,
        token: str | None = None,
        timeout_s: float = 10.0,
        tries: int = 6,
        patience_s: float = 90.0,
        backoff: Backoff | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
        open_socket: OpenSocket = open_socket,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(
            http,
            ws=ws,
            token=token,
            timeout_s=timeout_s,
            tries=tries,
            patience_s=patience_s,
            backoff=backoff,
            monotonic=monotonic,
        )
        self.open_socket = open_socket
        self._http = httpx.AsyncClient(transport=transport, timeout=timeout_s)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def send(self, call: Call[T], *, within_s: float | None = None) -> T:
        """Carry out a call; with `within_s`, start no new try after so many seconds."""
        exchange = Exchange(self, call, within_s)
        while True:
            try:
                return exchange.take(await self._http.request(**exchange.request()))
            except (httpx.RequestError, Refused) as error:
                pause_s = exchange.pause(error)
            await asyncio.sleep(pause_s)

    async def register(self, name: str) -> Registration:
        """Register, and be that agent from now on."""
        registration = await self.send(calls.register(name))
        self.token = registration.token
        return registration

    async def move(
        self, match_id: str, turn_id: str, move: Move, *, deadline_ms: int | None = None
    ) -> Receipt:
        """Make a move and get its receipt.

        A lost request or answer is safe: the same move is sent again for the same turn, and the
        service gives the same receipt. Tries end with the deadline, when there is one.
        """
        within_s = None if deadline_ms is None else self.clock.seconds_until(deadline_ms)
        return await self.send(calls.move(match_id, turn_id, move), within_s=within_s)

    async def replay_file(self, match_id: str) -> bytes:
        """The replay of a match that is over, as the very bytes that can be checked."""
        return await self.file(calls.replay(match_id).path)

    async def file(self, path: str) -> bytes:
        """A file, in as many pieces as the service has it."""
        try:
            return await self.send(calls.file(path))
        except Refused as refusal:
            if refusal.code != IN_PARTS:
                raise
        pieces = Pieces(path)
        while not pieces.complete:
            pieces.add(*await self.piece(path, pieces.next))
        return pieces.joined()

    open_table = _awaited(calls.open_table)
    tables = _awaited(calls.tables)
    own_matches = _awaited(calls.own_matches)
    match = _awaited(calls.match)
    sit = _awaited(calls.sit)
    leave = _awaited(calls.leave)
    start = _awaited(calls.start)
    put_out = _awaited(calls.put_out)
    rematch = _awaited(calls.rematch)
    state = _awaited(calls.state)
    events = _awaited(calls.events)
    dry_run = _awaited(calls.dry_run)
    replay = _awaited(calls.replay)
    piece = _awaited(calls.piece)
    create_character = _awaited(calls.create_character)
    characters = _awaited(calls.characters)
    character = _awaited(calls.character)
    update_character = _awaited(calls.update_character)
    delete_character = _awaited(calls.delete_character)
    archetypes = _awaited(calls.archetypes)
    rulesets = _awaited(calls.rulesets)
    document = _awaited(calls.document)


class Client(Session):
    """The same for programs that wait for every answer. See `AsyncClient`."""

    def __init__(
        self,
        http: str,
        *,
        token: str | None = None,
        timeout_s: float = 10.0,
        tries: int = 6,
        patience_s: float = 90.0,
        backoff: Backoff | None = None,
        transport: httpx.BaseTransport | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(
            http,
            ws=None,
            token=token,
            timeout_s=timeout_s,
            tries=tries,
            patience_s=patience_s,
            backoff=backoff,
            monotonic=monotonic,
        )
        self._http = httpx.Client(transport=transport, timeout=timeout_s)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def send(self, call: Call[T], *, within_s: float | None = None) -> T:
        """Carry out a call; with `within_s`, start no new try after so many seconds."""
        exchange = Exchange(self, call, within_s)
        while True:
            try:
                return exchange.take(self._http.request(**exchange.request()))
            except (httpx.RequestError, Refused) as error:
                pause_s = exchange.pause(error)
            time.sleep(pause_s)

    def register(self, name: str) -> Registration:
        """Register, and be that agent from now on."""
        registration = self.send(calls.register(name))
        self.token = registration.token
        return registration

    def move(
        self, match_id: str, turn_id: str, move: Move, *, deadline_ms: int | None = None
    ) -> Receipt:
        """Make a move and get its receipt. It is safe to repeat; tries end with the deadline."""
        within_s = None if deadline_ms is None else self.clock.seconds_until(deadline_ms)
        return self.send(calls.move(match_id, turn_id, move), within_s=within_s)

    def replay_file(self, match_id: str) -> bytes:
        """The replay of a match that is over, as the very bytes that can be checked."""
        return self.file(calls.replay(match_id).path)

    def file(self, path: str) -> bytes:
        """A file, in as many pieces as the service has it."""
        try:
            return self.send(calls.file(path))
        except Refused as refusal:
            if refusal.code != IN_PARTS:
                raise
        pieces = Pieces(path)
        while not pieces.complete:
            pieces.add(*self.piece(path, pieces.next))
        return pieces.joined()

    def wait(self, match_id: str, known: State | None = None, *, most_s: float = 60.0) -> State:
        """The match as soon as it is not `known` any more, or as it is after `most_s`.

        It looks as often as the service asks for, and unchanged answers cost next to nothing.
        """
        end = time.monotonic() + most_s
        while True:
            state = self.state(match_id)
            left_s = end - time.monotonic()
            if left_s <= 0 or known is None or state.news != known.news:
                return state
            time.sleep(min(left_s, POLL_S if self.poll_after_s is None else self.poll_after_s))

    open_table = _waited_for(calls.open_table)
    tables = _waited_for(calls.tables)
    own_matches = _waited_for(calls.own_matches)
    match = _waited_for(calls.match)
    sit = _waited_for(calls.sit)
    leave = _waited_for(calls.leave)
    start = _waited_for(calls.start)
    put_out = _waited_for(calls.put_out)
    rematch = _waited_for(calls.rematch)
    state = _waited_for(calls.state)
    events = _waited_for(calls.events)
    dry_run = _waited_for(calls.dry_run)
    replay = _waited_for(calls.replay)
    piece = _waited_for(calls.piece)
    create_character = _waited_for(calls.create_character)
    characters = _waited_for(calls.characters)
    character = _waited_for(calls.character)
    update_character = _waited_for(calls.update_character)
    delete_character = _waited_for(calls.delete_character)
    archetypes = _waited_for(calls.archetypes)
    rulesets = _waited_for(calls.rulesets)
    document = _waited_for(calls.document)
