"""What each type of event holds, as far as rule sets share it, and who may know of it."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import (
    Annotated,
    Any,
    Final,
    Generic,
    Literal,
    NamedTuple,
    NotRequired,
    TypedDict,
    TypeVar,
)

from werewolf import audiences
from werewolf.shapes import (
    ActionName,
    Count,
    Day,
    Kind,
    Mark,
    Phase,
    Role,
    Schema,
    Seat,
    Team,
    Words,
    about,
    schema_of,
)

B = TypeVar("B")
R = TypeVar("R")
T = TypeVar("T")


class EventType(NamedTuple):
    """A type of event under a rule set: who may know of it while the match runs, and its data."""

    recipients: audiences.Recipients
    data: Any
    """A typed dictionary; its docstring says what happened."""

    @property
    def about(self) -> str:
        """What happened, in a sentence."""
        return about(self.data)

    def schema(self, words: Words) -> Schema:
        """The JSON schema of the data."""
        return schema_of(self.data, words)


# ---- rows ----------------------------------------------------------------------------------------


class NamedSeat(TypedDict):
    """Who sits where."""

    seat: Seat
    name: Annotated[str, "The display name of its player"]


class Card(TypedDict):
    """The card of a seat."""

    seat: Seat
    role: Role
    team: Team


class Ballot(TypedDict):
    """What a seat voted for."""

    seat: Seat
    target: Annotated[Seat | None, "Whom it voted for; null: it abstained"]
    void: NotRequired[Annotated[Mark, "The ballot does not count, since its target has gone"]]


class TallyRow(TypedDict, Generic[T]):
    """How many votes there were for one target."""

    target: Annotated[T, "Who was voted for"]
    votes: Annotated[Count, "How many ballots that count"]


# ---- the deal and the end ------------------------------------------------------------------------


class RolesDealt(TypedDict):
    """The roles are dealt, and the match begins."""

    players: Annotated[list[NamedSeat], "Every player, in seat order"]
    roles: Annotated[Mapping[str, Count], "How many of each role there are"]


class RolePrivate(TypedDict):
    """Your card."""

    seat: Annotated[Seat, "Your seat"]
    role: Annotated[Role, "Your role"]
    team: Annotated[Team, "The side that you win with"]
    wolves: NotRequired[Annotated[list[Seat], "For a werewolf: the seats of the whole pack"]]


class Reveal(TypedDict):
    """Every role, at the end."""

    roles: Annotated[list[Card], "Every card, in seat order"]


class FactionWin(TypedDict):
    """The match is over."""

    day: Day
    winner: Annotated[Literal["werewolves", "villagers", "draw"], "The team that won, or a draw"]
    seats: Annotated[list[Seat], "Who scores, best rank first; empty after a draw"]


class MatchVoid(TypedDict):
    """The match is over and does not count: nobody plays it any more."""

    day: Day
    reason: Annotated[
        Literal["nobody_moved", "waited_too_long"],
        "Why: no seat made a move of its own for too long, or the table waited too long for one",
    ]


# ---- night and day -------------------------------------------------------------------------------


class NightStart(TypedDict):
    """Night falls, and with it a new day begins."""

    day: Day


class DayStart(TypedDict):
    """The night is over and the day begins."""

    day: Day


class Dawn(TypedDict):
    """How the night ended."""

    day: Day
    killed: Annotated[Seat | None, "Who died in the night; null: nobody"]


class SilentElimination(TypedDict):
    """Somebody is out."""

    day: Day
    seat: Annotated[Seat, "Who is out"]
    cause: Annotated[
        str,
        Kind("cause"),
        "How: killed by the werewolves, by the vote, or because it left or forfeited",
    ]


class Elimination(SilentElimination):
    """Somebody is out, and its role is named."""

    role: Annotated[Role, "Its role"]
    team: Annotated[Team, "Its team"]


class PerhapsNamedElimination(SilentElimination):
    """Somebody is out; its role is named at tables that reveal roles."""

    role: NotRequired[Annotated[Role, "Its role, if the option `reveal_roles` is on"]]
    team: NotRequired[Annotated[Team, "Its team, if the option `reveal_roles` is on"]]


class VoteStart(TypedDict):
    """The vote is called."""

    day: Day


class VotesRevealed(TypedDict, Generic[B, T]):
    """The vote is over: every ballot, and the tally."""

    day: Day
    votes: Annotated[list[B], "Every ballot"]
    tally: Annotated[list[TallyRow[T]], "The ballots that count, the most votes first"]


class NoElimination(TypedDict, Generic[R]):
    """The vote is over, and nobody goes."""

    day: Day
    reason: Annotated[R, "Why nobody goes"]


# ---- moves ---------------------------------------------------------------------------------------


class Act(TypedDict):
    """Somebody made a move."""

    day: Day
    phase: Phase
    seat: Annotated[Seat, "Who made it"]
    action: ActionName


class OpenAct(Act):
    """Somebody made a move that everybody sees."""

    timeout: NotRequired[Annotated[Mark, "It was played for the seat, whose time had passed"]]


class SecretAct(OpenAct):
    """Somebody made a move in secret."""

    target: NotRequired[Annotated[Seat, "Whom it names, where the action names somebody"]]


class PackMessage(TypedDict):
    """A werewolf said something to the pack."""

    day: Day
    phase: Phase
    seat: Annotated[Seat, "Who said it"]
    text: Annotated[str, "What was said"]


class Timeout(TypedDict):
    """Somebody let a turn pass by day. How many strikes that makes is not told, since some may have
    fallen at night."""

    day: Day
    phase: Phase
    seat: Annotated[Seat, "Who let it pass"]


class TimeoutPrivate(TypedDict):
    """Somebody let a turn pass at night."""

    day: Day
    phase: Phase
    seat: Annotated[Seat, "Who let it pass"]
    strikes: Annotated[Count, "How many turns it has let pass in a row by now"]


class Aside(TypedDict):
    """What a player thought with a move."""

    day: Day
    phase: Phase
    seat: Annotated[Seat, "Who thought it"]
    text: Annotated[str, "The thought"]


# ---- what every rule set has ---------------------------------------------------------------------

COMMON: Final[Mapping[str, EventType]] = MappingProxyType(
    {
        "roles_dealt": EventType(audiences.ALL, RolesDealt),
        "role_private": EventType(audiences.ITS_SEAT, RolePrivate),
        "night_start": EventType(audiences.ALL, NightStart),
        "day_start": EventType(audiences.ALL, DayStart),
        "dawn": EventType(audiences.ALL, Dawn),
        "elimination": EventType(audiences.ALL, Elimination),
        "no_elimination": EventType(audiences.ALL, NoElimination[Literal["tie", "no_votes"]]),
        "votes_revealed": EventType(audiences.ALL, VotesRevealed[Ballot, Seat]),
        "reveal": EventType(audiences.ALL, Reveal),
        "faction_win": EventType(audiences.ALL, FactionWin),
        "match_void": EventType(audiences.ALL, MatchVoid),
    }
)
"""A rule set says what differs, on top of this."""
