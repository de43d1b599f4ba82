"""The typed client: every call of the service as an async method."""

import asyncio
import time
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self, TypeVar

import httpx

from lanternwell import calls
from lanternwell.backoff import Backoff
from lanternwell.calls import Call
from lanternwell.clock import ServiceClock
from lanternwell.errors import BadAnswer, Refused, Unreachable
from lanternwell.model import (
    EventPage,
    MatchPage,
    Move,
    Place,
    Receipt,
    Registration,
    State,
    Summary,
)

T = TypeVar("T")

TRY_AGAIN = frozenset({500, 502, 503, 504})
"""Answers of a service in trouble: a repeatable request may be sent again."""


class AsyncClient:
    """One agent's (or, without a token, one spectator's) connection to a service.

    `http` and `ws` are the service's two addresses; without `ws` everything works by polling.
    Requests that may be repeated are repeated, up to `tries` times in all, when the connection
    fails or the service is in trouble; every request is repeated when it was refused as one too
    many, after the pause that the service asks for, if that is not longer than `patience_s`.
    Methods raise `Refused`, `Unreachable` or `BadAnswer`.
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
    ) -> None:
        self.http_url = http.rstrip("/")
        self.ws_url = ws
        self.token = token
        self.clock = ServiceClock()
        self.backoff = backoff or Backoff()
        self._timeout_s = timeout_s
        self._tries = tries
        self._patience_s = patience_s
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

    @property
    def authorization(self) -> dict[str, str]:
        """The header that tells who is calling."""
        return {} if self.token is None else {"Authorization": f"Bearer {self.token}"}

    async def register(self, name: str) -> Registration:
        """Register, and be that agent from now on."""
        registration = await self.send(calls.register(name))
        self.token = registration.token
        return registration

    async def open_table(
        self,
        ruleset: str,
        *,
        seats: int | None = None,
        options: Mapping[str, Any] | None = None,
        title: str | None = None,
    ) -> Summary:
        """Open a table and be its host. Opening does not sit the host down."""
        return await self.send(calls.open_table(ruleset, seats=seats, options=options, title=title))

    async def tables(
        self,
        *,
        status: str = "open",
        ruleset: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> MatchPage:
        """List matches, a page at a time."""
        return await self.send(
            calls.tables(status=status, ruleset=ruleset, limit=limit, cursor=cursor)
        )

    async def match(self, match_id: str) -> Summary:
        """What everybody may know of a match."""
        return await self.send(calls.match(match_id))

    async def sit(self, match_id: str, *, entropy: str | None = None) -> Place:
        """Sit down; sitting already is fine."""
        return await self.send(calls.sit(match_id, entropy=entropy))

    async def leave(self, match_id: str) -> None:
        """Stand up, or leave a running match for good."""
        await self.send(calls.leave(match_id))

    async def start(self, match_id: str) -> Summary:
        """Start the match that one hosts."""
        return await self.send(calls.start(match_id))

    async def state(self, match_id: str) -> State:
        """The match as the caller sees it."""
        state = await self.send(calls.state(match_id))
        self.clock.hear(state.server_now)
        return state

    async def events(self, match_id: str, *, after: int = 0, limit: int = 200) -> EventPage:
        """A page of the caller's events."""
        page = await self.send(calls.events(match_id, after=after, limit=limit))
        self.clock.hear(page.server_now)
        return page

    async def replay(self, match_id: str) -> Mapping[str, Any]:
        """Everything about a match that is over."""
        return await self.send(calls.replay(match_id))

    async def move(
        self, match_id: str, turn_id: str, move: Move, *, deadline_ms: int | None = None
    ) -> Receipt:
        """Make a move and get its receipt.

        A lost request or answer is safe: the same move is sent again for the same turn, and the
        service gives the same receipt. Tries end with the deadline, when there is one.
        """
        within_s = None if deadline_ms is None else self.clock.seconds_until(deadline_ms)
        return await self.send(calls.move(match_id, turn_id, move), within_s=within_s)

    async def send(self, call: Call[T], *, within_s: float | None = None) -> T:
        """Carry out a call; with `within_s`, start no new try after so many seconds."""
        end = None if within_s is None else time.monotonic() + within_s
        failures = 0
        while True:
            trouble: Refused | Unreachable
            try:
                return self._read(call, await self._request(call, end))
            except httpx.TransportError as error:
                trouble = Unreachable(f"{call.method} {self.http_url}{call.path}: {_words(error)}")
                never_sent = isinstance(error, httpx.ConnectError | httpx.ConnectTimeout)
                may_repeat = call.repeatable or never_sent
            except Refused as refusal:
                trouble = refusal
                may_repeat = refusal.status == 429 or (
                    call.repeatable and refusal.status in TRY_AGAIN
                )
            failures += 1
            pause = self.backoff.pause(failures)
            asked = trouble.retry_after_s if isinstance(trouble, Refused) else None
            if asked is not None:
                may_repeat = may_repeat and asked <= self._patience_s
                pause += asked
            in_time = end is None or time.monotonic() + pause < end
            if not may_repeat or failures >= self._tries or not in_time:
                raise trouble
            await asyncio.sleep(pause)

    async def _request(self, call: Call[Any], end: float | None) -> httpx.Response:
        timeout_s = self._timeout_s
        if end is not None:  # leave time for a second try before the deadline
            timeout_s = min(timeout_s, max(0.5, (end - time.monotonic()) / 2))
        return await self._http.request(
            call.method,
            self.http_url + call.path,
            params=dict(call.query) or None,
            json=call.body,
            headers=self.authorization,
            timeout=timeout_s,
        )

    def _read(self, call: Call[T], response: httpx.Response) -> T:
        if not response.is_success:
            raise _refusal(response)
        try:
            return call.read(response.content if call.raw else response.json())
        except (KeyError, TypeError, ValueError) as error:
            raise BadAnswer(f"{call.method} {call.path}: unexpected answer ({error!r})") from error


def _refusal(response: httpx.Response) -> Refused:
    try:
        problem = response.json()
    except ValueError:
        problem = None
    if not isinstance(problem, dict):
        problem = {}
    return Refused(
        response.status_code,
        str(problem.get("code") or f"http_{response.status_code}"),
        str(problem.get("detail") or problem.get("title") or ""),
        field=problem.get("field"),
        legal_actions=problem.get("legal_actions") or (),
        retry_after_s=_seconds(response.headers.get("Retry-After")),
    )


def _seconds(text: str | None) -> float | None:
    try:
        return None if text is None else max(0.0, float(text))
    except ValueError:
        return None


def _words(error: Exception) -> str:
    return str(error) or type(error).__name__
