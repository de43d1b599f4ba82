"""A SQLite database that holds the three tables of items, in a file or in memory.

The items are those that DynamoDB holds, as its JSON; what is searched by is in columns beside them.
A file is in WAL mode: who reads takes a connection for that time, and writers wait for each other.
A database in memory has one connection, for which everybody waits. A commit is on the disk when it
returns (`synchronous=FULL`): what is killed at any moment has lost nothing that it had committed.
"""

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, Final

from hosting.adapters.attributes import from_text, to_text
from hosting.errors import Busy
from hosting.items import STATE, Item

MATCHES: Final = "matches"
AGENTS: Final = "agents"
CONNECTIONS: Final = "connections"

_PATIENCE_S: Final = 5.0
"""How long to wait for another program that has locked the file."""

_TABLE: Final = """
CREATE TABLE IF NOT EXISTS {name} (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    pk TEXT NOT NULL,
    sk TEXT NOT NULL,
    listing TEXT,
    listed TEXT,
    deadline INTEGER,
    ttl INTEGER,
    item TEXT NOT NULL,
    UNIQUE (pk, sk)
);
CREATE INDEX IF NOT EXISTS {name}_listings ON {name} (listing, listed) WHERE listing IS NOT NULL;
CREATE INDEX IF NOT EXISTS {name}_deadlines ON {name} (deadline) WHERE deadline IS NOT NULL;
CREATE INDEX IF NOT EXISTS {name}_expiry ON {name} (ttl) WHERE ttl IS NOT NULL;
"""
"""`number` counts the items in the order in which they were first written."""

_PUT: Final = """
INSERT INTO {name} (pk, sk, listing, listed, deadline, ttl, item) VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (pk, sk) DO UPDATE SET listing = excluded.listing, listed = excluded.listed,
    deadline = excluded.deadline, ttl = excluded.ttl, item = excluded.item
"""


class Items:
    """The tables as one connection sees them; inside `Database.writing`, its transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def get(self, table: str, pk: str, sk: str) -> Item | None:
        """One item, or None."""
        found = self.find(table, "pk = ? AND sk = ?", pk, sk)
        return found[0] if found else None

    def find(self, table: str, condition: str, *values: object) -> list[Item]:
        """The items for which an SQL condition holds; it may go on with ORDER BY and LIMIT."""
        return [from_text(text) for (text,) in self.rows(table, "item", condition, *values)]

    def rows(self, table: str, columns: str, condition: str, *values: object) -> list[Any]:
        """Columns of the items for which an SQL condition holds."""
        query = f"SELECT {columns} FROM {table} WHERE {condition}"  # noqa: S608 - all ours
        return self.connection.execute(query, values).fetchall()

    def put(self, table: str, item: Item) -> None:
        """Write an item, over the one with its key if there is one."""
        deadline = item.get("deadline") if item["SK"] == STATE else None
        columns = (item["PK"], item["SK"], item.get("listing"), item.get("listed"), deadline)
        values = (*columns, item.get("ttl"), to_text(item))
        self.connection.execute(_PUT.format(name=table), values)

    def remove(self, table: str, pk: str, sk: str) -> None:
        """Delete an item; one that is not there is deleted already."""
        query = f"DELETE FROM {table} WHERE pk = ? AND sk = ?"  # noqa: S608 - all ours
        self.connection.execute(query, (pk, sk))


class Database:
    """The database in a file, or in memory (`path` None).

    Raises `Busy` or `sqlite3.DatabaseError` when the file cannot be opened.
    """

    def __init__(self, path: Path | str | None = None) -> None:
        self._path = path
        self._writer = threading.RLock()
        self._connections: list[sqlite3.Connection] = []
        self._free: list[sqlite3.Connection] = []
        self._listeners: list[Callable[[], object]] = []
        try:
            for name in (MATCHES, AGENTS, CONNECTIONS):
                self.define(_TABLE.format(name=name))
        except BaseException:
            self.close()
            raise

    @contextmanager
    def reading(self) -> Iterator[Items]:
        """The committed items. Raises `Busy`."""
        with self._writer if self._path is None else nullcontext(), self._connection() as found:
            yield Items(found)

    @contextmanager
    def writing(self) -> Iterator[Items]:
        """One transaction: committed at the end, rolled back when something is raised.

        Raises `Busy` when the database does not take it. Asking again is safe.
        """
        with self._writer, self._connection() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield Items(connection)
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
        for tell in self._listeners:
            tell()

    def define(self, statements: str) -> None:
        """Make tables that are not there yet. Raises `Busy`."""
        with self._writer, self._connection() as connection:
            connection.executescript(statements)

    def forget(self, table: str, before: int) -> None:
        """Delete the items that expired before this time (s). Raises `Busy`."""
        with self.writing() as items:
            items.connection.execute(f"DELETE FROM {table} WHERE ttl < ?", (before,))  # noqa: S608

    def claim(self) -> None:
        """Keep other processes from claiming the same file until this one ends. Raises `Busy`."""
        if self._path is None:
            return
        claim = sqlite3.connect(f"{self._path}-lock", timeout=0, isolation_level=None)
        self._connections.append(claim)
        try:
            claim.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            raise Busy("another process serves this database", retry_after=1) from error

    def listen(self, tell: Callable[[], object]) -> None:
        """Call `tell` after each commit, in the thread that committed."""
        self._listeners.append(tell)

    def close(self) -> None:
        """Close all connections. Nobody uses the database any more."""
        while self._connections:
            self._connections.pop().close()

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        """A connection that nobody else uses. `Busy` when the database does not answer."""
        try:
            try:
                connection = self._free.pop()
            except IndexError:
                connection = self._connect()
            try:
                yield connection
            finally:
                self._free.append(connection)
        except sqlite3.OperationalError as error:
            raise Busy(f"the database does not answer: {error}", retry_after=1) from error

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            ":memory:" if self._path is None else self._path,
            timeout=_PATIENCE_S,
            isolation_level=None,  # transactions begin where this module says so
            check_same_thread=False,
        )
        self._connections.append(connection)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        return connection
