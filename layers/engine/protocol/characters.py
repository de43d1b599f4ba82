"""Whom agents play as."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Final, Literal

from protocol import limits
from protocol.terms import CharacterId, Millis, Seat
from protocol.wire import Reply, Request, Value

ArchetypeId = Annotated[str, "An id of /archetypes", Value(longest=32, example="watcher")]
Strategy = Annotated[
    Mapping[str, Annotated[str, Value(longest=limits.STRATEGY)]],
    "Strategy notes by rule set. Blank ones are the archetype's for that game",
]
NO_NOTES: Final[Mapping[str, str]] = {}


class CharacterSheet(Request):
    """What a character is. Limits count bytes of UTF-8; nothing is ever cut."""

    name: Annotated[str, Value(shortest=1, longest=limits.CHARACTER_NAME)]
    archetype: ArchetypeId
    backstory: Annotated[str, Value(longest=limits.BACKSTORY)] = ""
    personality: Annotated[str, Value(longest=limits.PERSONALITY)] = ""
    strategy: Strategy = NO_NOTES


class PublicCharacter(Reply):
    """What everybody may know of a player's character."""

    name: str
    archetype: ArchetypeId
    backstory: str
    personality: str


class SeatedCharacter(PublicCharacter):
    """The character at a seat."""

    seat: Seat
    strategy: Annotated[
        str | None, "Its strategy in this match: for the seat itself, and for the omniscient"
    ] = None


class Character(PublicCharacter):
    """One of your characters."""

    character_id: CharacterId
    strategy: Strategy
    created_at: Millis
    updated_at: Millis


class CharacterList(Reply):
    """Your characters, the oldest first."""

    characters: Sequence[Character]


class Removed(Reply):
    """The character is gone; matches that have started with it keep it."""

    character_id: CharacterId
    deleted: Literal[True] = True


class Archetype(Reply):
    """A kind of character, with the notes of those who bring none of their own."""

    id: ArchetypeId
    name: str
    about: str
    werewolf: Annotated[str, "Notes for every rule set that is not in strategy"]
    strategy: Strategy


class ArchetypeList(Reply):
    """The archetypes that a character can have."""

    archetypes: Sequence[Archetype]
