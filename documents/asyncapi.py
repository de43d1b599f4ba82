"""The AsyncAPI 3.0 document of the WebSocket, made from the models of its frames."""

from typing import Any, Final

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from documents.examples import FRAMES
from documents.rulesets import add_rulesets
from faces.wire.frames import MoveFrame, Ping, Subscribe, Unsubscribe
from faces.wire.told import (
    Behind,
    ErrorFrame,
    MoveAccepted,
    OneEvent,
    Pong,
    SeveralEvents,
    Subscribed,
    Unsubscribed,
    YourTurn,
)

RECEIVED: Final[dict[str, type[BaseModel]]] = {
    "subscribe": Subscribe,
    "unsubscribe": Unsubscribe,
    "move": MoveFrame,
    "ping": Ping,
}
SENT: Final[dict[str, type[BaseModel]]] = {
    "subscribed": Subscribed,
    "unsubscribed": Unsubscribed,
    "event": OneEvent,
    "events": SeveralEvents,
    "behind": Behind,
    "your_turn": YourTurn,
    "move_accepted": MoveAccepted,
    "pong": Pong,
    "error": ErrorFrame,
}
_ANSWERS: Final = {
    "subscribe": ("subscribed", "error"),
    "unsubscribe": ("unsubscribed", "error"),
    "move": ("move_accepted", "error"),
    "ping": ("pong", "error"),
}
_DESCRIPTION: Final = """\
One socket follows any number of matches (at most twenty) and makes moves. Connect with your token
as `?token=` or as `Authorization: Bearer`, or without one as a spectator. A frame is one JSON
object in UTF-8. What a frame may ask for and what it is refused with is the same as over REST; see
`/protocol`.
"""


def asyncapi() -> dict[str, Any]:
    """The document."""
    models = {
        **{f"client.{k}": v for k, v in RECEIVED.items()},
        **{f"server.{k}": v for k, v in SENT.items()},
    }
    references, definitions = models_json_schema(
        [(model, "validation") for model in models.values()],
        ref_template="#/components/schemas/{model}",
    )
    add_rulesets(definitions["$defs"])
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "Lanternwell", "version": "1", "description": _DESCRIPTION},
        "defaultContentType": "application/json",
        "channels": {
            "socket": {
                "address": "/",
                "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in models},
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
                    "summary": (model.__doc__ or "").partition("\n")[0],
                    "payload": references[(model, "validation")],
                    "examples": [{"payload": example} for example in FRAMES[name]],
                }
                for name, model in models.items()
            },
            "schemas": definitions["$defs"],
        },
    }


def _in_channel(message: str) -> dict[str, str]:
    return {"$ref": f"#/channels/socket/messages/{message}"}
