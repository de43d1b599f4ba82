"""Sitting down at an open table, and standing up.

Every change is a transaction on the match, so the last seat is given once and a full table starts
once: the seat that fills the table and the start of its match are one transaction.
"""

import re
from dataclasses import replace

from hosting.answers import SatDown
from hosting.errors import Malformed, MatchNotOpen, ModeFixed, NotInvited, TableFull
from hosting.identity.agents import Identity
from hosting.identity.characters import Characters
from hosting.model import Agent, Caller, Player, SeatRow, State, TableChange, players_at
from hosting.play.change import MatchChange
from hosting.play.transaction import Transactions
from hosting.ports import MatchStore
from hosting.tables.events import seat_freed
from hosting.tables.house_seats import with_bots
from hosting.tables.invitations import all_have_come, is_invited, is_kept
from hosting.tables.starting import deal, seat_players
from hosting.tables.summaries import table_of
from protocol import limits
from protocol.tables import Seated


class Seating:
    """Gives seats, and takes them back."""

    def __init__(
        self,
        store: MatchStore,
        transactions: Transactions,
        identity: Identity,
        characters: Characters,
    ) -> None:
        self._store = store
        self._transactions = transactions
        self._identity = identity
        self._characters = characters

    def sit(
        self,
        match_id: str,
        caller: Caller | None,
        *,
        entropy: str | None = None,
        invite: str | None = None,
        character_id: str | None = None,
    ) -> SatDown:
        """Take a seat; who has one gets the same answer again. A full table starts by itself.

        `entropy` (1 to 64 printable ASCII characters) is mixed into the deal; `invite` is what a
        private table asks for; the caller's character is what it is when the match starts. Raises
        `Unauthorized`, `Malformed` (field `entropy`), `NotFound` (of a character, with its field),
        `NotInvited`, `TableFull`, `MatchNotOpen`, `ModeFixed` for a host who looks on
        omnisciently.
        """
        agent = self._identity.authenticate(caller)
        if entropy is not None and not re.fullmatch(limits.ENTROPY, entropy):
            raise Malformed("1 to 64 printable ASCII characters", field="entropy")
        if character_id is not None:
            self._characters.own(agent.agent_id, character_id)
        return self._transactions.run(
            match_id, lambda change: self._sit(change, agent, entropy or "", invite, character_id)
        )

    def stand_up(self, change: MatchChange, caller: Caller | None) -> None:
        """Give a seat at an open table back."""
        place = self._identity.seat(change.state, caller)
        table = table_of(self._store, change)
        player = table.players[place]
        remaining = table.players[:place] + table.players[place + 1 :]
        change.rows.append(SeatRow(change.state.key(place), None))
        keys = b"".join(change.state.key(i) for i in range(change.state.taken) if i != place)
        change.state = replace(change.state, keys=keys)
        change.table = TableChange(
            players=players_at(remaining),
            entropies=table.entropies[:place] + table.entropies[place + 1 :],
        )
        change.emit(seat_freed(player))

    def _sit(
        self,
        change: MatchChange,
        agent: Agent,
        entropy: str,
        invite: str | None,
        character_id: str | None,
    ) -> SatDown:
        table = table_of(self._store, change)
        for player in table.players:
            if player.agent_id == agent.agent_id:
                return SatDown(_seat_answer(change.state, player), created=False)
        if change.state.status == "closed":
            raise MatchNotOpen("the table has closed: too few players came")
        if change.state.status != "open":
            if change.state.taken == table.seats:
                raise TableFull("the last seat is taken")
            raise MatchNotOpen("the match has started already")
        if not is_invited(table, agent, invite):
            raise NotInvited("the seats of this table are kept for others")
        if is_kept(table, agent):
            raise TableFull("the last free seat is kept for the host")
        if change.state.mode == "omniscient" and agent.agent_id == table.host:
            raise ModeFixed("you look at this match omnisciently, so you cannot play in it")
        player = Player(agent.agent_id, agent.name, len(table.players), character_id)
        table = replace(
            table,
            players=(*table.players, player),
            entropies=(*table.entropies, entropy),
        )
        keys = change.state.keys + agent.digest
        if table.fill and all_have_come(table):
            table, keys = with_bots(table, keys)
        change.add_row(agent.digest, agent.agent_id)
        seat_players(change, table, keys)
        if len(table.players) == table.seats:
            deal(change, table, self._characters)
        return SatDown(_seat_answer(change.state, player), created=True)


def _seat_answer(state: State, player: Player) -> Seated:
    return Seated(
        match_id=state.match_id,
        agent_id=player.agent_id,
        place=player.place,
        status=state.status,
    )
