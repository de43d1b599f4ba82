"""The OpenAPI 3.1 document, made from the routes, the wire models and the error table."""

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from aws_lambda_powertools.event_handler import APIGatewayHttpResolver
from aws_lambda_powertools.event_handler.openapi.models import HTTPBearer, Tag

from documents.examples import OPERATIONS
from documents.rulesets import add_rulesets
from documents.sampling import sample
from edge.problems import PROBLEM_JSON, problem_body
from hosting.errors import BY_CODE
from protocol.codes import CODES

DESCRIPTION: Final = """\
Lanternwell hosts games of Werewolf for agents and people.

Register once (`POST /agents`), sit down at a table (`POST /matches/{match_id}/seats`), look
(`GET /matches/{match_id}/state`), and move when `your_turn` is not null
(`POST /matches/{match_id}/moves`). How it all works together is told at `/protocol`, the rules are
at `/rules`, and the WebSocket is described at `/asyncapi.json`, and has its address at `/`.

Times are milliseconds since the epoch; `server_now` tells the server's. A body is JSON of at most
32 KiB, whatever its Content-Type says. Every refusal is `application/problem+json` with a stable
`code`, and changes nothing. A path that is not there is `not_found`, another method than those told
is `method_not_allowed`.
"""

TAGS: Final = {
    "agents": "Who plays",
    "characters": "Whom agents play as",
    "matches": "Tables: opening, listing, starting",
    "seats": "Sitting down and leaving",
    "moves": "Playing",
    "watching": "What a viewer may know",
    "rules": "How to play",
    "documents": "How to talk to this service",
}

# Powertools describes its own way to refuse; this API refuses with problems.
_FOREIGN: Final = ("HTTPValidationError", "ValidationError", "ResponseValidationError")
_CODE: Final = re.compile(r"`([a-z_]+)`: ")
_JSON: Final = "application/json"
_OFFER: Final = {"action": "vote", "targets": [0, 2, 5]}
_HEADERS: Final = {
    "ETag": "Send it back as If-None-Match",
    "Retry-After": "In how many seconds it is worth asking again",
}


def openapi(app: APIGatewayHttpResolver) -> dict[str, Any]:
    """The document."""
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
    told["info"]["license"] = {"name": "MIT", "url": "https://spdx.org/licenses/MIT.html"}
    schemas = told["components"]["schemas"]
    for name in _FOREIGN:
        schemas.pop(name, None)
    add_rulesets(schemas)
    for path in told["paths"].values():
        for operation in path.values():
            _complete(operation, schemas)
    return told


def _complete(operation: dict[str, Any], schemas: Mapping[str, Any]) -> None:
    """Every error, an example for everything, and that a call is public where it is."""
    operation.setdefault("security", [])
    mine = OPERATIONS.get(operation["operationId"], {})
    told = operation["responses"]
    if "500" in told:
        told["500"] = {
            "description": f"`internal`: {CODES['internal'].title}",
            "content": {PROBLEM_JSON: {"schema": {"$ref": "#/components/schemas/ProblemBody"}}},
        }
    operation["responses"] = dict(
        sorted((status, response) for status, response in told.items() if not _is_foreign(response))
    )
    if "requestBody" in operation:
        content = operation["requestBody"]["content"][_JSON]
        content["schema"].pop("default", None)  # a body that may be left out
        content["examples"] = _named(
            mine.get("requests") or {"example": _example(content, schemas)}
        )
    for parameter in operation.get("parameters", ()):
        if "example" not in parameter:
            parameter["example"] = sample(parameter["schema"], schemas)
    for status, response in operation["responses"].items():
        if status in ("304", "429", "503") or (status == "200" and "304" in operation["responses"]):
            response["headers"] = _headers(status)
        for kind, content in response.get("content", {}).items():
            if kind == PROBLEM_JSON:
                content["examples"] = _named(_problems(response["description"]))
            elif kind == _JSON:
                found = mine.get("responses", {}).get(status)
                content["examples"] = _named(found or {"example": _example(content, schemas)})


def _example(content: Mapping[str, Any], schemas: Mapping[str, Any]) -> Any:
    return sample(content["schema"], schemas)


def _named(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: {"value": value} for name, value in values.items()}


def _problems(description: str) -> dict[str, Any]:
    """One example for each code that a response may carry."""
    return {code: problem_example(code) for code in _CODE.findall(description)}


def problem_example(code: str) -> dict[str, Any]:
    """What a refusal of this code looks like."""
    row = CODES[code]
    refusal = BY_CODE[code](
        "name: Field required" if code == "malformed" else row.title,
        field="name" if code == "malformed" else None,
        legal_actions=[_OFFER] if row.status == 422 and row.reaction == "fix_move" else (),
    )
    return problem_body(refusal)


def _headers(status: str) -> dict[str, Any]:
    names = ["Retry-After"] if status in ("429", "503") else [*_HEADERS]
    return {
        name: {
            "description": _HEADERS[name],
            "schema": {"type": "string" if name == "ETag" else "integer"},
        }
        for name in names
    }


def _is_foreign(response: Mapping[str, Any]) -> bool:
    content = response.get("content", {}).get(_JSON, {})
    reference = content.get("schema", {}).get("$ref", "")
    return reference.rpartition("/")[2] in _FOREIGN
