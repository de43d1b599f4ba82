"""Finding a table: lists, and one in short."""

from typing import Final

import werewolf
from hosting.errors import Malformed, NotFound
from hosting.identity.agents import Identity
from hosting.ids import known_match_id
from hosting.model import Caller, Table
from hosting.ports import MatchStore
from hosting.tables.cursors import read_cursor, read_own_cursor, write_cursor, write_own_cursor
from hosting.tables.summaries import summary, with_characters
from protocol import limits
from protocol.tables import MatchList, MatchSummary
from protocol.terms import LISTED, Status

_PAGES_SEARCHED: Final = 10
"""So many pages of the index are looked through for one page of tables that can be joined."""


class Listing:
    """Lists of tables."""

    def __init__(self, store: MatchStore, identity: Identity) -> None:
        self._store = store
        self._identity = identity

    def list(
        self,
        *,
        status: Status = "open",
        ruleset: str | None = None,
        joinable: bool = False,
        limit: int = 20,
        cursor: str | None = None,
    ) -> MatchList:
        """A page of at most `limit` (1 to 100) tables of one status, newest first per rule set.

        With `joinable`, only open tables that wait for people: with a free seat, and without house
        bots. A page may be shorter than `limit`, also before the last: matches move on. `cursor` is
        the `next` of the page before. Raises `Malformed` (fields `status`, `ruleset`, `joinable`,
        `limit`, `cursor`).
        """
        if status not in LISTED:
            raise Malformed(f"a status is one of {', '.join(LISTED)}", field="status")
        if ruleset is not None and ruleset not in werewolf.RULESETS:
            raise Malformed("there is no such rule set", field="ruleset")
        if not 1 <= limit <= limits.MATCHES_IN_A_PAGE:
            raise Malformed(f"a page has 1 to {limits.MATCHES_IN_A_PAGE} matches", field="limit")
        if joinable and status != "open":
            raise Malformed("only open tables can be joined", field="joinable")
        mark = None if cursor is None else read_cursor(cursor, status, ruleset)
        found: list[Table] = []
        for _ in range(_PAGES_SEARCHED):
            match_ids, mark = self._store.listing(status, ruleset, after=mark, limit=limit)
            found = [
                table
                for table in self._store.tables(match_ids)
                if table.status == status
                and not table.private
                and (not joinable or _waits_for_people(table))
            ]
            if mark is None or found or not joinable:
                break
        return MatchList(
            matches=[*map(summary, found)],
            next=None if mark is None else write_cursor(mark, status),
        )

    def own(
        self, caller: Caller | None, *, limit: int = 20, cursor: str | None = None
    ) -> MatchList:
        """A page of the matches in which the caller has a seat: those not over first, then the
        others, and each kind newest first. Private ones are among them.

        Raises `Unauthorized`, `Malformed` (fields `limit`, `cursor`).
        """
        agent = self._identity.authenticate(caller)
        if not 1 <= limit <= limits.MATCHES_IN_A_PAGE:
            raise Malformed(f"a page has 1 to {limits.MATCHES_IN_A_PAGE} matches", field="limit")
        after = None if cursor is None else read_own_cursor(cursor)
        match_ids, mark = self._store.own(agent.agent_id, after=after, limit=limit)
        return MatchList(
            matches=[summary(table) for table in self._store.tables(match_ids)],
            next=None if mark is None else write_own_cursor(mark),
        )

    def summary(self, match_id: str) -> MatchSummary:
        """What everybody may know of a match. Raises `NotFound`."""
        table = self._store.table(known_match_id(match_id))
        if table is None:
            raise NotFound("there is no such match")
        state = self._store.state(match_id) if table.status == "running" else None
        return with_characters(self._store, table, summary(table, state))


def _waits_for_people(table: Table) -> bool:
    """Whether anybody may sit down, and is waited for."""
    return not table.fill and len(table.players) < table.seats
