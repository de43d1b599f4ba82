"""Who is calling: names, tokens, and seats.

A token is `<agent id>.<secret>`; only its SHA-256 is kept, and digests are compared in constant
time. The secret has 256 random bits, so a plain hash is enough: there is nothing to guess.
"""

import hashlib
import hmac
import re
import secrets
import unicodedata
from collections.abc import Callable
from typing import Final, Literal

from hosting.errors import Malformed, NameTaken, NotSeated, Unauthorized
from hosting.identity.rate_limits import Quota
from hosting.model import Agent, Caller, State
from hosting.ports import AgentStore
from hosting.tables.house_seats import NAMES
from protocol import limits
from protocol.agents import Registered

_SIGNS: Final = frozenset(" ._-")
_MARKS_IN_A_ROW: Final = 4
_UNSEEN: Final = frozenset(
    [
        *range(0x115F, 0x1161),  # fillers of Hangul; two more become these when normalised
        *(0x3164, 0xFFA0),
        *range(0x17B4, 0x17B6),  # vowels of Khmer that are not written
        0x034F,  # the grapheme joiner
        *(*range(0x180B, 0x180E), 0x180F),  # variation selectors
        *range(0xFE00, 0xFE10),
        *range(0xE0100, 0xE01F0),
    ]
)
"""Letters and marks that show nothing (Unicode's Default_Ignorable_Code_Point)."""
_TOKEN: Final = re.compile(rf"({limits.ID})\.[A-Za-z0-9_-]{{43}}")
_NOBODY: Final = bytes(32)


class Identity:
    """Registers agents and tells who is calling."""

    def __init__(
        self,
        agents: AgentStore,
        quota: Quota,
        *,
        now: Callable[[], int],
        new_agent_id: Callable[[], str],
    ) -> None:
        self._agents = agents
        self._quota = quota
        self._now = now
        self._new_agent_id = new_agent_id

    def register(self, name: str, *, source: str) -> Registered:
        """A new agent under a name of its own. `source` (an address) is what the limit counts.

        Raises `Malformed` (field `name`), `NameTaken`, `TooManyRequests`.
        """
        shown = display_name(name)
        if folded_name(shown) in map(folded_name, NAMES):
            raise NameTaken("this is the name of a house bot")
        self._quota.take(source)
        agent_id = self._new_agent_id()
        token = f"{agent_id}.{secrets.token_urlsafe(32)}"
        agent = Agent(agent_id, shown, _digest(token))
        if not self._agents.create(agent, folded_name(shown), self._now()):
            raise NameTaken("another agent has this name")
        return Registered(agent_id=agent_id, name=shown, token=token)

    def caller(self, token: str) -> Caller:
        """Who the token says is calling; nothing is proven yet. Raises `Unauthorized`."""
        shape = _TOKEN.fullmatch(token)
        if shape is None:
            raise _unknown()
        return Caller(shape[1], _digest(token))

    def authenticate(self, caller: Caller | None) -> Agent:
        """The agent whose token this is. One read. Raises `Unauthorized`."""
        if caller is None:
            raise _unknown()
        agent = self._agents.agent(caller.agent_id)
        known = agent.digest if agent is not None else _NOBODY
        if not hmac.compare_digest(known, caller.digest) or agent is None:
            raise _unknown()
        return agent

    def seat(self, state: State, caller: Caller | None) -> int:
        """The caller's seat (while the match is open: its place).

        Costs a read only when there is none. Raises `Unauthorized` or `NotSeated`.
        """
        if caller is None:
            raise _unknown()
        seat = seat_of(state, caller)
        if seat is None:
            self.authenticate(caller)
            raise NotSeated("you have no seat in this match")
        return seat

    def viewer(self, state: State, caller: Caller | None) -> int | Literal["spectator"]:
        """How the caller may look at this match. Raises `Unauthorized` for an unknown token."""
        if caller is None:
            return "spectator"
        seat = seat_of(state, caller)
        if seat is None:
            self.authenticate(caller)
        return "spectator" if seat is None or not state.started else seat


def seat_of(state: State, caller: Caller) -> int | None:
    """The seat whose digest is the caller's, found in constant time."""
    found = None
    for seat in range(state.taken):
        if hmac.compare_digest(state.key(seat), caller.digest):
            found = seat
    return found


def is_seated(state: State, caller: Caller | None) -> bool:
    """Whether the caller has a seat, or a place at the open table."""
    return caller is not None and seat_of(state, caller) is not None


def display_name(name: str) -> str:
    """The name as it is shown, normalised (NFKC). Raises `Malformed` (field `name`)."""
    shown = unicodedata.normalize("NFKC", name)
    if not 1 <= len(shown) <= limits.AGENT_NAME:
        raise Malformed(f"a name has 1 to {limits.AGENT_NAME} characters", field="name")
    if shown != shown.strip(" "):
        raise Malformed("a name neither begins nor ends with a space", field="name")
    if not _is_written(shown):
        raise Malformed(
            "a name holds letters with their marks, digits, spaces and ._- only", field="name"
        )
    return shown


def folded_name(shown: str) -> str:
    """What must be unique: names that differ in case alone are the same."""
    return unicodedata.normalize("NFKC", shown.casefold())


def _is_written(name: str) -> bool:
    """Whether all of it can be seen: marks stand at letters, never the same twice nor too many."""
    letter, marks = False, ""
    for character in name:
        category = unicodedata.category(character)
        if ord(character) in _UNSEEN:
            return False
        if category in ("Mn", "Mc"):
            if not letter or marks.endswith(character) or len(marks) == _MARKS_IN_A_ROW:
                return False
            marks += character
            continue
        letter, marks = category.startswith("L"), ""
        if not letter and category != "Nd" and character not in _SIGNS:
            return False
    return True


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


def _unknown() -> Unauthorized:
    return Unauthorized("a valid token is needed")
