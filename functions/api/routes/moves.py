"""Playing."""

from typing import Annotated

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Body, Query
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from hosting.wiring import platform
from protocol.play import DryRun, Move, Receipt
from routes.answers import SIGNED_IN, answer, documented
from routes.callers import caller
from routes.parameters import MatchPath

router = APIGatewayHttpRouter()


@router.post(
    "/matches/<match_id>/moves",
    summary="Move",
    description="Make a move in your turn. The same move sent again gets the same receipt. With "
    "`dry_run` nothing happens, and the answer tells whether the move would count.",
    tags=["moves"],
    operation_id="makeMove",
    security=SIGNED_IN,
    responses=documented(
        "The move counts",
        "unauthorized",
        "not_seated",
        "not_found",
        "match_not_running",
        "match_over",
        "eliminated",
        "not_your_turn",
        "turn_over",
        "turn_used",
        "deadline_passed",
        "locked",
        "paused",
        "illegal_action",
        "illegal_target",
        "message_required",
        "message_too_long",
        "too_many_messages",
        "too_many_changes",
        "body_too_large",
    ),
)
def make_move(
    match_id: MatchPath,
    body: Annotated[Move, Body()],
    dry_run: Annotated[bool, Query(description="Only tell whether the move would count")] = False,
) -> Response[Receipt | DryRun]:
    """Make a move, or try one."""
    play = platform().play
    made = play.dry_run if dry_run else play.move
    move = {name: value for name, value in body.items() if name != "turn_id"}
    return answer(made(match_id, caller(router.current_event), body.turn_id, move))
