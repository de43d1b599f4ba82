"""The clock: what happens when nobody moves.

A state machine sleeps until a deadline and calls `wake`. One execution serves many turns: when
players move in time it wakes at a deadline that has passed out of use, finds the later one, and
sleeps on. Only a deadline that lies before the one a clock may sleep for needs a new execution, a
new generation; the old one ends when it wakes (`MatchChange.commit` holds the rule). Waking early,
late, twice or never changes nothing that is lasting: a request after a deadline plays it
itself, and the sweep starts clocks that got lost.
"""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

import werewolf
from hosting.answers import Wake
from hosting.errors import NotFound
from hosting.model import LogEntry, State
from hosting.play.change import CLOCK, MatchChange
from hosting.play.transaction import Transactions
from hosting.ports import ClockStarter

MAX_WAKES: Final = 1_000
"""An execution has a history of at most 25,000 events; each wake takes less than 20 of them."""

GRACE_MS: Final = 30_000
"""How long past its deadline a match must be for the sweep to take its clock for lost."""


class Clock:
    """Arms, answers and mends the clocks."""

    def __init__(
        self, transactions: Transactions, starter: ClockStarter, *, now: Callable[[], int]
    ) -> None:
        self._transactions = transactions
        self._starter = starter
        self._now = now

    def arm(self, entry: LogEntry) -> None:
        """Start the clock that a log entry asks for; one that was started stays the only one."""
        if CLOCK not in entry.effects or entry.deadline is None:
            return
        payload = {
            "match_id": entry.match_id,
            "generation": entry.clock,
            "wake_at": timestamp(entry.deadline),
        }
        self._starter.start(f"{entry.match_id}-{entry.clock}", json.dumps(payload))

    def wake(self, match_id: str, generation: int, wakes: int) -> Wake:
        """A clock of this generation has woken, after `wakes` times before.

        Plays the deadline if it has passed. The clock is done when the match is over or unknown,
        has no deadline, or has a newer clock; after `MAX_WAKES` a new one takes over.
        """
        try:
            deadline = self._transactions.run(
                match_id, lambda change: _look(change, generation, wakes + 1)
            )
        except NotFound:
            deadline = None
        return {
            "done": deadline is None,
            "match_id": match_id,
            "generation": generation,
            "wakes": wakes + 1,
            "wake_at": None if deadline is None else timestamp(deadline),
        }

    def reconcile(self, state: State) -> bool:
        """Start the clock of a match again whose deadline is long past. False when it is not."""

        def decide(change: MatchChange) -> bool:
            lost = self._is_lost(change.read.deadline) and change.state.status == "running"
            if lost:
                change.rearm()
            return lost

        return self._is_lost(state.deadline) and self._transactions.run(state.match_id, decide)

    def void(self, state: State) -> bool:
        """End a match that nobody plays any more. False when it goes on.

        A match with a deadline ends by itself then; one that waits for somebody has none.
        """
        due = (
            state.status == "running" and werewolf.void(state.engine(), now=self._now()).match.void
        )
        return due and self._transactions.run(
            state.match_id, lambda change: change.state.status == "void"
        )

    def _is_lost(self, deadline: int | None) -> bool:
        return deadline is not None and deadline + GRACE_MS < self._now()


def timestamp(at: int) -> str:
    """RFC 3339, in UTC, of the first whole second that is not before `at` (ms).

    Step Functions cuts what is below a second off, and would wake before the deadline.
    """
    seconds = -(-at // 1000)
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S}Z"


def _look(change: MatchChange, generation: int, wakes: int) -> int | None:
    """The deadline to sleep for, or None when this clock is done."""
    state = change.state
    if state.status != "running" or state.clock != generation:
        return None
    if wakes >= MAX_WAKES and state.deadline is not None:
        change.rearm()
        return None
    return state.deadline
