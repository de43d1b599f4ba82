"""A change to a match in the making: what was read, what happens to it, what will be written."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import werewolf
from hosting.errors import from_engine
from hosting.model import (
    Commit,
    LogEntry,
    PlayedMove,
    Receipt,
    SeatRow,
    State,
    TableChange,
    Unchanged,
)
from hosting.tables.house_seats import pause_before
from hosting.views.sequences import counted, seated
from protocol.terms import Status
from werewolf import Event, IllegalMove, Input, Match, Setup
from werewolf.inputs import InputBy, as_played, start_move

Turns = Mapping[int, Mapping[str, Any]]
"""By seat: a turn as it goes over the wire."""

CLOCK: Final = "clock"
"""The effect that asks for a clock to be started."""

BOTS: Final = "bots"
"""The effect that asks for house bots to be told of their turns."""

_LATE: Final = float("inf")


class MatchChange:
    """Starts as the state that was read, takes changes, and gives the transaction to write.

    `state` is kept up to date but for its `match`, which is written out once, by `commit`. `place`
    is the seat that acts, once that is known: its place in line if others act at the same time.
    """

    def __init__(self, read: State, now: int) -> None:
        self.read = read
        self.state = read
        self.now = now
        self.table: TableChange | None = None
        self.acting_seat: int | None = None
        self.rows: list[SeatRow] = []
        self.unchanged: tuple[Unchanged, ...] = ()
        self._before = read.seen
        self._events: list[Event] = []
        self._moves: list[PlayedMove] = []
        self._rearm = False
        self._match = read.engine() if read.status == "running" else None
        self._turns: tuple[Match | None, Turns] = (None, {})
        self._turns_read = self.turns
        self._kept = self._changes()

    def savepoint(self) -> None:
        """What has happened so far has happened, whatever becomes of the request."""
        self._kept = self._changes()

    def rollback(self) -> None:
        """The request was refused: nothing since the last checkpoint has happened."""
        for name, value in self._kept.items():
            setattr(self, name, value)

    def _changes(self) -> dict[str, Any]:
        return {
            name: list(value) if isinstance(value, list) else value
            for name, value in vars(self).items()
            if name != "_kept"
        }

    @property
    def match(self) -> Match:
        """The engine's match as it is by now; only of a match that has started."""
        if self._match is None:
            self._match = self.read.engine()
        return self._match

    @property
    def turns(self) -> Turns:
        """The turns of all who may act now, as they go over the wire; worked out once for each
        position."""
        match = self._match
        if match is None:
            return {}
        if self._turns[0] is not match:
            found = {seat: werewolf.turn(match, seat) for seat in match.awaiting}
            self._turns = match, {seat: turn.as_dict() for seat, turn in found.items() if turn}
        return self._turns[1]

    @property
    def changed(self) -> bool:
        """Whether there is anything to write."""
        return self.state != self.read or bool(self._moves) or self._rearm

    def emit(self, event: Event) -> None:
        """Something happened beside the game."""
        self._happen([event])

    def start(
        self,
        setup: Setup,
        keys: bytes,
        table: TableChange,
        cast: Sequence[Event] = (),
    ) -> None:
        """The match starts; `keys` are the digests in seat order, `cast` is told first."""
        seats = len(setup.names)
        self._before = seated(self._before, seats)
        self.state = replace(
            self.state,
            status="running",
            keys=keys,
            seen=seated(self.state.seen, seats),
            receipts=(None,) * seats,
            missed=("",) * seats,
        )
        self.table = table
        self._happen(cast)
        self._apply(setup, Input("start", self.now, move=start_move()))

    def apply(self, by: InputBy, seat: int | None = None, move: Any = None) -> bool:
        """Something happens to the match. False where that changes nothing.

        Raises what the engine refuses as one of the platform's refusals.
        """
        return self._apply(self.match, Input(by, self.now, seat, move))

    def _apply(self, position: Match | Setup, given: Input) -> bool:
        played = as_played(position, given)
        try:
            match, events = werewolf.apply(position, given)
        except IllegalMove as refusal:
            raise from_engine(refusal) from None
        if match == position:
            return False
        self.take(match, events, PlayedMove(played.by, played.seat, played.move))
        return True

    def take(self, match: Match, events: Sequence[Event], move: PlayedMove) -> None:
        """The engine made this of the match; the end of the match goes into the table too."""
        self._match = match
        self._moves.append(move)
        self._happen(events)
        self.state = replace(self.state, deadline=match.deadline)
        if match.over:
            status: Status = "void" if match.void else "over"
            self.state = replace(self.state, status=status)
            self.table = replace(
                self.table or TableChange(),
                status=status,
                ended_at=self.now,
                winner=match.winner,
                ranking=None if match.void else tuple(match.ranking),
            )
            self.move_rows_down()

    def expire(self) -> None:
        """Play what is due: the end of a match that is void by now, or a deadline that has passed.
        Which turns a deadline cost is remembered."""
        if self.state.status == "running":
            self.apply("void")
        state = self.state
        if state.status != "running" or state.deadline is None or self.now < state.deadline:
            return
        owed = self.match.awaiting
        turns = self.turns
        missable = werewolf.RULESETS[state.ruleset].phases[self.match.phase].turns_are_missed
        self.apply("timeout")
        if not missable:
            return
        missed = list(self.state.missed)
        for seat in owed:
            turn = self.turns.get(seat)
            if turn is None or turn["turn_id"] != turns[seat]["turn_id"]:
                missed[seat] = turns[seat]["turn_id"]
        self.state = replace(self.state, missed=tuple(missed))

    def keep_receipt(self, seat: int, receipt: Receipt) -> None:
        """Remember what became of the seat's move."""
        receipts = list(self.state.receipts)
        receipts[seat] = receipt
        self.state = replace(self.state, receipts=tuple(receipts))

    def add_row(self, key: bytes, agent_id: str) -> None:
        """Put the match into the agent's own list, among those that are not over."""
        self.rows.append(SeatRow(key, f"1#{self.now:013d}#{self.state.match_id}", agent_id))

    def move_rows_down(self) -> None:
        """The match is done with: it goes below the present ones in its players' lists."""
        listed = f"0#{self.now:013d}#{self.state.match_id}"
        self.rows = [
            SeatRow(self.state.key(seat), listed)
            for seat in range(self.state.taken)
            if not self.state.is_bot(seat)
        ]

    def rearm(self) -> None:
        """Have a new clock started, whatever became of the one before."""
        self._rearm = True

    def written(self) -> State:
        """The state with its match written out."""
        if self._match is None:
            return self.state
        return replace(self.state, match=self._match.to_json())

    def commit(self, commit_id: str) -> Commit:
        """The transaction that writes this change."""
        state = replace(self.written(), version=self.read.version + 1)
        effects: frozenset[str] = frozenset()
        if state.status == "running" and (self._rearm or self._needs_clock()):
            state = replace(state, clock=state.clock + 1)
            effects = frozenset({CLOCK})
        turns = self._new_turns()
        bots = {
            seat: pause_before(state.key(seat), turn["turn_id"])
            for seat, turn in turns
            if state.is_bot(seat)
        }
        if bots:
            effects |= {BOTS}
        entry = LogEntry(
            match_id=state.match_id,
            version=state.version,
            at=self.now,
            commit_id=commit_id,
            events=tuple(self._events),
            before=self._before,
            turns=turns,
            moves=tuple(self._moves),
            effects=effects,
            clock=state.clock,
            deadline=state.deadline,
            bots=bots,
        )
        return Commit(state, entry, self.table, tuple(self.rows), self.unchanged)

    def _happen(self, events: Sequence[Event]) -> None:
        self._events.extend(events)
        self.state = replace(self.state, seen=counted(self.state.seen, events))

    def _needs_clock(self) -> bool:
        """A clock that sleeps wakes at a deadline that it once read, and finds the later one.

        So only a deadline that is earlier than the one that was read needs a new clock.
        """
        return _or_late(self.state.deadline) < _or_late(self.read.deadline)

    def _new_turns(self) -> tuple[tuple[int, Mapping[str, Any]], ...]:
        return tuple(
            (seat, turn) for seat, turn in self.turns.items() if self._turns_read.get(seat) != turn
        )


def _or_late(deadline: int | None) -> float:
    return _LATE if deadline is None else deadline
