"""Reading `legal_actions`: what may be chosen, which texts fit, and moves made out of it.

Nothing here knows a rule set. An entry names its `action`; a list under a plural name offers the
values of a field (`targets` for `target`, `roles` for `role`; whom one may speak `to` is offered
under that very name), and `max_<field>_chars` or `max_<field>_bytes` is the limit of a text.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from lanternwell.model import Move, Offer, Turn
from werewolf.rulesets import quiet_actions

_LIMIT = re.compile(r"max_(?P<name>\w+)_(?P<unit>chars|bytes)")

QUIET = quiet_actions()
"""Actions that commit to nothing, the quietest first."""

SPOKEN = "message"
"""The field with words for others."""

OPTIONAL = frozenset({"to", "intent"})
"""Choices that may be left out: whom words are for, and what they are meant as."""


@dataclass(frozen=True, slots=True)
class TextLimit:
    """How long a text field may be; `unit` is `chars` (code points) or `bytes` (of UTF-8)."""

    field: str
    limit: int
    unit: str

    def fit(self, text: str) -> str:
        """The text, shortened at a word where it is too long, never inside a character."""
        if self._size(text) <= self.limit:
            return text
        mark = "…"
        kept = ""
        for word in text.split():
            longer = f"{kept} {word}" if kept else word
            if self._size(longer + mark) > self.limit:
                break
            kept = longer
        if kept:
            return kept + mark
        while self._size(text) > self.limit:
            text = text[:-1]
        return text

    def _size(self, text: str) -> int:
        return len(text.encode()) if self.unit == "bytes" else len(text)


def text_limits(offer: Offer) -> dict[str, TextLimit]:
    """The text fields that an entry offers, by name."""
    limits = {}
    for key, value in offer.items():
        if found := _LIMIT.fullmatch(key):
            limits[found["name"]] = TextLimit(found["name"], int(value), found["unit"])
    return limits


def choices(offer: Offer) -> dict[str, list[Any]]:
    """The fields with a choice of values, by name."""
    return {
        key.removesuffix("s"): list(value)
        for key, value in offer.items()
        if isinstance(value, list)
    }


def offered(turn: Turn, *actions: str) -> Offer | None:
    """The first entry for one of these actions, in the order in which they are named here."""
    entries = {entry["action"]: entry for entry in reversed(turn.legal_actions)}
    return next((entries[action] for action in actions if action in entries), None)


def make(offer: Offer, *, say: str | None = None, **fields: Any) -> Move:
    """A move of this entry; `say` goes in, shortened, where words for others are possible."""
    move: Move = {"action": offer["action"], **fields}
    limit = text_limits(offer).get(SPOKEN)
    if say is not None and limit is not None:
        move[SPOKEN] = limit.fit(say)
    return move


def every_move(turn: Turn, *, say: str) -> Iterator[Move]:
    """Every legal move but for its words, which are `say` wherever words are possible."""
    for entry in turn.legal_actions:
        options = choices(entry)
        for values in product(*options.values()):
            yield make(entry, say=say, **dict(zip(options, values, strict=True)))


def quiet_move(turn: Turn, *, say: str = "I have nothing to add.") -> Move | None:
    """A legal move that commits to as little as possible; None when nothing is legal."""
    moves = list(every_move(turn, say=say))
    return min(moves, key=lambda move: _loudness(move["action"], QUIET), default=None)


def _loudness(action: str, quiet: Iterable[str]) -> int:
    order = list(quiet)
    return order.index(action) if action in order else len(order)
