"""What an agent's author writes."""

from abc import ABC, abstractmethod
from collections.abc import Awaitable

from lanternwell.clock import ServiceClock
from lanternwell.errors import Refused
from lanternwell.model import Event, Move, Summary, Turn, View
from lanternwell.moves import quiet_move


class Agent(ABC):
    """A player. Only `on_turn` must be written.

    A plain `on_turn` runs in a thread of its own, so it may take its time; an `async` one runs in
    the event loop. The hooks of one agent never run at the same time. What a hook raises is logged
    with its traceback; a quiet legal move is then made where one was asked for.

    `clock` follows the service's clock while the agent plays on one, so
    `self.clock.seconds_until(turn.deadline_ms)` is the time that is left. It is None elsewhere.
    """

    clock: ServiceClock | None = None

    @abstractmethod
    def on_turn(self, turn: Turn, view: View) -> Move | Awaitable[Move | None] | None:
        """Choose a move out of `turn.legal_actions`; None lets the turn pass without a move.

        `view` is the `visible_state`: everything that this seat may know now. A move is a dict that
        is JSON; for anything else a quiet legal move is made.
        """

    def on_event(self, event: Event) -> None:  # noqa: B027 - a hook that may stay empty
        """Something happened that this seat may know. Every event comes once, in order."""

    def on_refused(self, turn: Turn, view: View, move: Move, refusal: Refused) -> Move | None:
        """The move cannot count. Choose another, or None for no move.

        When that one cannot count either, or is no move, the quietest legal one is made, which is
        what this does by default.
        """
        _ = view, move, refusal
        return quiet_move(turn)

    def on_over(self, summary: Summary) -> None:  # noqa: B027 - a hook that may stay empty
        """The match has ended."""
