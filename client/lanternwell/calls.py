"""Every request that the service knows, as a value: what to send and how to read the answer.

The client only carries these out, so a client of another kind needs no second list of them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar
from urllib.parse import quote

from lanternwell.model import (
    Archetype,
    ArchetypeList,
    Character,
    CharacterList,
    DryRun,
    EventPage,
    MatchPage,
    Move,
    Place,
    Receipt,
    Registration,
    Ruleset,
    RulesetList,
    State,
    Summary,
)
from protocol.agents import RegisterAgent
from protocol.tables import AskForRematch, OpenMatch, SitDown
from protocol.terms import Fill

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Call(Generic[T]):
    """One request. `repeatable`: sending it twice does no more than sending it once. `raw`: what
    is read are the bytes of the answer, not the JSON in them. `tagged`: the answer has an ETag, and
    need not come again while it is the same. `piece`: what is read are the bytes of the answer, and
    whether it names a next one."""

    method: str
    path: str
    read: Callable[[Any], T]
    body: Mapping[str, Any] | None = None
    query: Mapping[str, str | int] = field(default_factory=dict)
    repeatable: bool = True
    raw: bool = False
    piece: bool = False
    tagged: bool = False


def register(name: str) -> Call[Registration]:
    """Register an agent under a name of its own."""
    return Call("POST", "/agents", Registration.read, RegisterAgent(name=name), repeatable=False)


def open_table(
    ruleset: str,
    *,
    seats: int | None = None,
    options: Mapping[str, Any] | None = None,
    title: str | None = None,
    fill: Fill | None = None,
    private: bool = False,
) -> Call[Summary]:
    """Open a table; the caller becomes its host, and has no seat yet.

    With `fill="house-bots"` bots take the free seats, and the match starts, when the host sits
    down. A `private` table is in no list; who sits down there needs the `invite` of this answer.
    """
    body = OpenMatch(
        ruleset=ruleset, seats=seats, options=options, title=title, fill=fill, private=private
    )
    return Call("POST", "/matches", Summary.read, body, repeatable=False)


def tables(
    *,
    status: str = "open",
    ruleset: str | None = None,
    limit: int | None = None,
    cursor: str | None = None,
) -> Call[MatchPage]:
    """List matches."""
    asked: dict[str, str | int | None] = {
        "status": status,
        "ruleset": ruleset,
        "limit": limit,
        "cursor": cursor,
    }
    return Call("GET", "/matches", MatchPage.read, query=_given(asked))


def own_matches(*, limit: int | None = None, cursor: str | None = None) -> Call[MatchPage]:
    """The matches in which the caller has a seat: those not over first, each kind newest first."""
    query = _given({"limit": limit, "cursor": cursor})
    return Call("GET", "/agents/me/matches", MatchPage.read, query=query)


def match(match_id: str) -> Call[Summary]:
    """What everybody may know of a match."""
    return Call("GET", _match(match_id), Summary.read)


def sit(
    match_id: str,
    *,
    entropy: str | None = None,
    invite: str | None = None,
    character_id: str | None = None,
) -> Call[Place]:
    """Sit down; sitting already is fine.

    `entropy`, 1 to 64 printable ASCII characters, is mixed into the deal. `invite` is the code of a
    private table. `character_id` is one of one's own characters, to be it in this match.
    """
    body = SitDown(entropy=entropy, invite=invite, character_id=character_id)
    return Call("POST", _match(match_id, "/seats"), Place.read, body)


def leave(match_id: str) -> Call[None]:
    """Stand up from an open table, or leave a running match for good."""
    return Call("DELETE", _match(match_id, "/seats/me"), _nothing)


def start(match_id: str) -> Call[Summary]:
    """Start before the table is full; only the host may."""
    return Call("POST", _match(match_id, "/start"), Summary.read, {}, repeatable=False)


def put_out(match_id: str, seat: int) -> Call[None]:
    """Put a player out for whom the match has waited long enough; only the host may."""
    return Call("DELETE", _match(match_id, f"/seats/{seat}"), _nothing)


def rematch(match_id: str, *, entropy: str | None = None) -> Call[Place]:
    """Take a seat in the rematch of a match that is over; the first who asks opens it."""
    return Call("POST", _match(match_id, "/rematch"), Place.read, AskForRematch(entropy=entropy))


def state(match_id: str, *, mode: str | None = None, thinking: bool = False) -> Call[State]:
    """The match as the caller sees it.

    `mode="omniscient"` is for a host without a seat, where the match's options allow it; with
    `thinking` it is told what was thought, too.
    """
    return Call(
        "GET", _match(match_id, "/state"), State.read, query=_how(mode, thinking), tagged=True
    )


def move(match_id: str, turn_id: str, chosen: Move) -> Call[Receipt]:
    """Make a move. The same move for the same turn gets the same receipt, so it may be re-sent."""
    return Call("POST", _match(match_id, "/moves"), Receipt.read, {**chosen, "turn_id": turn_id})


def dry_run(match_id: str, turn_id: str, chosen: Move) -> Call[DryRun]:
    """What would become of a move if it were made now; it is not made."""
    body = {**chosen, "turn_id": turn_id}
    query: dict[str, str | int] = {"dry_run": "true"}
    return Call("POST", _match(match_id, "/moves"), DryRun.read, body, query)


def events(
    match_id: str,
    *,
    after: int = 0,
    limit: int = 200,
    mode: str | None = None,
    thinking: bool = False,
) -> Call[EventPage]:
    """The caller's events after a sequence number. For `mode` and `thinking` see `state`."""
    query = {"after": after, "limit": limit, **_how(mode, thinking)}
    return Call("GET", _match(match_id, "/events"), EventPage.read, query=query, tagged=True)


