"""The ports in memory: what is written goes through the same items as in the table."""

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from hosting.items import (
    TABLE,
    TOLD,
    Item,
    log_item,
    log_key,
    match_key,
    own_list,
    read_log,
    read_state,
    read_table,
    row_key,
    state_item,
    table_item,
    table_values,
)
from hosting.model import (
    Agent,
    Character,
    Commit,
    Connection,
    LogEntry,
    Sheet,
    State,
    Table,
    Unchanged,
    Watcher,
)
from hosting.ports import Contention, Gone, OutcomeUnknown, SlowDown, VersionConflict
from protocol.terms import Status

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


class MemoryMatches:
    """A MatchStore. `images` are the stream: the new image of every log entry, in order."""

    def __init__(self, characters: "MemoryCharacters | None" = None) -> None:
        self._characters = characters or MemoryCharacters()
        self.items: dict[tuple[str, str], Item] = {}
        self.images: list[Item] = []
        self.calls: list[str] = []
        self.log_bytes = 0
        self._lock = threading.Lock()

    def create(
        self,
        state: State,
        table: Table,
        *,
        rematch_of: str | None = None,
        in_place_of: str | None = None,
    ) -> None:
        with self._lock:
            if rematch_of is not None:
                old = (match_key(rematch_of), TABLE)
                if self.items[old].get("rematch") != in_place_of:
                    return
                self.items[old] = self.items[old] | {"rematch": table.match_id}
        for item in (state_item(state), table_item(table)):
            self.items.setdefault(_key(item), item)

    def state(self, match_id: str) -> State | None:
        self.calls.append("state")
        item = self.items.get((match_key(match_id), "STATE"))
        return None if item is None else read_state(item)

    def table(self, match_id: str) -> Table | None:
        self.calls.append("table")
        item = self.items.get((match_key(match_id), TABLE))
        return None if item is None else read_table(item)

    def commit(self, commit: Commit) -> None:
        self.calls.append("commit")
        state, log = state_item(commit.state), log_item(commit.entry)
        with self._lock:
            if self.items[_key(state)]["version"] != commit.state.version - 1:
                raise VersionConflict
            if not all(map(self._characters.still, commit.unchanged)):
                raise VersionConflict
            assert _key(log) not in self.items
            self.items[_key(state)] = state
            self.items[_key(log)] = log
            if commit.table is not None:
                key = (match_key(commit.state.match_id), TABLE)
                self.items[key] = self.items[key] | table_values(commit.table)
            for row in commit.rows:
                key = (match_key(commit.state.match_id), row_key(row.key))
                line = self.items.setdefault(key, {"PK": key[0], "SK": key[1]})
                if row.agent_id is not None:
                    line["listing"] = own_list(row.agent_id)
                if row.listed is not None:
                    line["listed"] = row.listed
                if row.agent_id is None and row.listed is None:
                    self.items[key] = {"PK": key[0], "SK": key[1]}
            self.images.append(log)

    def entry(self, match_id: str, version: int) -> LogEntry | None:
        self.calls.append("entry")
        item = self.items.get((match_key(match_id), log_key(version)))
        return None if item is None else read_log(item)

    def entries(
        self,
        match_id: str,
        first: int,
        last: int,
        *,
        newest_first: bool = False,
        told: bool = False,
    ) -> Iterator[LogEntry]:
        versions = range(first, last + 1)
        for version in reversed(versions) if newest_first else versions:
            item = self.items.get((match_key(match_id), log_key(version)))
            if item is not None:
                self.calls.append("log")
                kept = {name: item[name] for name in TOLD} if told else item
                self.log_bytes += sum(len(str(value)) for value in kept.values())
                yield read_log(kept)

    def listing(
        self, status: Status, ruleset: str | None, *, after: str | None, limit: int
    ) -> tuple[list[str], str | None]:
        marks = sorted(
            (
                str(item["listed"])
                for (_, kind), item in self.items.items()
                if kind == TABLE
                and item["listing"] == status
                and str(item["listed"]).startswith("" if ruleset is None else f"{ruleset}#")
                and (after is None or str(item["listed"]) < after)
            ),
            reverse=True,
        )
        page = marks[:limit]
        ids = [mark.rpartition("#")[2] for mark in page]
        return ids, page[-1] if len(marks) > limit else None

    def opened_before(self, ruleset: str, at: int, *, limit: int) -> list[str]:
        low, high = f"{ruleset}#", f"{ruleset}#{at:013d}"
        marks = [mark for mark in self._marks("open") if low <= mark <= high]
        return [mark.rpartition("#")[2] for mark in marks[:limit]]

    def own(self, agent_id: str, *, after: str | None, limit: int) -> tuple[list[str], str | None]:
        marks = [m for m in self._marks(own_list(agent_id)) if after is None or m < after]
        page = marks[:limit]
        ids = [mark.rpartition("#")[2] for mark in page]
        return ids, page[-1] if len(marks) > limit else None

    def _marks(self, listing: str) -> list[str]:
        rows = [item for item in self.items.values() if item.get("listing") == listing]
        return sorted((str(item["listed"]) for item in rows), reverse=True)

    def tables(self, match_ids: Sequence[str]) -> list[Table]:
        found = [self.table(match_id) for match_id in match_ids]
        return [table for table in found if table is not None]

    def states(self, match_ids: Sequence[str]) -> list[State]:
        found = [self.state(match_id) for match_id in match_ids]
        return [state for state in found if state is not None]


