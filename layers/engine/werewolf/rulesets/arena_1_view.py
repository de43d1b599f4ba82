"""The `visible_state` of arena-1."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from werewolf import tally as count
from werewolf.draft import pack
from werewolf.events import Event, Viewer
from werewolf.match import Match
from werewolf.roles import DOCTOR, SEER, WEREWOLF
from werewolf.shapes import ActionName, Day, Mark, Role, Seat, Team
from werewolf.view import (
    FOR_THE_DOCTOR,
    FOR_THE_PACK,
    FOR_THE_SEER,
    TALK_SHOWN,
    CommonState,
    PickRow,
    TurnInPlay,
    common_state,
    data_of,
    holds,
    is_of_the_pack,
    picks_of,
    turn_in_play,
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


class VisibleState(CommonState[OpenBallot]):
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
    phase = match.phase if turn_shown or revealed or everything else "night"
    state = common_state(match, seen, viewer, phase=phase, revealed=revealed)
    if is_of_the_pack(match, viewer):
        state["wolves"] = list(pack(match))
        state["night_picks"] = picks_of(match, WEREWOLF)
    if holds(match, viewer, SEER):
        state["seer_results"] = data_of(seen, "seer_result_private")
    if holds(match, viewer, DOCTOR):
        state["doctor_saves"] = [
            {"day": saved["day"], "target": saved["target"]}
            for saved in data_of(seen, "action_private")
            if saved["action"] == "doctor_save"
        ]
    actions = data_of(seen, "action")
    return state | {
        "talk": [_said(tag) for tag in actions if tag["phase"] == "day_talk"][-TALK_SHOWN:],
        "votes_so_far": _votes_so_far(match),
        "turn": turn_in_play(match, phase, shown=turn_shown),
    }


def _said(action: dict[str, Any]) -> dict[str, Any]:
    """One tag of the discussion: day, seat, action, and what it names."""
    return {key: value for key, value in action.items() if key != "phase"}


def _votes_so_far(match: Match) -> list[dict[str, Any]] | None:
    """The ballots of the present vote, which are public as they are cast."""
    if match.phase != "day_vote":
        return None
    return count.ballot_data(match.ballots, match.alive)
