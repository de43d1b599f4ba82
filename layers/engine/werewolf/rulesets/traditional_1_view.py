"""The visible state of traditional-1.

What everybody sees is the same for all, the dead included. Private hands come on top of it: every
seat its own card, and the living what their role knows.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, NotRequired, TypedDict

from werewolf import tally as count
from werewolf.draft import Position, living, pack
from werewolf.event_types import Ballot as BallotRow
from werewolf.event_types import TallyRow
from werewolf.events import Event, Viewer
from werewolf.match import Ballot, Match, Pick
from werewolf.roles import DOCTOR, SEER, WEREWOLF
from werewolf.shapes import Count, Day, Duration, Moment, Only, Seat
from werewolf.view import (
    DAYS_SHOWN,
    FOR_THE_OMNISCIENT,
    TALK_SHOWN,
    CommonState,
    Counts,
    PickRow,
    common_state,
    data_of,
)


def _hand_of(role: str, viewers: str) -> Only:
    def has(match: Match, viewer: Viewer) -> bool:
        if viewer == "omniscient":
            return role in match.roles
        return viewer in match.alive and match.roles[int(viewer)] == role

    return Only(f"{viewers} while alive and omniscient viewers", has)


FOR_LIVING_WOLVES = _hand_of(WEREWOLF, "werewolves")
FOR_THE_LIVING_DOCTOR = _hand_of(DOCTOR, "the doctor")
FOR_THE_LIVING_SEER = _hand_of(SEER, "the seer")
FOR_THE_LIVING = Only("the living", lambda match, viewer: viewer in match.alive)


class Sight(TypedDict):
    """The seer learned whether somebody is a werewolf."""

    day: Day
    target: Annotated[Seat, "Whom the seer chose"]
    werewolf: Annotated[bool, "Whether that player is a werewolf"]


class Message(TypedDict):
    """Somebody said something to everybody."""

    day: Day
    seat: Annotated[Seat, "Who said it"]
    text: Annotated[str, "What was said"]


class Clock(TypedDict):
    """When the phase ends."""

    earliest_ms: Annotated[Moment, "Not before this, even if all have locked"]
    latest_ms: Annotated[Moment, "At this, whoever has locked"]


class StoppedClock(TypedDict):
    """While the table waits: what is left of the phase."""

    least_left_ms: Annotated[Duration, "At least so much, even if all have locked"]
    left_ms: Annotated[Duration, "At most so much, whoever has locked"]


class CountsPerhapsWithGone(Counts):
    """How many there are."""

    wolves_eliminated: NotRequired[
        Annotated[Count, "How many werewolves are out, where this viewer may know it"]
    ]


class VisibleState(CommonState[BallotRow]):
    """What a viewer may know of a match."""

    wolves: NotRequired[
        Annotated[list[Seat], FOR_LIVING_WOLVES, "The seats of the pack, dead or alive"]
    ]
    night_picks: NotRequired[
        Annotated[list[PickRow], FOR_LIVING_WOLVES, "Whom the living werewolves choose now"]
    ]
    protecting: NotRequired[
        Annotated[list[PickRow], FOR_THE_LIVING_DOCTOR, "Whom the doctor chooses now, if anybody"]
    ]
    protected_last_night: NotRequired[
        Annotated[
            list[Seat],
            FOR_THE_LIVING_DOCTOR,
            "Whom the doctor protected last night and may not protect again, if anybody",
        ]
    ]
    seer_results: NotRequired[
        Annotated[
            list[Sight], FOR_THE_LIVING_SEER, "What the seer has learned in the newest 50 nights"
        ]
    ]
    you_have_locked: NotRequired[
        Annotated[bool, FOR_THE_LIVING, "Whether you have locked in this phase"]
    ]
    night_locked: NotRequired[
        Annotated[list[Seat] | None, FOR_THE_OMNISCIENT, "Who has locked; null outside a night"]
    ]
    counts: CountsPerhapsWithGone
    talk: Annotated[list[Message], "The newest 200 things said on this day, in order"]
    votes_so_far: Annotated[list[BallotRow] | None, "The ballots as they stand; null outside a day"]
    tally: Annotated[
        list[TallyRow[Seat]] | None,
        "The ballots that count, the most votes first; null outside a day",
    ]
    leading: Annotated[
        Seat | None, "Who has strictly the most votes; null: nobody, or it is no day"
    ]
    locked: Annotated[list[Seat] | None, "Who has locked; null outside a day"]
    clock: Annotated[Clock | StoppedClock | None, "When the phase ends; null at the end"]
    waiting_for: Annotated[list[Seat], "For whom the table waits; the clock stands meanwhile"]


def shown_picks(position: Position, role: str) -> list[Pick]:
    """The choices of the living of this role that show, in seat order; what names somebody who has
    gone does not."""
    return sorted(
        (seat, target)
        for seat, target in position.picks
        if position.roles[seat] == role and seat in position.alive and target in position.alive
    )


def shown_ballots(position: Position) -> list[Ballot]:
    """One ballot for every living player, in seat order. No choice is an abstention."""
    cast = dict(position.ballots)
    return [(seat, cast.get(seat)) for seat in position.alive]


def visible_state(
    match: Match, seen: Sequence[Event], viewer: Viewer, *, clock: Mapping[str, Any] | None
) -> dict[str, Any]:
    """What the viewer may know, out of the match and the events that it has seen."""
    revealed = bool(match.options["reveal_roles"])
    return {
        **common_state(match, seen, viewer, phase=match.phase, revealed=revealed),
        **_hand(match, seen, viewer),
        "counts": _counts(match, viewer, revealed=revealed),
        "talk": _talk(match, seen),
        **_vote(match),
        "clock": clock,
        "waiting_for": list(match.waiting_for),
    }


def _talk(match: Match, seen: Sequence[Event]) -> list[dict[str, Any]]:
    """The talk of this day: that of the days before is in the events."""
    said = (said for said in data_of(seen, "message") if said["day"] == match.day)
    return [*said][-TALK_SHOWN:]


def _hand(match: Match, seen: Sequence[Event], viewer: Viewer) -> dict[str, Any]:
    """What the living know by their role; the dead keep nothing of it."""
    everything = viewer == "omniscient"
    if not (everything or viewer in match.alive):
        return {}
    roles = set(match.roles) if everything else {match.roles[int(viewer)]}
    hand: dict[str, Any] = {}
    if WEREWOLF in roles:
        hand["wolves"] = list(pack(match))
        hand["night_picks"] = _picks(match, WEREWOLF)
    if DOCTOR in roles:
        hand["protecting"] = _picks(match, DOCTOR)
        hand["protected_last_night"] = match.notes.get("protected", [])
    if SEER in roles:
        hand["seer_results"] = [
            result
            for result in data_of(seen, "seer_result_private")
            if result["day"] > match.day - DAYS_SHOWN
        ]
    if everything:
        hand["night_locked"] = _locked(match) if match.phase == "night" else None
    else:
        hand["you_have_locked"] = not match.over and viewer in match.notes["locked"]
    return hand


def _picks(match: Match, role: str) -> list[dict[str, Any]]:
    return [{"seat": seat, "target": target} for seat, target in shown_picks(match, role)]


def _locked(match: Match) -> list[int]:
    return sorted(seat for seat in match.notes["locked"] if seat in match.alive)


def _counts(match: Match, viewer: Viewer, *, revealed: bool) -> dict[str, int]:
    """How many live, and how many werewolves there were; how many of them died, if that is told."""
    counts = {"alive": len(match.alive), "wolves_total": len(pack(match))}
    if match.over or revealed or viewer == "omniscient":
        counts["wolves_eliminated"] = len(pack(match)) - len(living(match, WEREWOLF))
    return counts


def _vote(match: Match) -> dict[str, Any]:
    """By day: every ballot as it stands, the tally, who leads, and who has locked."""
    if match.phase != "day":
        return {"votes_so_far": None, "tally": None, "leading": None, "locked": None}
    ballots = [ballot for ballot in shown_ballots(match) if ballot[0] in dict(match.ballots)]
    counts = count.tally(ballots, match.alive)
    return {
        "votes_so_far": count.ballot_data(ballots, match.alive),
        "tally": count.tally_data(counts),
        "leading": count.plurality(counts),
        "locked": _locked(match),
    }
