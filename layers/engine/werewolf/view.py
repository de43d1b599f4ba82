"""Pieces of a visible state that rule sets share, and their shapes."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Final, Generic, Literal, NotRequired, TypedDict, TypeVar

from werewolf.events import Event, Viewer
from werewolf.match import Match
from werewolf.roles import DOCTOR, SEER, WEREWOLF, team_of
from werewolf.shapes import Count, Day, Kind, Only, Role, Seat, Team

B = TypeVar("B")


def is_of_the_pack(match: Match, viewer: Viewer) -> bool:
    """Whether the viewer may know what the werewolves know."""
    return holds(match, viewer, WEREWOLF)


def holds(match: Match, viewer: Viewer, role: str) -> bool:
    """Whether the viewer may know what those who have this role know."""
    return viewer == "omniscient" or (isinstance(viewer, int) and match.roles[viewer] == role)


def _only_for(role: str, viewers: str) -> Only:
    return Only(f"{viewers} and omniscient viewers", lambda match, who: holds(match, who, role))


FOR_SEATS: Final = Only("seated players", lambda _, viewer: isinstance(viewer, int))
FOR_THE_PACK: Final = _only_for(WEREWOLF, "werewolves")
FOR_THE_SEER: Final = _only_for(SEER, "the seer")
FOR_THE_DOCTOR: Final = _only_for(DOCTOR, "the doctor")
FOR_THE_OMNISCIENT: Final = Only("omniscient viewers", lambda _, viewer: viewer == "omniscient")


class Heading(TypedDict):
    """Where the match stands."""

    game: Literal["werewolf"]
    rules_version: Annotated[str, Kind("rule set"), "The rule set"]
    day: Day
    phase: Annotated[
        str, Kind("shown phase"), "The phase as this viewer may know it; `over` at the end"
    ]


class OwnCard(TypedDict):
    """What a seated viewer knows of itself."""

    your_seat: NotRequired[Annotated[Seat, FOR_SEATS, "Your seat"]]
    your_role: NotRequired[Annotated[Role, FOR_SEATS, "Your role"]]
    your_team: NotRequired[Annotated[Team, FOR_SEATS, "The side that you win with"]]
    you_are_alive: NotRequired[Annotated[bool, FOR_SEATS, "Whether you are still in the game"]]


class PickRow(TypedDict):
    """A choice of the night."""

    seat: Annotated[Seat, "Who chose"]
    target: Annotated[Seat, "Whom it chose"]


class Said(TypedDict):
    """Something that was said to the pack."""

    seat: Annotated[Seat, "Who said it"]
    text: Annotated[str, "What was said"]


class PlayerRow(TypedDict):
    """A player."""

    seat: Seat
    name: Annotated[str, "Its display name"]
    alive: Annotated[bool, "Whether it is still in the game"]
    eliminated_day: NotRequired[Annotated[int, Kind("day", 1), "Once it is out: on which day"]]
    cause: NotRequired[Annotated[str, Kind("cause"), "Once it is out: how"]]
    role: NotRequired[Annotated[Role, "Where this viewer may know it: its role"]]
    team: NotRequired[Annotated[Team, "Where this viewer may know it: its team"]]


class DayRow(TypedDict, Generic[B]):
    """A day that is done."""

    day: Day
    killed: Annotated[Seat | None, "Who died in its night; null: nobody"]
    votes: Annotated[list[B], "Every ballot of its vote; empty if the match ended before"]
    eliminated: Annotated[Seat | None, "Whom the vote put out; null: nobody"]


class Counts(TypedDict):
    """How many there are."""

    alive: Annotated[Count, "How many players are in the game"]
    wolves_total: Annotated[Count, "How many werewolves were dealt"]


class TurnInPlay(TypedDict):
    """Whose turn it is, as far as this viewer may know."""

    phase: Annotated[str, Kind("shown phase"), "The phase as this viewer may know it"]
    turn: NotRequired[
        Annotated[Count, "How many turns have passed in this phase, where the viewer may know it"]
    ]
    seat: NotRequired[Annotated[Seat, "Whose turn it is, where the viewer may know it"]]


class Rest(TypedDict, Generic[B]):
    """What every visible state tells."""

    alive: Annotated[list[Seat], "Who is in the game, in seat order"]
    players: Annotated[list[PlayerRow], "Every player, in seat order"]
    days: Annotated[
        list[DayRow[B]], "The days that are done, the newest 50; at the end also the one under way"
    ]
    limits: Annotated[Mapping[str, int | bool | str], Kind("options"), "The options of the match"]


TALK_SHOWN: Final = 200
"""So many contributions are shown, the newest; those before are in the events."""
DAYS_SHOWN: Final = 50
"""And of so many days what became of them."""


def data_of(seen: Iterable[Event], kind: str) -> list[dict[str, Any]]:
    """The data of every event of this type, in order."""
    return [dict(event.data) for event in seen if event.type == kind]


def own_card(match: Match, viewer: Viewer) -> dict[str, Any]:
    """What a seated viewer knows of itself; nothing for others."""
    if not isinstance(viewer, int):
        return {}
    return {
        "your_seat": viewer,
        "your_role": match.roles[viewer],
        "your_team": team_of(match.roles[viewer]),
        "you_are_alive": viewer in match.alive,
    }


def players(
    match: Match, seen: Sequence[Event], *, roles_of: Iterable[int]
) -> list[dict[str, Any]]:
    """Every player, with what is known of its end; with its role for the seats in `roles_of`."""
    names = {
        player["seat"]: player["name"]
        for dealt in data_of(seen, "roles_dealt")
        for player in dealt["players"]
    }
    fates = {seat: (day, cause) for seat, day, cause in match.eliminated}
    known = set(roles_of)
    rows = []
    for seat, role in enumerate(match.roles):
        row: dict[str, Any] = {
            "seat": seat,
            "name": names.get(seat),
            "alive": seat not in fates,
        }
        if seat in fates:
            row["eliminated_day"], row["cause"] = fates[seat]
        if seat in known:
            row |= {"role": role, "team": team_of(role)}
        rows.append(row)
    return rows


def days(match: Match, seen: Sequence[Event]) -> list[dict[str, Any]]:
    """The newest days that are done; the last one also when the match ended in its middle."""
    killed = {dawn["day"]: dawn["killed"] for dawn in data_of(seen, "dawn")}
    votes = {shown["day"]: shown["votes"] for shown in data_of(seen, "votes_revealed")}
    eliminated = {day: seat for seat, day, cause in match.eliminated if cause == "vote"}
    return [
        {
            "day": day,
            "killed": killed[day],
            "votes": votes.get(day, []),
            "eliminated": eliminated.get(day),
        }
        for day in killed
        if day in votes or match.over
    ][-DAYS_SHOWN:]
