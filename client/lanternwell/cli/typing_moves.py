"""A move as a person types it: what may be typed, and what it means.

Nothing here knows a rule set. An action is typed by its name, its number in the list or as much of
its name as tells it from the others; then what it chooses, such as a seat; then the words. Whom
they are for may be given before them, as `@3`. A seat may be typed by its player's name instead, or
by a word of it that no other one has; a number always means a seat.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from lanternwell.model import Move, Offer, Turn
from lanternwell.moves import OPTIONAL, SPOKEN, choices, text_limits

TO = "to"


class Unclear(Exception):
    """What was typed is no move; says why, in words for who typed it."""


def menu(turn: Turn, names: Mapping[int, str]) -> Iterator[str]:
    """The offered actions, a line for each: how to type it and what it may choose."""
    for number, offer in enumerate(turn.legal_actions, 1):
        fields = _fields(offer)
        parts = [offer["action"]]
        parts += ["[@seat]" if field == TO else f"<{field}>" for field in fields]
        if SPOKEN in text_limits(offer):
            parts.append("<words>")
        told = "; ".join(
            f"{field}: {', '.join(_called(value, names) for value in values)}"
            for field, values in fields.items()
        )
        yield f"{number}) {' '.join(parts)}" + (f"    {told}" if told else "")


def read_move(line: str, turn: Turn, names: Mapping[int, str]) -> Move:
    """The move that a line means. Raises `Unclear`."""
    word, _, rest = line.strip().partition(" ")
    offer = _offer(word, turn)
    move: Move = {"action": offer["action"]}
    for field, values in _fields(offer).items():
        rest = rest.strip()
        if field == TO and not rest.startswith("@"):
            continue
        move[field], rest = _value(rest.removeprefix("@"), field, values, names)
    _add_words(move, rest.strip(), offer)
    return move


def _fields(offer: Offer) -> dict[str, list[Any]]:
    """What is typed for an action, beside its words: of what may be left out, only whom to."""
    fields = choices(offer).items()
    return {field: values for field, values in fields if field == TO or field not in OPTIONAL}


def _offer(word: str, turn: Turn) -> Offer:
    offers = turn.legal_actions
    if word.isascii() and word.isdigit():
        if 1 <= int(word) <= len(offers):
            return offers[int(word) - 1]
        raise Unclear(f"there are {len(offers)} actions, and {word} is none of them")
    exact = [offer for offer in offers if offer["action"] == word.lower()]
    begun = [offer for offer in offers if word and offer["action"].startswith(word.lower())]
    found = exact or begun
    if len(found) != 1:
        actions = ", ".join(offer["action"] for offer in found or offers)
        raise Unclear(f"which action? {actions}")
    return found[0]


def _value(text: str, field: str, values: list[Any], names: Mapping[int, str]) -> tuple[Any, str]:
    """The value at the beginning of the text, and what follows it."""
    word, _, rest = text.partition(" ")
    for value in values:
        if str(value).lower() == word.lower():
            return value, rest
    named = {value: names[value].lower() for value in values if value in names}
    for value, name in sorted(named.items(), key=lambda item: -len(item[1])):
        if f"{text.lower()} ".startswith(f"{name} "):
            return value, text[len(name) :]
    called = [value for value, name in named.items() if word.lower() in name.split()]
    if len(called) == 1 and not word.isdigit():
        return called[0], rest
    wrong = f"{word!r} is no {field} now" if word else f"which {field}?"
    raise Unclear(f"{wrong} ({', '.join(_called(value, names) for value in values)})")


def _add_words(move: Move, words: str, offer: Offer) -> None:
    limit = text_limits(offer).get(SPOKEN)
    if limit is None:
        if words:
            raise Unclear(f"{move['action']} takes no words")
    elif words:
        if limit.fit(words) != words:
            raise Unclear(f"that is too long: {limit.limit} {limit.unit} at most")
        move[SPOKEN] = words


def _called(value: object, names: Mapping[int, str]) -> str:
    return f"{value} {names[value]}" if isinstance(value, int) and value in names else str(value)
