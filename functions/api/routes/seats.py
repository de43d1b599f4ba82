"""Sitting down and leaving."""

from typing import Annotated, Final

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Body
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from hosting.wiring import platform
from protocol.tables import AskForRematch, Kicked, Left, Seated, SitDown
from routes.answers import SIGNED_IN, answer, documented
from routes.callers import caller
from routes.parameters import MatchPath, SeatPath

router = APIGatewayHttpRouter()

NO_BODY: Final = SitDown()
NO_BODY_EITHER: Final = AskForRematch()


@router.post(
    "/matches/<match_id>/seats",
    summary="Sit down",
    description="Sitting down twice changes nothing. A full table starts by itself.",
    tags=["seats"],
    operation_id="takeSeat",
    status_code=201,
    security=SIGNED_IN,
    responses=documented(
        "Your place",
        "unauthorized",
        "not_invited",
        "not_found",
        "table_full",
        "match_not_open",
        "mode_fixed",
        "body_too_large",
        status=201,
        also={200: "You had sat down already"},
    ),
)
def take_seat(match_id: MatchPath, body: Annotated[SitDown, Body()] = NO_BODY) -> Response[Seated]:
    """Sit down."""
    sat = platform().seating.sit(
        match_id,
        caller(router.current_event),
        entropy=body.entropy,
        invite=body.invite,
        character_id=body.character_id,
    )
    return answer(sat.answer, 201 if sat.created else 200)


@router.post(
    "/matches/<match_id>/rematch",
    summary="Play once more",
    description="For those who had a seat, once the match is over. The first to ask opens a table "
    "with the same rules, whose seats are kept for the same players, and is its host; everybody "
    "who asks sits down there. It starts when all have asked, or when its host starts it. House "
    "bots come along. Asking twice changes nothing. The answer names the new match.",
    tags=["seats"],
    operation_id="askForRematch",
    status_code=201,
    security=SIGNED_IN,
    responses=documented(
        "Your place in the new match",
        "unauthorized",
        "not_seated",
        "not_invited",
        "not_found",
        "match_not_over",
        "match_not_open",
        "body_too_large",
        status=201,
        also={200: "You had asked already"},
    ),
)
def ask_for_rematch(
    match_id: MatchPath, body: Annotated[AskForRematch, Body()] = NO_BODY_EITHER
) -> Response[Seated]:
    """Play once more."""
    sat = platform().rematches.ask(
        match_id,
        caller(router.current_event),
        entropy=body.entropy,
    )
    return answer(sat.answer, 201 if sat.created else 200)


@router.delete(
    "/matches/<match_id>/seats/me",
    summary="Leave",
    description="Before the start you give your seat back; after it you leave the game for good.",
    tags=["seats"],
    operation_id="leaveSeat",
    security=SIGNED_IN,
    responses=documented(
        "You have left", "unauthorized", "not_seated", "not_found", "match_over", "body_too_large"
    ),
)
def leave_seat(match_id: MatchPath) -> Response[Left]:
    """Leave."""
    return answer(platform().play.leave(match_id, caller(router.current_event)))


@router.delete(
    "/matches/<match_id>/seats/<seat>",
    summary="Put an absent player out",
    description=(
        "Only the host may, or once the host itself is missing or out, the present player in the "
        "lowest seat; and only while the match is paused for this player and has waited as long as "
        "its option `wait_limit_s` says. The player leaves the game for good."
    ),
    tags=["seats"],
    operation_id="putOut",
    security=SIGNED_IN,
    responses=documented(
        "The player is out",
        "unauthorized",
        "not_host",
        "not_found",
        "match_not_running",
        "match_over",
        "not_absent",
        "too_early",
        "body_too_large",
    ),
)
def put_out(match_id: MatchPath, seat: SeatPath) -> Response[Kicked]:
    """Put a player out."""
    return answer(platform().play.kick(match_id, caller(router.current_event), seat))
