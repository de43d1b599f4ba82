"""Moves of every kind, for checks: those that are offered, those that are not, and no moves at all.

They are built from `Turn.legal_actions` and from nothing else: a choice that is offered must be
accepted.
"""

import itertools
from collections.abc import Iterator
from random import Random
from typing import Any

from werewolf import kernel
from werewolf.match import Match
from werewolf.moves import Field, Move, Seat, Text, Word
from werewolf.rulesets import RULESETS, all_actions

ALPHABET = "abcdefg      éñß狼人村🐺🌕\n"

Part = tuple[Field, Any]
"""A field of an offer, and what is offered for it: a list of values, or the limit of a text."""


def _choices(match: Match, seat: int) -> list[tuple[str, list[Part]]]:
    """The legal actions, each with its fields."""
    turn = kernel.turn(match, seat)
    assert turn is not None
    phase = RULESETS[match.ruleset].phases[match.phase]
    fields = {name: action.fields for name, action in phase.actions(match, seat).items()}
    return [
        (entry["action"], [(field, entry[field.offered_as]) for field in fields[entry["action"]]])
        for entry in turn.legal_actions
    ]


def _whole(action: str, parts: list[Part]) -> Move:
    """The first move of an offer, with what it must carry and nothing else."""
    needed = [(field, offered) for field, offered in parts if field.required]
    return {"action": action} | {
        field.name: "x" if isinstance(field, Text) else offered[0] for field, offered in needed
    }


def random_text(rng: Random, limit: int, unit: str) -> str:
    """A text from one letter up to the limit, in code points or bytes; mostly short."""
    room = rng.choice([1, min(12, limit), min(12, limit), limit])
    text = "".join(rng.choices(ALPHABET, k=room))
    if unit == "bytes":
        text = text.encode()[:room].decode(errors="ignore")
    return text if text.strip() else "x"


def legal_move(match: Match, seat: int, rng: Random) -> Move:
    """One of the moves that the seat is offered."""
    action, parts = rng.choice(_choices(match, seat))
    move: Move = {"action": action}
    for field, offered in parts:
        if not field.required and rng.random() < 0.5:
            continue
        if isinstance(field, Text):
            move[field.name] = random_text(rng, offered, field.unit)
        elif offered:
            move[field.name] = rng.choice(offered)
    for aside in RULESETS[match.ruleset].asides:
        if rng.random() < 0.1:
            move[aside.name] = random_text(rng, 40, aside.unit)
    return move


def is_listed(match: Match, seat: int, move: Move) -> bool:
    """Whether the seat is offered this move, which another seat may have made."""
    parts = dict(_choices(match, seat)).get(move["action"])
    return parts is not None and all(
        isinstance(field, Text)
        or (move[field.name] in offered if field.name in move else not field.required)
        for field, offered in parts
    )


def listed_moves(match: Match, seat: int) -> Iterator[Move]:
    """Every move that is offered, but for what texts may say."""
    for action, parts in _choices(match, seat):
        values = []
        for field, offered in parts:
            those = [(field.name, v) for v in (["x"] if isinstance(field, Text) else offered)]
            values.append(those if field.required else [None, *those])
        for combination in itertools.product(*values):
            yield {"action": action} | dict(part for part in combination if part is not None)


def unlisted_moves(match: Match, seat: int) -> Iterator[Move]:
    """Well-formed moves that are not offered: other actions, other targets, other words.

    Actions that the seat has used up are left out: what it chose before may be chosen again.
    """
    choices = _choices(match, seat)
    rules = RULESETS[match.ruleset]
    phase = rules.phases[match.phase]
    known = {action for action, _ in choices} | phase.used_up(match, seat).keys()
    judged = {**rules.vocabulary, **phase.actions(match, seat)}
    shapes = {name: action.fields for name, action in judged.items()}
    for word in (*sorted({action.name for action in all_actions()}), "dance", ""):
        if word not in known:
            needed = [field for field in shapes.get(word, ()) if field.required]
            yield {"action": word} | {field.name: _some_value(field) for field in needed}
    for action, parts in choices:
        whole = _whole(action, parts)
        for field, offered in parts:
            if not isinstance(field, Text):
                seats = range(-1, len(match.roles) + 2)
                others = seats if isinstance(field, Seat) else ("", "mayor", "Werewolf")
                yield from (whole | {field.name: v} for v in others if v not in offered)


def _some_value(field: Field) -> Any:
    """A value of the right kind, which may or may not be possible."""
    return {Seat: 0, Word: "seer", Text: "x"}[type(field)]


def malformed_moves(match: Match, seat: int) -> Iterator[Any]:
    """What is no move at all, whatever the situation: refused always, and never a forfeit."""
    yield from ([], "pass", None, 3, {}, {"action": None}, {"action": 5}, {"action": ["pass"]})
    choices = _choices(match, seat)
    for aside in RULESETS[match.ruleset].asides:
        too_long = "x" * (aside.limit + 1)
        for action, _ in choices:
            yield from ({"action": action, aside.name: bad} for bad in (5, "\x00", too_long))
    for action, parts in choices:
        whole = _whole(action, parts)
        yield whole | {"zeal": 1}
        for field, _ in parts:
            if field.required:
                yield {key: value for key, value in whole.items() if key != field.name}
            yield from (whole | {field.name: value} for value in _BAD[type(field)])


_BAD: dict[type[Any], tuple[Any, ...]] = {
    Seat: ("0", True, 1.0, [0], {}),
    Word: (1, ["seer"], {}),
    Text: (5, "\x00", "\ud800", "x" * 9_000),
}
"""By the kind of field: values that it never takes."""
