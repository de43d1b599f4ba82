"""How long to wait before trying again: exponential, with full jitter."""

import secrets
import time
from collections.abc import Callable
from typing import Final

FIRST_MS: Final = 20
LONGEST_MS: Final = 400

_SHARES: Final = secrets.SystemRandom()
"""The system's randomness: nothing is drawn at import, and restored snapshots do not share it."""


class Pauses:
    """Sleeps between attempts. Before the first there is no pause."""

    def __init__(
        self,
        *,
        sleep: Callable[[float], None] = time.sleep,
        share: Callable[[], float] = _SHARES.random,
    ) -> None:
        self._sleep = sleep
        self._share = share

    def before(self, attempt: int) -> None:
        """Wait before the attempt of this number (from 0): a random share of a growing bound."""
        if attempt > 0:
            bound = min(LONGEST_MS, FIRST_MS * 2 ** (attempt - 1))
            self._sleep(self._share() * bound / 1000)
