"""What the platform refuses, and how it says so.

Each row of `protocol.codes` has one class here: `TableFull` is `table_full`. Nothing here knows
HTTP; the table gives each code its status. A refused request changes nothing, save that a deadline
which had passed is played, as the clock would have done.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

from protocol.codes import CODES
from werewolf import IllegalMove


class HostingError(Exception):
    """Base of every refusal.

    `code` is stable and for programs; `detail` is one sentence for people; `field` names what is
    wrong in a malformed request; `legal_actions` lists what the seat may do instead (may be
    empty); `retry_after` is in whole seconds.
    """

    code: ClassVar[str]

    def __init_subclass__(cls) -> None:
        cls.code = re.sub(r"\B(?=[A-Z])", "_", cls.__name__).lower()
        if cls.code not in CODES:
            raise TypeError(f"{cls.code} is no code of the table")
        BY_CODE[cls.code] = cls

    def __init__(
        self,
        detail: str,
        *,
        field: str | None = None,
        legal_actions: Sequence[Mapping[str, Any]] = (),
        retry_after: int | None = None,
    ) -> None:
        super().__init__(detail)
        self.detail = detail
        self.field = field
        self.legal_actions = tuple(legal_actions)
        self.retry_after = retry_after


BY_CODE: Final[dict[str, type[HostingError]]] = {}
"""Every refusal, by its code."""


class Malformed(HostingError):
    """The request does not have the documented shape; `field` says where."""


class Unauthorized(HostingError):
    """There is no token, or nobody has this one."""


class NotSeated(HostingError):
    """The caller has no seat in this match."""


class NotHost(HostingError):
    """Only the agent that opened the table may do this."""


class OmniscientNotAllowed(HostingError):
    """Not in this match, or not to this viewer."""


class NotInvited(HostingError):
    """The seats of this table are kept for others."""


class NotFound(HostingError):
    """There is no such thing."""


class NameTaken(HostingError):
    """Another agent has this name."""


class TooManyCharacters(HostingError):
    """The agent has as many characters as it may have."""


class TableFull(HostingError):
    """The last seat is taken."""


class TooFewPlayers(HostingError):
    """The rule set needs more players than have sat down."""


class NotAbsent(HostingError):
    """The table does not wait for this player."""


class TooEarly(HostingError):
    """The table has not waited long enough for this player."""


class MatchNotOpen(HostingError):
    """The match has started already, or its table has closed."""


class MatchNotRunning(HostingError):
    """The match has not started yet."""


class MatchNotOver(HostingError):
    """This is told only once the match is over."""


class MatchOver(HostingError):
    """The match is over."""


class Eliminated(HostingError):
    """The seat takes no part any more."""


class NotYourTurn(HostingError):
    """The seat has no turn now."""


class TurnOver(HostingError):
    """The move names a turn that is gone; the seat has another one now."""


class TurnUsed(HostingError):
    """The seat has made another move in this turn."""


class DeadlinePassed(HostingError):
    """The time for this turn had passed when the move arrived."""


class Locked(HostingError):
    """The seat has locked its choice."""


class Paused(HostingError):
    """The table waits for somebody."""


class ModeFixed(HostingError):
    """The viewer looks at this match in another mode, which stays as it is."""


class ReplayInParts(HostingError):
    """The replay is too long for one answer."""


class TooManyMatches(HostingError):
    """The connection follows as many matches as one may."""


class TooManySpectators(HostingError):
    """As many sockets look on at the match as may."""


class NoHouseBots(HostingError):
    """House bots do not play this rule set."""


class IllegalAction(HostingError):
    """The action is not among the legal ones."""


class IllegalTarget(HostingError):
    """The target is not among the legal ones."""


class MessageRequired(HostingError):
    """The action needs a text."""


class MessageTooLong(HostingError):
    """The text is longer than the rules allow."""


class TooManyMessages(HostingError):
    """The seat has said as much as it may on this day."""


class TooManyChanges(HostingError):
    """The seat has changed its choice as often as it may in this phase."""


class TooManyRequests(HostingError):
    """The caller asks too often; `retry_after` says when to come back."""


class Busy(HostingError):
    """The platform could not finish in time. Sending the same request again is safe."""


class BodyTooLarge(HostingError):
    """The body, or the frame, has more bytes than it may have."""


class MethodNotAllowed(HostingError):
    """The path is there, and not with this method."""


class Internal(HostingError):
    """A fault of ours."""


def from_engine(refusal: IllegalMove) -> HostingError:
    """The engine's refusal, as one of the platform's."""
    return BY_CODE[refusal.code](
        refusal.detail, field=refusal.field, legal_actions=refusal.legal_actions
    )
