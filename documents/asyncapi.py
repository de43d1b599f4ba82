"""The AsyncAPI 3.0 document of the WebSocket, made from the models of its frames."""

from collections.abc import Mapping
from typing import Any, Final

from documents.examples import FRAMES
from documents.rulesets import add_rulesets
from edge.problems import PROBLEM_JSON
from protocol.codes import CODES
from protocol.frames import RECEIVED, SENT
from protocol.schemas import json_schemas
from protocol.wire import WireObject

_ANSWERS: Final = {
    "subscribe": "subscribed",
    "unsubscribe": "unsubscribed",
    "move": "move_accepted",
    "ping": "pong",
}
_ALWAYS: Final = ("malformed", "body_too_large", "too_many_requests", "internal", "busy")
_LIKE: Final = {"subscribe": "readState", "move": "makeMove"}
"""The frames that are refused as a REST call is, and which."""
_MORE: Final = {"subscribe": ("too_many_matches", "too_many_spectators")}
_SCHEMAS: Final = "#/components/schemas/{model}"
_SCHEMES: Final = {
    "token": {"type": "httpApiKey", "name": "token", "in": "query"},
    "bearer": {"type": "http", "scheme": "bearer"},
}
_SIGNED_IN: Final = [{"$ref": f"#/components/securitySchemes/{name}"} for name in _SCHEMES]
_DESCRIPTION: Final = """\
One socket follows several matches (at most twenty) and makes moves. Connect with your token as
`?token=` or as `Authorization: Bearer`, or without one as a spectator. A frame is one JSON object
in UTF-8. What a frame may ask for and what it is refused with is the same as over REST; see
`/protocol`.
"""


def asyncapi(openapi: Mapping[str, Any]) -> dict[str, Any]:
    """The document, which tells of refusals what the one of the REST calls does."""
    shapes: dict[str, type[WireObject]] = {
        **{f"client.{k}": v for k, v in RECEIVED.items()},
        **{f"server.{k}": v for k, v in SENT.items()},
    }
    schemas = json_schemas([*shapes.values()], _SCHEMAS)
    add_rulesets(schemas)
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Lanternwell",
            "version": "1",
            "description": _DESCRIPTION,
            "license": openapi["info"]["license"],
        },
        "defaultContentType": "application/json",
        "channels": {
            "socket": {
                "address": "/",
                "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in shapes},
                "bindings": {
                    "ws": {
                        "query": {
                            "type": "object",
                            "properties": {
                                "token": {"type": "string", "description": "An agent's token"}
                            },
                        }
                    }
                },
            }
        },
        "operations": {
            **{
                f"receive_{name}": {
                    "action": "receive",
                    "description": f"Refused with {_codes(name, openapi)}.",
                    **({"security": _SIGNED_IN} if name == "move" else {}),
                    "channel": {"$ref": "#/channels/socket"},
                    "messages": [_in_channel(f"client.{name}")],
                    "reply": {
                        "channel": {"$ref": "#/channels/socket"},
                        "messages": [_in_channel(f"server.{told}") for told in (answer, "error")],
                    },
                }
                for name, answer in _ANSWERS.items()
            },
            **{
                f"send_{name}": {
                    "action": "send",
                    "channel": {"$ref": "#/channels/socket"},
                    "messages": [_in_channel(f"server.{name}")],
                }
                for name in SENT
            },
        },
        "components": {
            "securitySchemes": _SCHEMES,
            "messages": {
                name: {
                    "name": name.partition(".")[2],
                    "summary": (shape.__doc__ or "").partition("\n")[0],
                    "payload": {"$ref": _SCHEMAS.format(model=shape.__name__)},
                    "examples": [{"payload": one} for one in FRAMES if type(one) is shape],
                }
                for name, shape in shapes.items()
            },
            "schemas": schemas,
        },
    }


def _codes(frame: str, openapi: Mapping[str, Any]) -> str:
    """The codes with which a frame may be refused."""
    found = {*_ALWAYS, *_MORE.get(frame, ())}
    for path in openapi["paths"].values():
        for operation in path.values():
            if operation["operationId"] == _LIKE.get(frame):
                for response in operation["responses"].values():
                    problem = response.get("content", {}).get(PROBLEM_JSON, {})
                    found |= set(problem.get("examples", ()))
    return ", ".join(f"`{code}`" for code in CODES if code in found)


def _in_channel(message: str) -> dict[str, str]:
    return {"$ref": f"#/channels/socket/messages/{message}"}
