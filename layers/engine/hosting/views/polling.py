"""When it is worth asking again, for those who poll: out of what the viewer may know, alone.

The longer a turn may last, the less often one need ask: ten times within what is left of it. When a
public phase is over everybody can work out. In a secret one only those on turn know; all others are
told what follows from the options of the table, which is the same at every moment of every night.
"""

import math
from typing import Final

from hosting.model import State
from werewolf import RULESETS, Viewer

AT_AN_OPEN_TABLE: Final = 5
LONGEST: Final = 30
_PER_TURN: Final = 10
_USUAL_TURN_MS: Final = 30_000


def poll_after(state: State, viewer: Viewer, *, now: int) -> int | None:
    """In how many seconds to ask again; None when there is nothing more to come."""
    if state.status == "open":
        return AT_AN_OPEN_TABLE
    if state.status != "running":
        return None
    left_ms = _left_ms(state, viewer, now)
    return min(LONGEST, max(1, math.ceil(left_ms / _PER_TURN / 1000)))


def _left_ms(state: State, viewer: Viewer, now: int) -> int:
    match = state.engine()
    secret = RULESETS[match.ruleset].phases[match.phase].secret
    if state.deadline is not None and (not secret or viewer in match.awaiting):
        return state.deadline - now
    usual = match.options.get("turn_deadline_ms")
    return usual if isinstance(usual, int) else _USUAL_TURN_MS
