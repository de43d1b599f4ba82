"""What bots say, and what they understand of what is said. The phrases are data: `phrases.json`.

Bots speak of players by seat alone, so no name is ever part of a sentence of theirs. A message is
understood only if the whole of it is a phrase of the book or a row of plain sentences; anything
else means nothing, whatever words are in it.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Final, Literal

Remark = Literal["seer", "accuse", "trust"]

MEANINGS: Final[Mapping[str, tuple[Remark, ...]]] = {
    "claim": ("seer", "accuse"),
    "again": ("seer", "accuse"),
    "cleared": ("seer", "trust"),
    "join": ("accuse",),
    "seer": ("seer",),
    "accuse": ("accuse",),
    "trust": ("trust",),
}
"""What a phrase of a kind says of its `{who}`, and of the speaker: `seer` claims that role. Phrases
of other kinds say nothing that counts."""

_SEAT: Final = re.compile(r"\bseat ([0-9]{1,2})\b")
_SLOT: Final = re.compile(r"\{(\w+)\}")
_BREAK: Final = re.compile(r"[.!;:,]+|\band\b")


def _folded(text: str) -> str:
    return " ".join(text.casefold().replace("’", "'").split()).rstrip(".!")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A sentence in which `{who}` and `{by}` stand for seats."""

    kind: str
    voice: str
    text: str

    @property
    def pattern(self) -> str:
        """The phrase without its seats, as `pattern_of` gives it for whoever says it."""
        return _folded(_SLOT.sub("#", self.text))

    def seats(self, numbers: list[int]) -> dict[str, int] | None:
        """Which seat each slot has; None if the numbers do not fit the slots."""
        slots = _SLOT.findall(self.text)
        seats = dict(zip(slots, numbers, strict=False))
        return seats if [seats.get(slot) for slot in slots] == numbers else None


def _phrases(voices: Mapping[str, Mapping[str, list[str]]]) -> dict[str, Phrase]:
    every = (
        Phrase(kind, voice, text)
        for voice, kinds in voices.items()
        for kind, texts in kinds.items()
        for text in texts
    )
    return {phrase.pattern: phrase for phrase in every}


_DATA: Final = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))

BOOK: Final = _phrases(_DATA["voices"])
"""What bots say, by pattern."""

PLAIN: Final = _phrases({"": _DATA["plain"]})
"""Sentences that bots understand from others, by pattern."""

VOICES: Final = tuple(_DATA["voices"])
"""The characters that bots speak in."""


def pattern_of(text: str) -> str:
    """The text without its seats, capitals and last full stop: the same for the same phrase."""
    return _SEAT.sub("#", _folded(text))


@lru_cache(1024)  # everybody reads the same talk, turn after turn
def understood(text: str) -> tuple[tuple[Remark, int | None], ...]:
    """What a message says, and of whom (None: of the speaker); nothing if it is not understood as a
    whole."""
    folded = _folded(text)
    if (found := _matched(folded, BOOK)) is not None:
        return tuple(found)
    remarks: list[tuple[Remark, int | None]] = []
    for sentence in filter(None, map(str.strip, _BREAK.split(folded))):
        if (found := _matched(sentence, PLAIN)) is None:
            return ()
        remarks += found
    return tuple(remarks)


def say(
    kinds: Iterable[str], voice: str, dice: Random, said: Counter[str], most: int, **seats: int
) -> str | None:
    """A phrase of one of these kinds, `most` characters long at the most; None if there is none.

    What was said least often at this table comes first (`said` counts patterns), then phrases of
    this voice, then the dice choose.
    """
    named = {slot: f"seat {seat}" for slot, seat in seats.items()}
    texts = {
        pattern: phrase.text.format(**named)
        for pattern, phrase in BOOK.items()
        if phrase.kind in kinds
    }
    fitting = [pattern for pattern, text in texts.items() if len(text) <= most]
    if not fitting:
        return None
    order = {pat: (said[pat], BOOK[pat].voice != voice, dice.random()) for pat in fitting}
    text = texts[min(fitting, key=order.__getitem__)]
    return text[0].upper() + text[1:]


def _matched(folded: str, book: Mapping[str, Phrase]) -> list[tuple[Remark, int | None]] | None:
    phrase = book.get(_SEAT.sub("#", folded))
    if phrase is None:
        return None
    seats = phrase.seats([int(number) for number in _SEAT.findall(folded)])
    if seats is None:
        return None
    remarks = MEANINGS.get(phrase.kind, ())
    return [(remark, None if remark == "seer" else seats["who"]) for remark in remarks]
