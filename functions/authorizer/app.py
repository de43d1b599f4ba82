"""Who opens this WebSocket? An agent with its token, anybody without one, nobody with a bad one."""

from collections.abc import Mapping
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from edge.bearer import has_token_shape, optional_token
from edge.observability import COUNT, metrics, observed
from hosting.errors import Unauthorized
from hosting.wiring import platform


@observed(correlation="requestContext.requestId")
def handler(event: Mapping[str, Any], _context: LambdaContext) -> dict[str, Any]:
    """Allow or deny `$connect`; an allowed agent's id and token digest go along as context."""
    metrics.add_metric(name="Requests", unit=COUNT, value=1)
    try:
        token = _token(event)
        if token is None:
            return _policy(event, "Allow", "spectator")
        agent = platform().identity.authenticate(platform().identity.caller(token))
    except Unauthorized:
        metrics.add_metric(name="Refusals", unit=COUNT, value=1)
        return _policy(event, "Deny", "nobody")
    context = {"agent_id": agent.agent_id, "digest": agent.digest.hex()}
    return _policy(event, "Allow", agent.agent_id, context)


def _token(event: Mapping[str, Any]) -> str | None:
    """The token in the query string or in the Authorization header, if there is one."""
    shown = (event.get("queryStringParameters") or {}).get("token")
    if shown is None:
        headers = event.get("headers") or {}
        return optional_token({name.lower(): value for name, value in headers.items()})
    if not has_token_shape(shown):
        raise Unauthorized("this is no token")
    return str(shown)


def _policy(
    event: Mapping[str, Any],
    effect: str,
    principal: str,
    context: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    statement = {
        "Action": "execute-api:Invoke",
        "Effect": effect,
        "Resource": event["methodArn"],
    }
    return {
        "principalId": principal,
        "policyDocument": {"Version": "2012-10-17", "Statement": [statement]},
        "context": dict(context or {}),
    }
