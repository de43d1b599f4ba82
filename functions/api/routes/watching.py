"""What a viewer may know: a seat with its token, the host omnisciently, else a spectator."""

from typing import Annotated, Final

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Query
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from hosting.wiring import platform
from protocol import limits
from protocol.play import EventPage, MatchState
from protocol.replay import Replay
from routes.answers import (
    ANYBODY,
    BYTES,
    JSON,
    Piece,
    answer,
    answer_tagged,
    documented,
    known_tags,
    only,
)
from routes.callers import viewer
from routes.parameters import After, InMode, MatchPath, Thinking

MODES: Final = ("omniscient_not_allowed", "mode_fixed")
NOTHING_NEW: Final = {304: "Nothing new for you"}

router = APIGatewayHttpRouter()


@router.get(
    "/matches/<match_id>/state",
    summary="Look at the game",
    description="As your seat with your token, else as a spectator. Send If-None-Match with the "
    "last ETag to hear only of what is new, and wait for Retry-After seconds before you ask again.",
    tags=["watching"],
    operation_id="readState",
    security=ANYBODY,
    responses=documented(
        "The game as you see it",
        "unauthorized",
        "not_found",
        *MODES,
        also=NOTHING_NEW,
    ),
)
def read_state(
    match_id: MatchPath, mode: InMode = "mystery", thinking: Thinking = False
) -> Response[MatchState]:
    """Look at the game."""
    event = router.current_event
    known = known_tags(event.headers.get("if-none-match"))
    watched = platform().states.state(
        match_id, viewer(event), etag=only(known), mode=mode, thinking=thinking
    )
    return answer_tagged(watched.body, watched.etag, known, watched.poll_after)


@router.get(
    "/matches/<match_id>/events",
    summary="Read on",
    description="Your events after a sequence number, in order. Retry-After tells when it is worth "
    "asking for more: at once while `more` is true.",
    tags=["watching"],
    operation_id="readEvents",
    security=ANYBODY,
    responses=documented("A page of events", "unauthorized", "not_found", *MODES, also=NOTHING_NEW),
)
def read_events(
    match_id: MatchPath,
    after: After = 0,
    limit: Annotated[
        int, Query(ge=1, le=limits.EVENTS_IN_A_PAGE, description="How many at most")
    ] = 200,
    mode: InMode = "mystery",
    thinking: Thinking = False,
) -> Response[EventPage]:
    """Read on."""
    event = router.current_event
    known = known_tags(event.headers.get("if-none-match"))
    read = platform().event_pages.read_on(
        match_id,
        viewer(event),
        after=after,
        limit=limit,
        etag=only(known),
        mode=mode,
        thinking=thinking,
    )
    return answer_tagged(read.body, read.etag, known, read.poll_after)


@router.get(
    "/matches/<match_id>/replay",
    summary="Read the whole match",
    description=(
        "Once it is over: the seed, every move and every event with its audience. One that is too "
        "long for one answer is had in parts: `part=1` and on, as long as the header `Link` names "
        "a next one. They are pieces of the same file, to be joined as they are."
    ),
    tags=["watching"],
    operation_id="readReplay",
    compress=True,
    responses={
        **documented("Everything", "not_found", "match_not_over", "replay_in_parts"),
        200: {
            "description": "Everything; or, with `part`, a piece of the file",
            "content": {
                JSON: {"model": Replay},
                BYTES: {"schema": {"type": "string", "format": "binary"}},
            },
        },
    },
)
def read_replay(
    match_id: MatchPath,
    part: Annotated[
        int | None, Query(ge=1, le=1_000, description="Which piece of the file, from 1")
    ] = None,
) -> Response[Replay]:
    """Read the whole match."""
    if part is None:
        return answer(platform().replays.replay(match_id))
    content, more = platform().replays.replay_part(match_id, part)
    raise Piece(content, following=f"?part={part + 1}" if more else None)
