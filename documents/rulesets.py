"""What rule sets declare, as schemas of the documents: visible states, legal actions and events."""

from collections.abc import Mapping
from typing import Any

from hosting.tables.events import TABLE_EVENTS
from werewolf import RULESETS
from werewolf.shapes import Schema


def add_rulesets(schemas: dict[str, Any]) -> None:
    """Add a schema for each thing that a rule set tells, and have the replies point at them.

    `<rule set>.visible_state`, `<rule set>.legal_action` and `<rule set>.event`, which has the
    `type` and the `data` of an event; `table.event` has those of events outside the game.
    """
    states: list[Schema] = []
    actions: list[Schema] = []
    events: list[Schema] = []
    for rules in RULESETS.values():
        told = rules.schemas()
        schemas[f"{rules.id}.visible_state"] = told["visible_state"]
        schemas[f"{rules.id}.legal_action"] = told["legal_actions"]["items"]
        schemas[f"{rules.id}.event"] = _either(told["events"])
        states.append(_reference(f"{rules.id}.visible_state"))
        actions.append(_reference(f"{rules.id}.legal_action"))
        events.append(_reference(f"{rules.id}.event"))
    schemas["table.event"] = _either({n: event.schema({}) for n, event in TABLE_EVENTS.items()})
    _narrow(schemas, "MatchState", "visible_state", {"anyOf": [*states, {"type": "null"}]})
    _narrow(schemas, "Turn", "legal_actions", {"type": "array", "items": {"anyOf": actions}})
    for name, more in (("SeenEvent", [_reference("table.event")]), ("ReplayEvent", [])):
        if name in schemas:
            schemas[name]["anyOf"] = [*events, *more]


def _either(events: Mapping[str, Schema]) -> Schema:
    """An event of one of these types."""
    return {
        "oneOf": [
            {
                "type": "object",
                "properties": {"type": {"type": "string", "enum": [name]}, "data": data},
                "required": ["type", "data"],
            }
            for name, data in events.items()
        ]
    }


def _narrow(schemas: dict[str, Any], name: str, field: str, schema: Schema) -> None:
    """The field is this; its title and description stay."""
    properties = schemas.get(name, {}).get("properties", {})
    if field in properties:
        told = properties[field]
        kept = {key: told[key] for key in ("title", "description") if key in told}
        properties[field] = {**schema, **kept}


def _reference(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}
