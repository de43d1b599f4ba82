"""The visible state of house-9."""

from collections.abc import Mapping, Sequence
from typing import Any

from werewolf.draft import pack
from werewolf.events import Event, Viewer
from werewolf.match import Match
from werewolf.roles import DOCTOR, SEER, WEREWOLF
from werewolf.view import data_of, days, is_of_the_pack, own_card, players


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
    state: dict[str, Any] = {
        "game": "werewolf",
        "rules_version": match.ruleset,
        "day": match.day,
        "phase": match.phase if turn_shown or match.over else "night",
        **own_card(match, viewer),
    }
    if isinstance(viewer, int):
        state["your_strikes"] = match.strikes[viewer]
    if is_of_the_pack(match, viewer):
        state |= _pack_state(match, seen)
    if _holds(match, viewer, SEER):
        state["seer_results"] = data_of(seen, "seer_result_private")
    if _holds(match, viewer, DOCTOR):
        state["last_protected"] = next(iter(match.notes.get("protected", ())), None)
    if viewer == "omniscient":
        state["nights"] = data_of(seen, "night_resolved")
    everything = match.over or viewer == "omniscient"
    state |= {
        "alive": list(match.alive),
        "counts": {"alive": len(match.alive), "wolves_total": match.roles.count(WEREWOLF)},
        "players": players(match, seen, roles_of=range(len(match.roles)) if everything else ()),
        "talk": [_without_bytes(said) for said in data_of(seen, "message")],
        "discussion": discussion,
        **_vote_state(match, seen, vote),
        "days": days(match, seen),
        "limits": dict(match.options),
        "turn": _turn(match, turn_shown),
    }
    return state


def _holds(match: Match, viewer: Viewer, role: str) -> bool:
    return viewer == "omniscient" or (isinstance(viewer, int) and match.roles[viewer] == role)


def _pack_state(match: Match, seen: Sequence[Event]) -> dict[str, Any]:
    """What the pack knows of this night: the targets, what was said, what is settled."""
    wolves = pack(match)
    settled = [told for told in data_of(seen, "attack_private") if told["day"] == match.day]
    return {
        "wolves": list(wolves),
        "exchange": match.notes.get("exchange"),
        "night_picks": [
            {"seat": seat, "target": target} for seat, target in match.picks if seat in wolves
        ],
        "night_chat": [
            {"seat": said["seat"], "text": said["text"]}
            for said in data_of(seen, "message_private")
            if said["day"] == match.day
        ],
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


def _turn(match: Match, shown: bool) -> dict[str, Any] | None:
    """Whose turn it is, and until when. At night that is not for everybody."""
    if match.over:
        return None
    if not shown:
        return {"phase": "night"}
    return {
        "turn": sum(match.moves),
        "seat": match.awaiting[0],
        "phase": match.phase,
        "deadline_ms": match.deadline,
    }
