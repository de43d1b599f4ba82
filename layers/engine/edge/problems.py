"""Refusals as they go over the wire: `application/problem+json` (RFC 9457), and error frames."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from hosting.errors import HostingError, Malformed
from protocol.codes import CODES
from protocol.frames import ErrorFrame
from protocol.problems import ProblemBody

PROBLEM_JSON: Final = "application/problem+json"


def problem_body(refusal: HostingError) -> ProblemBody:
    """The body of a REST answer."""
    row = CODES[refusal.code]
    return ProblemBody(
        type=f"urn:lanternwell:problem:{refusal.code}",
        title=row.title,
        status=row.status,
        code=refusal.code,
        detail=refusal.detail,
        field=refusal.field,
        legal_actions=[*refusal.legal_actions] or None,
    )


def error_frame(refusal: HostingError, match_id: str | None, request_id: str | None) -> ErrorFrame:
    """The frame that answers a message."""
    return ErrorFrame(
        code=refusal.code,
        detail=refusal.detail,
        field=refusal.field,
        legal_actions=[*refusal.legal_actions] or None,
        retry_after=refusal.retry_after,
        match_id=match_id,
        request_id=request_id,
    )


_PLACES: Final = ("body", "query", "path", "header")


def malformed(errors: Sequence[Mapping[str, Any]]) -> Malformed:
    """The refusal for what a pydantic validation found (its list of errors, not empty).

    The first error is told. Names that the caller made up are cut short; values are not quoted.
    """
    first = errors[0]
    place = [str(part) for part in first["loc"]]
    inside = place[1:] if len(place) > 1 and place[0] in _PLACES else place
    field = ".".join(inside)[:64] or None
    told = str(first["msg"])[:200]
    return Malformed(f"{field}: {told}" if field else told, field=field)
