"""A process may be killed before or after any call to the outside, and nothing is lost.

One short match is played: tables, seats, the start, moves, a deadline, pushes to two sockets, the
clock. Every call that goes outside is numbered; for each of them the story is told once more with
the process killed there. What the outside does then is what it does on AWS: the agent sends its
request again, the stream delivers its batch again, the state machine calls again.
"""

import json
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from typing import Any

import pytest

from hosting.errors import MatchNotOpen
from hosting.items import log_entry
from tests.hosting.world import World, agents, awaited, events_sent, simple_move


class Killed(BaseException):
    """The process is gone."""


class Fate:
    """Counts the calls to the outside and kills the process at one of them."""

    def __init__(self, kill_at: int, *, after: bool) -> None:
        self.calls = 0
        self.dead = False
        self._kill_at = kill_at
        self._after = after
        self._lock = threading.Lock()

    def around(self, call: Callable[[], Any]) -> Any:
        with self._lock:
            if self.dead:
                raise Killed
            self.calls += 1
            if self.calls != self._kill_at:
                return call()
            if self._after:
                with suppress(Exception):
                    call()
            self.dead = True
            raise Killed


class Port:
    """A port whose every call may be the last of the process."""

    def __init__(self, port: Any, fate: Fate) -> None:
        self._port = port
        self._fate = fate

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._port, name)

        def call(*args: Any, **kwargs: Any) -> Any:
            return self._fate.around(lambda: method(*args, **kwargs))

        return call


class Process(World):
    """The platform in a process that may be killed. What is `outside` survives it."""

    def __init__(self, outside: World, fate: Fate) -> None:
        super().__init__()
        self._outside = outside
        self._fate = fate
        self.time = outside.time
        self._seeds, self._ids = outside._seeds, outside._ids

    def _port(self, port: Any) -> Any:
        return Port(port, self._fate)

    matches = cached_property(lambda self: self._port(self._outside.matches))
    agents = cached_property(lambda self: self._port(self._outside.agents))
    character_store = cached_property(lambda self: self._port(self._outside.character_store))
    connections = cached_property(lambda self: self._port(self._outside.connections))
    sockets = cached_property(lambda self: self._port(self._outside.sockets))
    clock_starter = cached_property(lambda self: self._port(self._outside.clock_starter))
    bots_queue = cached_property(lambda self: self._port(self._outside.bots_queue))


