"""One match as a stream: each event once and in order, each turn until it is answered."""

import asyncio
import json
import logging
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import suppress
from typing import Any, Final, TypeVar

from lanternwell import calls
from lanternwell.client import AsyncClient
from lanternwell.errors import BadAnswer, LanternwellError, Refused, Unreachable
from lanternwell.model import Event, State, Turn
from lanternwell.sockets import BROKEN, Socket

log = logging.getLogger(__name__)

T = TypeVar("T")

Signal = Event | Turn

LAST: Final = frozenset({"reveal", "faction_win", "match_void", "table_closed"})
"""Events after which the match may be over."""

EVENTS_AT_MOST: Final = 1000
"""How many events wait to be handed out; later ones are fetched when there is room again."""

TURNS_REMEMBERED: Final = 32

GRACE_S: Final = 5.0
"""How long a subscription takes at most to make its player present."""

DAY_S: Final = 86_400.0

NO_TURN: Final = "none"
"""A `turn_id` that no turn has."""


class MatchStream:
    """Iterate over it for the events and turns of one match, from `after` to the match's end.

    - Each event is handed out once and in order. When one is missing, what lies between is fetched
      over REST before anything later is handed out.
    - A turn is handed out after the events that led to it, and again, after a pause that grows, as
      long as the service shows it as unanswered: not while the consumer is still busy with it (that
      is, has not asked for the next signal), and not after `answered`.
    - The socket reconnects and resumes, also while the consumer is busy. Nothing heard for
      `idle_s`: the match is looked at over REST. Without a socket it is looked at every `poll_s`,
      or less often where the service asks for that. So neither a lost frame nor a refused socket
      stops an agent.
    - A player whom the table waits for, although this client believes that it is there, comes back
      through a new socket, or where none can be opened, by a move that counts for no turn.

    `seq` is the last event that came in. `listening` is set once the match was seen for the first
    time: from then on nothing is missed. Iteration ends when the match is over and its last event
    was handed out. It raises `Refused` when the service does not let this client watch the match,
    and `Unreachable` when no look has succeeded for `give_up_s`.
    """

    def __init__(
        self,
        client: AsyncClient,
        match_id: str,
        *,
        after: int = 0,
        idle_s: float = 10.0,
        poll_s: float = 1.0,
        give_up_s: float = DAY_S,
    ) -> None:
        self.match_id = match_id
        self.seq = after
        self.listening = asyncio.Event()
        self._client = client
        self._idle_s = idle_s
        self._poll_s = poll_s
        self._give_up_s = give_up_s
        self._events: deque[Event] = deque()
        self._turns = _Turns(client)
        self._news = asyncio.Event()
        """There may be something to hand out."""
        self._look_now = asyncio.Event()
        self._socket: Socket | None = None
        self._subscribed_s = 0.0
        self._failures = 0
        self._over = False

    def __aiter__(self) -> AsyncIterator[Signal]:
        return self.signals()

    def answered(self, turn_id: str) -> None:
        """There is a receipt for this turn, or nothing to do about it: do not hand it out again."""
        self._turns.answered(turn_id)

    async def signals(self) -> AsyncGenerator[Signal, None]:
        """The stream itself; close it (`aclose`) when leaving it early."""
        following = asyncio.create_task(self._follow())
        following.add_done_callback(lambda _: self._news.set())
        try:
            while True:
                self._news.clear()
                while self._events or self._turns.waiting:
                    if self._events:
                        yield self._events.popleft()
                        if len(self._events) == EVENTS_AT_MOST // 2:  # there may be more
                            self._look_now.set()
                    else:
                        turn = self._turns.take()
                        yield turn
                        again_s = self._turns.give_back(turn)
                        if again_s is not None:
                            asyncio.get_running_loop().call_later(again_s, self._look_now.set)
                if following.done():
                    following.result()
                    return
                await self._news.wait()
        finally:
            following.cancel()
            await asyncio.gather(following, return_exceptions=True)

    # ---- looking, over REST ------------------------------------------------------------------

    async def _follow(self) -> None:
        """Look at the match whenever there is a reason to, beside the socket, until it is over."""
        listening = None
        if self._client.ws_url is not None:
            listening = asyncio.create_task(self._listen(self._client.ws_url))
            listening.add_done_callback(lambda _: self._look_now.set())
        seen_s = self._client.monotonic()
        try:
            while True:
                self._look_now.clear()
                if await self._look():
                    seen_s = self._client.monotonic()
                    self.listening.set()
                    self._news.set()
                elif self._client.monotonic() - seen_s > self._give_up_s:
                    raise Unreachable(f"no answer about match {self.match_id} for too long")
                if self._over:
                    return
                with suppress(TimeoutError):
                    async with asyncio.timeout(self._pause_s()):
                        await self._look_now.wait()
                if listening is not None and listening.done():
                    listening.result()
        finally:
            if listening is not None:
                listening.cancel()
                await asyncio.gather(listening, return_exceptions=True)

    def _pause_s(self) -> float:
        """How long to wait for news before looking by oneself."""
        if self._socket is not None:
            return self._idle_s
        return max(self._poll_s, min(self._idle_s, self._client.poll_after_s or 0.0))

    async def _look(self) -> bool:
        """Take in whatever is new. False when that was not possible."""
        asked_s = self._client.monotonic()
        try:
            state = await self._client.state(self.match_id)
            if state.seq > self.seq:
                await self._catch_up()
            if _is_missed(state):
                await self._come_back(asked_s)
        except (Unreachable, BadAnswer, Refused) as error:
            if isinstance(error, Refused) and not error.passing:
                raise
            log.info("match %s: no look at it (%s)", self.match_id, error)
            return False
        if state.turn is not None:
            self._turns.seen(state.turn, asked_s)
        self._over = state.done and self.seq >= state.seq
        return True

    async def _catch_up(self) -> None:
        """Every later event for which there is room."""
        more = True
        while more and len(self._events) < EVENTS_AT_MOST:
            before = self.seq
            page = await self._client.events(self.match_id, after=before)
            for event in page.events:
                self._next(event)
            more = page.more and self.seq > before

    def _next(self, event: Event) -> bool:
        """Take the event in if it is the next one; False when others lie before it."""
        if event.seq == self.seq + 1 and len(self._events) < EVENTS_AT_MOST:
            self.seq = event.seq
            self._events.append(event)
            self._news.set()
        return event.seq <= self.seq

    async def _come_back(self, asked_s: float) -> None:
        """The table waits for this player, as of a look that began at `asked_s`."""
        if self._socket is not None:
            if self._subscribed_s + GRACE_S < asked_s:
                log.info("match %s: missed at the table; connecting anew", self.match_id)
                await self._socket.close()
        elif self._client.ws_url is None or self._failures > 0:
            log.info("match %s: missed at the table; back without a socket", self.match_id)
            with suppress(Refused):  # as it must be; whoever moves is back all the same
                await self._client.send(calls.move(self.match_id, NO_TURN, {"action": "pass"}))
            asyncio.get_running_loop().call_later(self._poll_s, self._look_now.set)

    # ---- listening, through sockets ----------------------------------------------------------

    async def _listen(self, url: str) -> None:
        """Keep a socket open. Whatever goes wrong with it, REST tells what to make of it."""
        while True:
            self._failures += 1  # until it is seen to work
            try:
                async with self._client.open_socket(url, self._client.authorization) as socket:
                    await self._subscribe(socket)
                    while True:
                        await self._take(socket, _frame(await socket.recv()))
            except (*BROKEN, LanternwellError) as error:
                log.info("match %s: the socket broke (%r)", self.match_id, error)
            if self._socket is not None:
                self._socket = None
                self._look_now.set()  # for what was lost with it
            await asyncio.sleep(self._client.backoff.pause(max(1, self._failures)))

    async def _subscribe(self, socket: Socket) -> None:
        """Ask for what comes after the last event that came in."""
        wish = {"action": "subscribe", "match_id": self.match_id, "after": self.seq}
        await socket.send(json.dumps(wish))

    async def _take(self, socket: Socket, frame: dict[str, Any]) -> None:
        """Take in what a frame says."""
        match frame.get("type"):
            case "subscribed":
                self._failures = 0
                self._socket, self._subscribed_s = socket, self._client.monotonic()
                self._look_now.set()  # for a turn that began while nobody listened
            case "event":
                self._heard(_read(Event.read, frame, "event"))
            case "events":
                for event in _read(_events, frame, "events"):
                    self._heard(event)
            case "behind":  # there was more than the service sends at once
                await self._subscribe(socket)
            case "your_turn":
                self._client.clock.hear(_read(int, frame, "server_now"))
                if not self._turns.heard(_read(Turn.read, frame, "turn")):
                    self._look_now.set()
                self._news.set()
            case "error":
                refusal = Refused(0, str(frame.get("code")), str(frame.get("detail") or ""))
                raise Unreachable(f"the subscription was refused: {refusal}")

    def _heard(self, event: Event) -> None:
        full = len(self._events) >= EVENTS_AT_MOST
        taken = self._next(event)
        if event.type in LAST or not (taken or full):
            self._look_now.set()


