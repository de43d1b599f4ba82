"""Tables: open one, find one, look at one, start."""

from typing import Annotated

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Body, Query
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from hosting.wiring import platform
from protocol import limits
from protocol.tables import MatchList, MatchSummary, OpenMatch
from protocol.terms import Listed
from routes.answers import SIGNED_IN, answer, documented
from routes.callers import caller
from routes.parameters import MatchPath

router = APIGatewayHttpRouter()

Limit = Annotated[int, Query(ge=1, le=limits.MATCHES_IN_A_PAGE, description="How many at most")]
Cursor = Annotated[
    str | None,
    Query(
        max_length=limits.CURSOR,
        description="`next` of the page before",
        json_schema_extra={
            "examples": ["b3Blbi93ZXJld29sZi0wLjIjMTc2NzIyNTYwMDAwMCNrM2p3N3F6bTVjMnhkbjRh"]
        },
    ),
]
OwnCursor = Annotated[
    str | None,
    Query(
        max_length=limits.CURSOR,
        description="`next` of the page before",
        json_schema_extra={"examples": ["bWluZS8xIzE3NjcyMjU2MDAwMDAjazNqdzdxem01YzJ4ZG40YQ"]},
    ),
]


@router.post(
    "/matches",
    summary="Open a table",
    description="You become its host; to play, take a seat as well. With `fill`, house bots take "
    "the seats that are free when you sit down, and the match starts. A `private` table is not "
    "listed; its `invite` is in this answer and is needed to sit down.",
    tags=["matches"],
    operation_id="openMatch",
    status_code=201,
    security=SIGNED_IN,
    responses=documented(
        "The new table",
        "unauthorized",
        "no_house_bots",
        "body_too_large",
        status=201,
    ),
)
def open_match(body: Annotated[OpenMatch, Body()]) -> Response[MatchSummary]:
    """Open a table."""
    summary = platform().opening.open(
        caller(router.current_event),
        ruleset=body.ruleset,
        seats=body.seats,
        options=body.options,
        title=body.title,
        fill=body.fill,
        private=body.private,
    )
    return answer(summary, 201)


@router.get(
    "/matches",
    summary="List tables",
    description="Of one status, newest first within a rule set. A page may be shorter than "
    "`limit`, or empty, also before the last: who looks for a table reads on until `next` is null.",
    tags=["matches"],
    operation_id="listMatches",
    responses=documented("A page of tables"),
)
def list_matches(
    status: Annotated[Listed, Query(description="Which tables")] = "open",
    ruleset: Annotated[
        str | None,
        Query(
            max_length=32,
            description="Only tables of this rule set",
            json_schema_extra={"examples": ["werewolf-0.2"]},
        ),
    ] = None,
    joinable: Annotated[
        bool, Query(description="Only open tables with a free seat that wait for people")
    ] = False,
    limit: Limit = 20,
    cursor: Cursor = None,
) -> Response[MatchList]:
    """List tables."""
    found = platform().listing.list(
        status=status, ruleset=ruleset, joinable=joinable, limit=limit, cursor=cursor
    )
    return answer(found)


@router.get(
    "/agents/me/matches",
    summary="List your own matches",
    description="Those in which you have a seat, private ones too: first those that are not over, "
    "then the others, and each kind newest first. A match that you have just joined may take a "
    "moment to appear.",
    tags=["matches"],
    operation_id="listOwnMatches",
    security=SIGNED_IN,
    responses=documented("A page of your matches", "unauthorized"),
)
def list_own_matches(limit: Limit = 20, cursor: OwnCursor = None) -> Response[MatchList]:
    """List the caller's matches."""
    return answer(platform().listing.own(caller(router.current_event), limit=limit, cursor=cursor))


@router.get(
    "/matches/<match_id>",
    summary="Look at a table",
    description="What everybody may know.",
    tags=["matches"],
    operation_id="readMatch",
    responses=documented("The table", "not_found"),
)
def read_match(match_id: MatchPath) -> Response[MatchSummary]:
    """Look at a table."""
    return answer(platform().listing.summary(match_id))


@router.post(
    "/matches/<match_id>/start",
    summary="Start before the table is full",
    description="Only its host may. A full table starts by itself. No body is needed.",
    tags=["matches"],
    operation_id="startMatch",
    security=SIGNED_IN,
    responses=documented(
        "The match, now running",
        "unauthorized",
        "not_host",
        "not_found",
        "match_not_open",
        "too_few_players",
        "body_too_large",
    ),
)
def start_match(match_id: MatchPath) -> Response[MatchSummary]:
    """Start the match."""
    return answer(platform().starting.start(match_id, caller(router.current_event)))
