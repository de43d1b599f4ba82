"""What the platform refuses, and how it says so.

    HostingError                   code, detail, field, legal_actions, retry_after
    ├── Malformed                  malformed
    ├── Unauthorized               unauthorized
    ├── Forbidden
    │   ├── NotSeated              not_seated
    │   ├── NotHost                not_host
    │   ├── NotInvited             not_invited
    │   └── OmniscientNotAllowed   omniscient_not_allowed
    ├── NotFound                   not_found
    ├── Conflict
    │   ├── NameTaken              name_taken
    │   ├── TooManyCharacters      too_many_characters
    │   ├── TableFull              table_full
    │   ├── TooFewPlayers          too_few_players
    │   ├── NotAbsent              not_absent
    │   ├── TooEarly               too_early
    │   ├── MatchNotOpen           match_not_open
    │   ├── MatchNotRunning        match_not_running
    │   ├── MatchNotOver           match_not_over
    │   ├── MatchOver              match_over
    │   ├── Eliminated             eliminated
    │   ├── NotYourTurn            not_your_turn
    │   ├── TurnOver               turn_over
    │   ├── TurnUsed               turn_used
    │   ├── DeadlinePassed         deadline_passed
    │   ├── Locked                 locked
    │   ├── ModeFixed              mode_fixed
    │   ├── TooManyMatches         too_many_matches
    │   ├── TooManySpectators      too_many_spectators
    │   ├── ReplayInParts          replay_in_parts
    │   └── Paused                 paused
    ├── NotLegal
    │   ├── IllegalAction          illegal_action
    │   ├── IllegalTarget          illegal_target
    │   ├── MessageRequired        message_required
    │   ├── MessageTooLong         message_too_long
    │   ├── TooManyMessages        too_many_messages
    │   └── TooManyChanges         too_many_changes
    ├── NoHouseBots                no_house_bots
    ├── TooManyRequests            too_many_requests
    └── Busy                       busy

Nothing here knows HTTP; the functions give each code its status. A refused request changes
nothing, save that a deadline which had passed is played, as the clock would have done.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final

from werewolf import MOVE_CODES, IllegalMove


class HostingError(Exception):
    """Base of every refusal.

    `code` is stable and for programs; `detail` is one sentence for people; `field` names what is
    wrong in a malformed request; `legal_actions` lists what the seat may do instead (may be
    empty); `retry_after` is in whole seconds.
    """

    code: ClassVar[str]

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


class Malformed(HostingError):
    """The request does not have the documented shape; `field` says where."""

    code = "malformed"


class Unauthorized(HostingError):
    """There is no token, or nobody has this one."""

    code = "unauthorized"


class Forbidden(HostingError):
    """The caller is known, and may not do this."""


class NotSeated(Forbidden):
    """The caller has no seat in this match."""

    code = "not_seated"


class NotHost(Forbidden):
    """Only the agent that opened the table may do this."""

    code = "not_host"


class OmniscientNotAllowed(Forbidden):
    """Not in this match, or not to this viewer."""

    code = "omniscient_not_allowed"


class NotInvited(Forbidden):
    """The seats of this table are kept for others."""

    code = "not_invited"


class NotFound(HostingError):
    """There is no such thing."""

    code = "not_found"


class Conflict(HostingError):
    """Well formed and allowed, but not as things stand."""


class NameTaken(Conflict):
    """Another agent has this name."""

    code = "name_taken"


class TooManyCharacters(Conflict):
    """The agent has as many characters as it may have."""

    code = "too_many_characters"


class TableFull(Conflict):
    """The last seat is taken."""

    code = "table_full"


class TooFewPlayers(Conflict):
    """The rule set needs more players than have sat down."""

    code = "too_few_players"


class NotAbsent(Conflict):
    """The table does not wait for this player."""

    code = "not_absent"


class TooEarly(Conflict):
    """The table has not waited long enough for this player."""

    code = "too_early"


class MatchNotOpen(Conflict):
    """The match has started already, or its table has closed."""

    code = "match_not_open"


class MatchNotRunning(Conflict):
    """The match has not started yet."""

    code = "match_not_running"


class MatchNotOver(Conflict):
    """This is told only once the match is over."""

    code = "match_not_over"


class MatchOver(Conflict):
    """The match is over."""

    code = "match_over"


class Eliminated(Conflict):
    """The seat takes no part any more."""

    code = "eliminated"


class NotYourTurn(Conflict):
    """The seat has no turn now."""

    code = "not_your_turn"


class TurnOver(Conflict):
    """The move names a turn that is gone; the seat has another one now."""

    code = "turn_over"


class TurnUsed(Conflict):
    """The seat has made another move in this turn."""

    code = "turn_used"


class DeadlinePassed(Conflict):
    """The time for this turn had passed when the move arrived."""

    code = "deadline_passed"


class Locked(Conflict):
    """The seat has locked its choice."""

    code = "locked"


class Paused(Conflict):
    """The table waits for somebody."""

    code = "paused"


class ModeFixed(Conflict):
    """The viewer looks at this match in another mode, which stays as it is."""

    code = "mode_fixed"


class ReplayInParts(Conflict):
    """The replay is too long for one answer."""

    code = "replay_in_parts"


class TooManyMatches(Conflict):
    """The connection follows as many matches as one may."""

    code = "too_many_matches"


class TooManySpectators(Conflict):
    """As many sockets look on at the match as may."""

    code = "too_many_spectators"


class NoHouseBots(HostingError):
    """House bots do not play this rule set."""

    code = "no_house_bots"


class NotLegal(HostingError):
    """The rules do not allow this move."""


class IllegalAction(NotLegal):
    """The action is not among the legal ones."""

    code = "illegal_action"


class IllegalTarget(NotLegal):
    """The target is not among the legal ones."""

    code = "illegal_target"


class MessageRequired(NotLegal):
    """The action needs a text."""

    code = "message_required"


class MessageTooLong(NotLegal):
    """The text is longer than the rules allow."""

    code = "message_too_long"


class TooManyMessages(NotLegal):
    """The seat has said as much as it may on this day."""

    code = "too_many_messages"


class TooManyChanges(NotLegal):
    """The seat has changed its choice as often as it may in this phase."""

    code = "too_many_changes"


class TooManyRequests(HostingError):
    """The caller asks too often; `retry_after` says when to come back."""

    code = "too_many_requests"


class Busy(HostingError):
    """The platform could not finish in time. Sending the same request again is safe."""

    code = "busy"


def _kinds(base: type[HostingError]) -> Iterator[type[HostingError]]:
    for kind in base.__subclasses__():
        yield kind
        yield from _kinds(kind)


_BY_CODE: Final = {kind.code: kind for kind in _kinds(HostingError) if hasattr(kind, "code")}
_FROM_ENGINE: Final = {code: _BY_CODE[code] for code in MOVE_CODES}


def from_engine(refusal: IllegalMove) -> HostingError:
    """The engine's refusal, as one of the platform's."""
    return _FROM_ENGINE[refusal.code](
        refusal.detail, field=refusal.field, legal_actions=refusal.legal_actions
    )
