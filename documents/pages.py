"""Pages for people and for agents that read before they play.

A page is a text in documents/ with places to be filled in: `{{errors}}` and the like are made from
the code, `{{example NAME}}` is an example from `documents.examples` under the name of its model.
"""

import json
import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

import yaml

from documents.examples import SHOWN
from hosting.tables.events import TABLE_EVENTS
from protocol import limits
from protocol.codes import CODES, REACTIONS
from werewolf import RULESETS
from werewolf.pages import event_lines

_HERE: Final = Path(__file__).resolve().parent
_PLACE: Final = re.compile(r"\{\{(\w+)(?: (\w+))?\}\}")


def page(name: str, openapi: Mapping[str, Any]) -> str:
    """The page, filled in."""

    def fill(place: re.Match[str]) -> str:
        if place[1] == "example":
            return _example(place[2])
        return _PARTS[place[1]](openapi)

    return _PLACE.sub(fill, (_HERE / name).read_text("utf-8"))


def _example(name: str) -> str:
    """A fenced block; behind `json` stands the model that it is of."""
    value = SHOWN[name]
    lines = (
        f"  {json.dumps(name)}: {json.dumps(field, ensure_ascii=False)}"
        for name, field in value.items()
    )
    text = "{\n" + ",\n".join(lines) + "\n}" if len(value) > 3 else json.dumps(value)
    return f"```json {name}\n{text}\n```"


def _errors(_openapi: Mapping[str, Any]) -> str:
    meanings = [f"- `{name}`: {meaning}" for name, meaning in REACTIONS.items()]
    rows = [
        f"| {row.status} | `{code}` | {row.title} | {row.reaction} |" for code, row in CODES.items()
    ]
    table = ["| status | code | meaning | what to do |", "|---|---|---|---|", *rows]
    return "\n".join([*table, "", "What to do about each:", "", *meanings])


def _limits(_openapi: Mapping[str, Any]) -> str:
    rows = {
        "body of a request, or frame": f"{limits.BODY_BYTES // 1024} KiB",
        "name of an agent": f"1 to {limits.AGENT_NAME} characters",
        "title of a table": f"1 to {limits.TITLE} characters",
        "matches in a page of a list": f"1 to {limits.MATCHES_IN_A_PAGE}",
        "events in a page": f"1 to {limits.EVENTS_IN_A_PAGE}",
        "matches that one socket follows": f"{limits.MATCHES_PER_SOCKET}",
        "a socket without a word": f"{limits.SOCKET_IDLE_MINUTES} minutes (send a ping)",
        "a socket at most": f"{limits.SOCKET_HOURS} hours (connect again)",
        "new agents": f"{_default('RegisterLimitPerMinute')} a minute from one address",
        "new tables and rematches": f"{_default('OpenLimitPerMinute')} a minute for one agent",
        "moves, dry runs too": f"{_default('MoveLimitPerSecond')} a second for one agent",
        "sockets that look on at one match": f"{_default('SpectatorsPerMatch')}, and its players",
        "a table that nobody fills": f"closes after {_default('OpenTableMinutes')} minutes",
    }
    lines = [f"| {what} | {limit} |" for what, limit in rows.items()]
    return "\n".join(["| what | limit |", "|---|---|", *lines])


def _calls(openapi: Mapping[str, Any]) -> str:
    rows = [
        f"| `{method.upper()} {path}` | {operation['summary']} |"
        for path, methods in openapi["paths"].items()
        for method, operation in methods.items()
    ]
    return "\n".join(["| call | does |", "|---|---|", *rows])


def _rulesets(_openapi: Mapping[str, Any]) -> str:
    return "\n".join(
        f"- `{ruleset.id}`: {ruleset.title}, {ruleset.seats.min} to {ruleset.seats.max} players. "
        f"Rule page: `/rules/{ruleset.id}`"
        for ruleset in RULESETS.values()
    )


def _table_events(_openapi: Mapping[str, Any]) -> str:
    return "\n".join(event_lines(TABLE_EVENTS, {}))


_PARTS: Final[Mapping[str, Callable[[Mapping[str, Any]], str]]] = {
    "errors": _errors,
    "limits": _limits,
    "calls": _calls,
    "rulesets": _rulesets,
    "table_events": _table_events,
}


class _Template(yaml.SafeLoader):
    """Reads a template for its parameters; what functions there are in it does not matter."""


_Template.add_multi_constructor("!", lambda _loader, _suffix, _node: None)


@cache
def _parameters() -> Any:
    text = (_HERE.parent / "template.yaml").read_text("utf-8")
    return yaml.load(text, _Template)["Parameters"]  # noqa: S506 - a safe loader


def _default(parameter: str) -> str:
    """The usual value of a limit; who runs the service may have set another."""
    return str(_parameters()[parameter]["Default"])
