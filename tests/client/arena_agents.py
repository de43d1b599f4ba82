"""Agents for the arena's tests, found as `tests.client.arena_agents:<Class>`."""

import asyncio
import random
import sys
from typing import Any

from lanternwell import Agent, Event, Move, Refused, Summary, Turn, View, quiet_move
from lanternwell.agents import RandomAgent

HERE = "tests.client.arena_agents"


class Mute(Agent):
    """Lets every turn pass."""

    def on_turn(self, turn: Turn, view: View) -> None:
        return None


class Raising(Agent):
    """Raises whatever there is, in every hook."""

    def on_turn(self, turn: Turn, view: View) -> Move:
        raise (ZeroDivisionError, SystemExit, RecursionError)[len(view["alive"]) % 3]

    def on_event(self, event: Event) -> None:
        raise KeyError(event.type)

    def on_over(self, summary: Summary) -> None:
        raise ValueError(summary.match_id)


class Unmakable(Agent):
    """Is made once in a rehearsal, and never for a match."""

    def __init__(self, seed: str) -> None:
        if seed != "rehearsal":
            raise RuntimeError(seed)

    def on_turn(self, turn: Turn, view: View) -> None:
        raise AssertionError


class Nonsense(Agent):
    """Answers with what is no move, and takes back nothing that was refused."""

    def on_turn(self, turn: Turn, view: View) -> Any:
        answers = (42, "pass", [], {1, 2}, {}, {"action": 3}, {"action": "pass", "x": object()})
        return answers[len(turn.turn_id + str(view["alive"])) % len(answers)]

    def on_refused(self, turn: Turn, view: View, move: Move, refusal: Refused) -> Any:
        assert refusal.code == "malformed"
        return {"action": None}


class Cheat(Agent):
    """Names an action that does not exist."""

    def on_turn(self, turn: Turn, view: View) -> Move:
        return {"action": "win"}


class Vandal(RandomAgent):
    """Breaks whatever it is handed, after it has chosen."""

    def on_turn(self, turn: Turn, view: View) -> Move | None:
        move = super().on_turn(turn, view)
        for part in view.values():
            if isinstance(part, list):
                part.clear()
        for offer in turn.legal_actions:
            offer.clear()  # type: ignore[attr-defined]
        return move

    def on_event(self, event: Event) -> None:
        event.data.clear()  # type: ignore[attr-defined]


class Restless(Agent):
    """Says something for ever, where it may; async, and with the module's own dice."""

    async def on_turn(self, turn: Turn, view: View) -> Move | None:
        await asyncio.sleep(0)
        words = {o["action"] for o in turn.legal_actions}
        if "say" in words:
            return {"action": "say", "message": f"I say {random.randrange(1000)}."}
        return quiet_move(turn)


class Orderly(Agent):
    """Moves by the order of a set of strings, which is another one for another hash seed."""

    def on_turn(self, turn: Turn, view: View) -> Move | None:
        word = next(iter({offer["action"] for offer in turn.legal_actions}))
        offer = next(offer for offer in turn.legal_actions if offer["action"] == word)
        move: Move = {"action": word}
        if offer.get("targets"):
            move["target"] = offer["targets"][hash(str(sys.flags)) % len(offer["targets"])]
        if offer.get("roles"):
            move["role"] = offer["roles"][0]
        return move


class Witness(RandomAgent):
    """Plays at random and checks that it is handed what the service would hand it."""

    def __init__(self, seed: str) -> None:
        super().__init__(seed)
        self.seen = 0
        self.over: Summary | None = None

    def on_turn(self, turn: Turn, view: View) -> Move | None:
        assert isinstance(turn, Turn)
        assert turn.deadline_ms is not None
        assert view["your_seat"] in view["alive"]
        assert all(isinstance(key, str) for key in view)
        assert isinstance(view["alive"], list)
        return super().on_turn(turn, view)

    def on_event(self, event: Event) -> None:
        self.seen += 1
        assert event.seq == self.seen

    def on_over(self, summary: Summary) -> None:
        assert summary.over
        assert len(summary.ranking) == len(summary.players) == summary.seats
        self.over = summary


def not_an_agent() -> object:
    return object()


nothing = 3
