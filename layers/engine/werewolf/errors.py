"""What the engine refuses, and how it says so.

WerewolfError
├── IllegalMove        a move or a departure that the rules do not allow
├── InvalidOptions     a match cannot be started like this
└── UnknownRuleset     no such rule set
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

MOVE_CODES: Final = frozenset(
    {
        "malformed",
        "match_over",
        "eliminated",
        "not_your_turn",
        "locked",
        "paused",
        "deadline_passed",
        "illegal_action",
        "illegal_target",
        "message_required",
        "message_too_long",
        "not_absent",
        "too_early",
        "too_many_messages",
        "too_many_changes",
    }
)
"""Every code that an `IllegalMove` may carry."""


_SHOWN: Final = 60


def shown(value: object) -> str:
    """What a stranger sent, in a message: a text up to a length, of all else only the kind. Numbers
    may be too long to be written out, and what is nested too deep."""
    return value[:_SHOWN] if isinstance(value, str) else type(value).__name__


class WerewolfError(Exception):
    """Base of everything that the engine raises on purpose."""


class IllegalMove(WerewolfError):
    """The move is refused and the match stays as it was.

    `code` is one of `MOVE_CODES`, `field` names the offending field of a malformed move, and
    `legal_actions` lists what the seat may do instead (empty when it may do nothing).
    """

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        field: str | None = None,
        legal_actions: Sequence[Mapping[str, Any]] = (),
    ) -> None:
        if code not in MOVE_CODES:
            raise ValueError(f"undeclared refusal code {code!r}")
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail
        self.field = field
        self.legal_actions = tuple(legal_actions)


class InvalidOptions(WerewolfError):
    """A match cannot be started like this; `field` names what is wrong."""

    def __init__(self, field: str, detail: str) -> None:
        super().__init__(f"{field}: {detail}")
        self.field = field
        self.detail = detail


class UnknownRuleset(WerewolfError):
    """There is no rule set with this id."""

    def __init__(self, ruleset: object) -> None:
        self.ruleset = shown(ruleset)
        super().__init__(f"unknown rule set {self.ruleset!r}")
