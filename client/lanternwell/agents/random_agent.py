"""Any legal move is as good as another."""

import random

from lanternwell.agent import Agent
from lanternwell.model import Move, Turn, View
from lanternwell.moves import every_move

SMALL_TALK = (
    "I have no idea who it is.",
    "Could be anyone of us.",
    "It is cold by the well tonight.",
    "I was asleep, honestly.",
    "Let us not rush this.",
    "Somebody here is lying.",
)


class RandomAgent(Agent):
    """Makes a random legal move under any rule set; a `seed` makes it predictable.

    It draws the action first and then what the action needs, so that naming nobody is as likely
    as naming somebody.
    """

    def __init__(self, seed: int | str | None = None) -> None:
        self._dice = random.Random(seed)  # noqa: S311 - a game, not a secret

    def on_turn(self, turn: Turn, view: View) -> Move | None:
        """A random action, then a random choice among what it needs."""
        _ = view
        moves = list(every_move(turn, say=self._dice.choice(SMALL_TALK)))
        if not moves:
            return None
        action = self._dice.choice(sorted({move["action"] for move in moves}))
        return self._dice.choice([move for move in moves if move["action"] == action])
