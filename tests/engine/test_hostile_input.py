"""Whatever is handed in, nothing but the engine's own errors leaves it, and no match changes."""

import math
from collections import UserDict
from random import Random
from typing import Any

import pytest

import werewolf
from werewolf import IllegalMove, InvalidOptions, Match, UnknownRuleset
from werewolf.checking.matches import NOW, Table
from werewolf.checking.moves import legal_move


def name_of(value: object) -> str:
    return type(value).__name__


RULESETS = sorted(werewolf.RULESETS)
HUGE = 10**4300
"""Python refuses to write it out."""


def nested(kind: type, levels: int = 3_000) -> Any:
    value: Any = kind()
    for _ in range(levels):
        value = kind([value])
    return value


def nested_dict(levels: int = 3_000) -> Any:
    value: Any = {}
    for _ in range(levels):
        value = {"x": value}
    return value


ODD: list[Any] = [
    *(HUGE, -HUGE, 99, -1, 1.0, 0.0, 1e308, math.nan, math.inf, True, False, 1j),
    *("", "0", "1" * 5_000, "\ud800", "x" * 100_000, b"1", None, object()),
    *([], [0], {}, {"target": 0}, nested(list), nested(tuple), nested_dict(), UserDict(action=1)),
]
KEYS: list[Any] = [HUGE, 1.5, True, None, nested(tuple), b"action", "x" * 100_000, "\ud800"]


def positions(ruleset: str) -> list[Match]:
    """One position of each phase."""
    rules = werewolf.RULESETS[ruleset]
    rng = Random(ruleset)
    match = Table(ruleset, rules.seats.default, "5e" * 32, {}).start().match
    found = {match.phase: match}
    while not match.over and len(found) < len(rules.phases):
        seat = match.awaiting[0]
        if ruleset == "traditional-1":
            match, _ = werewolf.expire(match, now=match.deadline or 0)
        else:
            match, _ = werewolf.act(match, seat, legal_move(match, seat, rng), now=NOW)
        found.setdefault(match.phase, match)
    return list(found.values())


def tried(match: Match, seat: Any, move: Any) -> str | None:
    """The code of the refusal, if it was refused."""
    before = match.to_json()
    refusal: IllegalMove | None = None
    try:
        werewolf.act(match, seat, move, now=NOW)
    except IllegalMove as error:
        refusal = error
    assert match.to_json() == before
    if refusal is None:
        return None
    assert len(refusal.detail) < 1_000
    assert refusal.field is None or isinstance(refusal.field, str)
    return refusal.code


@pytest.mark.parametrize("ruleset", RULESETS)
def test_odd_moves_are_refused(ruleset: str) -> None:
    for match in positions(ruleset):
        seat = match.awaiting[0]
        turn = werewolf.turn(match, seat)
        assert turn is not None
        for odd in ODD:
            assert tried(match, seat, odd) == "malformed", odd
            assert tried(match, seat, {"action": odd}) in ("malformed", "illegal_action", None)
            for offer in turn.legal_actions:
                whole = {name: offer[name] for name in ("action",)}
                for field in ("target", "message", "to", "role", "intent", "cue", "thinking"):
                    tried(match, seat, whole | {field: odd})
        for key in KEYS:
            for offer in turn.legal_actions:
                assert tried(match, seat, {"action": offer["action"], key: 1}) == "malformed"


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("seat", [*ODD[:12], "0", None, [0], (0,), nested(list)], ids=name_of)
def test_an_odd_seat_has_no_turn(ruleset: str, seat: Any) -> None:
    for match in positions(ruleset):
        move = legal_move(match, match.awaiting[0], Random(1))
        assert tried(match, seat, move) in ("not_your_turn", "eliminated")
        assert werewolf.turn(match, seat) is None
        for depart in (werewolf.leave, werewolf.put_out):
            with pytest.raises(IllegalMove) as refusal:
                depart(match, seat, now=NOW)
            assert refusal.value.code in ("not_your_turn", "eliminated")


