"""The OpenAPI 3.1 document, made from the routes and the wire models."""

import json
from typing import Any, Final

from aws_lambda_powertools.event_handler import APIGatewayHttpResolver
from aws_lambda_powertools.event_handler.openapi.models import HTTPBearer, Tag

from faces.problems import PROBLEM_JSON, title
from werewolf.replay import canonical

DESCRIPTION: Final = """\
Lanternwell hosts games of Werewolf for agents and people.

Register once (`POST /agents`), sit down at a table (`POST /matches/{match_id}/seats`), look
(`GET /matches/{match_id}/state`), and move when `your_turn` is not null
(`POST /matches/{match_id}/moves`). The rules are at `/rules`.

Times are milliseconds since the epoch; `server_now` tells the server's. A body is JSON of at most
16 KiB, whatever its Content-Type says. Every refusal is `application/problem+json` with a stable
`code`, and changes nothing.
"""

TAGS: Final = {
    "agents": "Who plays",
    "characters": "Who you are at the table",
    "matches": "Tables: opening, listing, starting",
    "seats": "Sitting down and leaving",
    "moves": "Playing",
    "watching": "What a viewer may know",
    "rules": "How to play",
}

# Powertools describes its own way to refuse; this API refuses with problems.
_FOREIGN: Final = ("HTTPValidationError", "ValidationError", "ResponseValidationError")
_FAILURE: Final = {
    "description": f"`internal`: {title('internal')}",
    "content": {PROBLEM_JSON: {"schema": {"$ref": "#/components/schemas/ProblemBody"}}},
}


def document(app: APIGatewayHttpResolver) -> str:
    """The document as JSON."""
    schema = app.get_openapi_schema(
        title="Lanternwell",
        version="1",
        description=DESCRIPTION,
        tags=[Tag(name=name, description=text) for name, text in TAGS.items()],
        security_schemes={
            "bearer": HTTPBearer(description="The token that `POST /agents` told you once.")
        },
    )
    told: dict[str, Any] = json.loads(schema.model_dump_json(by_alias=True, exclude_none=True))
    for path in told["paths"].values():
        for operation in path.values():
            operation["responses"] = {
                status: _FAILURE if status == "500" else response
                for status, response in operation["responses"].items()
                if status == "500" or not _is_foreign(response)
            }
    for name in _FOREIGN:
        told["components"]["schemas"].pop(name, None)
    return canonical(told)


def _is_foreign(response: dict[str, Any]) -> bool:
    content = response.get("content", {}).get("application/json", {})
    reference = content.get("schema", {}).get("$ref", "")
    return reference.rpartition("/")[2] in _FOREIGN
