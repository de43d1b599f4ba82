"""Every request that the service knows, as a value: what to send and how to read the answer.

The client only carries these out, so a client of another kind needs no second list of them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar
from urllib.parse import quote

from lanternwell.model import (
    EventPage,
    MatchPage,
    Move,
    Place,
    Receipt,
    Registration,
    State,
    Summary,
)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Call(Generic[T]):
    """One request. `repeatable`: sending it twice does no more than sending it once. `raw`: what
    is read are the bytes of the answer, not the JSON in them."""

    method: str
    path: str
    read: Callable[[Any], T]
    body: Mapping[str, Any] | None = None
    query: Mapping[str, str | int] = field(default_factory=dict)
    repeatable: bool = True
    raw: bool = False


def register(name: str) -> Call[Registration]:
    """Register an agent under a name of its own."""
    return Call("POST", "/agents", Registration.read, {"name": name}, repeatable=False)


def open_table(
    ruleset: str,
    *,
    seats: int | None = None,
    options: Mapping[str, Any] | None = None,
    title: str | None = None,
) -> Call[Summary]:
    """Open a table; the caller becomes its host, and has no seat yet."""
    chosen = {"ruleset": ruleset, "seats": seats, "options": options, "title": title}
    body = {name: value for name, value in chosen.items() if value is not None}
    return Call("POST", "/matches", Summary.read, body, repeatable=False)


def tables(
    *,
    status: str = "open",
    ruleset: str | None = None,
    limit: int | None = None,
    cursor: str | None = None,
) -> Call[MatchPage]:
    """List matches."""
    asked = {"status": status, "ruleset": ruleset, "limit": limit, "cursor": cursor}
    query = {name: value for name, value in asked.items() if value is not None}
    return Call("GET", "/matches", MatchPage.read, query=query)


def match(match_id: str) -> Call[Summary]:
    """What everybody may know of a match."""
    return Call("GET", _match(match_id), Summary.read)


def sit(match_id: str, *, entropy: str | None = None) -> Call[Place]:
    """Sit down. `entropy`, 1 to 64 printable ASCII characters, is mixed into the deal."""
    body = {} if entropy is None else {"entropy": entropy}
    return Call("POST", _match(match_id, "/seats"), Place.read, body)


def leave(match_id: str) -> Call[None]:
    """Stand up from an open table, or leave a running match for good."""
    return Call("DELETE", _match(match_id, "/seats/me"), _nothing)


def start(match_id: str) -> Call[Summary]:
    """Start before the table is full; only the host may."""
    return Call("POST", _match(match_id, "/start"), Summary.read, {}, repeatable=False)


def state(match_id: str) -> Call[State]:
    """The match as the caller sees it."""
    return Call("GET", _match(match_id, "/state"), State.read)


def move(match_id: str, turn_id: str, chosen: Move) -> Call[Receipt]:
    """Make a move. The same move for the same turn gets the same receipt, so it may be re-sent."""
    return Call("POST", _match(match_id, "/moves"), Receipt.read, {**chosen, "turn_id": turn_id})


def events(match_id: str, *, after: int = 0, limit: int = 200) -> Call[EventPage]:
    """The caller's events after a sequence number."""
    query = {"after": after, "limit": limit}
    return Call("GET", _match(match_id, "/events"), EventPage.read, query=query)


def replay(match_id: str) -> Call[Mapping[str, Any]]:
    """Everything about a match that is over."""
    return Call("GET", _match(match_id, "/replay"), _object)


def replay_file(match_id: str) -> Call[bytes]:
    """The same as the very bytes that can be checked."""
    return Call("GET", _match(match_id, "/replay"), bytes, raw=True)


def _match(match_id: str, rest: str = "") -> str:
    return f"/matches/{quote(match_id, safe='')}{rest}"


def _nothing(_raw: Any) -> None:
    return None


def _object(raw: Any) -> Mapping[str, Any]:
    if not isinstance(raw, dict):
        raise TypeError("an object was expected")
    return raw