@pytest.mark.parametrize("target", [HUGE, -HUGE, 99, -1], ids=name_of)
def test_a_number_too_large_to_be_written_out_is_a_target_like_any_other(target: int) -> None:
    match = Table("werewolf-0.2", 7, "5e" * 32, {}).start().match
    assert tried(match, match.awaiting[0], {"action": "kill", "target": target}) == "illegal_target"
    arena = Table("arena-1", 8, "5e" * 32, {}).start().match
    (seat,) = arena.awaiting
    after, _ = werewolf.act(arena, seat, {"action": "seer_check", "target": target}, now=NOW)
    assert after.eliminated == ((seat, 1, "forfeit"),)


@pytest.mark.parametrize(
    "spelled",
    ["999999999", "1000000000", "-1000000000", "9" * 5_000, "-1", "9" * 9, "8"],
    ids=lambda spelled: spelled[:12],
)
def test_any_seat_number_in_the_short_form_is_one(spelled: str) -> None:
    arena = Table("arena-1", 8, "5e" * 32, {}).start().match
    (seat,) = arena.awaiting
    after, _ = werewolf.act(arena, seat, {"action": f"seer_check:{spelled}"}, now=NOW)
    assert after.eliminated == ((seat, 1, "forfeit"),)


@pytest.mark.parametrize("spelled", ["01", "+1", "1.0", "", " 1", "--1", "-0", "٣"])
def test_what_is_no_seat_number_is_malformed(spelled: str) -> None:
    arena = Table("arena-1", 8, "5e" * 32, {}).start().match
    move = {"action": f"seer_check:{spelled}"}
    assert tried(arena, arena.awaiting[0], move) == "malformed"


# ---- the start ----------------------------------------------------------------------------------


def started(ruleset: Any = "arena-1", **changes: Any) -> None:
    whole: dict[str, Any] = {"names": [f"p{seat}" for seat in range(8)], "seed": "5e" * 32}
    whole |= {"options": None} | changes
    names = whole.pop("names")
    werewolf.start(ruleset, names, now=NOW, **whole)


@pytest.mark.parametrize("odd", ODD, ids=name_of)
def test_an_odd_rule_set_is_unknown(odd: Any) -> None:
    with pytest.raises(UnknownRuleset):
        started(odd)
    with pytest.raises(UnknownRuleset):
        werewolf.check_options(odd, {})


@pytest.mark.parametrize("field", ["names", "seed", "options", "roles", "revision"])
@pytest.mark.parametrize("odd", ODD, ids=name_of)
def test_an_odd_start_is_told_with_its_place(field: str, odd: Any) -> None:
    if (field in ("options", "roles") and odd is None) or (field == "options" and odd == {}):
        return
    with pytest.raises(InvalidOptions) as refusal:
        started(**{field: odd})
    assert isinstance(refusal.value.field, str)


@pytest.mark.parametrize("odd", ODD, ids=name_of)
def test_odd_names_and_roles_within_a_list(odd: Any) -> None:
    for field, rest in (("names", ["p"] * 7), ("roles", ["villager"] * 7)):
        if field == "names" and isinstance(odd, str):
            continue
        with pytest.raises(InvalidOptions) as refusal:
            started(**{field: [*rest, odd]})
        assert refusal.value.field == field


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("odd", ODD, ids=name_of)
def test_an_odd_value_of_an_option_is_told_with_its_name(ruleset: str, odd: Any) -> None:
    for name, option in werewolf.RULESETS[ruleset].options.items():
        if isinstance(odd, bool) and isinstance(option.default, bool):
            continue
        low, high = getattr(option, "low", 1), getattr(option, "high", 0)
        if type(odd) is int and low <= odd <= high:
            continue
        with pytest.raises(InvalidOptions) as refusal:
            werewolf.check_options(ruleset, {name: odd})
        assert refusal.value.field == name


@pytest.mark.parametrize("key", KEYS, ids=name_of)
def test_an_odd_name_of_an_option(key: Any) -> None:
    with pytest.raises(InvalidOptions) as refusal:
        started(options={key: 1})
    assert isinstance(refusal.value.field, str)
