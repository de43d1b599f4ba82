"""The one place where services and adapters meet.

Everything is made when it is first asked for, and kept as long as the process lives. Importing this
does nothing: no network, no randomness, no AWS library.
"""

import os
import secrets
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar, Token
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final

from hosting.backoff import Backoff
from hosting.clock.deadlines import Clock
from hosting.clock.sweep import Sweep
from hosting.identity.agents import Identity
from hosting.identity.characters import Characters
from hosting.identity.rate_limits import Quota, TokenBuckets
from hosting.ids import new_id
from hosting.live.presence import Presence
from hosting.live.push import Push
from hosting.live.sending import Sender
from hosting.live.spectators import Spectators
from hosting.live.subscriptions import Subscriptions
from hosting.model import LogEntry
from hosting.play.change import BOTS, CLOCK
from hosting.play.effects import EffectDispatcher
from hosting.play.moves import Play
from hosting.play.transaction import Transactions
from hosting.ports import (
    AgentStore,
    CharacterStore,
    ClockStarter,
    ConnectionStore,
    MatchStore,
    Ports,
    Queue,
    Sockets,
)
from hosting.tables.closing import Closing
from hosting.tables.listing import Listing
from hosting.tables.opening import Opening
from hosting.tables.rematches import Rematches
from hosting.tables.seating import Seating
from hosting.tables.starting import Starting
from hosting.views.access import Viewing
from hosting.views.event_pages import EventPages
from hosting.views.log import Log
from hosting.views.replays import Replays
from hosting.views.states import States

if TYPE_CHECKING:
    from hosting.play.house_bots import HouseBots

REGISTER_LIMIT_PER_MINUTE: Final = 20
CHARACTER_LIMIT_PER_MINUTE: Final = 30
OPEN_LIMIT_PER_MINUTE: Final = 10
MOVE_LIMIT_PER_SECOND: Final = 10
OPEN_TABLE_MINUTES: Final = 120
SPECTATORS_PER_MATCH: Final = 200
BOT_PACE_SECONDS: Final = 3


