"""Pieces of a visible state that rule sets share."""

from collections.abc import Iterable, Sequence
from typing import Any

from werewolf.events import Event, Viewer
from werewolf.match import Match
from werewolf.roles import WEREWOLF, team_of


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


def is_of_the_pack(match: Match, viewer: Viewer) -> bool:
    """Whether the viewer may know what the werewolves know."""
    return viewer == "omniscient" or (isinstance(viewer, int) and match.roles[viewer] == WEREWOLF)


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
    """The days that are done; the last one also when the match ended in its middle."""
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
    ]
