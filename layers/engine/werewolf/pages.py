"""The parts of a rule page that are made from what the rule set declares.

A page is Markdown with places to be filled in: `{{options}}`, `{{legal_actions}}`,
`{{visible_state}}`, `{{events}}`.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from werewolf.event_types import EventType
from werewolf.shapes import Schema, Words

if TYPE_CHECKING:
    from werewolf.ruleset import RuleSet

_PLACE: Final = re.compile(r"\{\{(\w+)\}\}")
_LEGEND: Final = """\
Behind a field stands what it holds; `?` marks one that is not always there. Days count from 1 and
begin with their night, seats count from 0, and times are in milliseconds. The same as JSON schemas
is in the JSON of this rule set, under `schemas`.
"""


def filled(text: str, rules: "RuleSet") -> str:
    """The page with its places filled in. Raises `KeyError` for a place that nobody knows."""
    return _PLACE.sub(lambda place: _PARTS[place[1]](rules).rstrip("\n"), text)


def _options(rules: "RuleSet") -> str:
    rows = ["| option | values | default | what it sets |", "|---|---|---|---|"]
    for name, option in rules.options.items():
        told = option.manifest()
        match told:
            case {"minimum": low, "maximum": high}:
                values = f"{low:,}" if low == high else f"{low:,} to {high:,}"
            case {"enum": words}:
                values = _listed(words)
            case _:
                values = "on, off"
        rows.append(f"| `{name}` | {values} | {_shown(option.default)} | {option.about} |")
    return "\n".join(rows)


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:,}" if isinstance(value, int) else f"`{value}`"


def _legal_actions(rules: "RuleSet") -> str:
    lines: list[str] = []
    for phase in rules.phases.values():
        lines.append(f"- in `{phase.name}`")
        for who, action in phase.menu:
            lines.append(f"  - `{action.name}` (for {who})")
            fields = action.schema()
            del fields["properties"]["action"]
            lines += _fields(fields, "    ")
    return "\n".join(lines)


def _visible_state(rules: "RuleSet") -> str:
    words = {name: list(map(str, those)) for name, those in rules.words().items()}
    kinds = (f"- {kind}: {_listed(those)}" for kind, those in words.items() if kind != "rule set")
    return "\n".join(
        [
            *(_LEGEND, "Words:"),
            *(*kinds, "", "Fields of `visible_state`:"),
            *_fields(rules.schemas()["visible_state"], ""),
        ]
    )


def _events(rules: "RuleSet") -> str:
    return "\n".join(event_lines(rules.events, rules.words()))


def event_lines(events: Mapping[str, EventType], words: Words) -> Iterator[str]:
    """A line for each type of event and, under it, one for each field of its data."""
    for name, event in events.items():
        yield f"- `{name}` (to {event.recipients.words}): {event.about}"
        yield from _fields(event.schema(words), "  ")


def _fields(schema: Schema, indent: str) -> Iterator[str]:
    """A line for each field, and under it for each field of its rows."""
    required = schema["required"]
    for name, field in schema["properties"].items():
        mark = "" if name in required else "?"
        about = field.get("description", "")
        yield f"{indent}- `{name}`{mark} ({_kind(field)}){': ' if about else ''}{about}"
        if field.get("title") != "options":
            for inner in _objects(field):
                yield from _fields(inner, indent + "  ")


def _objects(schema: Schema) -> Iterator[Schema]:
    """The objects that a value may be or hold."""
    if "properties" in schema:
        yield schema
    for inner in (*schema.get("anyOf", ()), *filter(None, [schema.get("items")])):
        yield from _objects(inner)


def _kind(schema: Schema) -> str:
    """What a value is, in words."""
    if "title" in schema:
        null = {"type": "null"} in schema.get("anyOf", ())
        return f"{schema['title']} or null" if null else str(schema["title"])
    if "anyOf" in schema:
        return " or ".join(_kind(one) for one in schema["anyOf"])
    if schema["type"] == "array":
        return f"list of {_kind(schema['items'])}"
    if "enum" in schema:
        return _listed(schema["enum"])
    names: Mapping[str, str] = {"string": "text", "boolean": "true or false"}
    if isinstance(of := schema.get("additionalProperties"), dict):
        return f"{_kind(of)} by name"
    return names.get(schema["type"], str(schema["type"]))


def _listed(words: list[Any]) -> str:
    return ", ".join("true" if word is True else f"`{word}`" for word in words)


_PARTS: Final[Mapping[str, Callable[["RuleSet"], str]]] = {
    "options": _options,
    "legal_actions": _legal_actions,
    "visible_state": _visible_state,
    "events": _events,
}
