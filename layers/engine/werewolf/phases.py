"""The kinds of phases: in turns, and all at once.

A phase knows who may act, what they may do, what a move does, what happens when time runs out, and
what comes next. The kernel calls it in this order:

    open -> (await_next -> play | run_out)* -> close -> the next phase's name
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any, ClassVar

from werewolf.draft import Draft, Position
from werewolf.moves import Action, Move


class Phase(ABC):
    """One phase of a rule set."""

    name: ClassVar[str]
    moments: ClassVar[tuple[str, ...]] = ()
    """The notes that are points in time: they move with a clock that stood still."""
    turns_are_missed: ClassVar[bool] = True
    """Whether a seat that lets its time pass has missed a turn that was its own."""

    @abstractmethod
    def open(self, draft: Draft) -> None:
        """The phase begins."""

    @abstractmethod
    def actions(self, position: Position, seat: int) -> Iterable[Action]:
        """What an awaited seat may do."""

    @abstractmethod
    def play(self, draft: Draft, seat: int, move: Move) -> None:
        """An awaited seat made this move, which was checked."""

    @abstractmethod
    def await_next(self, draft: Draft) -> bool:
        """Say who may act now and until when; False when the phase is finished."""

    @abstractmethod
    def run_out(self, draft: Draft) -> None:
        """The deadline has passed."""

    @abstractmethod
    def close(self, draft: Draft) -> str:
        """The phase is finished: what follows from it, and the name of the next phase."""

    @abstractmethod
    def turn_number(self, position: Position, seat: int) -> int:
        """The last part of the turn id: new for every turn that the seat has in this phase."""

    def take_turn(self, draft: Draft, seat: int) -> None:
        """The seat uses its turn: by a move, or by letting its time pass."""
        draft.count_move(seat)

    def refusal(self, position: Position, seat: int) -> str:
        """The code for a living seat that may not act now."""
        return "not_your_turn"

    def clock(self, position: Position) -> dict[str, Any]:
        """What events and views tell of a clock that everybody shares; nothing where none is."""
        return {}

    def turn_seat_shown(self, position: Position, viewer: object) -> bool:
        """Whether the viewer may know whose turn it is, how many have passed, and the deadline."""
        return True


class Turns(Phase):
    """One seat after another, each with a time of its own."""

    def open(self, draft: Draft) -> None:
        """Line up the seats."""
        draft.upcoming = self.order(draft)

    @abstractmethod
    def order(self, draft: Draft) -> tuple[int, ...]:
        """Who takes a turn, in order."""

    @abstractmethod
    def default_move(self, draft: Draft, seat: int) -> Move:
        """What is played for a seat whose time has passed."""

    @abstractmethod
    def tell_timeout(self, draft: Draft, seat: int, strikes: int) -> None:
        """Tell those who may know that the seat's time has passed."""

    def next_seat(self, draft: Draft) -> int | None:
        """Whose turn is next; None when all have had theirs."""
        if not draft.upcoming:
            return None
        seat = draft.upcoming[0]
        draft.upcoming = draft.upcoming[1:]
        return seat

    def await_next(self, draft: Draft) -> bool:
        """Give the turn to the next seat, with its full time."""
        if draft.awaiting:
            return True
        seat = self.next_seat(draft)
        if seat is None:
            return False
        draft.awaiting = (seat,)
        draft.deadline = draft.now + draft.option("turn_deadline_ms")
        return True

    def take_turn(self, draft: Draft, seat: int) -> None:
        """Nobody is awaited until the next seat gets its turn."""
        draft.count_move(seat)
        draft.awaiting = ()

    def run_out(self, draft: Draft) -> None:
        """Play the default move, and count the strike."""
        (seat,) = draft.awaiting
        strikes = draft.strike(seat)
        self.take_turn(draft, seat)
        self.tell_timeout(draft, seat, strikes)
        self.play(draft, seat, self.default_move(draft, seat) | {"timeout": True})
        if strikes >= draft.option("max_consecutive_timeouts"):
            draft.rules.put_out(draft, seat)

    def turn_number(self, position: Position, seat: int) -> int:
        """The turns taken in this phase, by whomever."""
        return sum(position.moves)


class Together(Phase):
    """All at once, by one clock: the phase ends when its time has run out, or, once its minimum has
    passed, as soon as every living player has locked."""

    moments = ("earliest",)
    turns_are_missed = False

    @abstractmethod
    def duration_ms(self, position: Position) -> tuple[int, int]:
        """The shortest and the longest time of the phase, in milliseconds."""

    def open(self, draft: Draft) -> None:
        """Everybody living may act."""
        shortest, longest = self.duration_ms(draft)
        draft.awaiting = draft.alive
        draft.deadline = draft.now + longest
        draft.note(earliest=draft.now + shortest, locked=[])

    def lock(self, draft: Draft, seat: int) -> None:
        """The seat is done for this phase."""
        draft.awaiting = tuple(other for other in draft.awaiting if other != seat)
        draft.note(locked=[*draft.notes["locked"], seat])

    def await_next(self, draft: Draft) -> bool:
        """Go on until the deadline, which comes nearer when nobody has anything left to do."""
        if draft.deadline is not None and draft.now >= draft.deadline:
            return False
        if not draft.awaiting:
            if draft.now >= draft.notes["earliest"]:
                return False
            draft.deadline = draft.notes["earliest"]
        return True

    def run_out(self, draft: Draft) -> None:
        """Nothing is played for the silent: what shows at the end counts."""

    def clock(self, position: Position) -> dict[str, Any]:
        """The earliest and the latest end; never when all have locked, which shows by itself.

        While the table waits, the clock tells how much is left until either.
        """
        shortest, longest = self.duration_ms(position)
        earliest = position.notes["earliest"]
        latest = earliest - shortest + longest
        if position.pause is None:
            return {"earliest_ms": earliest, "latest_ms": latest}
        at = position.pause["at"]
        return {"least_left_ms": max(0, earliest - at), "left_ms": max(0, latest - at)}

    def refusal(self, position: Position, seat: int) -> str:
        """A living seat that is not awaited has locked."""
        return "locked"

    def turn_number(self, position: Position, seat: int) -> int:
        """The moves that this seat has made in this phase."""
        return position.moves[seat]
