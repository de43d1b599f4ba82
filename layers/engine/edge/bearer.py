"""The bearer token of a request (RFC 6750)."""

import re
from collections.abc import Mapping
from typing import Final

from hosting.errors import Unauthorized

_HEADER: Final = re.compile(r"bearer +([A-Za-z0-9._~+/-]{1,128}=*)", re.IGNORECASE)
_TOKEN: Final = re.compile(r"[A-Za-z0-9._~+/-]{1,128}=*")


def optional_token(headers: Mapping[str, str]) -> str | None:
    """The token in the Authorization header; None when there is no such header.

    `headers` has lower-case names. Raises `Unauthorized` for a header of another shape:
    who shows a broken credential is never taken for somebody who shows none.
    """
    header = headers.get("authorization")
    if header is None:
        return None
    found = _HEADER.fullmatch(header.strip())
    if not found:
        raise Unauthorized("the Authorization header must be: Bearer <token>")
    return found[1]


def required_token(headers: Mapping[str, str]) -> str:
    """The token in the Authorization header. Raises `Unauthorized`."""
    token = optional_token(headers)
    if token is None:
        raise Unauthorized("send the header Authorization: Bearer <token>")
    return token


def has_token_shape(text: str) -> bool:
    """Whether `text` may be a token at all (sockets carry it in the query string)."""
    return _TOKEN.fullmatch(text) is not None