class _Turns:
    """Which turn is to be handed out: a new one at once, one that was handed out only if a look
    that began later shows it still."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client
        self._waiting: Turn | None = None
        self._in_hand: str | None = None
        self._last: str | None = None
        self._times = 0
        self._again_s = 0.0
        self._known: deque[str] = deque(maxlen=TURNS_REMEMBERED)
        self._answered: deque[str] = deque(maxlen=TURNS_REMEMBERED)

    @property
    def waiting(self) -> bool:
        """Whether a turn is to be handed out."""
        return self._waiting is not None

    def heard(self, turn: Turn) -> bool:
        """A frame told of a turn. False when only a look tells whether it still stands."""
        if turn.turn_id in self._known:
            return turn.turn_id == self._in_hand or turn.turn_id in self._answered
        self._waiting = turn
        return True

    def seen(self, turn: Turn, asked_s: float) -> None:
        """A look that began at `asked_s` showed this turn unanswered."""
        stale = turn.turn_id == self._last and asked_s < self._again_s
        if not (stale or turn.turn_id == self._in_hand or turn.turn_id in self._answered):
            self._waiting = turn

    def take(self) -> Turn:
        """The turn that is handed out now."""
        turn, self._waiting = self._waiting, None
        assert turn is not None
        if turn.turn_id != self._last:
            self._known.append(turn.turn_id)
            self._times = 0
        self._in_hand = self._last = turn.turn_id
        return turn

    def give_back(self, turn: Turn) -> float | None:
        """The consumer is done with the turn: in how many seconds to look whether it still stands.

        None when it was answered.
        """
        self._in_hand = None
        if turn.turn_id in self._answered:
            return None
        self._times += 1
        pause_s = self._client.backoff.pause(self._times)
        self._again_s = self._client.monotonic() + pause_s
        return pause_s

    def answered(self, turn_id: str) -> None:
        """It need not be handed out again."""
        self._answered.append(turn_id)
        if self._waiting is not None and self._waiting.turn_id == turn_id:
            self._waiting = None


def _is_missed(state: State) -> bool:
    """Whether the table waits for the viewer itself."""
    missed = (state.view or {}).get("waiting_for")
    return isinstance(missed, list) and state.viewer in missed


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
