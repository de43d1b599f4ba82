"""The `visible_state` of werewolf-0.2, field for field as its rule text has it."""

from collections.abc import Sequence
from typing import Any

from werewolf.events import Event, Viewer
from werewolf.match import Match
from werewolf.roles import SEER, WEREWOLF
from werewolf.view import data_of, days, is_of_the_pack, own_card, players


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
    if viewer == "omniscient" or (isinstance(viewer, int) and match.roles[viewer] == SEER):
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
            for said in data_of(seen, "message")
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
