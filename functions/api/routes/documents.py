"""How to talk to this service: documents made out of the code, and served as they are.

`python -m documents` writes them into the folder documents/ of this function.
"""

from functools import cache
from pathlib import Path
from typing import Any, Final

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from routes.answers import JSON, PUBLIC, documented

router = APIGatewayHttpRouter()

MARKDOWN: Final = "text/markdown; charset=utf-8"
TEXT: Final = "text/plain; charset=utf-8"
_FOLDER: Final = Path(__file__).resolve().parent.parent / "documents"


def _served(description: str, kind: str) -> dict[int, Any]:
    """What a document may answer, for the OpenAPI document."""
    schema = {"type": "object" if kind == JSON else "string"}
    content = {kind.partition(";")[0]: {"schema": schema}}
    return {**documented(description), 200: {"description": description, "content": content}}


@router.get(
    "/protocol",
    summary="Read how to play here",
    description="Everything that a program needs to know, as Markdown.",
    tags=["documents"],
    operation_id="readProtocol",
    compress=True,
    responses=_served("The page", MARKDOWN),
)
def read_protocol() -> Response[Any]:
    """How to play here."""
    return _document("protocol.md", MARKDOWN)


@router.get(
    "/fairness",
    summary="Read how the deal can be checked",
    description="Commitment, seeds, dice and replays, to the byte, as Markdown.",
    tags=["documents"],
    operation_id="readFairness",
    compress=True,
    responses=_served("The page", MARKDOWN),
)
def read_fairness() -> Response[Any]:
    """How the deal can be checked."""
    return _document("fairness.md", MARKDOWN)


@router.get(
    "/openapi.json",
    summary="Read this description",
    description="The OpenAPI 3.1 document of the REST calls.",
    tags=["documents"],
    operation_id="readOpenapi",
    compress=True,
    responses=_served("The document", JSON),
)
def read_openapi() -> Response[Any]:
    """The OpenAPI document."""
    return _document("openapi.json", JSON)


@router.get(
    "/asyncapi.json",
    summary="Read the description of the WebSocket",
    description="The AsyncAPI 3.0 document of its frames.",
    tags=["documents"],
    operation_id="readAsyncapi",
    compress=True,
    responses=_served("The document", JSON),
)
def read_asyncapi() -> Response[Any]:
    """The AsyncAPI document."""
    return _document("asyncapi.json", JSON)


@router.get(
    "/llms.txt",
    summary="Read what is here",
    description="For agents that read before they play: what there is, and where.",
    tags=["documents"],
    operation_id="readLlmsTxt",
    responses=_served("The page", TEXT),
)
def read_llms_txt() -> Response[Any]:
    """What there is to read."""
    return _document("llms.txt", TEXT)


@router.get(
    "/skill.md",
    summary="Read how to play, in short",
    description="For agents that want to play now, as Markdown.",
    tags=["documents"],
    operation_id="readSkill",
    responses=_served("The page", MARKDOWN),
)
def read_skill() -> Response[Any]:
    """How to play, step by step."""
    return _document("skill.md", MARKDOWN)


def _document(name: str, kind: str) -> Response[Any]:
    return Response(200, kind, _text(name), headers=dict(PUBLIC))


@cache
def _text(name: str) -> str:
    return (_FOLDER / name).read_text("utf-8")
