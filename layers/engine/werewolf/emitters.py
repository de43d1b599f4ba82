"""One emitter for each event that rule sets share: its data is written here and nowhere else.

`more` are the fields that a rule set adds to the event (`werewolf.event_types` declares them all).
"""

from collections.abc import Iterable, Sequence
from typing import Any

from werewolf import tally
from werewolf.draft import Draft, pack
from werewolf.events import Audience
from werewolf.match import Ballot
from werewolf.moves import Move
from werewolf.roles import ROLES, WEREWOLF, team_of

# ---- the deal ------------------------------------------------------------------------------------


def emit_deal(draft: Draft, names: Sequence[str]) -> None:
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


# ---- night and day -------------------------------------------------------------------------------


def emit_night_start(draft: Draft, **more: Any) -> None:
    """Night falls."""
    draft.emit("night_start", {"day": draft.day, **more})


def emit_dawn(draft: Draft, killed: int | None, **more: Any) -> None:
    """The night is over, and somebody may have died."""
    draft.emit("dawn", {"day": draft.day, "killed": killed, **more})


def emit_day_start(draft: Draft, **more: Any) -> None:
    """The day begins."""
    draft.emit("day_start", {"day": draft.day, **more})


def emit_seer_result(draft: Draft, target: int, to: Audience, **learned: Any) -> None:
    """The seer learned something of the one it looked at."""
    draft.emit("seer_result_private", {"day": draft.day, "target": target, **learned}, to=to)


# ---- moves ---------------------------------------------------------------------------------------


def emit_action(draft: Draft, seat: int, move: Move, *fields: str) -> None:
    """A move that everybody sees; of its fields these, where it has them."""
    draft.emit("action", _act(draft, seat, move, fields))


def emit_secret_action(draft: Draft, seat: int, move: Move, to: Audience, **more: Any) -> None:
    """A move in secret, with its target if there is one."""
    draft.emit("action_private", _act(draft, seat, move, ("target",)) | more, to=to)


def _act(draft: Draft, seat: int, move: Move, fields: tuple[str, ...]) -> dict[str, Any]:
    data = {"day": draft.day, "phase": draft.phase, "seat": seat, "action": move["action"]}
    if "timeout" in move:
        data["timeout"] = True
    for field in fields:
        if field in move:
            data[field] = move[field]
    return data


def emit_message(draft: Draft, seat: int, text: str, **more: Any) -> None:
    """Somebody said something to everybody."""
    draft.emit("message", {"day": draft.day, "seat": seat, "text": text, **more})


def emit_pack_message(draft: Draft, seat: int, text: str) -> None:
    """Somebody said something to the pack."""
    data = {"day": draft.day, "phase": draft.phase, "seat": seat, "text": text}
    draft.emit("message_private", data, to=pack(draft))


def emit_timeout(draft: Draft, seat: int) -> None:
    """Everybody notices that a seat let its time pass. How many strikes it has by now is not told:
    some may have fallen at night."""
    draft.emit("timeout", {"day": draft.day, "phase": draft.phase, "seat": seat})


def emit_secret_timeout(draft: Draft, seat: int, strikes: int, to: Audience) -> None:
    """Only these learn that a seat let its time pass, and how often in a row now."""
    data = {"day": draft.day, "phase": draft.phase, "seat": seat, "strikes": strikes}
    draft.emit("timeout_private", data, to=to)


# ---- the vote ------------------------------------------------------------------------------------


def emit_vote_start(draft: Draft) -> None:
    """The vote is called."""
    draft.emit("vote_start", {"day": draft.day})


def emit_votes(draft: Draft, votes: list[dict[str, Any]], counts: tally.Counts) -> None:
    """Everybody learns every ballot (as `tally.ballot_data` writes them) and the tally."""
    data = {"day": draft.day, "votes": votes, "tally": tally.tally_data(counts)}
    draft.emit("votes_revealed", data)


def reveal_votes(draft: Draft, ballots: Iterable[Ballot]) -> tally.Counts:
    """Everybody learns these ballots and the tally, which is returned."""
    ballots = [*ballots]
    counts = tally.tally(ballots, draft.alive)
    emit_votes(draft, tally.ballot_data(ballots, draft.alive), counts)
    return counts


def emit_no_elimination(draft: Draft, reason: str) -> None:
    """Nobody goes."""
    draft.emit("no_elimination", {"day": draft.day, "reason": reason})
