"""Closing the tables that nobody fills."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import werewolf
from hosting.errors import (
    Busy,
    NotFound,
)
from hosting.model import TableChange
from hosting.play.change import MatchChange
from hosting.play.transaction import Transactions
from hosting.ports import MatchStore
from hosting.tables.events import table_closed

_STALE_PAGE: Final = 100


class Closing:
    """Closes tables."""

    def __init__(
        self,
        store: MatchStore,
        transactions: Transactions,
        *,
        now: Callable[[], int],
        open_for_ms: int,
    ) -> None:
        self._store = store
        self._transactions = transactions
        self._now = now
        self._open_for_ms = open_for_ms

    def close_unfilled(self, *, until: int) -> int:
        """Close the tables that have been open for too long; how many. Stops at `until` (ms)."""
        closed = 0
        for ruleset in werewolf.RULESETS:
            stale = self._store.opened_before(
                ruleset, self._now() - self._open_for_ms, limit=_STALE_PAGE
            )
            for match_id in stale:
                if self._now() >= until:
                    return closed
                try:
                    closed += self._transactions.run(match_id, close)
                except (Busy, NotFound):  # the next sweep comes
                    continue
        return closed


def close(change: MatchChange) -> bool:
    """Close a table that is still open. False when it is not."""
    if change.state.status != "open":
        return False
    change.state = replace(change.state, status="closed")
    change.table = TableChange(status="closed", ended_at=change.now)
    change.move_rows_down()
    change.emit(table_closed())
    return True
