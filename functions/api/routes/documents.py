"""How to talk to this service: documents made out of the code, and served as they are.

`python -m documents` writes them into the folder documents/ of this function. The address of the
WebSocket is added here, where it is known.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from hosting.wiring import platform
from protocol.service import ServiceIndex
from routes.answers import JSON, PUBLIC, answer, documented

router = APIGatewayHttpRouter()

MARKDOWN: Final = "text/markdown; charset=utf-8"
TEXT: Final = "text/plain; charset=utf-8"
_FOLDER: Final = Path(__file__).resolve().parent.parent / "documents"


class Document(NamedTuple):
    """A file of the folder, and how its route is described."""

    file: str
    kind: str
    operation_id: str
    summary: str
    description: str


DOCUMENTS: Final = {
    "/protocol": Document(
        "protocol.md",
        MARKDOWN,
        "readProtocol",
        "Read how to play here",
        "Everything that a program needs to know, as Markdown.",
    ),
    "/fairness": Document(
        "fairness.md",
        MARKDOWN,
        "readFairness",
        "Read how the deal can be checked",
        "Commitment, seeds, dice and replays, to the byte, as Markdown.",
    ),
    "/openapi.json": Document(
        "openapi.json",
        JSON,
        "readOpenapi",
        "Read this description",
        "The OpenAPI 3.1 document of the REST calls.",
    ),
    "/asyncapi.json": Document(
        "asyncapi.json",
        JSON,
        "readAsyncapi",
        "Read the description of the WebSocket",
        "The AsyncAPI 3.0 document of its frames, with its address.",
    ),
    "/llms.txt": Document(
        "llms.txt",
        TEXT,
        "readLlmsTxt",
        "Read what is here",
        "For agents that read before they play: what there is, and where.",
    ),
    "/skill.md": Document(
        "skill.md",
        MARKDOWN,
        "readSkill",
        "Read how to play, in short",
        "For agents that want to play now, as Markdown.",
    ),
}
"""By path."""


@router.get(
    "/",
    summary="See what is here",
    description="The address of the WebSocket, and where to read on.",
    tags=["documents"],
    operation_id="readIndex",
    responses=documented("What is here"),
)
def read_index() -> Response[ServiceIndex]:
    """What is here."""
    pages = {document.file.partition(".")[0]: path for path, document in DOCUMENTS.items()}
    links = {**pages, "rules": "/rules", "archetypes": "/archetypes", "matches": "/matches"}
    index = ServiceIndex(service="Lanternwell", socket=platform().socket_url, links=links)
    return answer(index, headers=PUBLIC)


def _serve(path: str, document: Document) -> None:
    schema = {"type": "object" if document.kind == JSON else "string"}
    content = {document.kind.partition(";")[0]: {"schema": schema}}
    responses = documented("The document")
    responses[200] |= {"content": content}

    @router.get(
        path,
        summary=document.summary,
        description=document.description,
        tags=["documents"],
        operation_id=document.operation_id,
        compress=True,
        responses=responses,
    )
    def read() -> Response[Any]:
        text = _text(document.file)
        if path == "/asyncapi.json":
            text = _with_address(text, platform().socket_url)
        return Response(200, document.kind, text, headers=dict(PUBLIC))


for _path, _document in DOCUMENTS.items():
    _serve(_path, _document)


@cache
def _text(name: str) -> str:
    return (_FOLDER / name).read_text("utf-8")


@cache
def _with_address(text: str, socket_url: str) -> str:
    """The AsyncAPI document with the address to which sockets are opened."""
    document = json.loads(text)
    address = urlsplit(socket_url)
    document["servers"] = {"socket": {"host": address.netloc, "protocol": address.scheme}}
    document["channels"]["socket"]["address"] = address.path or "/"
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"
