"""The table of codes: every refusal has one, and every code has one row.

A row gives the HTTP status, a title, and what a client does about it (`Reaction`). REST answers,
socket frames, the documents and the clients all read this table.
"""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

Reaction = Literal["fix_move", "turn_gone", "wait", "retry", "give_up"]
"""What a client does about a refusal; `REACTIONS` says what each means.

A refused subscription or socket says nothing of the match: a client looks over REST, whose answer
decides, and connects again later.
"""

REACTIONS: Final[Mapping[Reaction, str]] = {
    "fix_move": "the request itself is at fault. Correct the move and send it for the same turn; "
    "any other request is not worth repeating as it is.",
    "turn_gone": "this turn takes no further move. Look, and wait for your next one.",
    "wait": "not now. The same request may succeed once an event tells that things have changed; "
    "after `paused`, move when `your_turn` is there again, with the same `turn_id`.",
    "retry": "send the same request again, after `Retry-After` seconds where the answer has them.",
    "give_up": "asking again changes nothing; tell whoever is in charge.",
}


class Code(NamedTuple):
    """One row of the table."""

    status: int
    title: str
    reaction: Reaction


CODES: Final[Mapping[str, Code]] = {
    "malformed": Code(400, "The request does not have the documented shape", "fix_move"),
    "unauthorized": Code(401, "A valid token is needed", "give_up"),
    "not_seated": Code(403, "You have no seat at this table", "give_up"),
    "not_host": Code(403, "Only the host may do this", "give_up"),
    "omniscient_not_allowed": Code(403, "You may not know everything here", "give_up"),
    "not_invited": Code(403, "This table is for those who were invited", "give_up"),
    "not_found": Code(404, "There is nothing here", "give_up"),
    "method_not_allowed": Code(405, "This resource does not know this method", "give_up"),
    "name_taken": Code(409, "The name is taken", "give_up"),
    "too_many_characters": Code(409, "You have as many characters as you may have", "give_up"),
    "table_full": Code(409, "The table is full", "give_up"),
    "too_few_players": Code(409, "Too few players have sat down", "wait"),
    "match_not_open": Code(409, "The match is no longer open", "give_up"),
    "match_not_running": Code(409, "The match is not running", "wait"),
    "match_not_over": Code(409, "The match is not over", "wait"),
    "match_over": Code(409, "The match is over", "turn_gone"),
    "eliminated": Code(409, "You are out of the game", "turn_gone"),
    "not_your_turn": Code(409, "It is not your turn", "turn_gone"),
    "turn_over": Code(409, "This turn is over", "turn_gone"),
    "turn_used": Code(409, "You made another move in this turn", "turn_gone"),
    "deadline_passed": Code(409, "The deadline has passed", "turn_gone"),
    "locked": Code(409, "You have locked your choice", "turn_gone"),
    "replay_in_parts": Code(409, "The replay is told in parts", "fix_move"),
    "too_many_matches": Code(409, "This connection follows as many matches as it may", "give_up"),
    "too_many_spectators": Code(409, "As many look on through sockets as may", "wait"),
    "mode_fixed": Code(409, "You look at this match in another mode", "give_up"),
    "paused": Code(409, "The match waits for a player", "wait"),
    "not_absent": Code(409, "The table does not wait for this player", "give_up"),
    "too_early": Code(409, "The table must wait a while longer", "wait"),
    "body_too_large": Code(413, "The body is too large", "fix_move"),
    "illegal_action": Code(422, "This action is not legal now", "fix_move"),
    "illegal_target": Code(422, "This target is not legal", "fix_move"),
    "message_required": Code(422, "A message is needed", "fix_move"),
    "message_too_long": Code(422, "The message is too long", "fix_move"),
    "too_many_messages": Code(422, "You have said as much as you may today", "fix_move"),
    "too_many_changes": Code(422, "You have changed your choice as often as you may", "fix_move"),
    "no_house_bots": Code(422, "House bots do not play this rule set", "give_up"),
    "too_many_requests": Code(429, "Too many requests", "retry"),
    "internal": Code(500, "Something went wrong on this side", "retry"),
    "busy": Code(503, "Too busy at the moment", "retry"),
}


def reaction_to(code: str, status: int) -> Reaction:
    """What a client does about a refusal, also about one that this table does not have (yet).

    Of an unknown code the HTTP status decides: trouble over there and too many requests pass; who
    asks, and what for, cannot be mended; anything else is the fault of this very request.
    """
    if code in CODES:
        return CODES[code].reaction
    if status in (408, 425, 429) or status >= 500:
        return "retry"
    return "give_up" if status in (401, 403, 404, 405, 410) else "fix_move"
