"""Dice that anybody can throw again once the seed is known.

A seed is 32 bytes, written as 64 lower-case hex digits. Throw number `counter` (from 0, one
counter for the whole match) is

    HMAC-SHA256(key = the seed's bytes, message = ASCII "<label>#<counter>")

read as a big-endian integer. To get a number below n without bias, a throw at or above the largest
multiple of n that fits into 256 bits is discarded and the next counter is used.

    commitment   SHA-256 over the seed's bytes, public when the table opens
    mixed seed   HMAC-SHA256(key = the server's seed, message = for each entropy in joining order,
                 its length in bytes as four big-endian bytes, then its UTF-8 bytes)
    shuffle      Fisher-Yates from the last place down: for i = n-1 .. 1 swap i with throw(i + 1)

Source: rulings, "All rule sets", on dice, commitment and entropy.
"""

import hashlib
import hmac
import re
from collections.abc import Sequence
from typing import Final, TypeVar

T = TypeVar("T")

_SEED: Final = re.compile(r"[0-9a-f]{64}")
_SPAN: Final = 1 << 256


def is_seed(text: object) -> bool:
    """Whether this is a seed: 64 lower-case hex digits."""
    return isinstance(text, str) and _SEED.fullmatch(text) is not None


def commitment(seed: str) -> str:
    """SHA-256 over the seed's bytes, as 64 hex digits."""
    return hashlib.sha256(bytes.fromhex(seed)).hexdigest()


def mix_seed(server_seed: str, entropies: Sequence[str]) -> str:
    """The seed that a match is dealt from: the server's, mixed with what the players added."""
    message = b"".join(
        len(raw).to_bytes(4, "big") + raw for raw in (text.encode() for text in entropies)
    )
    return hmac.new(bytes.fromhex(server_seed), message, hashlib.sha256).hexdigest()


def throw(seed: str, label: str, counter: int, sides: int) -> tuple[int, int]:
    """A number from 0 to `sides` - 1, and the counter for the throw after it."""
    return _throw(bytes.fromhex(seed), label.encode(), counter, sides)


def _throw(key: bytes, label: bytes, counter: int, sides: int) -> tuple[int, int]:
    limit = _SPAN - _SPAN % sides
    while True:
        value = int.from_bytes(hmac.digest(key, b"%b#%d" % (label, counter), "sha256"), "big")
        counter += 1
        if value < limit:
            return value % sides, counter


def shuffled(seed: str, label: str, counter: int, things: Sequence[T]) -> tuple[tuple[T, ...], int]:
    """The things in a random order, and the counter for the throw after it."""
    key, word = bytes.fromhex(seed), label.encode()
    order = list(things)
    for last in range(len(order) - 1, 0, -1):
        other, counter = _throw(key, word, counter, last + 1)
        order[last], order[other] = order[other], order[last]
    return tuple(order), counter


def seating(seed: str, seats: int) -> tuple[int, ...]:
    """Who sits where: for every seat, the place in the order of joining of its player.

    Thrown with the label `seating` on a counter of its own, from the mixed seed.
    """
    order, _ = shuffled(seed, "seating", 0, range(seats))
    return order
