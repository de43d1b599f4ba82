"""Whatever a rule set tells has the shape that it declares: events, visible states, offers."""

import ast
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema_rs import Draft202012Validator, meta

import werewolf
from tests.engine.random_play import scripts
from werewolf import Event, Match, Transition
from werewolf.checking.matches import NOW, Script, Table, play
from werewolf.shapes import fault, schema_of
from werewolf.voiding import LONGEST_WAIT_MS

ENGINE = Path(werewolf.__file__).parent
RULESETS = sorted(werewolf.RULESETS)


class Judge:
    """Judges a value by a schema: an independent validator, and our own."""

    def __init__(self, schema: dict[str, Any]) -> None:
        meta.validate(schema)
        self._schema = schema
        self._validator = Draft202012Validator(schema)

    def check(self, value: Any) -> None:
        self._validator.validate(json.loads(json.dumps(value)))
        assert fault(value, self._schema) is None


def judges(ruleset: str) -> dict[str, Judge]:
    told = werewolf.RULESETS[ruleset].schemas()
    named = {**told.pop("events"), **told}
    return {name: Judge(schema) for name, schema in named.items()}


@pytest.mark.parametrize("ruleset", RULESETS)
@settings(deadline=None, max_examples=40)
@given(st.data())
def test_random_matches_keep_to_the_declarations(ruleset: str, data: st.DataObject) -> None:
    known = judges(ruleset)
    rng = Random(data.draw(st.integers(0, 2**32)))
    log: list[Event] = []
    for step in play(data.draw(scripts(ruleset))):
        log += step.events
        for event in step.events:
            known[event.type].check(event.data)
        for seat in step.after.awaiting[:1]:
            turn = werewolf.turn(step.after, seat)
            assert turn is not None
            known["legal_actions"].check(turn.legal_actions)
        if step.after.over or rng.random() < 0.03:
            check_views(known["visible_state"], step.after, log)


def check_views(judge: Judge, match: Match, log: list[Event]) -> None:
    """Which viewers have which fields is for `check_ruleset`."""
    for viewer in (*range(len(match.roles)), "spectator", "omniscient"):
        judge.check(werewolf.view(match, log, viewer))  # type: ignore[arg-type]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_declared_field_is_told_sometimes(ruleset: str) -> None:
    """Nothing is declared that never comes."""
    told = werewolf.RULESETS[ruleset].schemas()
    declared = {
        path
        for name, schema in {**told["events"], "visible_state": told["visible_state"]}.items()
        for path, _ in fields(schema, f"{name}.")
        if ".limits." not in path
    }
    unseen = declared - NEVER_IN_RANDOM_PLAY
    for number in range(400):
        rng = Random(number)
        rules = werewolf.RULESETS[ruleset]
        seats = rng.choice([rules.seats.min, rules.seats.max])
        table = Table(ruleset, seats, f"{number:064x}", {})
        log: list[Event] = []
        for step in play(Script(table, number, silences=rng.choice([20, 300]), leaves=20)):
            log += step.events
            for event in step.events:
                unseen -= set(paths(event.data, f"{event.type}."))
            if rng.random() < 0.1:
                viewer = rng.choice([*range(seats), "omniscient"])
                unseen -= set(paths(werewolf.view(step.after, log, viewer), "visible_state."))
        if not unseen:
            break
    assert not unseen


NEVER_IN_RANDOM_PLAY = {
    *("paused.day", "paused.phase", "paused.waiting_for"),
    *("resumed.day", "resumed.phase", "resumed.earliest_ms", "resumed.latest_ms"),
    *("visible_state.clock.least_left_ms", "visible_state.clock.left_ms"),
    *("match_void.day", "match_void.reason"),
}
"""Tables wait, and matches are void, when the platform says so: test_traditional_1, test_void."""


def paths(value: Any, path: str) -> list[str]:
    """Every field of a value, those of rows too."""
    if isinstance(value, list):
        return [found for row in value for found in paths(row, path)]
    if not isinstance(value, dict):
        return []
    found = []
    for name, inner in value.items():
        found += [path + name, *paths(inner, f"{path}{name}.")]
    return found


def test_what_the_platform_causes_keeps_to_the_declarations() -> None:
    """A table that waits, goes on, waits again and is void in the end."""
    known = judges("traditional-1")
    match, log = Table("traditional-1", 7, "ab" * 32, {}).start()
    steps: list[Callable[[Match], Transition]] = [
        lambda match: werewolf.pause(match, [2, 4], now=NOW + 5),
        lambda match: werewolf.resume(match, [2, 4], now=NOW + 10),
        lambda match: werewolf.pause(match, [1], now=NOW + 15),
        lambda match: werewolf.void(match, now=NOW + 15 + LONGEST_WAIT_MS),
    ]
    for step in steps:
        match, events = step(match)
        log += events
        check_views(known["visible_state"], match, [*log])
    for event in log:
        known[event.type].check(event.data)
    assert {"paused", "resumed", "match_void"} <= {event.type for event in log}


def test_each_event_has_one_emitter() -> None:
    """The data of a type of event is written in one place of the engine."""
    emitted = Counter(
        node.args[0].value
        for path in sorted(ENGINE.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call)
        and getattr(node.func, "attr", "") == "emit"
        and isinstance(node.args[0], ast.Constant)
    )
    assert set(emitted.values()) == {1}, emitted.most_common(3)
    rulesets = werewolf.RULESETS.values()
    asides = {aside.name for rules in rulesets for aside in rules.asides}
    assert emitted.keys() | asides == {name for rules in rulesets for name in rules.events}


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_field_tells_what_it_means(ruleset: str) -> None:
    told = werewolf.RULESETS[ruleset].schemas()
    for name, schema in {**told["events"], "visible_state": told["visible_state"]}.items():
        assert schema["description"], name
        for path, field in fields(schema):
            named = "description" in field or "title" in field or field.get("enum")
            assert named, f"{name}.{path}"


def fields(schema: dict[str, Any], path: str = "") -> list[tuple[str, dict[str, Any]]]:
    """Every field of a schema with its path, those of rows and alternatives too."""
    found = []
    for name, field in schema.get("properties", {}).items():
        found += [(path + name, field), *fields(field, f"{path}{name}.")]
    for inner in (*schema.get("anyOf", ()), *filter(None, [schema.get("items")])):
        found += fields(inner, path)
    return found


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ({"day": 1, "killed": 3}, None),
        ({"day": 1, "killed": None}, None),
        ({"day": 0, "killed": 3}, "day is 0"),
        ({"day": True, "killed": 3}, "day is True"),
        ({"day": 1, "killed": "3"}, "killed is '3'"),
        ({"day": 1}, "it lacks killed"),
        ({"day": 1, "killed": 3, "by": 0}, "by is not declared"),
        ([], "it is []"),
    ],
)
def test_what_does_not_fit_is_found_with_its_place(value: Any, place: str | None) -> None:
    from werewolf.event_types import Dawn

    schema = schema_of(Dawn)
    assert Draft202012Validator(schema).is_valid(value) == (place is None)
    found = fault(value, schema)
    assert found is None if place is None else found is not None and found.startswith(place)
