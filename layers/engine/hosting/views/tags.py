"""ETags: made of what a viewer may know, and of nothing else."""

import hashlib
import json
from typing import Any


def tag_of(shown: list[Any]) -> str:
    """The tag of what is shown: the first 128 bits of its SHA-256, in hex digits."""
    text = json.dumps(shown, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:32]
