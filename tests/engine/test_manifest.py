"""What is told of the rules in advance is what the engine plays: manifests, rule pages, docs."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import werewolf
from tests.engine.random_play import scripts
from tests.examples import examples
from werewolf import Match
from werewolf.checking.matches import Step, play
from werewolf.phases import EVERYBODY

ROOT = Path(__file__).parents[2]
RULESETS = sorted(werewolf.RULESETS)
PHASES = {phase for rules in werewolf.RULESETS.values() for phase in rules.phases}
NAMES = {*RULESETS, *(phase for phase in PHASES if "_" in phase)}
"""Of rule sets, and of phases as far as they are no words for anything else."""


def manifest_of(ruleset: str) -> dict[str, Any]:
    """The manifest, as it comes out of JSON."""
    told: dict[str, Any] = json.loads(json.dumps(werewolf.RULESETS[ruleset].manifest()))
    return told


@pytest.mark.parametrize("ruleset", RULESETS)
@settings(max_examples=examples(20))
@given(st.data())
def test_random_matches_keep_to_the_manifest(ruleset: str, data: st.DataObject) -> None:
    told = manifest_of(ruleset)
    phases = {phase["phase"]: phase for phase in told["phases"]}
    for step in play(data.draw(scripts(ruleset))):
        match = step.after
        assert set(match.roles) <= set(told["roles"])
        assert match.options.keys() == told["options"].keys()
        for seat in match.awaiting:
            check_offers(match, seat, phases[match.phase])
        check_move(step, phases, told)
        check_time(step, phases)


def check_offers(match: Match, seat: int, phase: dict[str, Any]) -> None:
    """Whatever is offered is in the manifest, for this role, with the same fields."""
    role = match.roles[seat]
    known = {a["action"]: a for a in phase["actions"] if a["by"] in (EVERYBODY, role)}
    turn = werewolf.turn(match, seat)
    assert turn is not None
    for offer in turn.legal_actions:
        fields = known[offer["action"]]["fields"]
        left = dict(offer)
        del left["action"]
        for name, field in fields.items():
            match field["type"]:
                case "seat":
                    key = next(key for key, seats in left.items() if is_seats(seats))
                    assert set(left.pop(key)) <= set(match.alive)
                case "word":
                    (key,) = [key for key, words in left.items() if words == field["among"]]
                    del left[key]
                case "text":
                    (unit,) = {"chars", "bytes"} & {key.removeprefix("max_") for key in field}
                    assert left.pop(f"max_{name}_{unit}") == field[f"max_{unit}"]
        assert left == {}, "something is offered that the manifest does not tell"


def is_seats(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, int) for one in value)


def check_move(step: Step, phases: dict[str, Any], told: dict[str, Any]) -> None:
    """A move that counts carries no other fields; a silence is played as it is told."""
    if step.refusal is not None:
        return
    if step.did.by == "timeout":
        silence = phases[step.before.phase]["time"]["silence_plays"]
        played = [e.data["action"] for e in step.events if e.data.get("timeout")]
        played = [action for action in played if isinstance(action, str)]
        assert set(played) <= {silence}
    if step.did.by != "player" or ":" in step.did.move["action"]:
        return
    role = step.before.roles[step.did.seat]
    forfeited = step.after.eliminated[len(step.before.eliminated) :]
    if any(cause == "forfeit" for _, _, cause in forfeited):
        return
    (action,) = [
        action
        for action in phases[step.before.phase]["actions"]
        if action["action"] == step.did.move["action"] and action["by"] in (EVERYBODY, role)
    ]
    carried = {name for name, value in step.did.move.items() if value is not None} - {"action"}
    assert carried <= action["fields"].keys() | told["any_move_may_carry"].keys()
    assert {name for name, field in action["fields"].items() if field["required"]} <= carried


def check_time(step: Step, phases: dict[str, Any]) -> None:
    """A new phase, or turn, has the time that the options named in the manifest give it."""
    match = step.after
    if match.over or (match.phase, match.day) == (step.before.phase, step.before.day):
        return
    told, options = phases[match.phase]["time"], match.options
    if phases[match.phase]["kind"] == "turns":
        assert match.deadline == step.did.at + options[told["turn_ms"]]
        assert told["silences_in_a_row"] in options
    else:
        units = {"_s": 1_000, "minutes": 60_000}
        name = told["longest"]
        (unit,) = [ms for suffix, ms in units.items() if name.endswith(suffix)]
        assert match.deadline == step.did.at + options[name] * unit


def rows(text: str, heading: str) -> Iterator[list[str]]:
    """The rows of the table under a heading."""
    section = text.split(f"## {heading}\n")[1].split("\n## ")[0]
    table = [line for line in section.splitlines() if line.startswith("|")]
    for line in table[2:]:
        yield [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip("|"))]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_rule_page_tells_every_option_every_event_and_every_field(ruleset: str) -> None:
    rules = werewolf.RULESETS[ruleset]
    options = [re.findall(r"`(\w+)`", row[0]) for row in rows(rules.page, "Options")]
    assert [name for names in options for name in names] == [*rules.options]
    schemas = rules.schemas()
    for phase in rules.phases.values():
        _, _, menu = rules.page.partition(f"- in `{phase.name}`\n")
        for who, action in phase.menu:
            head, found, menu = menu.partition(f"  - `{action.name}` (for {who})\n")
            assert found
            assert "- in `" not in head
            fields = {**action.schema(), "properties": {**action.schema()["properties"]}}
            del fields["properties"]["action"]
            assert [line.partition(" (")[0] for line in menu.splitlines()][
                : len(fields["properties"])
            ] == [start.removesuffix(" (") for start in bullets(fields, "    - ")]
    check_fields(rules.page, "Fields of `visible_state`:\n", schemas["visible_state"], "- ")
    for name, event in rules.events.items():
        heading = f"- `{name}` (to {event.recipients.words}): {event.about}\n"
        check_fields(rules.page, heading, schemas["events"][name], "  - ")


def check_fields(page: str, heading: str, schema: dict[str, Any], bullet: str) -> None:
    """Under the heading, the page tells each field of the schema in its order, and no other."""
    _, found, text = page.partition(heading)
    assert found, heading
    expected = [*bullets(schema, bullet)]
    lines = text.splitlines()
    for line, start in zip(lines, expected, strict=False):
        assert line.startswith(start), heading
    assert len(lines) >= len(expected)
    assert not lines[len(expected) :][:1] or not lines[len(expected)].startswith(bullet)


def bullets(schema: dict[str, Any], bullet: str) -> Iterator[str]:
    """How the line of each field begins."""
    for name, field in schema.get("properties", {}).items():
        yield f"{bullet}`{name}`{'' if name in schema['required'] else '?'} ("
        if name != "limits":  # the options, which have a table
            yield from bullets(field, "  " + bullet)
    for inner in (*schema.get("anyOf", ()), schema.get("items")):
        if inner is not None:
            yield from bullets(inner, bullet)


def test_the_comparison_agrees_with_the_registry() -> None:
    text = (ROOT / "docs" / "rules.md").read_text("utf-8")
    told = {
        (ruleset.strip("`"), phase.strip("`")): (kind, {*re.findall(r"`(\w+)`", actions)})
        for ruleset, phase, kind, _, actions in rows(text, "Phases")
    }
    assert told == {
        (rules.id, phase.name): (phase.kind, {action.name for _, action in phase.menu})
        for rules in werewolf.RULESETS.values()
        for phase in rules.phases.values()
    }
    for heading in ("At a glance", "Votes and deaths", "Who sees what"):
        columns = text.split(f"## {heading}\n")[1].splitlines()[0].split("|")[2:-1]
        assert [name.strip(" `") for name in columns] == [*werewolf.RULESETS], heading
    defaults = {
        (row[0].strip("`"), ruleset): cell
        for row in rows(text, "Options and defaults")
        for ruleset, cell in zip(werewolf.RULESETS, row[1:], strict=True)
    }
    for rules in werewolf.RULESETS.values():
        for name, option in rules.options.items():
            assert defaults.pop((name, rules.id)) == shown(option.default), name
    assert set(defaults.values()) == {""}


def shown(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:,}" if isinstance(value, int) else str(value)


# ---- one kernel ----------------------------------------------------------------------------------


def test_the_same_name_means_the_same_everywhere() -> None:
    """Who tells of a match goes by the names of phases and actions, whatever the rule set."""
    told: dict[str, set[object]] = {}
    for rules in werewolf.RULESETS.values():
        for phase in rules.phases.values():
            told.setdefault(phase.name, set()).add((phase.part, phase.secret))
            for _, action in phase.menu:
                told.setdefault(action.name, set()).add(action.told)
    assert [name for name, meanings in told.items() if len(meanings) > 1] == []


def test_nothing_asks_which_rule_set_it_is() -> None:
    """Rule sets differ by what they say of themselves. Nobody compares an id or the name of a
    phase, or keeps a list of them, but the registry."""
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for folder in ("layers/engine", "functions", "client", "local")
        for path in sorted((ROOT / folder).rglob("*.py"))
        if "rulesets" not in path.parts
        for line in asked(path.read_text("utf-8"))
    ]
    assert found == []


@pytest.mark.parametrize(
    ("program", "lines"),
    [
        ("if ruleset == 'arena-1': pass", [1]),
        ("x = match.ruleset != other", [1]),
        ("if name in ('arena-1', 'house-9'): pass", [1]),
        ("match name:\n    case 'arena-1': pass", [2]),
        ("handlers = {'arena-1': 1}", [1]),
        ("played = frozenset({'arena-1', 'house-9'})", [1]),
        ("nights = ('night_wolves', 'night_seer')", [1]),
        ("if turn.phase == 'day_talk': pass", [1]),
        ("if ruleset not in RULESETS: pass", []),
        ("example = 'arena-1'", []),
        ("example = {'arena-1': 'Play to win.'}", []),
    ],
)
def test_it_is_found_where_it_is_asked(program: str, lines: list[int]) -> None:
    assert sorted({*asked(program)}) == lines


def asked(program: str) -> Iterator[int]:
    """The lines on which a program asks which rule set it has before it."""
    for node in ast.walk(ast.parse(program)):
        if isinstance(node, ast.Set | ast.List | ast.Tuple) and _lists_names(node):
            yield node.lineno
        sides: list[ast.AST] = []
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            equal = any(isinstance(op, ast.Eq | ast.NotEq) for op in node.ops)
            if equal and any(_name(side) == "ruleset" for side in sides):
                yield node.lineno
                continue
        elif isinstance(node, ast.MatchValue):
            sides = [node.value]
        elif isinstance(node, ast.Dict):
            pairs = zip(node.keys, node.values, strict=True)
            sides = [key for key, value in pairs if key is not None and not _is_text(value)]
        constants = (c for side in sides for c in ast.walk(side) if isinstance(c, ast.Constant))
        if any(constant.value in NAMES for constant in constants):
            yield node.lineno  # type: ignore[attr-defined]


def _lists_names(node: ast.Set | ast.List | ast.Tuple) -> bool:
    return sum(isinstance(one, ast.Constant) and one.value in NAMES for one in node.elts) > 1


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _name(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")
