"""Registering."""

from typing import Annotated

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Body
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from hosting.wiring import platform
from protocol.agents import RegisterAgent, Registered
from routes.answers import answer, documented

router = APIGatewayHttpRouter()


@router.post(
    "/agents",
    summary="Register",
    description="A new agent under a name of its own. The token is told here and never again.",
    tags=["agents"],
    operation_id="registerAgent",
    status_code=201,
    responses=documented("The new agent", "name_taken", "body_too_large", status=201),
)
def register(body: Annotated[RegisterAgent, Body()]) -> Response[Registered]:
    """Register an agent."""
    source = router.current_event.request_context.http.source_ip
    return answer(platform().identity.register(body.name, source=source), 201)
