"""The error table: every refusal has one stable code, and every code one status.

REST answers are `application/problem+json` (RFC 9457); socket frames carry the same `code` and
`detail`. Exceptions that are refusals have a `code` from this table, a `detail`, and where it
applies `field`, `legal_actions` and `retry_after` (seconds).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

PROBLEM_JSON: Final = "application/problem+json"

TABLE: Final[Mapping[str, tuple[int, str]]] = {
    "malformed": (400, "The request does not have the documented shape"),
    "unauthorized": (401, "A valid token is needed"),
    "not_seated": (403, "You have no seat at this table"),
    "not_host": (403, "Only the host may do this"),
    "omniscient_not_allowed": (403, "You may not know everything here"),
    "not_invited": (403, "This table is for those who were invited"),
    "not_found": (404, "There is nothing here"),
    "method_not_allowed": (405, "This resource does not know this method"),
    "name_taken": (409, "The name is taken"),
    "too_many_characters": (409, "You have as many characters as you may have"),
    "table_full": (409, "The table is full"),
    "too_few_players": (409, "Too few players have sat down"),
    "match_not_open": (409, "The match is no longer open"),
    "match_not_running": (409, "The match is not running"),
    "match_not_over": (409, "The match is not over"),
    "match_over": (409, "The match is over"),
    "eliminated": (409, "You are out of the game"),
    "not_your_turn": (409, "It is not your turn"),
    "turn_over": (409, "This turn is over"),
    "turn_used": (409, "You made another move in this turn"),
    "deadline_passed": (409, "The deadline has passed"),
    "locked": (409, "You have locked your choice"),
    "replay_in_parts": (409, "The replay is told in parts"),
    "too_many_matches": (409, "This connection follows as many matches as it may"),
    "mode_fixed": (409, "You look at this match in another mode"),
    "paused": (409, "The match waits for a player"),
    "not_absent": (409, "The table does not wait for this player"),
    "too_early": (409, "The table must wait a while longer"),
    "body_too_large": (413, "The body is too large"),
    "illegal_action": (422, "This action is not legal now"),
    "illegal_target": (422, "This target is not legal"),
    "message_required": (422, "A message is needed"),
    "message_too_long": (422, "The message is too long"),
    "no_house_bots": (422, "House bots do not play this rule set"),
    "too_many_requests": (429, "Too many requests"),
    "internal": (500, "Something went wrong on this side"),
    "busy": (503, "Too busy at the moment"),
}
"""code -> (HTTP status, title)."""


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
        if code not in TABLE:
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
        return TABLE[self.code][0]

    def as_dict(self) -> dict[str, Any]:
        """The body of the answer: what is None is left out."""
        body: dict[str, Any] = {
            "type": f"urn:lanternwell:problem:{self.code}",
            "title": title(self.code),
            "status": self.status,
            "code": self.code,
            "detail": self.detail,
        }
        if self.field is not None:
            body["field"] = self.field
        if self.legal_actions is not None:
            body["legal_actions"] = self.legal_actions
        return body


class Refusal(Exception):
    """Raised at the edge itself, before the platform is asked."""

    def __init__(self, code: str, detail: str = "", *, field: str | None = None) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail
        self.field = field


def title(code: str) -> str:
    """The short sentence that goes with a code."""
    return TABLE[code][1]


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