class FaultyMatches(MemoryMatches):
    """Goes wrong as it is told to, once per fault, at the commits that come next.

    "conflict" and "throttled": `Contention`, nothing is written. "lost": it is written and the
    answer lost. "dropped": nothing is written and nobody can know. "late": it is written only when
    the next commit is tried. A callable runs just before the commit: somebody else was faster.
    """

    def __init__(self, characters: "MemoryCharacters | None" = None) -> None:
        super().__init__(characters)
        self.faults: list[str | Callable[[], object]] = []
        self._under_way: Commit | None = None

    def commit(self, commit: Commit) -> None:
        if self._under_way is not None:
            late, self._under_way = self._under_way, None
            super().commit(late)
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
                super().commit(commit)
                raise OutcomeUnknown(fault)
            case None:
                super().commit(commit)
            case somebody_else if callable(somebody_else):
                somebody_else()
                super().commit(commit)
            case unknown:
                raise AssertionError(unknown)


class MemoryAgents:
    """An AgentStore."""

    def __init__(self) -> None:
        self.profiles: dict[str, Agent] = {}
        self.names: dict[str, str] = {}
        self.counters: dict[str, int] = {}
        self.reads = 0

    def create(self, agent: Agent, folded_name: str, at: int) -> bool:
        if self.names.setdefault(folded_name, agent.agent_id) != agent.agent_id:
            return False
        self.profiles[agent.agent_id] = agent
        return True

    def agent(self, agent_id: str) -> Agent | None:
        self.reads += 1
        return self.profiles.get(agent_id)

    def count(self, key: str, *, expires_at: int) -> int:
        self.counters[key] = self.counters.get(key, 0) + 1
        return self.counters[key]


class MemoryCharacters:
    """A CharacterStore. The agents need not exist."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], Character] = {}
        self._lock = threading.Lock()

    def add(self, character: Character, *, most: int) -> bool:
        with self._lock:
            if len(self.characters(character.agent_id)) >= most:
                return False
            self.kept[character.agent_id, character.character_id] = character
            return True

    def character(self, agent_id: str, character_id: str) -> Character | None:
        return self.kept.get((agent_id, character_id))

    def characters(self, agent_id: str) -> list[Character]:
        return [found for (agent, _), found in self.kept.items() if agent == agent_id]

    def brought(self, wanted: Sequence[tuple[str, str]]) -> list[Character | None]:
        return [self.kept.get(one) for one in wanted]

    def rewrite(self, agent_id: str, character_id: str, sheet: Sheet, at: int) -> Character | None:
        with self._lock:
            found = self.kept.get((agent_id, character_id))
            if found is None:
                return None
            now = replace(found, sheet=sheet, version=found.version + 1, updated_at=at)
            self.kept[agent_id, character_id] = now
            return now

    def remove(self, agent_id: str, character_id: str) -> bool:
        with self._lock:
            return self.kept.pop((agent_id, character_id), None) is not None

    def still(self, read: Unchanged) -> bool:
        """Whether the character is what it was when it was read."""
        found = self.kept.get((read.agent_id, read.character_id))
        return (None if found is None else found.version) == read.version


class MemoryConnections:
    """A ConnectionStore beside the match store whose versions it checks."""

    def __init__(self, matches: MemoryMatches) -> None:
        self._matches = matches
        self.sockets: dict[str, Connection] = {}
        self.closed: set[str] = set()
        self.rows: dict[str, dict[str, Watcher]] = {}
        self.before_watch: list[Callable[[], object]] = []
        self.checked: list[int | None] = []

    def put(self, connection: Connection, *, expires_at: int) -> None:
        self.sockets[connection.connection_id] = connection

    def get(self, connection_id: str) -> Connection | None:
        return None if connection_id in self.closed else self.sockets.get(connection_id)

    def open_among(self, connection_ids: Sequence[str]) -> frozenset[str]:
        return frozenset(connection_ids) & (self.sockets.keys() - self.closed)

    def watch(
        self, watcher: Watcher, match_id: str, *, expires_at: int, at_version: int | None
    ) -> None:
        if self.before_watch:
            self.before_watch.pop(0)()
        self.checked.append(at_version)
        connection = self.get(watcher.connection_id)
        if connection is None:
            raise Gone(watcher.connection_id)
        state = self._matches.state(match_id)
        if at_version is not None and (state is None or state.version != at_version):
            raise VersionConflict
        self.sockets[connection.connection_id] = replace(
            connection, matches=connection.matches | {match_id}
        )
        self.rows.setdefault(match_id, {})[watcher.connection_id] = watcher

    def unwatch(self, connection_id: str, match_id: str) -> None:
        self.rows.get(match_id, {}).pop(connection_id, None)
        connection = self.sockets.get(connection_id)
        if connection is not None:
            self.sockets[connection_id] = replace(
                connection, matches=connection.matches - {match_id}
            )

    def watchers(self, match_id: str) -> Iterator[Watcher]:
        yield from list(self.rows.get(match_id, {}).values())

    def close(self, connection_id: str) -> Connection | None:
        if connection_id in self.sockets:
            self.closed.add(connection_id)
        return self.sockets.get(connection_id)

    def remove(self, connection_id: str) -> None:
        self.sockets.pop(connection_id, None)
        self.closed.discard(connection_id)


class FakeSockets:
    """Remembers the frames of each connection. `faults` go wrong first, one per post."""

    def __init__(self) -> None:
        self.frames: dict[str, list[bytes]] = {}
        self.gone: set[str] = set()
        self.closed: list[str] = []
        self.cannot_close = False
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
        if self.cannot_close:
            raise RuntimeError("cannot close")
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


def _key(item: Item) -> tuple[str, str]:
    return str(item["PK"]), str(item["SK"])
