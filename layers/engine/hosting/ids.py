"""Identifiers: 16 characters of lower-case base32, drawn from the system's randomness."""

import base64
import re
import secrets

from hosting.errors import NotFound
from protocol import limits


def new_id() -> str:
    """A new identifier (80 random bits), for a match, an agent or a commit."""
    return base64.b32encode(secrets.token_bytes(10)).decode().lower()


def is_id(text: str) -> bool:
    """Whether `text` has the shape of an identifier."""
    return re.fullmatch(limits.ID, text) is not None


def known_match_id(match_id: str) -> str:
    """The id itself; `NotFound` when no match can have it."""
    if not is_id(match_id):
        raise NotFound("there is no such match")
    return match_id
