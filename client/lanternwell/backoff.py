"""How long to wait before trying again."""

import random
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Backoff:
    """Growing pauses in seconds with full jitter, so that many clients do not come back as one."""

    first_s: float = 0.2
    factor: float = 2.0
    most_s: float = 5.0
    jitter: Callable[[], float] = random.random

    def pause(self, failures: int) -> float:
        """The pause after so many failures in a row (1 or more)."""
        ceiling = min(self.most_s, self.first_s * self.factor ** min(failures - 1, 32))
        return ceiling * (0.5 + 0.5 * self.jitter())
