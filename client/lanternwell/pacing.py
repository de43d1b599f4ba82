"""Agents that take their time, so that people can watch them."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from typing import Any

from lanternwell.agent import Agent
from lanternwell.errors import Refused
from lanternwell.model import Event, Move, Summary, Turn, View


class Paced(Agent):
    """Plays as another agent does, but waits before each of its moves.

    That is `pace_s` seconds, and never more than half of what is left of the turn.
    """

    def __init__(self, inner: Agent, pace_s: float) -> None:
        self.inner = inner
        self.pace_s = pace_s

    def pause_s(self, turn: Turn) -> float:
        """How long to wait before the move of this turn."""
        if turn.deadline_ms is None or self.clock is None:
            return self.pace_s
        return max(0.0, min(self.pace_s, self.clock.seconds_until(turn.deadline_ms) / 2))

    async def on_turn(self, turn: Turn, view: View) -> Move | None:
        """Wait, then do as the inner agent does."""
        self.inner.clock = self.clock
        await asyncio.sleep(self.pause_s(turn))
        choose: Callable[[Turn, View], Any] = self.inner.on_turn
        is_async = inspect.iscoroutinefunction(choose)
        answer = choose(turn, view) if is_async else await asyncio.to_thread(choose, turn, view)
        move: Move | None = await answer if isinstance(answer, Awaitable) else answer
        return move

    def on_event(self, event: Event) -> None:
        """As the inner agent does."""
        self.inner.on_event(event)

    def on_refused(self, turn: Turn, view: View, move: Move, refusal: Refused) -> Move | None:
        """As the inner agent does."""
        return self.inner.on_refused(turn, view, move, refusal)

    def on_over(self, summary: Summary) -> None:
        """As the inner agent does."""
        self.inner.on_over(summary)
