"""Plays every role sensibly, as house bots do."""

import random

import bots
from lanternwell.agent import Agent
from lanternwell.model import Move, Turn, View
from lanternwell.moves import offered


class HeuristicAgent(Agent):
    """A player with simple, sound habits (`bots.habits`); a `seed` makes it predictable.

    It knows rule sets only through the actions that they offer.
    """

    def __init__(self, seed: int | str | None = None) -> None:
        self._dice = random.Random(seed)  # noqa: S311 - a game, not a secret
        self._voice = self._dice.choice(bots.VOICES)
        self._made: set[tuple[int, str, str]] = set()

    def on_turn(self, turn: Turn, view: View) -> Move | None:
        """The move that its habits suggest; the quietest legal one where they suggest none.

        Where one may act until one locks, it does each thing once.
        """
        made = self._made if offered(turn, "lock") else set()
        offers = [o for o in turn.legal_actions if (turn.day, turn.phase, o["action"]) not in made]
        if not offers:
            return None
        move = bots.choose({"legal_actions": offers}, view, self._dice, self._voice)
        self._made.add((turn.day, turn.phase, move["action"]))
        return move
