"""The events of a table, beside those of the engine: what they hold, and a constructor for each.

Everybody sees who comes and goes before the start; at the start, who is which character.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Final, TypedDict

from hosting.model import Player, Sheet
from werewolf import Event
from werewolf.audiences import ALL, ITS_SEAT
from werewolf.event_types import EventType
from werewolf.shapes import Kind, Seat

CHARACTER: Final = "character"
STRATEGY: Final = "strategy_private"


class SeatTaken(TypedDict):
    """Somebody sat down at the open table."""

    place: Annotated[int, Kind("place", 0), "How many came before; seats are drawn at the start"]
    name: Annotated[str, "The name of the agent"]


class SeatFreed(TypedDict):
    """Somebody stood up again before the start; those behind move up."""

    place: Annotated[int, Kind("place", 0), "The place that it had"]
    name: Annotated[str, "The name of the agent"]


class TableClosed(TypedDict):
    """The table closed, since too few players came."""


class CharacterShown(TypedDict):
    """Who the player of a seat is in this match, if it brought a character."""

    seat: Seat
    name: Annotated[str, "The name of the character"]
    archetype: Annotated[str, "The id of its archetype"]
    backstory: Annotated[str, "Its backstory; may be empty"]
    personality: Annotated[str, "Its personality; may be empty"]


class StrategyPrivate(TypedDict):
    """How your character means to play."""

    seat: Annotated[Seat, "Your seat"]
    text: Annotated[str, "The notes for this rule set, or those of the archetype"]


TABLE_EVENTS: Final[Mapping[str, EventType]] = MappingProxyType(
    {
        "seat_taken": EventType(ALL, SeatTaken),
        "seat_freed": EventType(ALL, SeatFreed),
        "table_closed": EventType(ALL, TableClosed),
        CHARACTER: EventType(ALL, CharacterShown),
        STRATEGY: EventType(ITS_SEAT, StrategyPrivate),
    }
)


def seat_taken(player: Player) -> Event:
    """The player sat down."""
    return Event("seat_taken", SeatTaken(place=player.place, name=player.name))


def seat_freed(player: Player) -> Event:
    """The player stood up."""
    return Event("seat_freed", SeatFreed(place=player.place, name=player.name))


def table_closed() -> Event:
    """Nobody filled the table in time."""
    return Event("table_closed", TableClosed())


def character_shown(seat: int, sheet: Sheet) -> Event:
    """What everybody may know of the character of a seat."""
    shown = CharacterShown(
        seat=seat,
        name=sheet.name,
        archetype=sheet.archetype,
        backstory=sheet.backstory,
        personality=sheet.personality,
    )
    return Event(CHARACTER, shown)


def strategy_private(seat: int, text: str) -> Event:
    """The strategy of a seat's character, to that seat."""
    return Event(STRATEGY, StrategyPrivate(seat=seat, text=text), (seat,))
