"""The visible state of house-9."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from werewolf.draft import pack
from werewolf.event_types import Ballot, TallyRow
from werewolf.events import Event, Viewer
from werewolf.match import Match
from werewolf.roles import DOCTOR, SEER, WEREWOLF
from werewolf.shapes import Bytes, Count, Day, Kind, Mark, Moment, Phase, Seat
from werewolf.view import (
    FOR_SEATS,
    FOR_THE_DOCTOR,
    FOR_THE_OMNISCIENT,
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
    """The seer learned whether somebody is a werewolf."""

    day: Day
    target: Annotated[Seat, "Whom the seer investigated"]
    werewolf: Annotated[bool, "Whether that player is a werewolf"]


class NightResolved(TypedDict):
    """What was chosen in the night, and who died."""

    day: Day
    attack: Annotated[Seat | None, "Whom the pack attacked; null: nobody"]
    investigated: Annotated[Seat | None, "Whom the seer investigated; null: nobody"]
    protected: Annotated[Seat | None, "Whom the doctor protected; null: nobody"]
    killed: Annotated[Seat | None, "Who died; null: nobody"]


class Message(TypedDict):
    """Somebody said something to everybody."""

    day: Day
    phase: Phase
    seat: Annotated[Seat, "Who said it"]
    text: Annotated[str, "What was said"]
    to: NotRequired[Annotated[Seat, "To whom the floor was handed; left out: to the room"]]
    intent: NotRequired[
        Annotated[
            Literal["address", "answer", "redirect", "accuse", "disclose"],
            "What it was meant as, if the speaker said so",
        ]
    ]
    cue: NotRequired[Annotated[str, "A note of the speaker for the production"]]


class CountedBallot(Ballot):
    """What a seat voted for."""

    unavailable: NotRequired[Annotated[Mark, "An abstention, since its time had passed"]]


class SpokenBallot(CountedBallot):
    """What a seat voted for, and said with it."""

    text: NotRequired[Annotated[str, "What it said with its ballot"]]


class Discussion(TypedDict):
    """The talk under way."""

    allowance: Annotated[Bytes, "For the whole day"]
    bytes_left: Annotated[Bytes, "What is left of the allowance"]
    max_message_bytes: Annotated[Bytes, "The longest message; with less left the talk ends"]
    passes_in_a_row: Annotated[Count, "How many have passed since somebody spoke"]
    handoffs_in_a_row: Annotated[Count, "How many directed handoffs there were in a row"]
    may_not_be_named: Annotated[
        Seat | None, "To whom the present speaker may not hand the floor; null: to anybody"
    ]


class Attack(TypedDict):
    """The attack that is settled."""

    target: Annotated[Seat | None, "Whom the pack attacks; null: nobody"]


class TimedTurn(TurnInPlay):
    """Whose turn it is, as far as this viewer may know, and until when."""

    deadline_ms: NotRequired[Annotated[Moment, "When its time is over, where shown"]]


class VisibleState(CommonState[CountedBallot]):
    """What a viewer may know of a match."""

    your_strikes: NotRequired[
        Annotated[Count, FOR_SEATS, "How many turns in a row you have let pass"]
    ]
    wolves: NotRequired[Annotated[list[Seat], FOR_THE_PACK, "The seats of the pack, dead or alive"]]
    exchange: NotRequired[
        Annotated[
            int | None,
            Kind("exchange", 1),
            FOR_THE_PACK,
            "Which exchange of proposals it is; null when the pack is not at it",
        ]
    ]
    night_picks: NotRequired[
        Annotated[list[PickRow], FOR_THE_PACK, "The targets that werewolves proposed last"]
    ]
    night_chat: NotRequired[
        Annotated[list[Said], FOR_THE_PACK, "What the pack said in the night of this day"]
    ]
    attack: NotRequired[
        Annotated[
            Attack | None, FOR_THE_PACK, "The attack of this day's night; null before it is settled"
        ]
    ]
    seer_results: NotRequired[
        Annotated[list[Sight], FOR_THE_SEER, "What the seer has learned, night by night"]
    ]
    last_protected: NotRequired[
        Annotated[
            Seat | None,
            FOR_THE_DOCTOR,
            "Whom the doctor protected last night and may not protect again; null: nobody",
        ]
    ]
    nights: NotRequired[
        Annotated[list[NightResolved], FOR_THE_OMNISCIENT, "Every night that is resolved"]
    ]
    counts: Counts
    talk: Annotated[
        list[Message], "The newest 200 things said to everybody, introductions too, in order"
    ]
    discussion: Annotated[Discussion | None, "The talk under way; null outside the talk"]
    votes_so_far: Annotated[
        list[SpokenBallot] | None, "The ballots of the vote under way; null outside a vote"
    ]
    totals: Annotated[
        list[TallyRow[Seat]] | None,
        "The ballots that count so far, the most votes first; null outside a vote",
    ]
    still_to_vote: Annotated[
        list[Seat] | None, "Who has not voted yet, in order; null outside a vote"
    ]
    votes_needed: Annotated[
        int | None,
        Kind("number", 1),
        "How many votes eliminate: more than half of the living; null outside a vote",
    ]
    turn: Annotated[TimedTurn | None, "Whose turn it is; null at the end"]


def visible_state(
    match: Match,
    seen: Sequence[Event],
    viewer: Viewer,
    *,
    turn_shown: bool,
    discussion: Mapping[str, Any] | None,
    vote: Mapping[str, Any] | None,
) -> dict[str, Any]:
    """What the viewer may know, out of the match and the events that it has seen.

    `discussion` and `vote` are what everybody may know of those while they are under way.
    """
    phase = match.phase if turn_shown or match.over else "night"
    state = common_state(match, seen, viewer, phase=phase, revealed=False)
    if isinstance(viewer, int):
        state["your_strikes"] = match.strikes[viewer]
    if is_of_the_pack(match, viewer):
        state |= _pack_state(match, seen)
    if holds(match, viewer, SEER):
        state["seer_results"] = data_of(seen, "seer_result_private")
    if holds(match, viewer, DOCTOR):
        state["last_protected"] = next(iter(match.notes.get("protected", ())), None)
    if viewer == "omniscient":
        state["nights"] = data_of(seen, "night_resolved")
    turn = turn_in_play(match, phase, shown=turn_shown)
    return state | {
        "counts": {"alive": len(match.alive), "wolves_total": len(pack(match))},
        "talk": [_without_bytes(said) for said in data_of(seen, "message")[-TALK_SHOWN:]],
        "discussion": discussion,
        **_vote_state(match, seen, vote),
        "turn": turn | {"deadline_ms": match.deadline} if turn and turn_shown else turn,
    }


def _pack_state(match: Match, seen: Sequence[Event]) -> dict[str, Any]:
    """What the pack knows of this night: the targets, what was said, what is settled."""
    settled = [told for told in data_of(seen, "attack_private") if told["day"] == match.day]
    return {
        "wolves": list(pack(match)),
        "exchange": match.notes.get("exchange"),
        "night_picks": picks_of(match, WEREWOLF),
        "night_chat": pack_chat(match, seen),
        "attack": {"target": settled[0]["target"]} if settled else None,
    }


def _without_bytes(said: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in said.items() if name != "bytes_left"}


def _vote_state(
    match: Match, seen: Sequence[Event], vote: Mapping[str, Any] | None
) -> dict[str, Any]:
    """The vote under way, with what was said with each ballot."""
    if vote is None:
        names = ("votes_so_far", "totals", "still_to_vote", "votes_needed")
        return dict.fromkeys(names)
    texts = {
        ballot["seat"]: ballot["text"]
        for ballot in data_of(seen, "ballot")
        if ballot["day"] == match.day and "text" in ballot
    }
    rows = [
        row | ({"text": texts[row["seat"]]} if row["seat"] in texts else {})
        for row in vote["votes_so_far"]
    ]
    return {**vote, "votes_so_far": rows}
