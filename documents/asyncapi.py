"""The AsyncAPI 3.0 document of the WebSocket, made from the models of its frames."""

from typing import Any, Final

from documents.examples import FRAMES
from documents.rulesets import add_rulesets
from protocol.frames import RECEIVED, SENT
from protocol.schemas import json_schemas
from protocol.wire import WireObject

_ANSWERS: Final = {
    "subscribe": ("subscribed", "error"),
    "unsubscribe": ("unsubscribed", "error"),
    "move": ("move_accepted", "error"),
    "ping": ("pong", "error"),
}
_SCHEMAS: Final = "#/components/schemas/{model}"
_DESCRIPTION: Final = """\
One socket follows any number of matches (at most twenty) and makes moves. Connect with your token
as `?token=` or as `Authorization: Bearer`, or without one as a spectator. A frame is one JSON
object in UTF-8. What a frame may ask for and what it is refused with is the same as over REST; see
`/protocol`.
"""


def asyncapi() -> dict[str, Any]:
    """The document."""
    shapes: dict[str, type[WireObject]] = {
        **{f"client.{k}": v for k, v in RECEIVED.items()},
        **{f"server.{k}": v for k, v in SENT.items()},
    }
    schemas = json_schemas([*shapes.values()], _SCHEMAS)
    add_rulesets(schemas)
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "Lanternwell", "version": "1", "description": _DESCRIPTION},
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
                    "channel": {"$ref": "#/channels/socket"},
                    "messages": [_in_channel(f"client.{name}")],
                    "reply": {
                        "channel": {"$ref": "#/channels/socket"},
                        "messages": [_in_channel(f"server.{answer}") for answer in answers],
                    },
                }
                for name, answers in _ANSWERS.items()
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


def _in_channel(message: str) -> dict[str, str]:
    return {"$ref": f"#/channels/socket/messages/{message}"}
