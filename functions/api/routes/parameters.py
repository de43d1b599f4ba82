"""Parameters that several routes take."""

from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Path, Query

from protocol import limits
from protocol.terms import Mode

MatchPath = Annotated[
    str,
    Path(
        pattern=f"^{limits.ID}$",
        description="The match",
        json_schema_extra={"examples": ["k3jw7qzm5c2xdn4a"]},
    ),
]
InMode = Annotated[
    Mode,
    Query(
        description="`omniscient` is for the host without a seat, where the match's options allow "
        "it; your first look fixes which it is"
    ),
]
Thinking = Annotated[
    bool, Query(description="Whether to tell what was thought; for omniscient viewers alone")
]
SeatPath = Annotated[
    int,
    Path(ge=0, lt=limits.SEATS, description="A seat number", json_schema_extra={"examples": [3]}),
]
After = Annotated[
    int, Query(ge=0, le=limits.LARGEST_INTEGER, description="The last `seq` that is known already")
]
