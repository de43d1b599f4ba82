"""The `visible_state` of arena-1."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from werewolf import tally as count
from werewolf.events import Event, Viewer
from werewolf.match import Match
from werewolf.roles import DOCTOR, SEER, WEREWOLF
from werewolf.shapes import ActionName, Day, Mark, Role, Seat, Team
from werewolf.view import (
    FOR_THE_DOCTOR,
    FOR_THE_PACK,
    FOR_THE_SEER,
    TALK_SHOWN,
    Heading,
    OwnCard,
    PickRow,
    Rest,
    TurnInPlay,
    data_of,
    days,
    holds,
    is_of_the_pack,
    own_card,
    players,
)

Candidate = Seat | Literal["no_lynch"]
"""Whom one may vote for: a seat, or that nobody is lynched."""


class OpenBallot(TypedDict):
    """What a seat voted for."""

    seat: Seat
    target: Annotated[Candidate, "Whom it voted for"]
    void: NotRequired[Annotated[Mark, "The ballot does not count, since its target has gone"]]


class Sight(TypedDict):
    """The seer learned the role of somebody."""

    day: Day
    target: Annotated[Seat, "Whom the seer checked"]
    role: Annotated[Role, "The role of that player"]
    team: Annotated[Team, "The team of that player"]


class Save(TypedDict):
    """A night turn of the doctor."""

    day: Day
    target: Annotated[Seat | None, "Whom it saved; null: it let the turn pass"]


class Tag(TypedDict):
    """What a player made of its turn to talk."""

    day: Day
    seat: Annotated[Seat, "Whose tag it is"]
    action: ActionName
    target: NotRequired[Annotated[Seat, "Whom it accuses or defends"]]
    role: NotRequired[Annotated[Role, "Which role it claims"]]
    timeout: NotRequired[Annotated[Mark, "It was played for the seat, whose time had passed"]]


class VisibleState(Heading, OwnCard, Rest[OpenBallot]):
    """What a viewer may know of a match."""

    wolves: NotRequired[Annotated[list[Seat], FOR_THE_PACK, "The seats of the pack, dead or alive"]]
    night_picks: NotRequired[
        Annotated[list[PickRow], FOR_THE_PACK, "The wolf votes of the last night"]
    ]
    seer_results: NotRequired[
        Annotated[list[Sight], FOR_THE_SEER, "What the seer has learned, night by night"]
    ]
    doctor_saves: NotRequired[
        Annotated[list[Save], FOR_THE_DOCTOR, "Whom the doctor saved, night by night"]
    ]
    talk: Annotated[list[Tag], "Every tag, in order"]
    votes_so_far: Annotated[
        list[OpenBallot] | None, "The ballots of the vote under way; null outside a vote"
    ]
    turn: Annotated[TurnInPlay | None, "Whose turn it is; null at the end"]


def visible_state(
    match: Match, seen: Sequence[Event], viewer: Viewer, *, turn_shown: bool
) -> dict[str, Any]:
    """What the viewer may know, out of the match and the events that it has seen.

    At a table that hides the roles of the dead, only those on turn see which part of the night it
    is: a part is skipped when nobody is left to play it, and that would tell.
    """
    everything = match.over or viewer == "omniscient"
    revealed = bool(match.options["reveal_roles"])
    dead = [seat for seat, _, _ in match.eliminated]
    phase = match.phase if turn_shown or revealed or everything else "night"
    state: dict[str, Any] = {
        "game": "werewolf",
        "rules_version": match.ruleset,
        "day": match.day,
        "phase": phase,
        **own_card(match, viewer),
    }
    if is_of_the_pack(match, viewer):
        state["wolves"] = [seat for seat, role in enumerate(match.roles) if role == WEREWOLF]
        state["night_picks"] = [
            {"seat": seat, "target": target}
            for seat, target in match.picks
            if match.roles[seat] == WEREWOLF
        ]
    if holds(match, viewer, SEER):
        state["seer_results"] = data_of(seen, "seer_result_private")
    if holds(match, viewer, DOCTOR):
        state["doctor_saves"] = [
            {"day": saved["day"], "target": saved["target"]}
            for saved in data_of(seen, "action_private")
            if saved["action"] == "doctor_save"
        ]
    known = range(len(match.roles)) if everything else dead if revealed else ()
    actions = data_of(seen, "action")
    return state | {
        "alive": list(match.alive),
        "players": players(match, seen, roles_of=known),
        "talk": [_said(tag) for tag in actions if tag["phase"] == "day_talk"][-TALK_SHOWN:],
        "votes_so_far": _votes_so_far(match),
        "days": days(match, seen),
        "limits": dict(match.options),
        "turn": _turn(match, phase, turn_shown),
    }


def _said(action: dict[str, Any]) -> dict[str, Any]:
    """One tag of the discussion: day, seat, action, and what it names."""
    return {key: value for key, value in action.items() if key != "phase"}


def _votes_so_far(match: Match) -> list[dict[str, Any]] | None:
    """The ballots of the present vote, which are public as they are cast."""
    if match.phase != "day_vote":
        return None
    return count.ballot_data(match.ballots, match.alive)


def _turn(match: Match, phase: str, shown: bool) -> dict[str, Any] | None:
    """Whose turn it is. At night that is not for everybody, nor how many have passed."""
    if match.over:
        return None
    if not shown:
        return {"phase": phase}
    return {"turn": sum(match.moves), "seat": match.awaiting[0], "phase": phase}
