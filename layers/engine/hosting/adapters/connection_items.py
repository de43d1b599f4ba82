"""How open sockets lie in the Connections table, whatever holds it.

One item per socket, which names the matches that it follows, and one per match that it follows.
"""

from collections.abc import Mapping
from typing import Any, Final

from hosting.items import Item, match_key
from hosting.model import Caller, Connection, Watcher

INFO: Final = "INFO"


def connection_key(connection_id: str) -> str:
    """The partition key of a socket, and the sort key under a match that it follows."""
    return f"CONN#{connection_id}"


def connection_id_in(key: object) -> str:
    """The socket that a key names."""
    return str(key).removeprefix("CONN#")


def connection_item(connection: Connection, expires_at: int) -> Item:
    """A socket that was opened. `ttl` is in seconds."""
    item: Item = {
        "PK": connection_key(connection.connection_id),
        "SK": INFO,
        "ttl": expires_at // 1000,
    }
    if connection.caller is not None:
        item["agent_id"] = connection.caller.agent_id
        item["digest"] = connection.caller.digest
    return item


def read_connection(connection_id: str, item: Mapping[str, Any]) -> Connection:
    """The socket that was written."""
    caller = Caller(item["agent_id"], item["digest"]) if "agent_id" in item else None
    return Connection(connection_id, caller, frozenset(item.get("matches", ())))


def is_open(item: Mapping[str, Any] | None) -> bool:
    """Whether a socket's item says that it is open."""
    return bool(item) and "closed" not in (item or {})


def watcher_item(watcher: Watcher, match_id: str, expires_at: int) -> Item:
    """A socket at a match. `ttl` is in seconds."""
    item: Item = {
        "PK": match_key(match_id),
        "SK": connection_key(watcher.connection_id),
        "after": watcher.after,
        "version": watcher.version,
        "ttl": expires_at // 1000,
    }
    if watcher.agent_id is not None:
        item["agent_id"] = watcher.agent_id
    if watcher.mode == "omniscient":
        item["mode"] = watcher.mode
        item["thinking"] = int(watcher.thinking)
    return item


def read_watcher(item: Mapping[str, Any]) -> Watcher:
    """The socket at a match that was written."""
    return Watcher(
        connection_id_in(item["SK"]),
        item.get("agent_id"),
        item["after"],
        item.get("mode", "mystery"),
        bool(item.get("thinking", 0)),
        item.get("version", 0),
    )
