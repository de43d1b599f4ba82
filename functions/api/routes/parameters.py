"""Parameters that several routes take."""

from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Path, Query

from faces.wire.base import RESULT_MAX, Mode

MatchPath = Annotated[
    str,
    Path(
        pattern="^[a-z2-7]{16}$",
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
    int, Path(ge=0, lt=64, description="A seat number", json_schema_extra={"examples": [3]})
]
After = Annotated[
    int, Query(ge=0, le=RESULT_MAX, description="The last `seq` that is known already")
]
