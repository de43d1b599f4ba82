"""What one answer holds at most."""

from typing import Final

THINKING_LIMIT: Final = 200_000
"""How many code points of thinking one answer holds, so that Lambda can give it."""

PART_BYTES: Final = 4_000_000
ANSWER_BYTES: Final = 4_000_000
"""Lambda's answers hold 6 MB: bytes in base64, or text as JSON."""
