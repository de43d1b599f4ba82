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
    """Where the match stands, and what a seated viewer knows of itself."""

    game: Literal["werewolf"]
    rules_version: Annotated[str, Kind("rule set"), "The rule set"]
    day: Day
    phase: Annotated[
        str, Kind("shown phase"), "The phase as this viewer may know it; `over` at the end"
    ]
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


class CommonState(Heading, Generic[B]):
    """What every visible state tells (`common_state`)."""

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


def common_state(
    match: Match, seen: Sequence[Event], viewer: Viewer, *, phase: str, revealed: bool
) -> dict[str, Any]:
    """What every visible state tells.

    `phase` is the phase as the viewer may know it; `revealed` tells whether everybody may know the
    roles of those who are out.
    """
    state: dict[str, Any] = {
        "game": "werewolf",
        "rules_version": match.ruleset,
        "day": match.day,
        "phase": phase,
    }
    if isinstance(viewer, int):
        role = match.roles[viewer]
        state |= {"your_seat": viewer, "your_role": role, "your_team": team_of(role)}
        state["you_are_alive"] = viewer in match.alive
    return state | {
        "alive": list(match.alive),
        "players": players(match, seen, roles_of=named(match, viewer, revealed=revealed)),
        "days": days(match, seen),
        "limits": dict(match.options),
    }


def named(match: Match, viewer: Viewer, *, revealed: bool) -> Sequence[int]:
    """The seats whose roles the viewer sees: all at the end; before, those that are out if roles
    are revealed."""
    if match.over or viewer == "omniscient":
        return range(len(match.roles))
    return [seat for seat, _, _ in match.eliminated] if revealed else ()


def turn_in_play(match: Match, phase: str, *, shown: bool) -> dict[str, Any] | None:
    """Whose turn it is, in a phase that is played in turns; of one that is not shown, the phase."""
    if match.over:
        return None
    if not shown:
        return {"phase": phase}
    return {"turn": sum(match.moves), "seat": match.awaiting[0], "phase": phase}


def picks_of(match: Match, role: str) -> list[dict[str, Any]]:
    """Whom those of this role have chosen in this night."""
    return [
        {"seat": seat, "target": target}
        for seat, target in match.picks
        if match.roles[seat] == role
    ]


def pack_chat(match: Match, seen: Iterable[Event]) -> list[dict[str, Any]]:
    """What the pack said in the night of this day."""
    return [
        {"seat": said["seat"], "text": said["text"]}
        for said in data_of(seen, "message_private")
        if said["day"] == match.day
    ]


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
