"""Moves and departures.

A move names the turn that it is for, so it never counts for another one. The state keeps, per seat,
the receipt of the last accepted move, so the same move sent again gets the same receipt; and the
last turn that the seat let pass, so a late move is told so, whether the clock or the move itself
played the deadline.
"""

import base64
import hashlib
import json
from collections.abc import Mapping
from typing import Any, Final

from hosting.errors import (
    DeadlinePassed,
    Malformed,
    MatchNotRunning,
    MatchOver,
    NotFound,
    NotHost,
    TurnOver,
    TurnUsed,
)
from hosting.identity.agents import Identity
from hosting.identity.rate_limits import TokenBuckets
from hosting.model import Agent, Caller, Receipt, State, Table
from hosting.play.change import MatchChange
from hosting.play.transaction import Transactions
from hosting.ports import MatchStore
from hosting.tables.seating import Seating
from hosting.tables.summaries import table_of
from protocol import play as told
from protocol.play import DryRun
from protocol.tables import Kicked, Left
from protocol.terms import ENDED

_FINGERPRINT_BYTES: Final = 12


class Play:
    """What a seated agent does in a match."""

    def __init__(
        self,
        store: MatchStore,
        transactions: Transactions,
        identity: Identity,
        seating: Seating,
        buckets: TokenBuckets,
    ) -> None:
        self._store = store
        self._transactions = transactions
        self._identity = identity
        self._seating = seating
        self._buckets = buckets

    def move(
        self, match_id: str, caller: Caller | None, turn_id: str, move: Mapping[str, Any]
    ) -> told.Receipt:
        """Make a move in a turn. `move` is the action with what belongs to it, without `turn_id`.

        One read and one transaction. Safe to send again: the same move for the same turn gets the
        same receipt. Raises `Unauthorized`, `NotSeated`, `NotFound`, `MatchNotRunning`,
        `MatchOver`, `Eliminated`, `NotYourTurn`, `TurnOver`, `TurnUsed`, `DeadlinePassed`,
        `Locked`, `Paused`, `IllegalAction` and its like, `Malformed`, `TooManyRequests`, `Busy`.
        """
        if caller is not None:
            self._buckets.take(caller.digest.hex())
        fingerprint = fingerprint_of(move)
        return self._transactions.run(
            match_id, lambda change: self._move(change, caller, turn_id, move, fingerprint)
        )

    def dry_run(
        self, match_id: str, caller: Caller | None, turn_id: str, move: Mapping[str, Any]
    ) -> DryRun:
        """What `move` would answer now, or raise. One read, and nothing is written: a deadline that
        has passed counts as played, and is left to be played.

        It tells no more than whether the move would count: not what would come of it.
        """
        if caller is not None:
            self._buckets.take(caller.digest.hex())
        fingerprint = fingerprint_of(move)
        receipt = self._transactions.dry_run(
            match_id, lambda change: self._move(change, caller, turn_id, move, fingerprint)
        )
        return DryRun(
            match_id=match_id, turn_id=turn_id, seat=receipt.seat, would_be=receipt.outcome
        )

    def leave(self, match_id: str, caller: Caller | None) -> Left:
        """Stand up from an open table, or leave a running match for good.

        Who is out of the match already has nothing to leave, and gets the same answer. Raises
        `Unauthorized`, `NotSeated`, `NotFound`, `MatchOver`.
        """
        self._transactions.run(match_id, lambda change: self._leave(change, caller))
        return Left(match_id=match_id)

    def kick(self, match_id: str, caller: Caller | None, seat: int) -> Kicked:
        """Put out a player that the table waits for. It leaves for good.

        Only the host may; once the host itself is missing or out, the present player in the lowest
        seat.

        Who is out of the match already gets the same answer. Raises `Unauthorized`, `NotHost`,
        `NotFound` (no such match, or seat), `MatchNotRunning`, `MatchOver`, `NotAbsent`,
        `TooEarly`.
        """
        agent = self._identity.authenticate(caller)
        self._transactions.run(match_id, lambda change: self._kick(change, agent, seat))
        return Kicked(match_id=match_id, seat=seat)

    def _move(
        self,
        change: MatchChange,
        caller: Caller | None,
        turn_id: str,
        move: Mapping[str, Any],
        fingerprint: str,
    ) -> told.Receipt:
        seat = change.acting_seat = self._identity.seat(change.state, caller)
        if not change.state.started:
            raise MatchNotRunning("the match has not started")
        if change.state.status == "running":
            change.apply("resume", seat)  # who moves is back, whatever becomes of the move
            change.savepoint()
        last = change.state.receipts[seat]
        if last is not None and last.turn_id == turn_id:
            if last.fingerprint != fingerprint:
                raise TurnUsed("you made another move in this turn")
            return _answer(change.state, seat, last)
        if change.state.missed[seat] == turn_id:
            raise DeadlinePassed("the time for this turn has passed")
        turn = change.turns.get(seat)
        if turn is not None and turn["turn_id"] != turn_id:
            raise TurnOver(f"the turn is {turn['turn_id']} by now")
        change.apply("player", seat, move)  # without a turn it is refused, and told why
        forfeited = any(
            gone == seat and cause == "forfeit" for gone, _, cause in change.match.eliminated
        )
        receipt = Receipt(
            turn_id,
            fingerprint,
            "forfeit" if forfeited else "accepted",
            change.state.seen[seat],
        )
        change.keep_receipt(seat, receipt)
        return _answer(change.state, seat, receipt)

    def _leave(self, change: MatchChange, caller: Caller | None) -> None:
        if change.state.status == "closed":
            raise MatchOver("the table has closed")
        if change.state.status == "open":
            self._seating.stand_up(change, caller)
            return
        seat = self._identity.seat(change.state, caller)
        if change.state.status in ENDED:
            raise MatchOver("the match is over")
        if seat in change.match.alive:
            change.apply("leave", seat)

    def _kick(self, change: MatchChange, agent: Agent, seat: int) -> None:
        if agent.agent_id != _who_may_kick(change, table_of(self._store, change)):
            raise NotHost("only the host puts a player out, or who stands in for the host")
        if not change.state.started:
            raise MatchNotRunning("the match has not started")
        if change.state.status in ENDED:
            raise MatchOver("the match is over")
        if seat not in range(change.state.taken):
            raise NotFound("there is no such seat")
        if seat in change.match.alive:
            change.apply("put_out", seat)


def _who_may_kick(change: MatchChange, table: Table) -> str:
    """The agent with this right. Source: rulings, "Bounds"."""
    if change.state.status != "running":
        return table.host
    present = [seat for seat in change.match.alive if seat not in change.match.waiting_for]
    hosts = [seat for seat, player in enumerate(table.players) if player.agent_id == table.host]
    if not present or all(seat in present for seat in hosts):
        return table.host
    return table.players[present[0]].agent_id


def fingerprint_of(move: Mapping[str, Any]) -> str:
    """What tells this move from another: 96 bits of the SHA-256 of its canonical JSON.

    Raises `Malformed` for what is no JSON: numbers that are not finite, lone surrogates.
    """
    try:
        text = json.dumps(
            move, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
        ).encode()
    except (ValueError, TypeError, RecursionError):
        raise Malformed("the move is no JSON object", field="move") from None
    return base64.urlsafe_b64encode(hashlib.sha256(text).digest()[:_FINGERPRINT_BYTES]).decode()


def _answer(state: State, seat: int, receipt: Receipt) -> told.Receipt:
    return told.Receipt(
        match_id=state.match_id,
        turn_id=receipt.turn_id,
        seat=seat,
        outcome=receipt.outcome,
        seq=receipt.seq,
    )
