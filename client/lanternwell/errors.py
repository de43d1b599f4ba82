"""What can go wrong between an agent and the service."""

from collections.abc import Mapping, Sequence
from typing import Any

from protocol.codes import Reaction, reaction_to


class LanternwellError(Exception):
    """Whatever this package raises on purpose."""


class Unreachable(LanternwellError):
    """No usable answer came, also after several tries."""


class BadAnswer(LanternwellError):
    """The service answered, but not in the documented form."""


class Refused(LanternwellError):
    """The service refused the request; a refused request changes nothing.

    `code` is stable (`not_your_turn`, `illegal_target`, ...), `detail` is for people. `field` names
    the part of the body that is wrong and `legal_actions` what would be legal, where the service
    says so. `retry_after_s` is set when asking again later may help.
    """

    def __init__(
        self,
        status: int,
        code: str,
        detail: str = "",
        *,
        field: str | None = None,
        legal_actions: Sequence[Mapping[str, Any]] = (),
        retry_after_s: float | None = None,
    ) -> None:
        super().__init__(f"{code}: {detail}" if detail else code)
        self.status = status
        self.code = code
        self.detail = detail
        self.field = field
        self.legal_actions = legal_actions
        self.retry_after_s = retry_after_s

    @property
    def reaction(self) -> Reaction:
        """What to do about it, as the protocol's table of codes says."""
        return reaction_to(self.code, self.status)

    @property
    def passing(self) -> bool:
        """Whether the same request may succeed later."""
        return self.reaction in ("retry", "wait")
