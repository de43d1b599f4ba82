"""A platform in memory, with agents to play on it."""

import itertools
import json
import threading
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

import werewolf
from hosting.backoff import Backoff
from hosting.errors import HostingError
from hosting.items import log_entry
from hosting.model import Caller, Player, State, Table, TableChange
from hosting.play.change import MatchChange
from hosting.wiring import Platform
from tests.hosting.fakes import (
    FakeClockStarter,
    FakeQueue,
    FakeSockets,
    FakeTime,
    NotedAgents,
    NotedConnections,
    NotedMatches,
    NotedPorts,
)
from werewolf import Event
from werewolf.checking.moves import legal_move

RULES = "werewolf-0.2"
MANY = {
    "REGISTER_LIMIT_PER_MINUTE": "1000",
    "OPEN_LIMIT_PER_MINUTE": "1000",
    "MOVE_LIMIT_PER_SECOND": "1000",
}


class World(Platform):
    """The platform of one machine, in memory or in a file. Time stands still until it is moved."""

    def __init__(self, environment: Mapping[str, str] = MANY, database: Path | None = None) -> None:
        super().__init__(environment)
        self._database = database
        self.time = FakeTime()
        self._seeds = (f"{number:064x}" for number in itertools.count(1))
        letters = "abcdefghijklmnopqrstuvwxyz234567"
        self._ids = map("".join, itertools.product(letters, repeat=16))
        self._lock = threading.Lock()

    @cached_property
    def ports(self) -> NotedPorts:
        return NotedPorts(self._database, now=self.now)

    matches: NotedMatches
    agents: NotedAgents
    connections: NotedConnections
    sockets: FakeSockets
    clock_starter: FakeClockStarter
    bots_queue: FakeQueue

    @cached_property
    def backoff(self) -> Backoff:
        return Backoff(sleep=self.time.sleep, share=lambda: 0.5)

    def now(self) -> int:
        return self.time.now_ms

    def new_seed(self) -> str:
        return next(self._seeds)

    def new_id(self) -> str:
        with self._lock:
            return next(self._ids)

    def state_of(self, match_id: str) -> State:
        state = self.matches.state(match_id)
        assert state is not None
        return state

    def drain(self, *, twice: bool = False) -> None:
        """Give what is in the stream to its readers; `twice`: as it may happen."""
        images, self.matches.images = self.matches.images, []
        for image in images * (2 if twice else 1):
            entry = log_entry(image)
            assert entry is not None
            self.push.deliver(entry)
            self.effects.dispatch(entry)


def agent(platform: Platform, name: str) -> Caller:
    """A new agent."""
    token = platform.identity.register(name, source="198.51.100.7")["token"]
    return platform.identity.caller(token)


def agents(platform: Platform, count: int, prefix: str = "p") -> list[Caller]:
    """So many new agents."""
    return [agent(platform, f"{prefix}{number}") for number in range(count)]


def running(
    platform: Platform,
    seats: int = 7,
    options: Mapping[str, Any] | None = None,
    ruleset: str = RULES,
) -> tuple[str, list[Caller]]:
    """A match that has just started; its players in seat order."""
    callers = agents(platform, seats)
    opened = platform.opening.open(callers[0], ruleset=ruleset, seats=seats, options=options)
    match_id = opened["match_id"]
    for caller in callers:
        platform.seating.sit(match_id, caller)
    players = platform.listing.summary(match_id)["players"]
    by_id = {caller.agent_id: caller for caller in callers}
    return match_id, [by_id[player["agent_id"]] for player in players]


