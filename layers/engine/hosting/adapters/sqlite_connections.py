"""Open sockets in SQLite."""

from collections.abc import Iterator, Sequence
from typing import Any

from hosting.adapters.connection_items import (
    INFO,
    connection_item,
    connection_key,
    is_open,
    read_connection,
    read_watcher,
    watcher_item,
)
from hosting.adapters.sqlite import CONNECTIONS, MATCHES, Database, Items
from hosting.items import STATE, match_key
from hosting.model import Connection, Watcher
from hosting.ports import Gone, VersionConflict


class SqliteConnections:
    """The connections table, and the matches table for the condition of a subscription."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, connection: Connection, *, expires_at: int) -> None:
        """A socket was opened."""
        with self._database.writing() as items:
            items.put(CONNECTIONS, connection_item(connection, expires_at))

    def get(self, connection_id: str) -> Connection | None:
        """The socket's item."""
        with self._database.reading() as items:
            return _open(items, connection_id)

    def open_among(self, connection_ids: Sequence[str]) -> frozenset[str]:
        """The sockets whose items say that they are open."""
        with self._database.reading() as items:
            return frozenset(one for one in connection_ids if _open(items, one) is not None)

    def watch(
        self, watcher: Watcher, match_id: str, *, expires_at: int, at_version: int | None
    ) -> None:
        """Note the match at the socket, which must be open, and the socket at the match."""
        with self._database.writing() as items:
            if _open(items, watcher.connection_id) is None:
                raise Gone(watcher.connection_id)
            if at_version is not None:
                state = items.get(MATCHES, match_key(match_id), STATE)
                if state is None or state["version"] != at_version:
                    raise VersionConflict(match_id)
            _note(items, watcher.connection_id, {match_id}, frozenset())
            items.put(CONNECTIONS, watcher_item(watcher, match_id, expires_at))

    def unwatch(self, connection_id: str, match_id: str) -> None:
        """Take the match from the socket and the socket from the match."""
        with self._database.writing() as items:
            items.remove(CONNECTIONS, match_key(match_id), connection_key(connection_id))
            _note(items, connection_id, frozenset(), {match_id})

    def watchers(self, match_id: str) -> Iterator[Watcher]:
        """All sockets at the match."""
        with self._database.reading() as items:
            found = items.find(CONNECTIONS, "pk = ?", match_key(match_id))
        yield from map(read_watcher, found)

    def close(self, connection_id: str) -> Connection | None:
        """Mark the socket's item; what it follows is in the answer."""
        with self._database.writing() as items:
            item = items.get(CONNECTIONS, connection_key(connection_id), INFO)
            if item is None:
                return None
            items.put(CONNECTIONS, {**item, "closed": 1})
        return read_connection(connection_id, item)

    def remove(self, connection_id: str) -> None:
        """Delete the socket's item."""
        with self._database.writing() as items:
            items.remove(CONNECTIONS, connection_key(connection_id), INFO)


def _open(items: Items, connection_id: str) -> Connection | None:
    item = items.get(CONNECTIONS, connection_key(connection_id), INFO)
    return None if item is None or not is_open(item) else read_connection(connection_id, item)


def _note(items: Items, connection_id: str, more: Any, less: Any) -> None:
    """Change the matches that a socket's item names, if there is one."""
    item = items.get(CONNECTIONS, connection_key(connection_id), INFO)
    if item is None:
        return
    matches = (read_connection(connection_id, item).matches | more) - less
    item.pop("matches", None)  # no set is ever empty
    items.put(CONNECTIONS, item | ({"matches": matches} if matches else {}))
