"""The `visible_state` of werewolf-0.2, field for field as its rule text has it."""

from collections.abc import Sequence
from typing import Annotated, Any, NotRequired, TypedDict

from werewolf.draft import living, pack
from werewolf.event_types import Ballot
from werewolf.events import Event, Viewer
from werewolf.match import Match
from werewolf.roles import SEER, WEREWOLF
from werewolf.shapes import Count, Day, Kind, Seat, Team
from werewolf.view import (
    FOR_THE_PACK,
    FOR_THE_SEER,
    TALK_SHOWN,
    CommonState,
    Counts,
    PickRow,
    Said,
    TurnInPlay,
    common_state,
    data_of,
    holds,
    is_of_the_pack,
    pack_chat,
    picks_of,
    turn_in_play,
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


class VisibleState(CommonState[Ballot]):
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
    state = common_state(match, seen, viewer, phase=match.phase, revealed=True)
    if is_of_the_pack(match, viewer):
        state["wolves"] = list(pack(match))
        state["night_picks"] = picks_of(match, WEREWOLF)
        state["night_chat"] = pack_chat(match, seen)
    if holds(match, viewer, SEER):
        state["seer_results"] = data_of(seen, "seer_result_private")
    gone = len(pack(match)) - len(living(match, WEREWOLF))
    wolves = {"wolves_total": len(pack(match)), "wolves_eliminated": gone}
    return state | {
        "talk_pass": match.notes["talk_round"] if talking else None,
        "talk_passes": match.options["talk_rounds"] if talking else None,
        "counts": {"alive": len(match.alive), **wolves},
        "talk": [
            {"day": said["day"], "seat": said["seat"], "text": said["text"]}
            for said in data_of(seen, "message")[-TALK_SHOWN:]
        ],
        "votes_so_far": _votes_so_far(match, viewer),
        "turn": turn_in_play(match, match.phase, shown=turn_shown),
    }


def _votes_so_far(match: Match, viewer: Viewer) -> list[dict[str, Any]] | None:
    """Who has voted, and one's own ballot: the others' are under seal."""
    if match.phase != "day_vote":
        return None
    return [
        {"seat": seat, "target": target} if viewer in (seat, "omniscient") else {"seat": seat}
        for seat, target in match.ballots
    ]
