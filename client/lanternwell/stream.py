"""One match as a stream: each event once and in order, each turn once, whatever the socket does."""

import asyncio
import json
import logging
import time
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing
from math import inf
from typing import Any, TypeVar

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus, WebSocketException

from lanternwell.client import AsyncClient
from lanternwell.errors import BadAnswer, Refused, Unreachable
from lanternwell.model import DONE, Event, Turn

log = logging.getLogger(__name__)

T = TypeVar("T")

Signal = Event | Turn

LAST = frozenset({"reveal", "faction_win", "match_void", "table_closed"})
"""Events after which the match may be over."""

HOPELESS = frozenset({"unauthorized", "forbidden", "not_found", "malformed"})
"""Refusals that asking again does not change."""


class MatchStream:
    """Iterate over it for the events and turns of one match, from `after` to the match's end.

    - The socket reconnects and resumes after the last event that was handed out.
    - An event that was handed out already is dropped. When one is missing, what lies between is
      fetched over REST before anything later is handed out.
    - A turn is handed out once per `turn_id`.
    - Nothing heard for `idle_s`: the match is looked at over REST. Without a socket it is looked
      at every `poll_s`, or less often where the service asks for that. So neither a lost frame nor
      a refused socket stops an agent.

    `seq` is the last event that came in. `listening` is set once the match was seen for the first
    time: from then on nothing is missed. Iteration ends when the match is over and its last event
    was handed out. It raises `Refused`
    when the service does not let this client watch the match.
    """

    def __init__(
        self,
        client: AsyncClient,
        match_id: str,
        *,
        after: int = 0,
        idle_s: float = 10.0,
        poll_s: float = 1.0,
    ) -> None:
        self.match_id = match_id
        self.seq = after
        self.listening = asyncio.Event()
        self._client = client
        self._idle_s = idle_s
        self._poll_s = poll_s
        self._ready: deque[Signal] = deque()
        self._turns: set[str] = set()
        self._failures = 0
        self._over = False

    def __aiter__(self) -> AsyncIterator[Signal]:
        return self.signals()

    async def signals(self) -> AsyncGenerator[Signal, None]:
        """The stream itself; close it (`aclose`) when leaving it early."""
        async with aclosing(self._steps()) as steps:
            async for _ in steps:
                while self._ready:
                    yield self._ready.popleft()

    async def _steps(self) -> AsyncGenerator[None, None]:
        """Yields whenever something may be ready."""
        while not self._over:
            pause_s = inf
            if self._client.ws_url is not None:
                self._failures += 1  # until it is seen to work
                async with aclosing(self._one_socket(self._client.ws_url)) as steps:
                    async for step in steps:
                        yield step
                pause_s = self._client.backoff.pause(max(1, self._failures))
            async with aclosing(self._poll(pause_s)) as steps:
                async for step in steps:
                    yield step

    async def _one_socket(self, url: str) -> AsyncGenerator[None, None]:
        """Listen to one connection until it breaks or the match is over."""
        headers = self._client.authorization
        try:
            async with connect(url, additional_headers=headers, max_queue=1024) as socket:
                await self._subscribe(socket)
                while not self._over:
                    await self._listen(socket)
                    yield
        except InvalidStatus as error:
            status = error.response.status_code
            if status in (401, 403):
                raise Refused(status, "unauthorized", "the socket was refused") from error
            log.info("match %s: no socket (%s)", self.match_id, error)
        except (OSError, WebSocketException, Unreachable, BadAnswer) as error:
            log.info("match %s: the socket broke (%r)", self.match_id, error)
        except Refused as refusal:
            if not refusal.passing:
                raise
            log.info("match %s: %s", self.match_id, refusal)

    async def _poll(self, pause_s: float) -> AsyncGenerator[None, None]:
        """Look at the match every now and then, for so long."""
        end = time.monotonic() + pause_s
        while not self._over:
            await self._look()
            yield
            left_s = end - time.monotonic()
            if left_s <= 0:
                return
            pause_s = max(self._poll_s, min(self._idle_s, self._client.poll_after_s or 0.0))
            await asyncio.sleep(min(left_s, pause_s))

    async def _subscribe(self, socket: ClientConnection) -> None:
        """Ask for what comes after the last event that came in."""
        wish = {"action": "subscribe", "match_id": self.match_id, "after": self.seq}
        await socket.send(json.dumps(wish))

    async def _listen(self, socket: ClientConnection) -> None:
        """Wait for one frame and take in what it says; after a long silence, look instead."""
        try:
            async with asyncio.timeout(self._idle_s):
                raw = await socket.recv()
        except TimeoutError:
            await self._look()
            return
        frame = _frame(raw)
        match frame.get("type"):
            case "subscribed":
                self._failures = 0
                await self._look()  # for a turn that began while nobody listened
            case "event":
                await self._take(_read(Event.read, frame, "event"))
            case "events":
                for event in _read(_events, frame, "events"):
                    await self._take(event)
            case "behind":  # there was more than the service sends at once
                await self._subscribe(socket)
            case "your_turn":
                self._client.clock.hear(_read(int, frame, "server_now"))
                self._offer(_read(Turn.read, frame, "turn"))
            case "error":
                code = str(frame.get("code"))
                if code in HOPELESS:
                    raise Refused(0, code, str(frame.get("detail") or ""))
                raise Unreachable(f"the subscription failed: {code}")

    async def _take(self, event: Event) -> None:
        """An event from the socket, after all that lies before it."""
        if event.seq > self.seq + 1:
            await self._catch_up()
        self._next(event)
        if event.type in LAST:
            await self._look()

    async def _look(self) -> None:
        """Whatever is new, over REST."""
        try:
            state = await self._client.state(self.match_id)
            if state.seq > self.seq:
                await self._catch_up()
        except (Unreachable, BadAnswer, Refused) as error:
            if isinstance(error, Refused) and not error.passing:
                raise
            log.info("match %s: no look at it (%s)", self.match_id, error)
            return
        if state.turn is not None:
            self._offer(state.turn)
        self._over = state.status in DONE and self.seq >= state.seq
        self.listening.set()

    async def _catch_up(self) -> None:
        """Every later event, over REST."""
        more = True
        while more:
            before = self.seq
            page = await self._client.events(self.match_id, after=before)
            for event in page.events:
                self._next(event)
            more = page.more and self.seq > before

    def _next(self, event: Event) -> None:
        """Hand the event out if it is the next one."""
        if event.seq == self.seq + 1:
            self.seq = event.seq
            self._ready.append(event)

    def _offer(self, turn: Turn) -> None:
        """Hand the turn out if it is new."""
        if turn.turn_id not in self._turns:
            self._turns.add(turn.turn_id)
            self._ready.append(turn)


def _frame(raw: str | bytes) -> dict[str, Any]:
    try:
        frame = json.loads(raw)
    except ValueError as error:
        raise BadAnswer("the socket sent something that is no JSON") from error
    if not isinstance(frame, dict):
        raise BadAnswer("the socket sent something that is no object")
    return frame


def _events(told: Any) -> list[Event]:
    return [Event.read(event) for event in told]


def _read(read: Callable[[Any], T], frame: dict[str, Any], name: str) -> T:
    try:
        return read(frame[name])
    except (KeyError, TypeError, ValueError) as error:
        raise BadAnswer(f"the socket sent an odd {name!r} ({error!r})") from error
