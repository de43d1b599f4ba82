"""A match while it is being changed: the rules write here, and the given match stays as it is."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from werewolf import dice
from werewolf.events import EVERYONE, Audience, Event
from werewolf.match import OVER, Ballot, Match, Pick, Transition, new
from werewolf.options import OptionValue
from werewolf.roles import ROLES, WEREWOLF

if TYPE_CHECKING:
    from werewolf.ruleset import RuleSet

T = TypeVar("T")
C = TypeVar("C", Pick, Ballot)

_NO_WEREWOLVES = tuple(role for role in ROLES if role != WEREWOLF)


class Draft:
    """The fields of a `Match`, open to change, with the events caused so far.

    Values are replaced, never changed in place: they may still belong to the match before.
    """

    __slots__ = (*Match._fields, "_events", "now", "rules")

    ruleset: str
    seed: str
    options: Mapping[str, OptionValue]
    roles: tuple[str, ...]
    day: int
    phase: str
    alive: tuple[int, ...]
    awaiting: tuple[int, ...]
    upcoming: tuple[int, ...]
    deadline: int | None
    moves: tuple[int, ...]
    strikes: tuple[int, ...]
    picks: tuple[Pick, ...]
    ballots: tuple[Ballot, ...]
    eliminated: tuple[tuple[int, int, str], ...]
    throws: int
    notes: Mapping[str, Any]
    pause: Mapping[str, Any] | None
    winner: str | None
    standing: tuple[tuple[int, int, int], ...]
    revision: int
    last_move: tuple[int, int] | None

    def __init__(self, match: Match, rules: "RuleSet", now: int) -> None:
        (
            self.ruleset,
            self.seed,
            self.options,
            self.roles,
            self.day,
            self.phase,
            self.alive,
            self.awaiting,
            self.upcoming,
            self.deadline,
            self.moves,
            self.strikes,
            self.picks,
            self.ballots,
            self.eliminated,
            self.throws,
            self.notes,
            self.pause,
            self.winner,
            self.standing,
            self.revision,
            self.last_move,
        ) = match
        self.rules = rules
        self.now = now
        self._events: list[Event] = []

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.phase == OVER

    def transition(self) -> Transition:
        """The changed match and what happened."""
        fields = (
            self.ruleset,
            self.seed,
            self.options,
            self.roles,
            self.day,
            self.phase,
            self.alive,
            self.awaiting,
            self.upcoming,
            self.deadline,
            self.moves,
            self.strikes,
            self.picks,
            self.ballots,
            self.eliminated,
            self.throws,
            self.notes,
            self.pause,
            self.winner,
            self.standing,
            self.revision,
            self.last_move,
        )
        return new(Transition, (new(Match, fields), (*self._events,)))

    def emit(self, kind: str, data: Mapping[str, Any], *, to: Audience = EVERYONE) -> None:
        """Something happened that the audience may know. The rule set declares such events."""
        self._events.append(new(Event, (kind, data, to)))

    def option(self, name: str) -> int:
        """The value of an option that is a whole number."""
        return int(self.options[name])

    def note(self, **notes: Any) -> None:
        """Remember these for the rule set; None forgets."""
        merged = {**self.notes, **notes}
        self.notes = {name: value for name, value in merged.items() if value is not None}

    def choose(self, label: str, among: Sequence[T]) -> T:
        """One of these, by the dice. No dice are thrown for a single one."""
        if len(among) == 1:
            return among[0]
        index, self.throws = dice.throw(self.seed, label, self.throws, len(among))
        return among[index]

    def shuffle(self, label: str, things: Sequence[T]) -> tuple[T, ...]:
        """These in a random order, by the dice."""
        order, self.throws = dice.shuffled(self.seed, label, self.throws, things)
        return order

    def pick(self, seat: int, target: int) -> None:
        """The seat's choice of the night, in place of an earlier one."""
        self.picks = (*_but_for(seat, self.picks), (seat, target))

    def cast(self, seat: int, target: int | str | None) -> None:
        """The seat's ballot, in place of an earlier one."""
        self.ballots = (*_but_for(seat, self.ballots), (seat, target))

    def withdraw(self, seat: int) -> None:
        """The seat's choice of the night and its ballot do not count any more."""
        self.picks = _but_for(seat, self.picks)
        self.ballots = _but_for(seat, self.ballots)

    def count_move(self, seat: int) -> None:
        """The seat has taken a turn in this phase."""
        moves = [*self.moves]
        moves[seat] += 1
        self.moves = (*moves,)

    def strike(self, seat: int) -> int:
        """The seat let its time pass: how often in a row now."""
        strikes = self.strikes[seat] + 1
        self.strikes = _with(self.strikes, seat, strikes)
        return strikes

    def clear_strikes(self, seat: int) -> None:
        """The seat moved by itself."""
        self.strikes = _with(self.strikes, seat, 0)

    def eliminate(self, seat: int, cause: str) -> None:
        """The seat is out: it takes no turn any more, and everybody is told."""
        self.alive = _without(self.alive, seat)
        self.awaiting = _without(self.awaiting, seat)
        self.upcoming = _without(self.upcoming, seat)
        self.eliminated = (*self.eliminated, (seat, self.day, cause))
        self.emit("elimination", self.rules.elimination(self, seat, cause))


Position = Match | Draft
"""A match to read: as it stands, or while it is being changed."""


def pack(position: Position) -> tuple[int, ...]:
    """Every werewolf, dead or alive."""
    return _werewolves(position.roles)


def living(position: Position, *roles: str) -> tuple[int, ...]:
    """The living seats that have one of these roles, in seat order."""
    return _having(position.alive, position.roles, roles)


def anybody_living(position: Position, _seat: int) -> tuple[int, ...]:
    """The living seats, in seat order."""
    return position.alive


def living_others(position: Position, seat: int) -> tuple[int, ...]:
    """The living seats but for this one, in seat order."""
    return _without(position.alive, seat)


def protectable(position: Position, _seat: int) -> tuple[int, ...]:
    """The living seats but for those that were protected last night, in seat order.

    Rule sets that bar them keep them in the note `protected`.
    """
    barred = position.notes.get("protected", ())
    return tuple([seat for seat in position.alive if seat not in barred])


def living_non_werewolves(position: Position, _seat: int) -> tuple[int, ...]:
    """The living seats that are no werewolves, in seat order."""
    return _having(position.alive, position.roles, _NO_WEREWOLVES)


def _but_for(seat: int, choices: tuple[C, ...]) -> tuple[C, ...]:
    """The choices of all others. Mostly the seat has made none."""
    for choice in choices:
        if choice[0] == seat:
            return tuple([other for other in choices if other[0] != seat])
    return choices


def _with(values: tuple[int, ...], index: int, value: int) -> tuple[int, ...]:
    changed = list(values)
    changed[index] = value
    return tuple(changed)


@lru_cache(maxsize=1 << 12)
def _werewolves(roles: tuple[str, ...]) -> tuple[int, ...]:
    return tuple([seat for seat, role in enumerate(roles) if role == WEREWOLF])


@lru_cache(maxsize=1 << 14)
def _having(
    seats: tuple[int, ...], roles: tuple[str, ...], wanted: tuple[str, ...]
) -> tuple[int, ...]:
    return tuple([seat for seat in seats if roles[seat] in wanted])


@lru_cache(maxsize=1 << 12)
def _without(seats: tuple[int, ...], gone: int) -> tuple[int, ...]:
    return tuple([seat for seat in seats if seat != gone])
