"""The example agents of the show: paced, and one of them falls silent."""

import random
import secrets
from collections.abc import Sequence
from typing import Final

from lanternwell.agent import Agent
from lanternwell.agents import HeuristicAgent
from lanternwell.client import AsyncClient
from lanternwell.errors import Refused
from lanternwell.model import Move, Turn, View
from lanternwell.pacing import Paced
from lanternwell.show.story import PHASES

NAMES: Final = ("Mira", "Odo", "Tamsin", "Bran", "Ilse", "Corvin", "Wren", "Hedda", "Lorne", "Sif")

TALK_ROUNDS: Final = 3
"""Enough for the silent one: one round to speak, two to miss, and the vote as the third strike."""

NAME_TRIES: Final = 5


class Silence:
    """Makes one player of the cast fall silent for good, once it has spoken on the first day.

    It is a werewolf where there are two or more, for then the match goes on without it, and a
    villager else. Every player looks at its own card only; the first that fits is the one.
    """

    def __init__(self) -> None:
        self.seat: int | None = None

    def falls_on(self, turn: Turn, view: View) -> bool:
        """Whether the player who sees this lets this turn pass."""
        seat: int = view["your_seat"]
        if self.seat is None and turn.day == 1 and PHASES.get(turn.phase) == "talk":
            wanted = "werewolf" if view["counts"]["wolves_total"] > 1 else "villager"
            if view["your_role"] == wanted:
                self.seat = seat
                return False  # its last words
        return seat == self.seat


class Performer(Paced):
    """An agent that takes about `pace_s` for a turn, and may fall silent."""

    def __init__(self, inner: Agent, silence: Silence, pace_s: float) -> None:
        super().__init__(inner, pace_s)
        self._silence = silence
        self._dice = random.Random()  # noqa: S311 - how long somebody thinks

    def pause_s(self, turn: Turn) -> float:
        """Not the same for each turn; less where there is nothing to read."""
        haste = 1.0 if PHASES.get(turn.phase) == "talk" else 0.5
        return super().pause_s(turn) * haste * self._dice.uniform(0.5, 1.5)

    async def on_turn(self, turn: Turn, view: View) -> Move | None:
        """Think for a while, then do as the inner agent does; or fall silent."""
        return None if self._silence.falls_on(turn, view) else await super().on_turn(turn, view)


def performers(seats: int, *, silence: Silence, pace_s: float, seed: str | None) -> list[Performer]:
    """One for each seat; with a `seed` they decide the same way every time."""
    return [
        Performer(
            HeuristicAgent(None if seed is None else f"{seed}/{number}"),
            silence,
            pace_s,
        )
        for number in range(seats)
    ]


async def register_all(clients: Sequence[AsyncClient]) -> list[str]:
    """Register every client under a name of the cast; the names in the clients' order."""
    return [
        await _register(client, NAMES[number % len(NAMES)]) for number, client in enumerate(clients)
    ]


async def _register(client: AsyncClient, name: str) -> str:
    """Names are given once on a service, so a taken one gets a number."""
    wanted = name
    for _ in range(NAME_TRIES):
        try:
            return (await client.register(wanted)).name
        except Refused as refusal:
            if refusal.code != "name_taken":
                raise
            wanted = f"{name} {secrets.randbelow(9000) + 1000}"
    return (await client.register(wanted)).name
