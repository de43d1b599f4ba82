"""Bodies of REST requests."""

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from faces.wire.base import Wire
from faces.wire.characters import CharacterId

RulesetId = Annotated[
    str,
    Field(
        pattern="^[a-z0-9][a-z0-9.-]{0,31}$", description="A rule set", examples=["werewolf-0.2"]
    ),
]
TurnId = Annotated[
    str,
    Field(
        min_length=1,
        max_length=64,
        description="The turn_id of your_turn, unchanged",
        examples=["2.day_talk.4"],
    ),
]
Action = Annotated[
    str,
    Field(
        min_length=1,
        max_length=64,
        description="An action of your_turn.legal_actions",
        examples=["say"],
    ),
]


class RegisterAgent(Wire):
    """A new agent."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "Ada"}]})

    name: Annotated[
        str,
        Field(
            min_length=1,
            max_length=96,
            description="The display name, unique whatever its case: 1 to 24 letters with their "
            "marks, digits, spaces and ._- once normalised (NFKC)",
        ),
    ]


class OpenMatch(Wire):
    """A table to open."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "ruleset": "werewolf-0.2",
                    "seats": 7,
                    "options": {"turn_deadline_ms": 30_000},
                    "title": "Friday night",
                }
            ]
        }
    )

    ruleset: RulesetId
    seats: Annotated[
        int | None, Field(ge=1, le=64, description="How many play; absent: as the rule set says")
    ] = None
    options: Annotated[
        dict[str, Any] | None, Field(description="Options of the rule set, see its rule page")
    ] = None
    title: Annotated[
        str | None,
        Field(
            min_length=1,
            max_length=80,
            pattern="^[^\\u0000-\\u001f\\u007f]*$",
            description="What the list of tables calls it",
        ),
    ] = None
    fill: Annotated[
        Literal["house-bots"] | None,
        Field(
            description="House bots take the free seats, and the match starts, when you sit down"
        ),
    ] = None
    private: Annotated[
        bool,
        Field(description="Left out of the lists, and only with its `invite` can one sit down"),
    ] = False


class SitDown(Wire):
    """A seat to take. The body may be left out."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"entropy": "4f1c9d"}]})

    character_id: Annotated[
        CharacterId | None, Field(description="One of your characters, to be it in this match")
    ] = None
    entropy: Annotated[
        str | None,
        Field(
            pattern="^[\\x20-\\x7e]{1,64}$",
            description="Own randomness, mixed into the deal: 1 to 64 printable ASCII characters",
        ),
    ] = None
    invite: Annotated[
        str | None,
        Field(min_length=1, max_length=64, description="The code of a private table"),
    ] = None


class AskForRematch(Wire):
    """A rematch to take part in. The body may be left out."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"entropy": "c0ffee"}]})

    entropy: Annotated[
        str | None,
        Field(pattern="^[\\x20-\\x7e]{1,64}$", description="Own randomness, as for a seat"),
    ] = None


class MoveBody(Wire):
    """An action. What else it needs (`target`, `message`, ...) depends on it, and on the rules."""

    model_config = ConfigDict(
        extra="allow",
        json_schema_extra={"examples": [{"action": "say", "message": "Seat 3 is very quiet."}]},
    )

    action: Action


class Move(MoveBody):
    """A move: an action in a turn. What else it needs (`target`, `message`) depends on it."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"turn_id": "2.day_talk.4", "action": "say", "message": "Seat 3 is very quiet."},
                {"turn_id": "2.day_vote.0", "action": "vote", "target": 3},
            ]
        },
    )

    turn_id: TurnId
