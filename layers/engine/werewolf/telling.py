"""What events tell: the data that rule sets share."""

from collections.abc import Sequence
from typing import Any

from werewolf import tally
from werewolf.draft import Draft, pack
from werewolf.events import Audience
from werewolf.moves import Move
from werewolf.roles import ROLES, WEREWOLF, team_of


def deal_out(draft: Draft, names: Sequence[str]) -> None:
    """Everybody learns who sits where and which roles there are, and each seat its own card; the
    werewolves learn of each other."""
    draft.emit(
        "roles_dealt",
        {
            "players": [{"seat": seat, "name": name} for seat, name in enumerate(names)],
            "roles": {role: draft.roles.count(role) for role in ROLES if role in draft.roles},
        },
    )
    for seat, role in enumerate(draft.roles):
        card = {"seat": seat, "role": role, "team": team_of(role)}
        if role == WEREWOLF:
            card["wolves"] = list(pack(draft))
        draft.emit("role_private", card, to=(seat,))


def move_data(draft: Draft, seat: int, move: Move) -> dict[str, Any]:
    """That somebody did something; `timeout` when it was played for the seat."""
    data = {"day": draft.day, "phase": draft.phase, "seat": seat, "action": move["action"]}
    if "timeout" in move:
        data["timeout"] = True
    return data


def aimed_move_data(draft: Draft, seat: int, move: Move) -> dict[str, Any]:
    """The same, with the target if there is one."""
    data = move_data(draft, seat, move)
    if "target" in move:
        data["target"] = move["target"]
    return data


def reveal_votes(draft: Draft) -> tuple[int | str, ...]:
    """Everybody learns every ballot and the tally; returns those with the most votes."""
    counts = tally.tally(draft.ballots, draft.alive)
    draft.emit(
        "votes_revealed",
        {
            "day": draft.day,
            "votes": tally.ballot_data(draft.ballots, draft.alive),
            "tally": tally.tally_data(counts),
        },
    )
    return tally.leaders(counts)


def tell_public_timeout(draft: Draft, seat: int) -> None:
    """Everybody notices that a seat let its time pass. How many strikes it has by now is not told:
    some may have fallen at night."""
    draft.emit("timeout", {"day": draft.day, "phase": draft.phase, "seat": seat})


def tell_secret_timeout(draft: Draft, seat: int, strikes: int, to: Audience) -> None:
    """Only these learn that a seat let its time pass, and how often in a row now."""
    told = {"day": draft.day, "phase": draft.phase, "seat": seat, "strikes": strikes}
    draft.emit("timeout_private", told, to=to)
