"""The description of this API."""

from functools import cache
from typing import Any, cast

from aws_lambda_powertools.event_handler import APIGatewayHttpResolver, Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from routes.answers import JSON, PUBLIC

router = APIGatewayHttpRouter()


@router.get("/openapi.json", include_in_schema=False, compress=True)
def read_openapi() -> Response[Any]:
    """The OpenAPI 3.1 document of this API."""
    return Response(200, JSON, _document(), headers=dict(PUBLIC))


@cache
def _document() -> str:
    from openapi import document  # only this one call needs it

    return document(cast(APIGatewayHttpResolver, router.api_resolver))
