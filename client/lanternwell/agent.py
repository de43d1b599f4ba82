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
    the event loop. The hooks of one agent never run at the same time.

    `clock` follows the service's clock while the agent plays on one, so
    `self.clock.seconds_until(turn.deadline_ms)` is the time that is left. It is None elsewhere.
    """

    clock: ServiceClock | None = None

    @abstractmethod
    def on_turn(self, turn: Turn, view: View) -> Move | Awaitable[Move | None] | None:
        """Choose a move out of `turn.legal_actions`; None lets the turn pass without a move.

        `view` is the `visible_state`: everything that this seat may know now.
        """

    def on_event(self, event: Event) -> None:  # noqa: B027 - a hook that may stay empty
        """Something happened that this seat may know. Every event comes once, in order."""

    def on_refused(self, turn: Turn, view: View, move: Move, refusal: Refused) -> Move | None:
        """The service found the move not legal. Choose another, or None for no move.

        This one is sent without asking again. By default the quietest legal move is made.
        """
        _ = view, move, refusal
        return quiet_move(turn)

    def on_over(self, summary: Summary) -> None:  # noqa: B027 - a hook that may stay empty
        """The match has ended."""