class Story:
    """The match, told through processes of which one is killed."""

    def __init__(self, kill_at: int, *, after: bool) -> None:
        self.outside = World()
        self.fate = Fate(kill_at, after=after)
        self.process = Process(self.outside, self.fate)
        self.killed = 0

    def insist(self, request: Callable[..., Any], *what: Any) -> Any:
        """Do it, and do it again in a new process when this one was killed."""
        try:
            answer = request(self.process, *what)
            if not self.fate.dead:
                return answer
        except Killed:
            pass
        self.killed += 1
        self.fate.dead = False
        self.process = Process(self.outside, self.fate)
        return request(self.process, *what)

    def once(self, request: Callable[..., Any], *what: Any) -> None:
        """Do it, and let it be when the process is killed: nobody asks again."""
        try:
            request(self.process, *what)
            if not self.fate.dead:
                return
        except Killed:
            pass
        self.killed += 1
        self.fate.dead = False
        self.process = Process(self.outside, self.fate)

    def stream(self) -> None:
        """Both readers work through the records, each at its own pace."""
        images, self.outside.matches.images = self.outside.matches.images, []
        entries = [entry for entry in map(log_entry, images) if entry is not None]
        for entry in entries:
            self.insist(lambda process, entry: process.push.deliver(entry), entry)
        for entry in entries:
            self.insist(lambda process, entry: process.effects.dispatch(entry), entry)

    def tell(self) -> tuple[Any, ...]:
        """Tell it all, and give what there is to see afterwards."""
        world = self.outside
        callers = agents(world, 5)
        match_id = world.opening.open(callers[0], ruleset="werewolf-0.2", seats=6)["match_id"]
        world.subscriptions.connect("spectator", None)
        world.subscriptions.connect("player", callers[1])
        world.subscriptions.connect("leaves", callers[2])
        world.subscriptions.connect("vanishes", callers[3])
        for connection_id in ("spectator", "player", "leaves", "vanishes"):
            self.insist(lambda p, c: p.subscriptions.subscribe(c, match_id), connection_id)
        for caller in callers:
            self.insist(lambda p, caller: p.seating.sit(match_id, caller), caller)
        self.stream()
        self.insist(lambda p: self.start(p, match_id, callers[0]))
        order = [row["agent_id"] for row in world.listing.summary(match_id)["players"]]
        seated = sorted(callers, key=lambda caller: order.index(caller.agent_id))
        for _ in range(4):
            seat, turn = awaited(world, match_id)
            move = simple_move(turn)
            self.insist(
                lambda p, *move: p.play.move(match_id, *move), seated[seat], turn["turn_id"], move
            )
        self.stream()
        self.outside.sockets.gone |= {"leaves", "vanishes"}
        self.once(lambda p: p.subscriptions.disconnect("leaves"))
        world.time.now_ms += 30_000
        self.insist(lambda p: p.clock.wake(match_id, 1, 0))
        leaver, _ = awaited(world, match_id)
        self.insist(lambda p: p.play.leave(match_id, seated[leaver]))
        self.stream()
        state = world.state_of(match_id)
        log = list(self.outside.matches.entries(match_id, 1, state.version))
        return (
            [(entry.events, entry.moves, entry.effects, entry.before) for entry in log],
            sorted(self.outside.clock_starter.started),
            sorted(
                watcher.connection_id for watcher in self.outside.connections.watchers(match_id)
            ),
            *(self.sent(connection_id) for connection_id in ("spectator", "player")),
        )

    @staticmethod
    def start(process: World, match_id: str, host: Any) -> None:
        """Start; a host that asks again finds it started."""
        try:
            process.starting.start(match_id, host)
        except MatchNotOpen:
            return

    def sent(self, connection_id: str) -> list[Any]:
        """Each event that a connection was sent, once; repeats are exact."""
        by_seq: dict[int, Any] = {}
        for event in events_sent(self.outside, connection_id):
            assert by_seq.setdefault(event["seq"], event) == event
        assert sorted(by_seq) == [*range(1, len(by_seq) + 1)]
        return [by_seq[seq] for seq in sorted(by_seq)]


class Practice(Story):
    """A match of one agent among house bots: from the stream to the queue and back to the table."""

    def tell(self) -> tuple[Any, ...]:
        """Tell it up to its first day."""
        world = self.outside
        (caller,) = agents(world, 1)
        opened = world.opening.open(caller, ruleset="werewolf-0.2", seats=5, fill="house-bots")
        match_id = opened["match_id"]
        self.insist(lambda p: p.seating.sit(match_id, caller))
        self.stream()
        while (state := world.state_of(match_id)).engine().phase != "day_vote":
            if self.outside.bots_queue.messages:
                body, _ = self.outside.bots_queue.messages.pop(0)
                self.insist(lambda p, turn: p.house_bots.take_turn(**turn), json.loads(body))
            else:
                seat, turn = awaited(world, match_id)
                assert not state.is_bot(seat), "a bot was not called"
                self.insist(
                    lambda p, *move: p.play.move(match_id, caller, *move),
                    turn["turn_id"],
                    simple_move(turn),
                )
            self.stream()
        log = list(self.outside.matches.entries(match_id, 1, state.version))
        return ([(entry.events, entry.moves, entry.effects) for entry in log], [match_id])


@pytest.mark.parametrize("told", [Story, Practice])
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_killed_anywhere_the_story_is_the_same(after: bool, told: type[Story]) -> None:
    undisturbed = told(0, after=after)
    expected = undisturbed.tell()
    calls = undisturbed.fate.calls
    assert calls > 60
    assert expected[1] != []
    for kill_at in range(1, calls + 1):
        story = told(kill_at, after=after)
        assert story.tell() == expected, f"killed at call {kill_at}"
        assert story.killed == 1
