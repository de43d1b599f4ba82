"""Who may know of an event: in words, and whether an event went to them. `RuleSet.events` is made
of these."""

from collections.abc import Callable
from typing import Final, NamedTuple

from werewolf.events import EVERYONE, NOBODY, Event
from werewolf.match import Match
from werewolf.roles import SEER, WEREWOLF


class Recipients(NamedTuple):
    """Those who may know of an event while the match runs."""

    words: str
    fit: Callable[[Match, Event], bool]
    """Whether an event of this match went to them and to nobody else."""


def _roles(match: Match, event: Event) -> set[str]:
    """The roles of some, but not all, who see the event."""
    return {match.roles[seat] for seat in event.audience if isinstance(seat, int)}


def _is_its_seats(_match: Match, event: Event) -> bool:
    return event.audience == (event.data["seat"],)


def _is_the_packs(match: Match, event: Event) -> bool:
    return _roles(match, event) == {WEREWOLF}


ALL: Final = Recipients("everyone", lambda _, event: event.audience == EVERYONE)
SEALED: Final = Recipients("nobody until the match is over", lambda _, e: e.audience == NOBODY)
ITS_SEAT: Final = Recipients("the seat that it concerns", _is_its_seats)
PACK: Final = Recipients("the werewolves", _is_the_packs)
ACTOR_OR_PACK: Final = Recipients(
    "the seat that acts; if it is a werewolf, the werewolves",
    lambda match, event: _is_its_seats(match, event) or _is_the_packs(match, event),
)
ROLE: Final = Recipients(
    "those who have the role that acts",
    lambda match, event: _roles(match, event) == {match.roles[event.data["seat"]]},
)
THE_SEER: Final = Recipients("the seer", lambda match, event: _roles(match, event) == {SEER})
