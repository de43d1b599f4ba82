"""Characters: one's own, and the archetypes that they can have."""

from typing import Annotated, Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Body, Path
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from hosting.identity.archetypes import archetypes
from hosting.wiring import platform
from protocol import limits
from protocol.characters import ArchetypeList, Character, CharacterList, CharacterSheet, Removed
from routes.answers import PUBLIC, SIGNED_IN, answer, documented
from routes.callers import caller

router = APIGatewayHttpRouter()

CharacterPath = Annotated[
    str,
    Path(
        pattern=f"^{limits.ID}$",
        description="The character",
        json_schema_extra={"examples": ["m4ktq2xn7c5wdz3a"]},
    ),
]


@router.post(
    "/characters",
    summary="Create a character",
    description="Sit down with it to be it. A match keeps what it is when the match starts.",
    tags=["characters"],
    operation_id="createCharacter",
    status_code=201,
    security=SIGNED_IN,
    responses=documented(
        "Your new character",
        "unauthorized",
        "too_many_characters",
        "body_too_large",
        status=201,
    ),
)
def create_character(body: Annotated[CharacterSheet, Body()]) -> Response[Character]:
    """Create a character."""
    return answer(platform().characters.create(caller(router.current_event), body), 201)


@router.get(
    "/characters",
    summary="List your characters",
    description="The oldest first.",
    tags=["characters"],
    operation_id="listCharacters",
    security=SIGNED_IN,
    responses=documented("Your characters", "unauthorized"),
)
def list_characters() -> Response[CharacterList]:
    """List one's own characters."""
    return answer(platform().characters.list(caller(router.current_event)))


@router.get(
    "/characters/<character_id>",
    summary="Read a character",
    description="One of your own.",
    tags=["characters"],
    operation_id="readCharacter",
    security=SIGNED_IN,
    responses=documented("Your character", "unauthorized", "not_found"),
)
def read_character(character_id: CharacterPath) -> Response[Character]:
    """Read one of one's own characters."""
    return answer(platform().characters.read(caller(router.current_event), character_id))


@router.put(
    "/characters/<character_id>",
    summary="Rewrite a character",
    description="The sheet is replaced whole. Matches that have started keep what they have.",
    tags=["characters"],
    operation_id="updateCharacter",
    security=SIGNED_IN,
    responses=documented(
        "Your character as it is now", "unauthorized", "not_found", "body_too_large"
    ),
)
def update_character(
    character_id: CharacterPath, body: Annotated[CharacterSheet, Body()]
) -> Response[Character]:
    """Rewrite a character."""
    return answer(platform().characters.update(caller(router.current_event), character_id, body))


@router.delete(
    "/characters/<character_id>",
    summary="Delete a character",
    description="Matches that have started with it keep it.",
    tags=["characters"],
    operation_id="deleteCharacter",
    security=SIGNED_IN,
    responses=documented("It is gone", "unauthorized", "not_found", "body_too_large"),
)
def delete_character(character_id: CharacterPath) -> Response[Removed]:
    """Delete a character."""
    return answer(platform().characters.delete(caller(router.current_event), character_id))


@router.get(
    "/archetypes",
    summary="List the archetypes",
    description="What a character can be, with strategy notes for those who bring none.",
    tags=["characters"],
    operation_id="listArchetypes",
    responses=documented("The archetypes"),
)
def list_archetypes() -> Response[ArchetypeList]:
    """List the archetypes."""
    rows: list[dict[str, Any]] = [
        {
            "id": archetype.id,
            "name": archetype.name,
            "about": archetype.about,
            "werewolf": archetype.werewolf,
            "strategy": archetype.strategy,
        }
        for archetype in archetypes().values()
    ]
    return answer({"archetypes": rows}, headers=PUBLIC)
