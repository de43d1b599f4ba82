"""How many examples property tests try: few by default, many in `make test-long`."""

import os
from typing import Final

LONG: Final = os.environ.get("LANTERNWELL_TESTS") == "long"
"""Whether this run takes its time."""

_SHARE: Final = 1.0 if LONG else 0.2


def examples(most: int) -> int:
    """So many in a long run; in any other a fifth, and at least five."""
    return max(5, round(_SHARE * most))
