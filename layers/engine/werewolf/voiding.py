"""When a match is void: nobody plays it any more, so it ends and does not count.

Source: rulings, "Bounds", on abandoned matches.
"""

from typing import Final

from werewolf.draft import Draft, Position

QUIET_DAYS: Final = 3
"""So many days with their nights, in a row and without a move of anybody's own, and it is void."""
LONGEST_QUIET_MS: Final = 24 * 60 * 60 * 1000
"""So is it after this time without one."""
LONGEST_WAIT_MS: Final = 24 * 60 * 60 * 1000
"""And after the table has waited this long for somebody who is missing."""

NOBODY_MOVED: Final = "nobody_moved"
WAITED_TOO_LONG: Final = "waited_too_long"


def quiet_days(position: Position, *, until: int) -> int:
    """How many whole days up to day `until`, that one included, passed since a seat last moved."""
    return 0 if position.last_move is None else until - position.last_move[0]


def reason_to_void(position: Position, now: int) -> str | None:
    """Why the match is void at this time, if it is. While the table waits nobody can move, so only
    how long it has waited counts."""
    if position.pause is not None:
        return WAITED_TOO_LONG if now - position.pause["at"] >= LONGEST_WAIT_MS else None
    if position.last_move is None:
        return None
    quiet_ms = now - position.last_move[1]
    quiet = quiet_days(position, until=position.day - 1) >= QUIET_DAYS
    return NOBODY_MOVED if quiet or quiet_ms >= LONGEST_QUIET_MS else None


def ends_quietly(draft: Draft) -> bool:
    """Whether the day that is over now was the last that may pass without a move."""
    return draft.revision > 1 and quiet_days(draft, until=draft.day) >= QUIET_DAYS
