"""Who is calling, as far as the request says so."""

from aws_lambda_powertools.utilities.data_classes import APIGatewayProxyEventV2

from edge.bearer import optional_token, required_token
from hosting.model import Caller
from hosting.wiring import platform


def caller(event: APIGatewayProxyEventV2) -> Caller:
    """Who shows a token. Raises a refusal (`unauthorized`) when nobody does."""
    return platform().identity.caller(required_token(event.headers))


def viewer(event: APIGatewayProxyEventV2) -> Caller | None:
    """Who shows a token, or None for anybody. A token of another shape is refused."""
    token = optional_token(event.headers)
    return None if token is None else platform().identity.caller(token)
