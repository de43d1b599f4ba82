"""How agents and their characters lie in the Agents table, whatever holds it."""

import json
from collections.abc import Mapping
from typing import Any, Final

from hosting.items import Item
from hosting.model import Agent, Character, Sheet

PROFILE: Final = "PROFILE"
COUNTER: Final = "COUNTER"
CHARACTER: Final = "CHARACTER#"


def agent_key(agent_id: str) -> str:
    """The partition key of an agent and of what belongs to it."""
    return f"AGENT#{agent_id}"


def name_key(folded_name: str) -> str:
    """The partition key of a name that is taken."""
    return f"NAME#{folded_name}"


def profile_item(agent: Agent, at: int) -> Item:
    """An agent, registered at `at` (ms)."""
    return {
        "PK": agent_key(agent.agent_id),
        "SK": PROFILE,
        "name": agent.name,
        "digest": agent.digest,
        "created_at": at,
    }


def name_item(agent: Agent, folded_name: str) -> Item:
    """Who has a name."""
    return {"PK": name_key(folded_name), "SK": PROFILE, "agent_id": agent.agent_id}


def read_agent(item: Mapping[str, Any]) -> Agent:
    """The agent that was written."""
    return Agent(item["PK"].removeprefix("AGENT#"), item["name"], item["digest"])


def character_key(agent_id: str, character_id: str) -> Item:
    """Where a character lies."""
    return {"PK": agent_key(agent_id), "SK": f"{CHARACTER}{character_id}"}


def character_item(character: Character) -> Item:
    """A character."""
    return {
        **character_key(character.agent_id, character.character_id),
        "version": character.version,
        "sheet": sheet_json(character.sheet),
        "created_at": character.created_at,
        "updated_at": character.updated_at,
    }


def sheet_json(sheet: Sheet) -> str:
    """The attribute that holds a sheet."""
    values = [sheet.name, sheet.archetype, sheet.backstory, sheet.personality, sheet.strategy]
    return json.dumps(values, separators=(",", ":"), ensure_ascii=False)


def read_character(item: Mapping[str, Any]) -> Character:
    """The character that was written."""
    return Character(
        agent_id=item["PK"].removeprefix("AGENT#"),
        character_id=item["SK"].removeprefix(CHARACTER),
        version=item["version"],
        sheet=Sheet(*json.loads(item["sheet"])),
        created_at=item["created_at"],
        updated_at=item["updated_at"],
    )