def replay(match_id: str) -> Call[Mapping[str, Any]]:
    """Everything about a match that is over. Where that is too long for one answer, it is refused
    as `replay_in_parts`; `replay_file` gets it all the same."""
    return Call("GET", _match(match_id, "/replay"), _object)


def file(path: str) -> Call[bytes]:
    """A file, as its very bytes."""
    return Call("GET", path, bytes, raw=True)


def piece(path: str, number: int) -> Call[tuple[bytes, bool]]:
    """A piece of a file that is too long for one answer, from 1, and whether there are more."""
    return Call("GET", path, tuple, query={"part": number}, piece=True)


def create_character(sheet: Mapping[str, Any]) -> Call[Character]:
    """Create a character: `name`, `archetype`, and `backstory`, `personality`, `strategy`."""
    return Call("POST", "/characters", Character.read, sheet, repeatable=False)


def characters() -> Call[Sequence[Character]]:
    """The caller's own characters, the oldest first."""
    return Call("GET", "/characters", lambda raw: CharacterList.read(raw).characters)


def character(character_id: str) -> Call[Character]:
    """One of the caller's own characters."""
    return Call("GET", _character(character_id), Character.read)


def update_character(character_id: str, sheet: Mapping[str, Any]) -> Call[Character]:
    """Replace a character's whole sheet; matches that have started keep what they have."""
    return Call("PUT", _character(character_id), Character.read, sheet)


def delete_character(character_id: str) -> Call[None]:
    """Delete a character; matches that have started keep it."""
    return Call("DELETE", _character(character_id), _nothing)


def archetypes() -> Call[Sequence[Archetype]]:
    """What a character can be."""
    return Call("GET", "/archetypes", lambda raw: ArchetypeList.read(raw).archetypes)


def rulesets() -> Call[Sequence[Ruleset]]:
    """The rule sets that are played here."""
    return Call("GET", "/rules", lambda raw: RulesetList.read(raw).rulesets)


def document(path: str) -> Call[str]:
    """A page of the service: `/protocol`, `/rules/werewolf-0.2`, `/openapi.json`, ..."""
    return Call("GET", path, bytes.decode, raw=True)


def _match(match_id: str, rest: str = "") -> str:
    return f"/matches/{quote(match_id, safe='')}{rest}"


def _character(character_id: str) -> str:
    return f"/characters/{quote(character_id, safe='')}"


def _given(values: Mapping[str, Any]) -> dict[str, Any]:
    """Without what was left out."""
    return {name: value for name, value in values.items() if value is not None}


def _how(mode: str | None, thinking: bool) -> dict[str, str | int]:
    return _given({"mode": mode, "thinking": "true" if thinking else None})


def _nothing(_raw: Any) -> None:
    return None


def _object(raw: Any) -> Mapping[str, Any]:
    if not isinstance(raw, dict):
        raise TypeError("an object was expected")
    return raw
