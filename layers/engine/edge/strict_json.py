"""Reading JSON that strangers wrote: I-JSON (RFC 7493), bounded in size and depth.

Refused, beside what is no JSON at all: repeated names, NaN and infinities, numbers that a double
cannot hold, lone surrogates, and nesting deeper than `limits.NESTING`.
"""

import json
import math
from typing import Any, Final, NoReturn

from protocol import limits


class NotStrictJson(ValueError):
    """The text is not acceptable JSON; the message says why and quotes nothing of the text."""


def read_object(text: str) -> dict[str, Any]:
    """The JSON object that `text` holds. Raises `NotStrictJson`."""
    try:
        value = json.loads(
            text,
            parse_int=_integer,
            parse_float=_number,
            parse_constant=_constant,
            object_pairs_hook=_object,
        )
    except json.JSONDecodeError as error:
        # error.msg is one of the parser's fixed phrases.
        raise NotStrictJson(f"not JSON: {error.msg} at character {error.pos}") from None
    except RecursionError:
        raise NotStrictJson(_TOO_DEEP) from None
    if not isinstance(value, dict):
        raise NotStrictJson("a JSON object is expected")
    _check(value)
    return value


_TOO_DEEP: Final = f"nested deeper than {limits.NESTING} levels"


def _integer(digits: str) -> int:
    if len(digits) > len(str(-limits.LARGEST_INTEGER)) or abs(int(digits)) > limits.LARGEST_INTEGER:
        raise NotStrictJson("an integer is out of range")
    return int(digits)


def _number(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise NotStrictJson("a number is out of range")
    return number


def _constant(name: str) -> NoReturn:
    raise NotStrictJson(f"{name} is no JSON value")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise NotStrictJson("an object repeats a name")
    return value


def _check(value: dict[str, Any]) -> None:
    """Walk without recursion: depth, and no lone surrogate in any name or text."""
    stack: list[tuple[Any, int]] = [(value, 1)]
    while stack:
        item, depth = stack.pop()
        if isinstance(item, str):
            if not _is_unicode(item):
                raise NotStrictJson("a text holds a lone surrogate")
        elif isinstance(item, dict | list):
            if depth > limits.NESTING:
                raise NotStrictJson(_TOO_DEEP)
            children = [*item.keys(), *item.values()] if isinstance(item, dict) else item
            stack.extend((child, depth + 1) for child in children)


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
