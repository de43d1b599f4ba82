"""The kinds of phases: in turns, and all at once.

A phase knows who may act, what they may do, what a move does, what happens when time runs out, and
what comes next. The kernel calls it in this order:

    open -> (await_next -> play | run_out)* -> close -> the next phase's name
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar, Final, Literal

from werewolf.draft import Draft, Position, living, pack
from werewolf.emitters import emit_secret_timeout, emit_timeout
from werewolf.moves import Action, Menu, Move, menu_of
from werewolf.roles import ROLES, WEREWOLF

DEADLINE: Final = "turn_deadline_ms"
"""The option for the time of a turn."""
STRIKES: Final = "max_consecutive_timeouts"
"""The option for how many turns in a row one may let pass until one is out."""


EVERYBODY: Final = "everybody"
"""In a menu: whatever the role."""

Part = Literal["introductions", "night", "talk", "vote"]


class Phase(ABC):
    """One phase of a rule set."""

    name: ClassVar[str]
    kind: ClassVar[str]
    """How it is played: "turns", or "together"."""
    menu: ClassVar[Sequence[tuple[str, Action]]]
    """What may be done in the phase, and by whom: a role, or everybody who is awaited."""
    moments: ClassVar[tuple[str, ...]] = ()
    """The notes that are points in time: they move with a clock that stood still."""
    part: ClassVar[Part]
    """Which part of a day it is."""
    secret: ClassVar[bool] = False
    """Whether nobody but those who act may learn anything of its time, such as its deadline."""
    turns_are_missed: ClassVar[bool] = True
    """Whether a seat that lets its time pass has missed a turn that was its own."""

    @abstractmethod
    def open(self, draft: Draft) -> None:
        """The phase begins."""

    def actions(self, position: Position, seat: int) -> Menu:
        """What an awaited seat may do: what is on the menu for its role."""
        return self._menus[position.roles[seat]]

    @cached_property
    def _menus(self) -> Mapping[str, Menu]:
        """The menu of each role."""
        return {
            role: menu_of(*[action for who, action in self.menu if who in (EVERYBODY, role)])
            for role in ROLES
        }

    def used_up(self, position: Position, seat: int) -> Mapping[str, str]:
        """What is on the menu, and what the seat has done as often as it may: by the name of the
        action, the code of the refusal."""
        return {}

    def offers(self, position: Position, seat: int) -> list[dict[str, Any]]:
        """The `legal_actions` of an awaited seat, which are the caller's own: an entry for each
        action, but for those of which a field that is needed has nothing to choose from."""
        found = []
        for action in self.actions(position, seat).values():
            entry = action.blank.copy()
            for key, words in action.words:
                entry[key] = [*words]
            for key, choices, required in action.choices:
                seats = choices(position, seat)
                if required and not seats:
                    break
                entry[key] = [*seats]
            else:
                found.append(entry)
        return found

    @abstractmethod
    def timing(self) -> dict[str, Any]:
        """How long the phase or a turn lasts and what silence does, for the manifest."""

    def manifest(self) -> dict[str, Any]:
        """The phase as JSON, for those who read before they play."""
        return {
            "phase": self.name,
            "kind": self.kind,
            "part": self.part,
            "secret": self.secret,
            "actions": [{"by": who, **action.manifest()} for who, action in self.menu],
            "time": self.timing(),
        }

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

    kind = "turns"
    silence: ClassVar[str]
    """The action that is played for a seat whose time has passed."""

    def open(self, draft: Draft) -> None:
        """Line up the seats."""
        draft.upcoming = self.order(draft)

    def order(self, draft: Draft) -> tuple[int, ...]:
        """Who takes a turn, in order: the living who have anything on the menu, in seat order."""
        who = dict.fromkeys(who for who, _ in self.menu)
        return draft.alive if EVERYBODY in who else living(draft, *who)

    def privy(self, position: Position, seat: int) -> tuple[int, ...]:
        """Who may know what the seat does in a secret phase: of a werewolf the pack."""
        return pack(position) if position.roles[seat] == WEREWOLF else (seat,)

    def default_move(self, draft: Draft, seat: int) -> Move:
        """What is played for a seat whose time has passed."""
        return {"action": self.silence}

    def timing(self) -> dict[str, Any]:
        """Each turn has a time of its own; silence is a move, and too often in a row the last."""
        return {
            "turn_ms": DEADLINE,
            "silence_plays": self.silence,
            "silences_in_a_row": STRIKES,
        }

    def tell_timeout(self, draft: Draft, seat: int, strikes: int) -> None:
        """Tell those who may know that the seat's time has passed."""
        if self.secret:
            emit_secret_timeout(draft, seat, strikes, to=self.privy(draft, seat))
        else:
            emit_timeout(draft, seat)

    def turn_seat_shown(self, position: Position, viewer: object) -> bool:
        """In a secret phase only those who may know what the seat does see that it is on turn."""
        acting = position.awaiting
        return not self.secret or any(viewer in self.privy(position, seat) for seat in acting)

    def line_up_again(self, draft: Draft) -> None:
        """All who were lined up have had their turns: line up more seats, if the phase goes on."""

    def await_next(self, draft: Draft) -> bool:
        """Give the turn to the next seat, with its full time."""
        if draft.awaiting:
            return True
        if not draft.upcoming:
            self.line_up_again(draft)
        upcoming = draft.upcoming
        if not upcoming:
            return False
        draft.awaiting = upcoming[:1]
        draft.upcoming = upcoming[1:]
        draft.deadline = draft.now + int(draft.options[DEADLINE])
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
        if strikes >= draft.option(STRIKES):
            draft.rules.put_out(draft, seat)

    def turn_number(self, position: Position, seat: int) -> int:
        """The turns taken in this phase, by whomever."""
        return sum(position.moves)


class Together(Phase):
    """All at once, by one clock: the phase ends when its time has run out, or, once its minimum has
    passed, as soon as every living player has locked."""

    kind = "together"
    moments = ("earliest",)
    turns_are_missed = False

    shortest: ClassVar[tuple[str, int]]
    """The option that sets the shortest time, and its unit in milliseconds."""
    longest: ClassVar[tuple[str, int]]

    def duration_ms(self, position: Position) -> tuple[int, int]:
        """The shortest and the longest time of the phase, in milliseconds."""
        (shortest, unit), (longest, unit_of_longest) = self.shortest, self.longest
        options = position.options
        return int(options[shortest]) * unit, int(options[longest]) * unit_of_longest

    def timing(self) -> dict[str, Any]:
        """All share one clock; nothing is played for the silent."""
        return {"shortest": self.shortest[0], "longest": self.longest[0], "silence_plays": None}

    def open(self, draft: Draft) -> None:
        """Everybody living may act."""
        shortest, longest = self.duration_ms(draft)
        draft.awaiting = draft.alive
        draft.deadline = draft.now + longest
        draft.note(earliest=draft.now + shortest, locked=[], said=None, changed=None)

    def count(self, draft: Draft, what: str, seat: int) -> None:
        """The seat has done so once more in this phase; `done` says how often."""
        counts = list(draft.notes.get(what) or (0,) * len(draft.roles))
        counts[seat] += 1
        draft.note(**{what: counts})

    def done(self, position: Position, what: str, seat: int) -> int:
        """How often the seat has done so in this phase. The first revision knew no bounds."""
        counts = position.notes.get(what) if position.revision > 1 else None
        return counts[seat] if counts else 0

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
