"""Starting a match: the deal, and the host who need not wait for a full table."""

from dataclasses import replace

import werewolf
from hosting.errors import (
    MatchNotOpen,
    NotHost,
    TooFewPlayers,
)
from hosting.identity.agents import Identity
from hosting.identity.characters import Characters
from hosting.model import Agent, Caller, State, Table, TableChange
from hosting.play.change import MatchChange
from hosting.play.transaction import Transactions
from hosting.ports import MatchStore
from hosting.tables.events import seat_taken
from hosting.tables.house_seats import with_bots
from hosting.tables.summaries import summary, table_of, with_characters
from protocol.tables import MatchSummary


class Starting:
    """Starts matches before their tables are full."""

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

    def start(self, match_id: str, caller: Caller | None) -> MatchSummary:
        """Start before the table is full; only the host may.

        Raises `Unauthorized`, `NotFound`, `NotHost`, `MatchNotOpen`, `TooFewPlayers`.
        """
        host = self._identity.authenticate(caller)
        table, state = self._transactions.run(match_id, lambda change: self._start(change, host))
        return with_characters(self._store, table, summary(table, state))

    def _start(self, change: MatchChange, host: Agent) -> tuple[Table, State]:
        table = table_of(self._store, change)
        if table.host != host.agent_id:
            raise NotHost("only the agent that opened the table starts it")
        if change.state.status != "open":
            raise MatchNotOpen("the match has started already, or the table has closed")
        if table.fill and table.players:
            table, keys = with_bots(table, change.state.keys)
            seat_players(change, table, keys)
        needed = werewolf.RULESETS[table.ruleset].seats.min
        if len(table.players) < needed:
            raise TooFewPlayers(f"{table.ruleset} needs at least {needed} players")
        return deal(change, table, self._characters), change.written()


def seat_players(change: MatchChange, table: Table, keys: bytes) -> None:
    """Everybody at the table who was not there before has sat down."""
    newcomers = table.players[change.state.taken :]
    change.state = replace(change.state, keys=keys)
    change.table = TableChange(players=table.players, entropies=table.entropies)
    for player in newcomers:
        change.emit(seat_taken(player))


def deal(change: MatchChange, table: Table, characters: Characters) -> Table:
    """Mix the seed, draw the seats, deal the roles: the match starts. Gives the new table.

    The characters are frozen as they are now.
    """
    mixed = werewolf.mix_seed(table.seed, table.entropies)
    order = werewolf.seating(mixed, len(table.players))
    players = tuple(table.players[place] for place in order)
    names = [player.name for player in players]
    cast = characters.cast(players, table.ruleset)
    cast_at = change.read.version + 1 if cast.events else None
    change.unchanged = cast.unchanged
    change.start(
        werewolf.Setup(table.ruleset, names, mixed, table.options),
        b"".join(change.state.key(place) for place in order),
        TableChange(
            status="running",
            players=players,
            entropies=table.entropies,
            started_at=change.now,
            cast=cast_at,
        ),
        cast.events,
    )
    return replace(table, status="running", players=players, started_at=change.now, cast=cast_at)
