"""The ports on one machine: SQLite, and sockets of this process."""

from collections.abc import Callable
from functools import cached_property
from pathlib import Path

from hosting.adapters.local_clock import LocalClockStarter
from hosting.adapters.local_queue import LocalQueue
from hosting.adapters.local_sockets import LocalSockets
from hosting.adapters.sqlite import Database
from hosting.adapters.sqlite_agents import SqliteAgents, SqliteCharacters
from hosting.adapters.sqlite_connections import SqliteConnections
from hosting.adapters.sqlite_matches import SqliteMatches


class LocalPorts:
    """All on the database in a file, or in memory (`path` None)."""

    def __init__(self, path: Path | str | None, *, now: Callable[[], int]) -> None:
        self._path = path
        self._now = now

    @cached_property
    def database(self) -> Database:
        """The one database."""
        return Database(self._path)

    @cached_property
    def matches(self) -> SqliteMatches:
        """Matches."""
        return SqliteMatches(self.database)

    @cached_property
    def agents(self) -> SqliteAgents:
        """Agents and counters."""
        return SqliteAgents(self.database)

    @cached_property
    def character_store(self) -> SqliteCharacters:
        """Characters."""
        return SqliteCharacters(self.database)

    @cached_property
    def connections(self) -> SqliteConnections:
        """Open sockets and who watches what."""
        return SqliteConnections(self.database)

    @cached_property
    def sockets(self) -> LocalSockets:
        """The sockets of this process."""
        return LocalSockets()

    @cached_property
    def clock_starter(self) -> LocalClockStarter:
        """Nothing needs to be started: `LocalClock` reads the deadlines."""
        return LocalClockStarter()

    @cached_property
    def bots_queue(self) -> LocalQueue:
        """The turns of house bots."""
        return LocalQueue(self.database, "bots", now=self._now)
