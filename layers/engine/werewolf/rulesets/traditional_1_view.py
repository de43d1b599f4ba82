"""The visible state of traditional-1.

What everybody sees is the same for all, the dead included. Private hands come on top of it: every
seat its own card, and the living what their role knows.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from werewolf import tally as count
from werewolf.draft import Position, pack
from werewolf.events import Event, Viewer
from werewolf.match import Ballot, Match, Pick
from werewolf.roles import DOCTOR, SEER, WEREWOLF
from werewolf.view import data_of, days, own_card, players


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
    return {
        "game": "werewolf",
        "rules_version": match.ruleset,
        "day": match.day,
        "phase": match.phase,
        **own_card(match, viewer),
        **_hand(match, seen, viewer),
        "alive": list(match.alive),
        "counts": _counts(match, viewer),
        "players": players(match, seen, roles_of=_named(match, viewer)),
        "talk": data_of(seen, "message"),
        **_vote(match),
        "days": days(match, seen),
        "limits": dict(match.options),
        "clock": clock,
        "waiting_for": list(match.waiting_for),
    }


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
        hand["seer_results"] = data_of(seen, "seer_result_private")
    if everything:
        hand["night_locked"] = _locked(match) if match.phase == "night" else None
    else:
        hand["you_have_locked"] = not match.over and viewer in match.notes["locked"]
    return hand


def _picks(match: Match, role: str) -> list[dict[str, Any]]:
    return [{"seat": seat, "target": target} for seat, target in shown_picks(match, role)]


def _locked(match: Match) -> list[int]:
    return sorted(seat for seat in match.notes["locked"] if seat in match.alive)


def _named(match: Match, viewer: Viewer) -> Sequence[int]:
    """The seats whose roles the viewer sees: all at the end; before, the dead if they are named."""
    if match.over or viewer == "omniscient":
        return range(len(match.roles))
    return [seat for seat, _, _ in match.eliminated] if match.options["reveal_roles"] else []


def _counts(match: Match, viewer: Viewer) -> dict[str, int]:
    """How many live, and how many werewolves there were; how many of them died, if that is told."""
    counts = {"alive": len(match.alive), "wolves_total": len(pack(match))}
    named = _named(match, viewer)
    if match.over or match.options["reveal_roles"] or viewer == "omniscient":
        gone = (seat for seat, _, _ in match.eliminated if seat in named)
        counts["wolves_eliminated"] = sum(match.roles[seat] == WEREWOLF for seat in gone)
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
