"""How long to wait before trying again.

What failed for reasons of its own is tried again after an exponential pause with full jitter. Those
who wanted to change the same match at the same moment stand in line instead: each waits for a slot
of its own, and a slot is longer than a change takes, so hardly anybody is in the way twice. With
random pauses, eight at once would have to be spread over seconds for that; benchmarks/contention.py
measures it.
"""

import secrets
import time
from collections.abc import Callable
from typing import Final

FIRST_MS: Final = 20
LONGEST_MS: Final = 400
SLOT_MS: Final = 60
LOOSE: Final = 0.3
"""The share of a slot by which one may be late, at random."""
PLACES: Final = 10
"""Among so many places in line one is drawn by who has none of its own."""

_SHARES: Final = secrets.SystemRandom()
"""The system's randomness: nothing is drawn at import, and restored snapshots do not share it."""


class Backoff:
    """Sleeps between attempts. Before the first there is no pause."""

    def __init__(
        self,
        *,
        sleep: Callable[[float], None] = time.sleep,
        share: Callable[[], float] = _SHARES.random,
    ) -> None:
        self._sleep = sleep
        self._share = share

    def wait_in_slot(self, attempt: int, place: int | None) -> None:
        """Wait before the attempt of this number (from 0): in a slot by the place in line.

        Who meets somebody once more takes slots of twice the width from then on.
        """
        if attempt > 0:
            where = self._share() * PLACES if place is None else place
            slot = SLOT_MS if attempt == 1 else 2 * SLOT_MS
            self._sleep((where + 0.5 + LOOSE * self._share()) * slot / 1000)

    def before(self, attempt: int) -> None:
        """Wait before the attempt of this number (from 0): a random share of a growing bound."""
        if attempt > 0:
            bound = min(LONGEST_MS, FIRST_MS * 2 ** (attempt - 1))
            self._sleep(self._share() * bound / 1000)
