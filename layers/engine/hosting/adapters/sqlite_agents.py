"""Agents, their names, counters, and their characters, in SQLite."""

from collections.abc import Sequence

from hosting.adapters.agent_items import (
    CHARACTER,
    COUNTER,
    PROFILE,
    agent_key,
    character_item,
    character_key,
    name_item,
    name_key,
    profile_item,
    read_agent,
    read_character,
    sheet_json,
)
from hosting.adapters.sqlite import AGENTS, Database, Items
from hosting.model import Agent, Character, Sheet, Unchanged


class SqliteAgents:
    """The agents table."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def create(self, agent: Agent, folded_name: str, at: int) -> bool:
        """Write the profile and the name; the name must be new, or this agent's."""
        with self._database.writing() as items:
            holder = items.get(AGENTS, name_key(folded_name), PROFILE)
            if holder is None:
                items.put(AGENTS, profile_item(agent, at))
                items.put(AGENTS, name_item(agent, folded_name))
            return holder is None or holder["agent_id"] == agent.agent_id

    def agent(self, agent_id: str) -> Agent | None:
        """The agent's profile."""
        with self._database.reading() as items:
            item = items.get(AGENTS, agent_key(agent_id), PROFILE)
        return None if item is None else read_agent(item)

    def count(self, key: str, *, expires_at: int) -> int:
        """Add one to a counter."""
        with self._database.writing() as items:
            item = items.get(AGENTS, key, COUNTER) or {"PK": key, "SK": COUNTER, "count": 0}
            count = int(str(item["count"])) + 1
            items.put(AGENTS, {**item, "count": count, "ttl": expires_at // 1000})
        return count


class SqliteCharacters:
    """The characters in the agents table."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, character: Character, *, most: int) -> bool:
        """Write the character and count it, if its agent has room for it."""
        with self._database.writing() as items:
            if _read(items, character.agent_id, character.character_id) is not None:
                return True
            if not _count(items, character.agent_id, 1, most=most):
                return False
            items.put(AGENTS, character_item(character))
            return True

    def character(self, agent_id: str, character_id: str) -> Character | None:
        """The character's item."""
        with self._database.reading() as items:
            return _read(items, agent_id, character_id)

    def characters(self, agent_id: str) -> list[Character]:
        """All characters of an agent."""
        first, behind = CHARACTER, CHARACTER[:-1] + chr(ord(CHARACTER[-1]) + 1)
        with self._database.reading() as items:
            found = items.find(
                AGENTS, "pk = ? AND sk > ? AND sk < ?", agent_key(agent_id), first, behind
            )
        return [*map(read_character, found)]

    def brought(self, wanted: Sequence[tuple[str, str]]) -> list[Character | None]:
        """Characters of several agents."""
        with self._database.reading() as items:
            return [_read(items, *one) for one in wanted]

    def rewrite(self, agent_id: str, character_id: str, sheet: Sheet, at: int) -> Character | None:
        """Replace the sheet and move the version on."""
        with self._database.writing() as items:
            item = items.get(AGENTS, **_key(agent_id, character_id))
            if item is None:
                return None
            version = int(str(item["version"])) + 1
            item |= {"sheet": sheet_json(sheet), "updated_at": at, "version": version}
            items.put(AGENTS, item)
        return read_character(item)

    def remove(self, agent_id: str, character_id: str) -> bool:
        """Delete the character, which must be there, and count it no longer."""
        with self._database.writing() as items:
            if _read(items, agent_id, character_id) is None:
                return False
            items.remove(AGENTS, **_key(agent_id, character_id))
            return _count(items, agent_id, -1)


def still_as_read(items: Items, character: Unchanged) -> bool:
    """Whether the character is at this version still, or still not there."""
    found = _read(items, character.agent_id, character.character_id)
    return character.version == (None if found is None else found.version)


def _count(items: Items, agent_id: str, change: int, *, most: int | None = None) -> bool:
    """Change the number of characters in the profile. False without a profile, or room."""
    profile = items.get(AGENTS, agent_key(agent_id), PROFILE)
    if profile is None:
        return False
    count = int(str(profile.get("characters", 0)))
    if most is not None and count >= most:
        return False
    items.put(AGENTS, {**profile, "characters": count + change})
    return True


def _read(items: Items, agent_id: str, character_id: str) -> Character | None:
    item = items.get(AGENTS, **_key(agent_id, character_id))
    return None if item is None else read_character(item)


def _key(agent_id: str, character_id: str) -> dict[str, str]:
    key = character_key(agent_id, character_id)
    return {"pk": str(key["PK"]), "sk": str(key["SK"])}
