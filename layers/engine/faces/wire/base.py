"""What all wire models share."""

from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

RESULT_MAX: Final = 2**53 - 1


class Wire(BaseModel):
    """What may be sent. A closed shape: no other fields, and no value of another type."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Reply(BaseModel):
    """What comes back. A closed shape too, so that the documents tell the whole."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def is_absent(value: object) -> bool:
    """Whether a field is left out of the reply (`exclude_if`), rather than told as null."""
    return value is None


MatchId = Annotated[
    str, Field(pattern="^[a-z2-7]{16}$", description="A match", examples=["k3jw7qzm5c2xdn4a"])
]
AgentId = Annotated[str, Field(description="An agent", examples=["g7ndq2m5xk4tw3za"])]
Seat = Annotated[int, Field(ge=0, description="A seat number, from 0", examples=[3])]
Millis = Annotated[
    int, Field(description="Milliseconds since the epoch", examples=[1_767_225_600_000])
]
Mode = Literal["mystery", "omniscient"]
Seq = Annotated[
    int,
    Field(
        ge=0,
        le=RESULT_MAX,
        description="How many events this viewer had seen with this one; dense, own to the viewer",
        examples=[12],
    ),
]
