"""Once more: the same players, new seats.

Whoever had a seat may ask. The first to ask opens a table like the old one and is its host; its
seats are kept for those who played, and who asks takes one. So everybody asks in the same words,
and the match starts when all have, or when the host starts it. House bots come along by themselves.

The old table notes its rematch in the transaction that makes it, so there is only one, whoever asks
at the same time or asks again. One that closed because too few came is replaced by a new one.
"""

from collections.abc import Callable

import werewolf
from hosting.answers import SatDown
from hosting.errors import MatchNotOver, NotFound
from hosting.identity.agents import Identity
from hosting.identity.rate_limits import Quota
from hosting.ids import known_match_id
from hosting.model import Caller, State, Table
from hosting.ports import MatchStore
from hosting.tables.house_seats import is_bot_id
from hosting.tables.seating import Seating
from protocol.terms import ENDED


class Rematches:
    """Tables for those who have played together."""

    def __init__(
        self,
        store: MatchStore,
        seating: Seating,
        identity: Identity,
        quota: Quota,
        *,
        now: Callable[[], int],
        new_seed: Callable[[], str],
        new_match_id: Callable[[], str],
    ) -> None:
        self._store = store
        self._seating = seating
        self._identity = identity
        self._quota = quota
        self._now = now
        self._new_seed = new_seed
        self._new_match_id = new_match_id

    def ask(self, match_id: str, caller: Caller | None, *, entropy: str | None = None) -> SatDown:
        """Take a seat in the rematch of a match that has ended, which is opened if need be.

        Asking again gives the same answer; it names the new match. Raises `Unauthorized`,
        `NotSeated`, `NotFound`, `MatchNotOver`, `TooManyRequests`, and what `Seating.sit` raises.
        """
        state = self._store.state(known_match_id(match_id))
        if state is None:
            raise NotFound("there is no such match")
        self._identity.seat(state, caller)
        if state.status not in ENDED:
            raise MatchNotOver("a rematch comes after the match")
        agent = self._identity.authenticate(caller)
        table = self._table(match_id)
        if table.rematch is None or self._table(table.rematch).status == "closed":
            self._quota.take(agent.agent_id)
            new = self._like(table, host=agent.agent_id)
            watched = agent.digest if new.options.get("omniscient") is True else b""
            state = State(new.match_id, 0, "open", new.ruleset, host=watched)
            self._store.create(state, new, rematch_of=match_id, in_place_of=table.rematch)
            table = self._table(match_id)  # somebody else may have been first
        if table.rematch is None:
            raise NotFound("there is no such match")
        return self._seating.sit(table.rematch, caller, entropy=entropy)

    def _like(self, table: Table, *, host: str) -> Table:
        seed = self._new_seed()
        people = [p.agent_id for p in table.players if not is_bot_id(p.agent_id)]
        return Table(
            match_id=self._new_match_id(),
            title=table.title,
            ruleset=table.ruleset,
            status="open",
            host=host,
            seats=len(table.players),
            options=table.options,
            players=(),
            commitment=werewolf.commitment(seed),
            opened_at=self._now(),
            seed=seed,
            fill=len(people) < len(table.players),
            reserved=tuple(people),
        )

    def _table(self, match_id: str) -> Table:
        table = self._store.table(match_id)
        if table is None:
            raise NotFound("there is no such match")
        return table
