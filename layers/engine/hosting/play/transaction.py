"""The one door for every change to a match.

    read STATE -> play the deadline if it has passed -> decide -> write, if nobody was faster

The write is one transaction on these conditions:

- STATE is updated only if its `version` is the one that was read. Whoever comes second is told so
  (`VersionConflict`), reads again and decides anew; nothing of its first decision was written.
- LOG#<version> must not exist: history is never written twice.
- TABLE, where the change touches it, must exist.

Two transactions that meet on an item, and throttled writes, are `Contention`: not written for
certain, so read and decide again as well. Both are repeated a bounded number of times. Those who
collided go on in line, each seat in a slot of its own (`pauses`), so that hardly anybody collides
twice. After `PATIENCE_MS` no attempt is begun any more: who asked is told `Busy` while it still
listens.

What counts is when a request arrived, not when it got through: one that came before the deadline
and had to be decided anew after it is judged as in the last millisecond before. If somebody else
has played the deadline meanwhile, the turn is gone, and that is right.

A transaction whose answer was lost (`OutcomeUnknown`) may or may not have been written, or may be
written yet. It is sent again unchanged, under the same idempotency token, until one of these is
known: it is written; or it lost, which the store tells as `VersionConflict`. In the latter case the
log entry that won tells by its `commit_id` whether it is this very change, written by the first
send. So a change is made once, whichever answer was lost.
"""

import logging
from collections.abc import Callable
from typing import Final, TypeVar

from hosting.backoff import Backoff
from hosting.errors import Busy, HostingError, NotFound
from hosting.ids import known_match_id
from hosting.model import Commit, State
from hosting.play.change import MatchChange
from hosting.ports import Contention, MatchStore, OutcomeUnknown, VersionConflict

T = TypeVar("T")

ATTEMPTS: Final = 10
SENDS: Final = 4
PATIENCE_MS: Final = 4_000
"""With the time that one store call takes at most (`adapters.aws`), less than a function has."""

_log = logging.getLogger(__name__)


class Transactions:
    """Changes matches, one transaction at a time."""

    def __init__(
        self,
        store: MatchStore,
        *,
        now: Callable[[], int],
        backoff: Backoff,
        new_commit_id: Callable[[], str],
    ) -> None:
        self._store = store
        self._now = now
        self._backoff = backoff
        self._new_commit_id = new_commit_id

    def run(self, match_id: str, decide: Callable[[MatchChange], T]) -> T:
        """Let `decide` change the match, write the change, and give back what `decide` answered.

        `decide` gets a change in which a passed deadline has been played; it may be called several
        times, each time with the match as it is by then. When it raises a `HostingError`, only what
        came before the change's last checkpoint is written (the passed deadline; that a missing
        player is back), and the error raised. Raises `NotFound`, and `Busy` when the
        bounds are exhausted (asking again is safe).
        """
        known_match_id(match_id)
        arrived = self._now()
        place: int | None = None
        for attempt in range(ATTEMPTS):
            self._backoff.wait_in_slot(attempt, place)
            self._check_patience(arrived)
            state = self._store.state(match_id)
            if state is None:
                raise NotFound("there is no such match")
            change = _due(state, _in_time(state, arrived, self._now()))
            refusal: HostingError | None = None
            try:
                answer = decide(change)
            except HostingError as error:
                refusal = error
                change.rollback()
            place = change.acting_seat
            if not change.changed or self._write(change.commit(self._new_commit_id()), arrived):
                if refusal is not None:
                    raise refusal
                return answer
        raise Busy("too many are changing this match at once", retry_after=1)

    def dry_run(self, match_id: str, decide: Callable[[MatchChange], T]) -> T:
        """What `change` would answer, or raise, without changing anything. One read."""
        state = self._store.state(known_match_id(match_id))
        if state is None:
            raise NotFound("there is no such match")
        return decide(_due(state, self._now()))

    def _pause(self, attempt: int, arrived: int) -> None:
        """Before another send. Raises `Busy` when it would come too late."""
        self._backoff.before(attempt)
        self._check_patience(arrived)

    def _check_patience(self, arrived: int) -> None:
        """Raises `Busy` when another attempt would come too late."""
        if self._now() - arrived >= PATIENCE_MS:
            raise Busy("the change could not be made in time", retry_after=1)

    def _write(self, commit: Commit, arrived: int) -> bool:
        """Whether the change is written; False when it lost and must be decided anew."""
        unknown = False
        for attempt in range(SENDS):
            self._pause(attempt, arrived)
            try:
                self._store.commit(commit)
            except VersionConflict:
                return unknown and self._is_written(commit)
            except Contention:
                if not unknown:
                    return False
            except OutcomeUnknown:
                _log.warning("a transaction's outcome is unknown; sending it again")
                unknown = True
            else:
                return True
        raise Busy("it is not known whether this was written", retry_after=1)

    def _is_written(self, commit: Commit) -> bool:
        entry = self._store.entry(commit.state.match_id, commit.state.version)
        return entry is not None and entry.commit_id == commit.entry.commit_id


def _due(state: State, now: int) -> MatchChange:
    """The state that was read, with a passed deadline played."""
    change = MatchChange(state, now)
    change.expire()
    change.savepoint()
    return change


def _in_time(state: State, arrived: int, now: int) -> int:
    """The time at which a request is judged that arrived then and is decided now."""
    deadline = state.deadline
    return now if deadline is None or not arrived < deadline <= now else deadline - 1
