"""Agents that fail, and moves that cannot count: the seat plays on."""

import logging
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import pytest

from lanternwell import Agent, Event, Move, Refused, Summary, Turn, View, quiet_move
from lanternwell.player import NoMove
from tests.client.simulated import Service, all_play, seated, simulate

T = TypeVar("T")


class Broken(Exception):
    """What an agent raises."""


def raises(*_: Any) -> Any:
    raise Broken("of its own")


async def awaited(*_: Any) -> Any:
    raise Broken("later")


NO_MOVES: dict[str, Callable[..., Any]] = {
    "nan": lambda *_: math.nan,
    "nan inside": lambda *_: {"action": "vote", "target": math.nan},
    "a set": lambda *_: {"pass"},
    "a set inside": lambda *_: {"action": {"pass"}},
    "a string": lambda *_: "pass",
    "a list": lambda *_: [{"action": "pass"}],
    "a number": lambda *_: 3,
    "a huge number": lambda *_: {"action": "vote", "target": 10**5000},
    "half a character": lambda *_: {"action": "say", "message": "\ud83d"},
    "bytes": lambda *_: {"action": b"pass"},
    "an error": raises,
    "an error later": awaited,
}

ILLEGAL: dict[str, Callable[..., Any]] = {
    "nothing": lambda *_: {},
    "no such action": lambda *_: {"action": "dance"},
    "no such seat": lambda turn, *_: {"action": turn.legal_actions[0]["action"], "target": 99},
    "too long": lambda turn, *_: {"action": "pass", "thinking": "狼" * 12_000},
}


class Faulty(Agent):
    """Answers a turn, and a refusal, with what it is given."""

    def __init__(self, first: Callable[..., Any], second: Callable[..., Any]) -> None:
        self._first = first
        self._second = second
        self.refused: list[str] = []

    def on_turn(self, turn: Turn, view: View) -> Any:
        return self._first(turn, view)

    def on_refused(self, turn: Turn, view: View, move: Move, refusal: Refused) -> Any:
        self.refused.append(refusal.code)
        return self._second(turn, view, move, refusal)


class InLoop(Faulty):
    """The same, in the event loop."""

    async def on_turn(self, turn: Turn, view: View) -> Any:
        answer = self._first(turn, view)
        return await answer if hasattr(answer, "__await__") else answer


def moves_of(agents: Sequence[Agent], ruleset: str, **more: Any) -> list[dict[str, Any]]:
    """The moves of a short match between these."""

    async def main(service: Service) -> list[dict[str, Any]]:
        options = {"max_days": 1}
        match_id, _, clients = await seated(service, len(agents), ruleset, options)
        await all_play(agents, clients, match_id, **more)
        replay = await clients[0].replay(match_id)
        return [move for move in replay["moves"] if move["by"] != "start"]

    return simulate(main)


def quiet(turn: Turn, *_: Any) -> Move | None:
    return quiet_move(turn)


def tables_of_six(answers: Mapping[str, T]) -> Iterator[list[T]]:
    """All of them, six at a time."""
    kinds = list(answers.values())
    for first in range(0, len(kinds), 6):
        yield (kinds[first:] + kinds)[:6]


@pytest.mark.parametrize("ruleset", ["werewolf-0.2", "house-9"])
def test_what_is_no_move_is_followed_by_a_quiet_one(
    ruleset: str, caplog: pytest.LogCaptureFixture
) -> None:
    moves = [
        move
        for answers in tables_of_six(NO_MOVES)
        for move in moves_of([InLoop(answer, quiet) for answer in answers], ruleset)
    ]
    assert {move["by"] for move in moves} == {"player"}
    told = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert len(told) == len(moves)
    assert {record.exc_info[0] for record in told if record.exc_info} == {Broken}


@pytest.mark.parametrize("first", ILLEGAL)
def test_a_second_move_that_cannot_count_is_followed_by_a_quiet_one(first: str) -> None:
    for seconds in tables_of_six(NO_MOVES | ILLEGAL):
        agents = [InLoop(ILLEGAL[first], second) for second in seconds]
        moves = moves_of(agents, "house-9")
        assert {move["by"] for move in moves} == {"player"}
        refused = [code for agent in agents for code in agent.refused]
        assert len(refused) == len(moves)
        if first == "too long":
            assert set(refused) == {"body_too_large"}


def test_who_has_no_second_move_lets_the_turn_pass() -> None:
    agents = [InLoop(ILLEGAL["no such action"], lambda *_: None) for _ in range(6)]
    moves = moves_of(agents, "werewolf-0.2")
    assert {move["by"] for move in moves} == {"timeout"}
    assert max(len(agent.refused) for agent in agents) <= 3


class Deaf(Agent):
    """Only its moves are right."""

    async def on_turn(self, turn: Turn, view: View) -> Move | None:
        return quiet_move(turn)

    def on_event(self, event: Event) -> None:
        raise Broken("event")

    def on_over(self, summary: Summary) -> None:
        raise Broken("over")


def test_errors_in_other_hooks_are_told_as_well(caplog: pytest.LogCaptureFixture) -> None:
    moves_of([Deaf() for _ in range(5)], "werewolf-0.2")
    told = [record.getMessage() for record in caplog.records if record.exc_info]
    assert sum("on_over" in message for message in told) == 5
    assert sum("on_event" in message for message in told) > 50


@pytest.mark.parametrize(
    ("agent", "raised"),
    [
        (InLoop(raises, quiet), Broken),
        (InLoop(NO_MOVES["a set"], quiet), NoMove),
        (InLoop(ILLEGAL["nothing"], raises), Broken),
        (Deaf(), Broken),
    ],
)
def test_an_error_ends_the_run_where_that_is_wanted(agent: Agent, raised: type[Exception]) -> None:
    with pytest.raises(raised):
        moves_of([agent for _ in range(5)], "werewolf-0.2", on_error="raise")
