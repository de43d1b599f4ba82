"""Many who act in the same instant, in a time of their own.

Calls run in threads, of which one goes on at a time: all that takes time is to wait, and the one
whose wait is over first goes on. So what happens depends on the latencies and the dice alone, and a
second of it costs next to nothing.
"""

import heapq
import itertools
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property
from random import Random
from typing import Final, NamedTuple, TypeVar

from hosting.adapters.sqlite import Database
from hosting.backoff import Backoff
from hosting.model import Caller, Commit, State
from hosting.ports import Contention
from tests.hosting.fakes import NOW, NotedMatches
from tests.hosting.world import World, running

T = TypeVar("T")


class OwnTime:
    """The time of a crowd, in milliseconds."""

    def __init__(self) -> None:
        self.now: float = NOW
        self._waiting: list[tuple[float, int, int]] = []
        self._order = itertools.count()
        self._running = 0
        self._goes_on = -1
        self._changed = threading.Condition()
        self._number = threading.local()

    def wait(self, ms: float) -> None:
        """Let time pass. Outside of `run` it passes at once."""
        number = getattr(self._number, "value", None)
        if number is None:
            self.now += ms
            return
        with self._changed:
            heapq.heappush(self._waiting, (self.now + ms, next(self._order), number))
            self._next()
            assert self._changed.wait_for(lambda: self._goes_on == number, timeout=30)

    def run(self, calls: Sequence[Callable[[], T]]) -> list[T]:
        """The answers of calls that all begin now."""
        answers: dict[int, T] = {}
        self._running = len(calls)

        def one(number: int) -> None:
            self._number.value = number
            try:
                self.wait(0)
                answers[number] = calls[number]()
            finally:
                with self._changed:
                    self._running -= 1
                    self._next()

        threads = [threading.Thread(target=one, args=(number,)) for number in range(len(calls))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(answers) == len(calls), "a call has failed"
        return [answers[number] for number in range(len(calls))]

    def _next(self) -> None:
        self._goes_on = -1
        if self._waiting and len(self._waiting) == self._running:
            at, _, self._goes_on = heapq.heappop(self._waiting)
            self.now = max(self.now, at)
            self._changed.notify_all()


class Latencies(NamedTuple):
    """The shortest and the longest time of a request's parts, in milliseconds."""

    way: tuple[float, float] = (0.5, 1.5)
    read: tuple[float, float] = (1, 4)
    write: tuple[float, float] = (5, 15)
    decide: tuple[float, float] = (1, 5)

    def times(self, factor: float) -> "Latencies":
        """All of them so many times as long."""
        return Latencies(*((low * factor, high * factor) for low, high in self))


TYPICAL: Final = Latencies()
"""Of a function and its table in one region."""


class BusyMatches(NotedMatches):
    """Takes its time, and behaves as DynamoDB does: a transaction that meets another one on its way
    is turned away, and one that comes after another one finds another version."""

    def __init__(
        self, database: Database, time: OwnTime, latencies: Latencies, rng: Random
    ) -> None:
        super().__init__(database)
        self.attempts: Counter[int] = Counter()
        self._time = time
        self._latencies = latencies
        self._rng = rng
        self._in_flight: set[str] = set()

    def state(self, match_id: str) -> State | None:
        self.attempts[threading.get_ident()] += 1
        self._take(self._latencies.way)
        self._take(self._latencies.read)
        state = super().state(match_id)
        self._take(self._latencies.way)
        self._take(self._latencies.decide)
        return state

    def commit(self, commit: Commit) -> None:
        self._take(self._latencies.way)
        match_id = commit.state.match_id
        if match_id in self._in_flight:
            self._take(self._latencies.way)
            raise Contention("conflict")
        self._in_flight.add(match_id)
        try:
            self._take(self._latencies.write)
            super().commit(commit)
        finally:
            self._in_flight.remove(match_id)
            self._take(self._latencies.way)

    def _take(self, span: tuple[float, float]) -> None:
        self._time.wait(self._rng.uniform(*span))


class Crowd(World):
    """The platform as a crowd meets it."""

    def __init__(self, seed: int, latencies: Latencies) -> None:
        super().__init__()
        self.own_time = OwnTime()
        self._rng = Random(seed)
        self._latencies = latencies

    @cached_property
    def matches(self) -> BusyMatches:
        return BusyMatches(self.ports.database, self.own_time, self._latencies, self._rng)

    @cached_property
    def backoff(self) -> Backoff:
        return Backoff(
            sleep=lambda seconds: self.own_time.wait(seconds * 1000), share=self._rng.random
        )

    def now(self) -> int:
        return int(self.own_time.now)


class Told(NamedTuple):
    """What became of rounds in which everybody spoke at once."""

    attempts: list[int]
    """Of each move."""
    waits: list[float]
    """Of each move: until its receipt, in milliseconds."""
    spoken: Counter[tuple[int, str]]
    """How often who was heard to say what."""


def everybody_speaks(
    seed: int,
    *,
    hands: int = 8,
    rounds: int = 50,
    spread_ms: float = 0,
    latencies: Latencies = TYPICAL,
) -> Told:
    """By day, `hands` of eight players speak in the same instant, or within `spread_ms`, over and
    over."""
    crowd = Crowd(seed, latencies)
    options = {"day_minutes": 10, "night_max_s": 20}
    match_id, callers = running(crowd, 8, options, "traditional-1")
    crowd.own_time.now = crowd.state_of(match_id).deadline or 0
    crowd.clock.wake(match_id, 1, 0)
    told = Told([], [], Counter())
    spread = Random(seed)

    def speaking(seat: int, caller: Caller, number: int) -> Callable[[], tuple[int, float]]:
        def speak() -> tuple[int, float]:
            crowd.own_time.wait(spread.random() * spread_ms)
            began = crowd.own_time.now
            move = {"action": "say", "message": f"{seat} {number}"}
            receipt = crowd.play.move(match_id, caller, f"1.day.{number}", move)
            assert receipt["seat"] == seat
            return crowd.matches.attempts[threading.get_ident()], crowd.own_time.now - began

        return speak

    for number in range(rounds):
        crowd.matches.attempts.clear()
        speakers = enumerate(callers[:hands])
        for attempts, wait in crowd.own_time.run([speaking(*one, number) for one in speakers]):
            told.attempts.append(attempts)
            told.waits.append(wait)
    page = crowd.event_pages.events(match_id, None, limit=500)
    while True:
        told.spoken.update(
            (event["data"]["seat"], event["data"]["text"])
            for event in page["events"]
            if event["type"] == "message"
        )
        if not page["more"]:
            return told
        page = crowd.event_pages.events(match_id, None, after=page["next"], limit=500)