class Platform:
    """All services, on the ports that a subclass (or the environment) gives."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment

    @cached_property
    def ports(self) -> Ports:
        """What the platform needs from outside: on SQLite where `LANTERNWELL_DATABASE` names a
        file, or `:memory:`; else on AWS."""
        database = self._environment.get("LANTERNWELL_DATABASE")
        if database:
            from hosting.adapters.local_ports import LocalPorts

            return LocalPorts(None if database == ":memory:" else database, now=self.now)
        from hosting.adapters.aws_ports import AwsPorts

        return AwsPorts(self._environment)

    # ---- ports ------------------------------------------------------------------------------

    @cached_property
    def matches(self) -> MatchStore:
        """Matches."""
        return self.ports.matches

    @cached_property
    def agents(self) -> AgentStore:
        """Agents and counters."""
        return self.ports.agents

    @cached_property
    def character_store(self) -> CharacterStore:
        """Characters."""
        return self.ports.character_store

    @cached_property
    def connections(self) -> ConnectionStore:
        """Open sockets and who watches what."""
        return self.ports.connections

    @cached_property
    def sockets(self) -> Sockets:
        """Frames to open sockets."""
        return self.ports.sockets

    @cached_property
    def clock_starter(self) -> ClockStarter:
        """Clocks. Only `follow` starts them."""
        return self.ports.clock_starter

    @cached_property
    def bots_queue(self) -> Queue:
        """The turns of house bots. Only `follow` sends to it."""
        return self.ports.bots_queue

    @cached_property
    def backoff(self) -> Backoff:
        """How long to wait between attempts."""
        return Backoff()

    @cached_property
    def socket_url(self) -> str:
        """Address to which WebSockets are opened: where they are managed (`SOCKET_ENDPOINT`), by
        the scheme of sockets."""
        return "ws" + self._environment["SOCKET_ENDPOINT"].removeprefix("http")

    def now(self) -> int:
        """Milliseconds since the epoch."""
        return time.time_ns() // 1_000_000

    def new_seed(self) -> str:
        """A server's seed for a match: 64 hex digits."""
        return secrets.token_hex(32)

    def new_id(self) -> str:
        """An identifier for a match, an agent or a commit."""
        return new_id()

    # ---- services ---------------------------------------------------------------------------

    @cached_property
    def identity(self) -> Identity:
        """Names, tokens, seats."""
        return Identity(
            self.agents,
            self._quota("register", "REGISTER_LIMIT_PER_MINUTE", REGISTER_LIMIT_PER_MINUTE),
            now=self.now,
            new_agent_id=self.new_id,
        )

    @cached_property
    def opening(self) -> Opening:
        """Open tables."""
        return Opening(
            self.matches,
            self.identity,
            self._open_quota,
            now=self.now,
            new_seed=self.new_seed,
            new_match_id=self.new_id,
            new_invite=self.new_id,
        )

    @cached_property
    def listing(self) -> Listing:
        """List tables, and tell of one."""
        return Listing(self.matches, self.identity)

    @cached_property
    def seating(self) -> Seating:
        """Sit down and stand up."""
        return Seating(self.matches, self.transactions, self.identity, self.characters)

    @cached_property
    def starting(self) -> Starting:
        """Start before a table is full."""
        return Starting(self.matches, self.transactions, self.identity, self.characters)

    @cached_property
    def closing(self) -> Closing:
        """Close the tables that nobody fills."""
        return Closing(
            self.matches,
            self.transactions,
            now=self.now,
            open_for_ms=60_000 * self._number("OPEN_TABLE_MINUTES", OPEN_TABLE_MINUTES),
        )

    @cached_property
    def rematches(self) -> Rematches:
        """The same players once more."""
        return Rematches(
            self.matches,
            self.seating,
            self.identity,
            self._open_quota,
            now=self.now,
            new_seed=self.new_seed,
            new_match_id=self.new_id,
        )

    @cached_property
    def house_bots(self) -> "HouseBots":
        """Bots that the house lends. Imported by those who need them."""
        from hosting.play.house_bots import HouseBots

        return HouseBots(
            self.matches,
            self.states,
            self.play,
            self.bots_queue,
            now=self.now,
            pace_s=self._number("BOT_PACE_SECONDS", BOT_PACE_SECONDS, least=0),
        )

    @cached_property
    def characters(self) -> Characters:
        """Who agents are at the table."""
        return Characters(
            self.character_store,
            self.identity,
            self._quota("character", "CHARACTER_LIMIT_PER_MINUTE", CHARACTER_LIMIT_PER_MINUTE),
            now=self.now,
            new_character_id=self.new_id,
        )

    @cached_property
    def play(self) -> Play:
        """Moves and departures."""
        return Play(
            self.matches, self.transactions, self.identity, self.seating, self._move_buckets()
        )

    @cached_property
    def messages(self) -> TokenBuckets:
        """How often a socket may send anything: as often as an agent may move."""
        return self._move_buckets()

    @cached_property
    def log(self) -> Log:
        """Reads the logs of matches."""
        return Log(self.matches)

    @cached_property
    def states(self) -> States:
        """Matches as they stand, for one viewer."""
        return States(self.log, self.viewing, now=self.now)

    @cached_property
    def event_pages(self) -> EventPages:
        """What has happened since, for one viewer."""
        return EventPages(self.log, self.viewing, now=self.now)

    @cached_property
    def replays(self) -> Replays:
        """Matches that have ended, whole."""
        return Replays(self.matches, self.viewing)

    @cached_property
    def viewing(self) -> Viewing:
        """In which mode somebody looks on."""
        return Viewing(self.matches, self.transactions, self.identity)

    @cached_property
    def subscriptions(self) -> Subscriptions:
        """Open sockets and what they follow."""
        return Subscriptions(
            self.log,
            self.viewing,
            self.connections,
            self.sender,
            self.presence,
            self.spectators,
            now=self.now,
            backoff=self.backoff,
        )

    @cached_property
    def spectators(self) -> Spectators:
        """How many may look on through sockets."""
        most = self._number("SPECTATORS_PER_MATCH", SPECTATORS_PER_MATCH)
        return Spectators(self.matches, self.connections, most=most)

    @cached_property
    def push(self) -> Push:
        """From a log entry to the sockets."""
        return Push(self.matches, self.connections, self.sender, self.presence, now=self.now)

    @cached_property
    def presence(self) -> Presence:
        """Who is at the table through a socket."""
        return Presence(self.transactions, self.matches, self.connections)

    @cached_property
    def sweep(self) -> Sweep:
        """What got lost."""
        return Sweep(self.matches, self.clock, self.presence, now=self.now)

    @cached_property
    def effects(self) -> EffectDispatcher:
        """From a log entry to its effects."""
        return EffectDispatcher({CLOCK: self.clock.arm, BOTS: self._call_bots})

    @cached_property
    def clock(self) -> Clock:
        """Deadlines."""
        return Clock(self.transactions, self.clock_starter, now=self.now)

    @cached_property
    def sender(self) -> Sender:
        """Sends frames to sockets."""
        return Sender(self.sockets, self.backoff)

    @cached_property
    def transactions(self) -> Transactions:
        """The one door for every change to a match."""
        return Transactions(
            self.matches, now=self.now, backoff=self.backoff, new_commit_id=self.new_id
        )

    def _call_bots(self, entry: LogEntry) -> None:
        self.house_bots.call(entry)  # made when there is a bot to call

    @cached_property
    def _open_quota(self) -> Quota:
        return self._quota("open", "OPEN_LIMIT_PER_MINUTE", OPEN_LIMIT_PER_MINUTE)

    def _move_buckets(self) -> TokenBuckets:
        per_second = self._number("MOVE_LIMIT_PER_SECOND", MOVE_LIMIT_PER_SECOND)
        return TokenBuckets(per_second, now=self.now)

    def _quota(self, what: str, name: str, default: int) -> Quota:
        return Quota(self.agents, what, self._number(name, default), now=self.now)

    def _number(self, name: str, default: int, *, least: int = 1) -> int:
        """A limit from the environment; unset or empty, the default."""
        number = int(self._environment.get(name) or default)
        if number < least:
            raise ValueError(f"{name} must be at least {least}")
        return number


_chosen: ContextVar[Platform | None] = ContextVar("platform", default=None)


def platform() -> Platform:
    """The platform of this context, or else of this process, as its environment describes it."""
    return _chosen.get() or _of_process()


def choose(chosen: Platform) -> Token[Platform | None]:
    """Let `platform` give this one, in this context (such as a thread) from now on."""
    return _chosen.set(chosen)


@contextmanager
def using(chosen: Platform) -> Iterator[Platform]:
    """Let `platform` give this one, in this context, for a time."""
    token = choose(chosen)
    try:
        yield chosen
    finally:
        _chosen.reset(token)


@lru_cache(maxsize=1)
def _of_process() -> Platform:
    return Platform(os.environ)