def dealt(
    world: World,
    roles: Sequence[str],
    *,
    seed: str = "ab" * 32,
    ruleset: str = RULES,
    options: Mapping[str, Any] | None = None,
    watched_by: Caller | None = None,
    cast: Sequence[Event] = (),
) -> tuple[str, list[Caller]]:
    """A match with a given deal, seated in the order of the roles; `cast` is told before it.

    `watched_by` is a host who may look on omnisciently.
    """
    callers = agents(world, len(roles))
    names = [f"p{seat}" for seat in range(len(roles))]
    match_id = world.new_id()
    players = tuple(
        Player(caller.agent_id, name, place)
        for place, (caller, name) in enumerate(zip(callers, names, strict=True))
    )
    table = Table(
        match_id=match_id,
        title="A table",
        ruleset=ruleset,
        status="open",
        host=(watched_by or callers[0]).agent_id,
        seats=len(roles),
        options=options or {},
        players=players,
        commitment=werewolf.commitment(seed),
        opened_at=world.now(),
        seed=seed,
        entropies=("",) * len(roles),
    )
    keys = b"".join(caller.digest for caller in callers)
    host = watched_by.digest if watched_by else b""
    world.matches.create(State(match_id, 0, "open", ruleset, keys=keys, host=host), table)

    def begin(change: MatchChange) -> None:
        setup = werewolf.Setup(ruleset, names, seed, options, roles)
        change.start(setup, keys, TableChange(status="running", started_at=change.now), cast)

    world.transactions.run(match_id, begin)
    return match_id, callers


def awaited(world: World, match_id: str) -> tuple[int, dict[str, Any]]:
    """A seat that has a turn now, and that turn."""
    match = world.state_of(match_id).engine()
    turn = werewolf.turn(match, match.awaiting[0])
    assert turn is not None
    return match.awaiting[0], turn.as_dict()


def simple_move(turn: Mapping[str, Any]) -> dict[str, Any]:
    """The first legal move."""
    action = turn["legal_actions"][0]
    move = {"action": action["action"]}
    if action.get("targets"):
        move["target"] = action["targets"][0]
    if action["action"] == "say":
        move["message"] = "Good morning."
    return move


def play_out(
    world: World,
    match_id: str,
    callers: Sequence[Caller],
    rng: Random,
    *,
    silences: float = 0.0,
    leaves: float = 0.0,
) -> None:
    """Play a match at random until it is over; some turns are slept through."""
    while (state := world.state_of(match_id)).status == "running":
        assert state.deadline is not None
        match = state.engine()
        if not match.awaiting or rng.random() < silences:
            world.time.now_ms = state.deadline + rng.choice([0, 1, 700])
            world.clock.wake(match_id, state.clock, 0)
            continue
        world.time.now_ms += rng.randrange(1, 50)
        if rng.random() < leaves:
            world.play.leave(match_id, callers[rng.choice(match.alive)])
            continue
        seat = rng.choice(match.awaiting)
        turn = werewolf.turn(match, seat)
        assert turn is not None
        move = legal_move(match, seat, rng)
        receipt = world.play.move(match_id, callers[seat], turn.turn_id, move)
        assert world.play.move(match_id, callers[seat], turn.turn_id, move) == receipt


def refusal(call: Any, *args: Any, **kwargs: Any) -> HostingError:
    """The refusal of a call that must be refused."""
    try:
        answer = call(*args, **kwargs)
    except HostingError as error:
        return error
    raise AssertionError(f"accepted: {answer}")


def frames_of(world: World, connection_id: str) -> list[dict[str, Any]]:
    """The frames that a connection was sent, read."""
    return [json.loads(frame) for frame in world.sockets.frames.get(connection_id, [])]


def events_sent(world: World, connection_id: str) -> list[dict[str, Any]]:
    """The events that a connection was sent."""
    return events_in(frames_of(world, connection_id))


def events_in(frames: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The events in frames, whether each came alone or several together."""
    found = []
    for told in frames:
        found += told.get("events", []) if "event" not in told else [told["event"]]
    return found


def stored_bytes(item: Mapping[str, str | int | bytes | frozenset[str]]) -> int:
    """What DynamoDB counts: names and texts in UTF-8, numbers at two digits a byte and one."""
    total = 0
    for name, value in item.items():
        total += len(name.encode())
        if isinstance(value, int):
            total += len(str(abs(value))) // 2 + 2
        elif isinstance(value, frozenset):
            total += sum(len(part.encode()) for part in value)
        else:
            total += len(value.encode() if isinstance(value, str) else value)
    return total
