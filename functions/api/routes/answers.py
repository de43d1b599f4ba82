"""How every route answers, and how its answers are documented."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from aws_lambda_powertools.event_handler import Response

from edge.problems import PROBLEM_JSON, problem_body
from hosting.errors import HostingError
from protocol.codes import CODES
from protocol.problems import ProblemBody
from werewolf.replay import canonical

JSON: Final = "application/json"
BYTES: Final = "application/octet-stream"
PRIVATE: Final = {"Cache-Control": "no-store"}
PUBLIC: Final = {"Cache-Control": "public, max-age=300"}

SIGNED_IN: Final[list[dict[str, list[str]]]] = [{"bearer": []}]
ANYBODY: Final[list[dict[str, list[str]]]] = [{}, {"bearer": []}]

_ALWAYS: Final = ("malformed", "too_many_requests", "internal", "busy")
"""What any call may be refused with: `malformed` for a parameter that it does not know."""


def answer(
    body: Mapping[str, Any], status: int = 200, headers: Mapping[str, str] = PRIVATE
) -> Response[Any]:
    """A JSON answer; the router checks the body against the route's model."""
    return Response(status, JSON, dict(body), headers=dict(headers))


class NotModified(Exception):
    """The caller has what it asks for. Raised past the check of replies, since there is none."""

    def __init__(self, headers: Mapping[str, str]) -> None:
        super().__init__(headers["ETag"])
        self._headers = headers

    def answer(self) -> Response[Any]:
        """304, with a body of no bytes: where it is null instead, not every gateway takes it."""
        return Response(304, body="", headers=dict(self._headers))


class Piece(Exception):
    """Bytes out of a file. Raised past the check of replies, since they are no JSON."""

    def __init__(self, content: bytes, *, following: str | None) -> None:
        super().__init__(following)
        self._content = content
        self._following = following

    def answer(self) -> Response[Any]:
        """200, with the address of the next piece, if there is one."""
        link = {} if self._following is None else {"Link": f'<{self._following}>; rel="next"'}
        return Response(200, BYTES, self._content, headers={**PRIVATE, **link})


def answer_tagged(
    body: Mapping[str, Any] | None, etag: str, known: Sequence[str], poll_after: int | None
) -> Response[Any]:
    """An answer with an ETag, and with Retry-After for those who poll.

    Raises `NotModified` when the tag is known or there is no body.
    """
    headers = {**PRIVATE, "ETag": f'"{etag}"'}
    if poll_after is not None:
        headers["Retry-After"] = str(poll_after)
    if body is None or etag in known:
        raise NotModified(headers)
    return answer(body, headers=headers)


def known_tags(if_none_match: str | None) -> list[str]:
    """The tags in an If-None-Match header, without their quotes."""
    return [
        tag.strip().removeprefix("W/").strip('"')
        for tag in (if_none_match or "").split(",")
        if tag.strip()
    ]


def only(known: Sequence[str]) -> str | None:
    """The one tag that the caller has, which the platform can look for at little cost."""
    return known[0] if len(known) == 1 else None


def problem_answer(
    refusal: HostingError, headers: Mapping[str, str] | None = None
) -> Response[str]:
    """A refusal as problem+json."""
    more = dict(headers or {})
    body = problem_body(refusal)
    if body.status == 401:
        more["WWW-Authenticate"] = "Bearer"
    if refusal.retry_after is not None:
        more["Retry-After"] = str(refusal.retry_after)
    return Response(body.status, PROBLEM_JSON, canonical(body), headers={**PRIVATE, **more})


def documented(
    description: str, *codes: str, status: int = 200, also: Mapping[int, str] | None = None
) -> dict[int, Any]:
    """What a route may answer, for the OpenAPI document: its result, and refusals by status."""
    answers: dict[int, Any] = {status: {"description": description}}
    answers |= {other: {"description": text} for other, text in (also or {}).items()}
    by_status: dict[int, list[str]] = {}
    for code in (*codes, *_ALWAYS):
        by_status.setdefault(CODES[code].status, []).append(code)
    for refused, names in sorted(by_status.items()):
        answers[refused] = {
            "description": "; ".join(f"`{name}`: {CODES[name].title}" for name in names),
            "content": {PROBLEM_JSON: {"model": ProblemBody}},
        }
    return answers
