"""How often somebody may ask.

Rare and costly things (registering, opening a table) are counted per minute in a table, so the
limit holds for all Lambda containers together. Moves, and messages on a socket, are limited in the
memory of each container: a token bucket costs no I/O.
"""

import math
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from hosting.errors import TooManyRequests
from hosting.ports import AgentStore

WINDOW_MS: Final = 60_000
_KEPT_MS: Final = 2 * WINDOW_MS
_BUCKETS: Final = 10_000


class Quota:
    """So many per minute and caller, whichever container is asked."""

    def __init__(
        self, counters: AgentStore, what: str, per_minute: int, *, now: Callable[[], int]
    ) -> None:
        self._counters = counters
        self._what = what
        self._limit = per_minute
        self._now = now

    def take(self, who: str) -> None:
        """Count one. Raises `TooManyRequests` with the seconds until the next minute."""
        now = self._now()
        window = now // WINDOW_MS
        count = self._counters.count(f"RATE#{self._what}#{who}#{window}", expires_at=now + _KEPT_MS)
        if count > self._limit:
            left = (window + 1) * WINDOW_MS - now
            raise TooManyRequests(
                f"at most {self._limit} a minute", retry_after=math.ceil(left / 1000)
            )


class TokenBuckets:
    """So many per second and caller in this container, with bursts of twice that.

    The buckets used last are kept; a caller whose bucket was forgotten starts with a full one.
    """

    def __init__(self, per_second: float, *, now: Callable[[], int]) -> None:
        self._rate = per_second / 1000
        self._burst = max(1.0, 2 * per_second)
        self._now = now
        self._buckets: OrderedDict[str, tuple[float, int]] = OrderedDict()

    def take(self, who: str) -> None:
        """Take one. Raises `TooManyRequests` with the seconds until there is one again."""
        now = self._now()
        held, since = self._buckets.pop(who, (self._burst, now))
        held = min(self._burst, held + max(0, now - since) * self._rate)
        allowed = held >= 1
        self._buckets[who] = (held - 1 if allowed else held, now)
        if len(self._buckets) > _BUCKETS:
            self._buckets.popitem(last=False)
        if not allowed:
            wait = math.ceil((1 - held) / self._rate / 1000)
            raise TooManyRequests("too many requests at once", retry_after=wait)
