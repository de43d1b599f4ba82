"""Matches in SQLite."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeVar

from hosting.adapters.sqlite import MATCHES, Database, Items
from hosting.adapters.sqlite_agents import still_as_read
from hosting.items import (
    KEPT,
    STATE,
    TABLE,
    TOLD,
    Item,
    kept_item,
    kept_key,
    log_item,
    log_key,
    match_key,
    own_list,
    read_kept,
    read_log,
    read_state,
    read_table,
    row_key,
    state_item,
    table_item,
    table_values,
)
from hosting.model import Commit, Kept, LogEntry, SeatRow, State, Table
from hosting.ports import VersionConflict
from protocol.terms import Status

T = TypeVar("T")

_PAGE: Final = 100
_NEWEST_PAGE: Final = 25


class SqliteMatches:
    """The matches table, and the agents table for the conditions of a start."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def create(
        self,
        state: State,
        table: Table,
        *,
        rematch_of: str | None = None,
        in_place_of: str | None = None,
    ) -> None:
        """Write the hot and the cold item of a new match, and note it at the match before it."""
        with self._database.writing() as items:
            if items.get(MATCHES, match_key(state.match_id), STATE) is not None:
                return
            if rematch_of is not None:
                old = items.get(MATCHES, match_key(rematch_of), TABLE)
                if old is None or old.get("rematch") != in_place_of:
                    return
                items.put(MATCHES, {**old, "rematch": table.match_id})
            items.put(MATCHES, state_item(state))
            items.put(MATCHES, table_item(table))

    def state(self, match_id: str) -> State | None:
        """The hot item."""
        return self._read(match_id, STATE, read_state)

    def table(self, match_id: str) -> Table | None:
        """The cold item."""
        return self._read(match_id, TABLE, read_table)

    def commit(self, commit: Commit) -> None:
        """Write the hot item on its version, the log entry, the cold item if asked."""
        state, key = commit.state, match_key(commit.state.match_id)
        with self._database.writing() as items:
            read = items.get(MATCHES, key, STATE)
            if read is None or read["version"] != state.version - 1:
                raise VersionConflict(state.match_id)
            if not all(still_as_read(items, one) for one in commit.unchanged):
                raise VersionConflict(state.match_id)
            if items.get(MATCHES, key, log_key(state.version)) is not None:
                raise VersionConflict(state.match_id)
            items.put(MATCHES, state_item(state))
            items.put(MATCHES, log_item(commit.entry))
            if (kept := kept_item(commit)) is not None:
                items.put(MATCHES, kept)
            if commit.table is not None:
                table = items.get(MATCHES, key, TABLE)
                if table is None:
                    raise VersionConflict(state.match_id)
                items.put(MATCHES, table | table_values(commit.table))
            for row in commit.rows:
                _write_row(items, key, row)

    def entry(self, match_id: str, version: int) -> LogEntry | None:
        """One log entry."""
        return self._read(match_id, log_key(version), read_log)

    def entries(
        self,
        match_id: str,
        first: int,
        last: int,
        *,
        newest_first: bool = False,
        told: bool = False,
    ) -> Iterator[LogEntry]:
        """Log entries, page by page; small pages from the end, where few are wanted."""
        order, size = ("DESC", _NEWEST_PAGE) if newest_first else ("ASC", _PAGE)
        condition = f"pk = ? AND sk BETWEEN ? AND ? ORDER BY sk {order} LIMIT {size}"
        while first <= last:
            with self._database.reading() as items:
                page = items.find(
                    MATCHES, condition, match_key(match_id), log_key(first), log_key(last)
                )
            entry = None
            for item in page:
                entry = read_log({name: item[name] for name in TOLD} if told else item)
                yield entry
            if entry is None or len(page) < size:
                return
            if newest_first:
                last = entry.version - 1
            else:
                first = entry.version + 1

    def kept(self, match_id: str, *, newest: int) -> list[Kept]:
        """The item of the start, and a range of the others from the end."""
        key, start = match_key(match_id), kept_key(0)
        condition = "pk = ? AND sk > ? AND sk < ? ORDER BY sk DESC LIMIT ?"
        with self._database.reading() as items:
            first = items.get(MATCHES, key, start)
            later = items.find(MATCHES, condition, key, start, f"{KEPT}~", newest)
        return [] if first is None else [*map(read_kept, (first, *reversed(later)))]

    def listing(
        self, status: Status, ruleset: str | None, *, after: str | None, limit: int
    ) -> tuple[list[str], str | None]:
        """A page of the index of tables. A mark is what a table is listed under."""
        low, behind = ("", "~") if ruleset is None else (f"{ruleset}#", f"{ruleset}$")
        return self._page(status, low, min(behind, after or behind), limit)

    def opened_before(self, ruleset: str, at: int, *, limit: int) -> list[str]:
        """A range of the index: what a table is listed under begins with rule set and time."""
        return self._page("open", f"{ruleset}#", f"{ruleset}#{at:013d}", limit)[0]

    def own(self, agent_id: str, *, after: str | None, limit: int) -> tuple[list[str], str | None]:
        """A page of the agent's own list, which lies in the index beside those of tables."""
        return self._page(own_list(agent_id), "", after or "~", limit)

    def tables(self, match_ids: Sequence[str]) -> list[Table]:
        """The cold items."""
        found = (self.table(match_id) for match_id in match_ids)
        return [table for table in found if table is not None]

    def states(self, match_ids: Sequence[str]) -> list[State]:
        """The hot items."""
        found = (self.state(match_id) for match_id in match_ids)
        return [state for state in found if state is not None]

    def _read(self, match_id: str, sort_key: str, read: Callable[[Item], T]) -> T | None:
        with self._database.reading() as items:
            item = items.get(MATCHES, match_key(match_id), sort_key)
        return None if item is None else read(item)

    def _page(
        self, listing: str, low: str, behind: str, limit: int
    ) -> tuple[list[str], str | None]:
        """Match ids from an index, newest first, and the mark of the last when there are more."""
        condition = "listing = ? AND listed >= ? AND listed < ? ORDER BY listed DESC LIMIT ?"
        values = (listing, low, behind, limit + 1)
        with self._database.reading() as items:
            marks = [mark for (mark,) in items.rows(MATCHES, "listed", condition, *values)]
        page = marks[:limit]
        more = page[-1] if len(marks) > limit else None
        return [mark.rpartition("#")[2] for mark in page], more


def _write_row(items: Items, key: str, row: SeatRow) -> None:
    """Made when somebody sits down, and taken out of the index when it stands up."""
    sort_key = row_key(row.key)
    item: Item = items.get(MATCHES, key, sort_key) or {"PK": key, "SK": sort_key}
    if row.agent_id is not None:
        item["listing"] = own_list(row.agent_id)
    if row.listed is not None:
        item["listed"] = row.listed
    elif row.agent_id is None:
        item = {"PK": key, "SK": sort_key}
    items.put(MATCHES, item)
