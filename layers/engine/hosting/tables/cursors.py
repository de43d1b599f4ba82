"""The cursors of the lists of tables.

A cursor says where in a list to go on, nothing else: it names no key of the store, and one that
somebody made up can only begin a page elsewhere in the same list.
"""

import base64
import binascii
import re
from typing import Final

from hosting.errors import Malformed
from protocol import limits
from protocol.terms import LISTED, Status

_MARK: Final = re.compile(rf"({'|'.join(LISTED)})/(({limits.RULESET_ID})#\d{{13}}#{limits.ID})")
_OWN_MARK: Final = re.compile(rf"mine/([01]#\d{{13}}#{limits.ID})")


def write_cursor(mark: str, status: Status) -> str:
    """The cursor for what comes after this mark in the list of this status."""
    return base64.urlsafe_b64encode(f"{status}/{mark}".encode()).decode().rstrip("=")


def read_cursor(cursor: str, status: Status, ruleset: str | None) -> str:
    """The mark in the cursor. Raises `Malformed` unless it belongs to this very list."""
    found = _MARK.fullmatch(_decoded(cursor))
    if found is None or found[1] != status or ruleset not in (None, found[3]):
        raise Malformed("this is no cursor of this list", field="cursor")
    return found[2]


def write_own_cursor(mark: str) -> str:
    """The cursor for what comes after this mark in an agent's own list."""
    return base64.urlsafe_b64encode(f"mine/{mark}".encode()).decode().rstrip("=")


def read_own_cursor(cursor: str) -> str:
    """The mark in the cursor. Raises `Malformed`."""
    found = _OWN_MARK.fullmatch(_decoded(cursor))
    if found is None:
        raise Malformed("this is no cursor of this list", field="cursor")
    return found[1]


def _decoded(cursor: str) -> str:
    if len(cursor) > limits.CURSOR:
        return ""
    try:
        padded = cursor.encode("ascii") + b"=" * (-len(cursor) % 4)
        return base64.b64decode(padded, altchars=b"-_", validate=True).decode("ascii")
    except (binascii.Error, UnicodeError):
        return ""
