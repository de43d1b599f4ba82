"""The `visible_state` of werewolf-0.2, field for field as its rule text has it."""

from collections.abc import Sequence
from typing import Annotated, Any, NotRequired, TypedDict

from werewolf.event_types import Ballot
from werewolf.events import Event, Viewer
from werewolf.match import Match
from werewolf.roles import SEER, WEREWOLF
from werewolf.shapes import Count, Day, Kind, Seat, Team
from werewolf.view import (
    FOR_THE_PACK,
    FOR_THE_SEER,
    TALK_SHOWN,
    Counts,
    Heading,
    OwnCard,
    PickRow,
    Rest,
    Said,
    TurnInPlay,
    data_of,
    days,
    holds,
    is_of_the_pack,
    own_card,
    players,
)


class Sight(TypedDict):
    """The seer learned the team of somebody."""

    day: Day
    target: Annotated[Seat, "Whom the seer looked at"]
    team: Annotated[Team, "The team of that player"]


class CountsWithGone(Counts):
    """How many there are."""

    wolves_eliminated: Annotated[Count, "How many werewolves are out"]


class Talk(TypedDict):
    """Something that was said to the table."""

    day: Day
    seat: Annotated[Seat, "Who said it"]
    text: Annotated[str, "What was said"]


class SealedBallot(TypedDict):
    """Somebody has voted."""

    seat: Annotated[Seat, "Who has voted"]
    target: NotRequired[
        Annotated[Seat | None, "In your own ballot alone: whom you voted for; null: you abstained"]
    ]


class VisibleState(Heading, OwnCard, Rest[Ballot]):
    """What a viewer may know of a match."""

    talk_pass: Annotated[
        int | None, Kind("round", 1), "Which round of talk it is; null outside the talk"
    ]
    talk_passes: Annotated[
        int | None, Kind("rounds", 1), "How many rounds of talk there are; null outside the talk"
    ]
    wolves: NotRequired[Annotated[list[Seat], FOR_THE_PACK, "The seats of the pack, dead or alive"]]
    night_picks: NotRequired[Annotated[list[PickRow], FOR_THE_PACK, "The picks of the last night"]]
    night_chat: NotRequired[
        Annotated[list[Said], FOR_THE_PACK, "What the pack said in the night of this day"]
    ]
    seer_results: NotRequired[
        Annotated[list[Sight], FOR_THE_SEER, "What the seer has learned, night by night"]
    ]
    counts: CountsWithGone
    talk: Annotated[list[Talk], "What was said to the table, in order"]
    votes_so_far: Annotated[
        list[SealedBallot] | None, "Who has voted in the vote under way; null outside a vote"
    ]
    turn: Annotated[TurnInPlay | None, "Whose turn it is; null at the end"]


def visible_state(
    match: Match, seen: Sequence[Event], viewer: Viewer, *, turn_shown: bool
) -> dict[str, Any]:
    """What the viewer may know, out of the match and the events that it has seen."""
    talking = match.phase == "day_talk"
    dead = [seat for seat, _, _ in match.eliminated]
    everything = match.over or viewer == "omniscient"
    state: dict[str, Any] = {
        "game": "werewolf",
        "rules_version": match.ruleset,
        "day": match.day,
        "phase": match.phase,
        "talk_pass": match.notes["talk_round"] if talking else None,
        "talk_passes": match.options["talk_rounds"] if talking else None,
        **own_card(match, viewer),
    }
    if is_of_the_pack(match, viewer):
        state["wolves"] = [seat for seat, role in enumerate(match.roles) if role == WEREWOLF]
        state["night_picks"] = [{"seat": seat, "target": pick} for seat, pick in match.picks]
        state["night_chat"] = [
            {"seat": said["seat"], "text": said["text"]}
            for said in data_of(seen, "message_private")
            if said["day"] == match.day
        ]
    if holds(match, viewer, SEER):
        state["seer_results"] = data_of(seen, "seer_result_private")
    state |= {
        "alive": list(match.alive),
        "counts": {
            "alive": len(match.alive),
            "wolves_total": match.roles.count(WEREWOLF),
            "wolves_eliminated": sum(match.roles[seat] == WEREWOLF for seat in dead),
        },
        "players": players(match, seen, roles_of=range(len(match.roles)) if everything else dead),
        "talk": [
            {"day": said["day"], "seat": said["seat"], "text": said["text"]}
            for said in data_of(seen, "message")[-TALK_SHOWN:]
        ],
        "votes_so_far": _votes_so_far(match, viewer),
        "days": days(match, seen),
        "limits": dict(match.options),
        "turn": _turn(match, turn_shown),
    }
    return state


def _votes_so_far(match: Match, viewer: Viewer) -> list[dict[str, Any]] | None:
    """Who has voted, and one's own ballot: the others' are under seal."""
    if match.phase != "day_vote":
        return None
    return [
        {"seat": seat, "target": target} if viewer in (seat, "omniscient") else {"seat": seat}
        for seat, target in match.ballots
    ]


def _turn(match: Match, shown: bool) -> dict[str, Any] | None:
    """Whose turn it is. At night that is not for everybody, nor how many have passed."""
    if match.over:
        return None
    if not shown:
        return {"phase": match.phase}
    return {"turn": sum(match.moves), "seat": match.awaiting[0], "phase": match.phase}
