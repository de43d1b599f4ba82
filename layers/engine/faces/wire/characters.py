"""Characters and archetypes on the wire."""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from faces.wire.base import Millis, Reply, Seat, Wire, is_absent

CharacterId = Annotated[
    str, Field(pattern="^[a-z2-7]{16}$", description="A character", examples=["m4ktq2xn7c5wdz3a"])
]
ArchetypeId = Annotated[
    str, Field(max_length=32, description="An id of /archetypes", examples=["watcher"])
]
Strategy = Annotated[
    dict[str, Annotated[str, Field(max_length=1_500)]],
    Field(description="Strategy notes by rule set. Blank ones are the archetype's for that game"),
]


class CharacterSheet(Wire):
    """What a character is. Limits count bytes of UTF-8; nothing is ever cut."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "name": "Mother Hulda",
                    "archetype": "shepherd",
                    "backstory": "Kept the inn at the crossroads for thirty winters.",
                    "personality": "Warm, patient, and never in debt.",
                    "strategy": {"house-9": "Hand the floor to those who have said nothing."},
                }
            ]
        }
    )

    name: Annotated[str, Field(min_length=1, max_length=40)]
    archetype: ArchetypeId
    backstory: Annotated[str, Field(max_length=1_000)] = ""
    personality: Annotated[str, Field(max_length=500)] = ""
    strategy: Strategy = Field(default_factory=dict)


class Character(Reply):
    """One of your characters."""

    character_id: CharacterId
    name: str
    archetype: ArchetypeId
    backstory: str
    personality: str
    strategy: Strategy
    created_at: Millis
    updated_at: Millis


class CharacterList(Reply):
    """Your characters, the oldest first."""

    characters: list[Character]


class Removed(Reply):
    """The character is gone; matches that have started with it keep it."""

    character_id: CharacterId
    deleted: Literal[True]


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
        str | None,
        Field(
            description="Its strategy in this match: for the seat itself, and for the omniscient",
            exclude_if=is_absent,
        ),
    ] = None


class Archetype(Reply):
    """A kind of character, with the notes of those who bring none of their own."""

    id: ArchetypeId
    name: str
    about: str
    werewolf: Annotated[str, Field(description="Notes for every rule set that is not in strategy")]
    strategy: Strategy


class ArchetypeList(Reply):
    """The archetypes that a character can have."""

    archetypes: list[Archetype]
