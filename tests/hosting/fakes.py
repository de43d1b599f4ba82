"""The ports of one machine, in memory, which note what they are asked and fail when told to."""

from collections.abc import Callable, Iterator, MutableMapping
from functools import cached_property
from typing import Any

from hosting.adapters.local_ports import LocalPorts
from hosting.adapters.sqlite import AGENTS, MATCHES, Database
from hosting.adapters.sqlite_agents import SqliteAgents
from hosting.adapters.sqlite_connections import SqliteConnections
from hosting.adapters.sqlite_matches import SqliteMatches
from hosting.items import TOLD, Item, log_item
from hosting.model import Agent, Commit, LogEntry, State, Table, Watcher
from hosting.ports import Contention, Gone, OutcomeUnknown, SlowDown

NOW = 1_800_000_000_000


class FakeTime:
    """A clock that only moves when it is told to. `sleep` moves nothing, but is remembered."""

    def __init__(self, now: int = NOW) -> None:
        self.now_ms = now
        self.slept: list[float] = []

    def now(self) -> int:
        return self.now_ms

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)


class TableOf(MutableMapping[tuple[str, str], Item]):
    """A table's items by partition and sort key, as they are when one looks."""

    def __init__(self, database: Database, name: str) -> None:
        self._database = database
        self._name = name

    def __getitem__(self, key: tuple[str, str]) -> Item:
        with self._database.reading() as items:
            item = items.get(self._name, *key)
        if item is None:
            raise KeyError(key)
        return item

    def __setitem__(self, _key: tuple[str, str], item: Item) -> None:
        with self._database.writing() as items:
            items.put(self._name, item)

    def __delitem__(self, key: tuple[str, str]) -> None:
        with self._database.writing() as items:
            items.remove(self._name, *key)

    def __iter__(self) -> Iterator[tuple[str, str]]:
        with self._database.reading() as items:
            return iter(items.rows(self._name, "pk, sk", "true"))

    def __len__(self) -> int:
        return sum(1 for _ in self)


class NotedMatches(SqliteMatches):
    """Goes wrong as it is told to, once per fault, at the commits that come next.

    "conflict" and "throttled": `Contention`, nothing is written. "lost": it is written and the
    answer lost. "dropped": nothing is written and nobody can know. "late": it is written only when
    the next commit is tried. A callable runs just before the commit: somebody else was faster.

    `images` are the stream: the new image of every log entry, in order. `calls` are what was asked.
    `log_bytes` is how much of the log was read, once a test has set it to 0.
    """

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.images: list[Item] = []
        self.calls: list[str] = []
        self.log_bytes: int | None = None
        self.items = TableOf(database, MATCHES)
        self.faults: list[str | Callable[[], object]] = []
        self._under_way: Commit | None = None

    def state(self, match_id: str) -> State | None:
        self.calls.append("state")
        return super().state(match_id)

    def table(self, match_id: str) -> Table | None:
        self.calls.append("table")
        return super().table(match_id)

    def entry(self, match_id: str, version: int) -> LogEntry | None:
        self.calls.append("entry")
        return super().entry(match_id, version)

    def entries(
        self,
        match_id: str,
        first: int,
        last: int,
        *,
        newest_first: bool = False,
        told: bool = False,
    ) -> Iterator[LogEntry]:
        found = super().entries(match_id, first, last, newest_first=newest_first, told=told)
        for entry in found:
            self.calls.append("log")
            if self.log_bytes is not None:
                item = log_item(entry)
                kept = TOLD if told else [*item]
                self.log_bytes += sum(len(str(item[name])) for name in kept)
            yield entry

    def commit(self, commit: Commit) -> None:
        if self._under_way is not None:
            late, self._under_way = self._under_way, None
            self._commit(late)
        fault = self.faults.pop(0) if self.faults else None
        match fault:
            case "conflict" | "throttled":
                raise Contention(fault)
            case "dropped":
                raise OutcomeUnknown(fault)
            case "late":
                self._under_way = commit
                raise OutcomeUnknown(fault)
            case "lost":
                self._commit(commit)
                raise OutcomeUnknown(fault)
            case None:
                self._commit(commit)
            case somebody_else if callable(somebody_else):
                somebody_else()
                self._commit(commit)
            case unknown:
                raise AssertionError(unknown)

    def _commit(self, commit: Commit) -> None:
        self.calls.append("commit")
        super().commit(commit)
        self.images.append(log_item(commit.entry))


class NotedAgents(SqliteAgents):
    """Counts its reads."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.items = TableOf(database, AGENTS)
        self.reads = 0

    @property
    def profiles(self) -> list[str]:
        """Who is registered, by id."""
        return [pk.removeprefix("AGENT#") for pk, _ in self.items if pk.startswith("AGENT#")]

    def agent(self, agent_id: str) -> Agent | None:
        self.reads += 1
        return super().agent(agent_id)


class NotedConnections(SqliteConnections):
    """Lets something happen before a subscription, and notes on which version each depends."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.before_watch: list[Callable[[], object]] = []
        self.checked: list[int | None] = []

    def watch(
        self, watcher: Watcher, match_id: str, *, expires_at: int, at_version: int | None
    ) -> None:
        if self.before_watch:
            self.before_watch.pop(0)()
        self.checked.append(at_version)
        super().watch(watcher, match_id, expires_at=expires_at, at_version=at_version)


class FakeSockets:
    """Remembers the frames of each connection. `faults` go wrong first, one per post."""

    def __init__(self) -> None:
        self.frames: dict[str, list[bytes]] = {}
        self.gone: set[str] = set()
        self.closed: list[str] = []
        self.cannot_close: Exception | None = None
        self.faults: dict[str, list[Exception]] = {}
        self.on_post: Callable[[str], Any] = lambda _: None

    def post(self, connection_id: str, frame: bytes) -> None:
        self.on_post(connection_id)
        if connection_id in self.gone:
            raise Gone(connection_id)
        faults = self.faults.get(connection_id)
        if faults:
            raise faults.pop(0)
        self.frames.setdefault(connection_id, []).append(frame)

    def close(self, connection_id: str) -> None:
        if self.cannot_close is not None:
            raise self.cannot_close
        self.closed.append(connection_id)
        self.gone.add(connection_id)

    def slow_down(self, connection_id: str, times: int) -> None:
        self.faults[connection_id] = [SlowDown(connection_id) for _ in range(times)]


class FakeQueue:
    """Remembers the messages, with their delays."""

    def __init__(self) -> None:
        self.messages: list[tuple[str, int]] = []
        self.failures: list[Exception] = []

    def send(self, body: str, *, delay_s: int) -> None:
        if self.failures:
            raise self.failures.pop(0)
        self.messages.append((body, delay_s))


class FakeClockStarter:
    """Remembers the executions; a name that was used stays used."""

    def __init__(self) -> None:
        self.started: dict[str, str] = {}
        self.calls = 0
        self.failures: list[Exception] = []

    def start(self, name: str, payload: str) -> None:
        self.calls += 1
        if self.failures:
            raise self.failures.pop(0)
        self.started.setdefault(name, payload)


class NotedPorts(LocalPorts):
    """All of them on one database."""

    matches = cached_property(lambda self: NotedMatches(self.database))
    agents = cached_property(lambda self: NotedAgents(self.database))
    connections = cached_property(lambda self: NotedConnections(self.database))
    sockets = cached_property(lambda self: FakeSockets())
    clock_starter = cached_property(lambda self: FakeClockStarter())
    bots_queue = cached_property(lambda self: FakeQueue())
