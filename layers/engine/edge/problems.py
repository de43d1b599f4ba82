"""Refusals as problems, by the table of codes.

REST answers are `application/problem+json` (RFC 9457); socket frames carry the same `code` and
`detail`. Exceptions that are refusals have a `code` from `protocol.codes`, a `detail`, and where it
applies `field`, `legal_actions` and `retry_after` (seconds).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

from protocol.codes import CODES
from protocol.problems import ProblemBody

PROBLEM_JSON: Final = "application/problem+json"


@dataclass(frozen=True, slots=True)
class Problem:
    """One refusal, ready to be told. `retry_after` is in seconds."""

    code: str
    detail: str
    field: str | None = None
    legal_actions: Sequence[Mapping[str, Any]] | None = None
    retry_after: int | None = None

    @classmethod
    def of(cls, refusal: BaseException) -> Self:
        """The problem that an exception with a `code` of the table stands for."""
        code: str = getattr(refusal, "code", "")
        if code not in CODES:
            raise KeyError(f"{type(refusal).__name__} has no code in the error table: {code!r}")
        legal_actions = getattr(refusal, "legal_actions", None)
        return cls(
            code=code,
            detail=getattr(refusal, "detail", "") or title(code),
            field=getattr(refusal, "field", None),
            legal_actions=[*legal_actions] if legal_actions else None,
            retry_after=getattr(refusal, "retry_after", None),
        )

    @property
    def status(self) -> int:
        """The HTTP status."""
        return CODES[self.code].status

    def body(self) -> ProblemBody:
        """The body of the answer."""
        return ProblemBody(
            type=f"urn:lanternwell:problem:{self.code}",
            title=title(self.code),
            status=self.status,
            code=self.code,
            detail=self.detail,
            field=self.field,
            legal_actions=self.legal_actions,
        )


class Refusal(Exception):
    """Raised at the edge itself, before the platform is asked."""

    def __init__(self, code: str, detail: str = "", *, field: str | None = None) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail
        self.field = field


def title(code: str) -> str:
    """The short sentence that goes with a code."""
    return CODES[code].title


_PLACES: Final = {"body", "query", "path", "header"}


def malformed(errors: Sequence[Mapping[str, Any]]) -> Problem:
    """The problem for what a pydantic validation found (its list of errors, not empty).

    The first error is told. Names that the caller made up are cut short; values are not quoted.
    """
    first = errors[0]
    place = [str(part) for part in first["loc"]]
    inside = place[1:] if len(place) > 1 and place[0] in _PLACES else place
    field = ".".join(inside)[:64] or None
    told = str(first["msg"])[:200]
    return Problem("malformed", f"{field}: {told}" if field else told, field=field)
