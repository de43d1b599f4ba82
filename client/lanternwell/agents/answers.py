"""Reading what a language model answers: a legal move, or the reason why it is none."""

import json
import re
import unicodedata
from collections.abc import Iterable
from typing import Any, Final

from lanternwell.errors import LanternwellError
from lanternwell.model import Move, Offer, Turn
from lanternwell.moves import OPTIONAL, SPOKEN, choices, text_limits

OWN_RUN: Final = 24
"""So many letters and digits in a row that stand in the prompt are no accident."""

SECRET_RUN: Final = 8
"""The same for a key."""

_THINKING: Final = "think|thinking|thought|thoughts|reasoning"
_THOUGHTS: Final = re.compile(
    rf"\A.*</({_THINKING})>|<({_THINKING})>.*\Z", re.DOTALL | re.IGNORECASE
)
_NUMBER: Final = re.compile(r"(?:seat[\s_-]*)?([0-9]{1,3})", re.IGNORECASE)
_OPENED: Final = re.compile(r'\{(?=\s*")')
"""Where a JSON object begins, not a brace in prose."""


class Unusable(LanternwellError):
    """The answer cannot be played; says why, in words for the model."""


class Leaks:
    """Knows texts by heart that must not get out, and finds pieces of them in others.

    Only letters and digits count, so spaces, case and punctuation hide nothing.
    """

    def __init__(self, *, secrets: Iterable[str], texts: Iterable[str]) -> None:
        self._runs = [(OWN_RUN, _runs(text, OWN_RUN)) for text in texts]
        for secret in secrets:
            self._runs += [
                (SECRET_RUN, _runs(secret, SECRET_RUN)),
                (SECRET_RUN, _runs(secret[::-1], SECRET_RUN)),
            ]

    def found_in(self, text: str) -> bool:
        """Whether the text holds a piece of what must not get out."""
        bare = _bare(text)
        for length, known in self._runs:
            runs = (bare[at : at + length] for at in range(max(1, len(bare) - length + 1)))
            if any(run in known for run in runs):
                return True
            if any(len(run) < length and run in bare for run in known):
                return True  # a secret shorter than a run
        return False


def read_answer(answer: str, turn: Turn, leaks: Leaks) -> Move:
    """The move in an answer: a JSON object, whatever prose, fences or thoughts stand around it. Two
    different moves are none. Raises `Unusable`.
    """
    objects = _objects(_THOUGHTS.sub("", answer))
    moves = [_move(told, turn, leaks) for told in objects]
    if any(move != moves[0] for move in moves):
        raise Unusable("it holds more than one move")
    return moves[0]


def _move(told: dict[str, Any], turn: Turn, leaks: Leaks) -> Move:
    """The move that an object is.

    Only what the chosen action offers is taken over; anything else in the answer is dropped, and so
    is a text that may be left out and holds what must not get out.
    """
    offer = _offer(told, turn)
    move: Move = {"action": offer["action"]}
    for field, values in choices(offer).items():
        if told.get(field) is None and field in OPTIONAL:
            continue
        move[field] = _chosen(told.get(field), field, values)
    for field, limit in text_limits(offer).items():
        text = told.get(field)
        needed = field == SPOKEN and _must_speak(offer)
        if text is None or (isinstance(text, str) and not text.strip()):
            if needed:
                raise Unusable(f'"{field}" is missing: what do you say?')
            continue
        if not isinstance(text, str):
            raise Unusable(f'"{field}" must be a string')
        text = text.strip()
        if any(unicodedata.category(c) in ("Cc", "Cs") and c != "\n" for c in text):
            raise Unusable(f'"{field}" holds control characters')
        if limit.fit(text) != text:
            raise Unusable(f'"{field}" is too long: {limit.limit} {limit.unit} at most')
        if leaks.found_in(text):
            if needed:
                raise Unusable("say something about the game, in words of your own")
            continue
        move[field] = text
    return move


def _objects(text: str) -> list[dict[str, Any]]:
    """The JSON objects in a text, outermost ones; those with an action alone, if there are any."""
    decoder = json.JSONDecoder(object_pairs_hook=_once, strict=False)
    found: list[dict[str, Any]] = []
    end = 0
    while opened := _OPENED.search(text, end):
        try:
            told, end = decoder.raw_decode(text, opened.start())
        except (ValueError, RecursionError):
            raise Unusable("the JSON in it is broken") from None
        found.append(told)
    if not found:
        raise Unusable("there is no JSON object in it")
    return [told for told in found if "action" in told] or found[:1]


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    told = dict(pairs)
    if len(told) < len(pairs):
        raise Unusable("it says the same field twice")
    return told


def _offer(told: dict[str, Any], turn: Turn) -> Offer:
    for offer in turn.legal_actions:
        if offer["action"] == told.get("action"):
            return offer
    actions = ", ".join(str(offer["action"]) for offer in turn.legal_actions)
    raise Unusable(f'"action" must be one of: {actions}')


def _chosen(given: Any, field: str, values: list[Any]) -> Any:
    if isinstance(given, str) and (number := _NUMBER.fullmatch(given.strip())):
        given = int(number[1])
    elif isinstance(given, float) and given.is_integer():
        given = int(given)
    for value in values:
        if type(given) is type(value) and given == value:
            return value
    raise Unusable(f'"{field}" must be one of: {", ".join(map(str, values))}')


def _must_speak(offer: Offer) -> bool:
    """Whether this action is nothing without words."""
    return choices(offer).keys() <= OPTIONAL


def _bare(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(c for c in folded if c.isalnum())


def _runs(text: str, length: int) -> frozenset[str]:
    """All pieces of that length; a shorter text as a whole; none of nothing."""
    bare = _bare(text)
    if not bare:
        return frozenset()
    return frozenset(bare[at : at + length] for at in range(max(1, len(bare) - length + 1)))
