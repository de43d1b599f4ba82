"""Tables: open one, find one, sit down, stand up, start.

Every change goes through the door, so the last seat is given once and a full table starts once:
the seat that fills the table and the start of its match are one transaction.
"""

import hashlib
import hmac
import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

import bots
import werewolf
from hosting.answers import SatDown
from hosting.errors import (
    Busy,
    Malformed,
    MatchNotOpen,
    ModeFixed,
    NoHouseBots,
    NotFound,
    NotHost,
    NotInvited,
    TableFull,
    TooFewPlayers,
)
from hosting.identity.agents import Identity
from hosting.identity.characters import Characters, public_part, seated_characters
from hosting.identity.rate_limits import Quota
from hosting.ids import known_match_id
from hosting.model import Agent, Caller, Player, SeatRow, State, Table, TableChange, players_at
from hosting.play.change import MatchChange
from hosting.play.transaction import Transactions
from hosting.ports import MatchStore
from hosting.tables.cursors import read_cursor, read_own_cursor, write_cursor, write_own_cursor
from hosting.tables.events import seat_freed, seat_taken, table_closed
from hosting.tables.house_seats import is_bot_id, with_bots
from protocol import limits
from protocol import tables as told
from protocol.tables import MatchList, MatchSummary, Rank, Seated
from protocol.terms import LISTED, Fill, Status
from werewolf import InvalidOptions, UnknownRuleset

_STALE_PAGE: Final = 100


class Lobby:
    """Everything about a match that is not the game."""

    def __init__(
        self,
        store: MatchStore,
        transactions: Transactions,
        identity: Identity,
        characters: Characters,
        quota: Quota,
        *,
        now: Callable[[], int],
        new_seed: Callable[[], str],
        new_match_id: Callable[[], str],
        new_invite: Callable[[], str],
        open_for_ms: int,
    ) -> None:
        self._store = store
        self._transactions = transactions
        self._identity = identity
        self._characters = characters
        self._quota = quota
        self._now = now
        self._new_seed = new_seed
        self._new_match_id = new_match_id
        self._new_invite = new_invite
        self._open_for_ms = open_for_ms

    def open(
        self,
        caller: Caller | None,
        *,
        ruleset: str,
        seats: int | None = None,
        options: Mapping[str, object] | None = None,
        title: str | None = None,
        fill: Fill | None = None,
        private: bool = False,
    ) -> MatchSummary:
        """Open a table. The caller becomes its host and has no seat yet.

        With `fill`, house bots take the free seats and the match starts as soon as the host sits
        down; until then the last seat is kept for the host. A `private` table is not listed, and
        whoever but the host sits down must know the `invite` in this answer, which is told once.

        Raises `Unauthorized`, `Malformed` (fields `ruleset`, `seats`, `options.<name>`, `title`),
        `NoHouseBots`, `TooManyRequests`.
        """
        host = self._identity.authenticate(caller)
        chosen = _options(ruleset, options)
        if fill is not None and ruleset not in bots.RULESETS:
            raise NoHouseBots(f"house bots play {', '.join(sorted(bots.RULESETS))}")
        wanted = _seats(ruleset, seats)
        shown = _title(title, host)
        self._quota.take(host.agent_id)
        seed = self._new_seed()
        match_id = self._new_match_id()
        invite = self._new_invite() if private else None
        table = Table(
            match_id=match_id,
            title=shown,
            ruleset=ruleset,
            status="open",
            host=host.agent_id,
            seats=wanted,
            options=chosen,
            players=(),
            commitment=werewolf.commitment(seed),
            opened_at=self._now(),
            seed=seed,
            fill=fill is not None,
            invite=None if invite is None else _hashed(invite),
        )
        watched = host.digest if chosen.get("omniscient") is True else b""
        self._store.create(State(match_id, 0, "open", ruleset, host=watched), table)
        return summary(table, invite=invite)

    def list(
        self,
        *,
        status: Status = "open",
        ruleset: str | None = None,
        limit: int = 20,
        cursor: str | None = None,
    ) -> MatchList:
        """A page of at most `limit` (1 to 100) tables of one status, newest first per rule set.

        A page may be shorter than `limit`, also before the last: matches move on. `cursor` is the
        `next` of the page before. Raises `Malformed` (fields `status`, `ruleset`,
        `limit`, `cursor`).
        """
        if status not in LISTED:
            raise Malformed(f"a status is one of {', '.join(LISTED)}", field="status")
        if ruleset is not None and ruleset not in werewolf.RULESETS:
            raise Malformed("there is no such rule set", field="ruleset")
        if not 1 <= limit <= limits.MATCHES_IN_A_PAGE:
            raise Malformed(f"a page has 1 to {limits.MATCHES_IN_A_PAGE} matches", field="limit")
        after = None if cursor is None else read_cursor(cursor, status, ruleset)
        match_ids, mark = self._store.listing(status, ruleset, after=after, limit=limit)
        tables = self._store.tables(match_ids)
        return MatchList(
            matches=[
                summary(table) for table in tables if table.status == status and not table.private
            ],
            next=None if mark is None else write_cursor(mark, status),
        )

    def own(
        self, caller: Caller | None, *, limit: int = 20, cursor: str | None = None
    ) -> MatchList:
        """A page of the matches in which the caller has a seat: those not over first, then the
        others, and each kind newest first. Private ones are among them.

        Raises `Unauthorized`, `Malformed` (fields `limit`, `cursor`).
        """
        agent = self._identity.authenticate(caller)
        if not 1 <= limit <= limits.MATCHES_IN_A_PAGE:
            raise Malformed(f"a page has 1 to {limits.MATCHES_IN_A_PAGE} matches", field="limit")
        after = None if cursor is None else read_own_cursor(cursor)
        match_ids, mark = self._store.own(agent.agent_id, after=after, limit=limit)
        return MatchList(
            matches=[summary(table) for table in self._store.tables(match_ids)],
            next=None if mark is None else write_own_cursor(mark),
        )

    def summary(self, match_id: str) -> MatchSummary:
        """What everybody may know of a match. Raises `NotFound`."""
        table = self._store.table(known_match_id(match_id))
        if table is None:
            raise NotFound("there is no such match")
        state = self._store.state(match_id) if table.status == "running" else None
        return self._with_characters(table, summary(table, state))

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

    def start(self, match_id: str, caller: Caller | None) -> MatchSummary:
        """Start before the table is full; only the host may.

        Raises `Unauthorized`, `NotFound`, `NotHost`, `MatchNotOpen`, `TooFewPlayers`.
        """
        host = self._identity.authenticate(caller)
        table, state = self._transactions.run(match_id, lambda change: self._start(change, host))
        return self._with_characters(table, summary(table, state))

    def close_unfilled(self, *, until: int) -> int:
        """Close the tables that have been open for too long; how many. Stops at `until` (ms)."""
        closed = 0
        for ruleset in werewolf.RULESETS:
            stale = self._store.opened_before(
                ruleset, self._now() - self._open_for_ms, limit=_STALE_PAGE
            )
            for match_id in stale:
                if self._now() >= until:
                    return closed
                try:
                    closed += self._transactions.run(match_id, self._close)
                except (Busy, NotFound):  # the next sweep comes
                    continue
        return closed

    def _close(self, change: MatchChange) -> bool:
        if change.state.status != "open":
            return False
        change.state = replace(change.state, status="closed")
        change.table = TableChange(status="closed", ended_at=change.now)
        change.move_rows_down()
        change.emit(table_closed())
        return True

    def stand_up(self, change: MatchChange, caller: Caller | None) -> None:
        """Give a seat at an open table back."""
        place = self._identity.seat(change.state, caller)
        table = self.table(change)
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
        table = self.table(change)
        for player in table.players:
            if player.agent_id == agent.agent_id:
                return SatDown(_seat_answer(change.state, player), created=False)
        if change.state.status == "closed":
            raise MatchNotOpen("the table has closed: too few players came")
        if change.state.status != "open":
            if change.state.taken == table.seats:
                raise TableFull("the last seat is taken")
            raise MatchNotOpen("the match has started already")
        if not _is_invited(table, agent, invite):
            raise NotInvited("the seats of this table are kept for others")
        if _is_kept(table, agent):
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
        if table.fill and _all_have_come(table):
            table, keys = with_bots(table, keys)
        change.add_row(agent.digest, agent.agent_id)
        _seat(change, table, keys)
        if len(table.players) == table.seats:
            _deal(change, table, self._characters)
        return SatDown(_seat_answer(change.state, player), created=True)

    def _start(self, change: MatchChange, host: Agent) -> tuple[Table, State]:
        table = self.table(change)
        if table.host != host.agent_id:
            raise NotHost("only the agent that opened the table starts it")
        if change.state.status != "open":
            raise MatchNotOpen("the match has started already, or the table has closed")
        if table.fill and table.players:
            table, keys = with_bots(table, change.state.keys)
            _seat(change, table, keys)
        needed = werewolf.RULESETS[table.ruleset].seats.min
        if len(table.players) < needed:
            raise TooFewPlayers(f"{table.ruleset} needs at least {needed} players")
        return _deal(change, table, self._characters), change.written()

    def _with_characters(self, table: Table, shown: MatchSummary) -> MatchSummary:
        """The summary with the characters beside the players, read where the start was logged."""
        cast = None if table.cast is None else self._store.entry(table.match_id, table.cast)
        for found in seated_characters(cast.events if cast else (), "spectator"):
            shown.players[found.seat]["character"] = public_part(found)
        return shown

    def table(self, change: MatchChange) -> Table:
        """The cold item, read after the hot one: a change in between moves the version on."""
        table = self._store.table(change.state.match_id)
        if table is None:
            raise NotFound("there is no such match")
        return table


def summary(table: Table, state: State | None = None, invite: str | None = None) -> MatchSummary:
    """What everybody may know, with the state of play if `state` is that of a running match."""
    public: Mapping[str, Any] = {}
    if state is not None and state.status == "running":
        # The engine itself says what a spectator may know; the events are not needed for this.
        public = werewolf.view(state.engine(), (), "spectator")
    return MatchSummary(
        match_id=table.match_id,
        title=table.title,
        ruleset=table.ruleset,
        status=table.status,
        seats=table.seats,
        taken=len(table.players),
        options=table.options,
        host=table.host,
        players=[_player(table, seat, player) for seat, player in enumerate(table.players)],
        commitment=table.commitment,
        opened_at=table.opened_at,
        started_at=table.started_at,
        ended_at=table.ended_at,
        winner=table.winner,
        ranking=None if table.ranking is None else list(map(Rank.of, table.ranking)),
        private=table.private,
        fill="house-bots" if table.fill else None,
        rematch=table.rematch,
        invite=invite,
        day=public.get("day"),
        phase=public.get("phase"),
        alive=public.get("alive"),
    )


def _player(table: Table, seat: int, player: Player) -> told.Player:
    dealt = table.status not in ("open", "closed")
    return told.Player(
        agent_id=player.agent_id,
        name=player.name,
        place=None if dealt else player.place,
        seat=seat if dealt else None,
        bot=True if is_bot_id(player.agent_id) else None,
    )


def _seat(change: MatchChange, table: Table, keys: bytes) -> None:
    """Everybody at the table who was not there before has sat down."""
    newcomers = table.players[change.state.taken :]
    change.state = replace(change.state, keys=keys)
    change.table = TableChange(players=table.players, entropies=table.entropies)
    for player in newcomers:
        change.emit(seat_taken(player))


def _hashed(invite: str) -> str:
    """A code has 80 random bits, so a plain hash is enough: there is nothing to guess."""
    return hashlib.sha256(invite.encode()).hexdigest()


def _is_invited(table: Table, agent: Agent, invite: str | None) -> bool:
    if table.reserved:
        return agent.agent_id in table.reserved
    if table.invite is None or agent.agent_id == table.host:
        return True
    return hmac.compare_digest(table.invite, _hashed(invite or ""))


def _is_kept(table: Table, agent: Agent) -> bool:
    """Whether only the seat of the host is left, at a table that waits for it."""
    return (
        table.fill
        and not table.reserved
        and agent.agent_id != table.host
        and len(table.players) == table.seats - 1
        and not _all_have_come(table)
    )


def _all_have_come(table: Table) -> bool:
    """Whether those whom the bots wait for have sat down: the host, or who has a seat reserved."""
    awaited = set(table.reserved) or {table.host}
    return awaited <= {player.agent_id for player in table.players}


def _seat_answer(state: State, player: Player) -> Seated:
    return Seated(
        match_id=state.match_id,
        agent_id=player.agent_id,
        place=player.place,
        status=state.status,
    )


def _deal(change: MatchChange, table: Table, characters: Characters) -> Table:
    """Mix the seed, draw the seats, deal the roles: the match starts. Gives the new table.

    The characters are frozen as they are now.
    """
    mixed = werewolf.mix_seed(table.seed, table.entropies)
    order = werewolf.seating(mixed, len(table.players))
    players = tuple(table.players[place] for place in order)
    transition = werewolf.start(
        table.ruleset,
        [player.name for player in players],
        seed=mixed,
        now=change.now,
        options=table.options,
    )
    cast = characters.cast(players, table.ruleset)
    cast_at = change.read.version + 1 if cast.events else None
    change.unchanged = cast.unchanged
    change.start(
        transition,
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


def _options(ruleset: str, options: Mapping[str, object] | None) -> dict[str, Any]:
    try:
        return dict(werewolf.check_options(ruleset, options))
    except UnknownRuleset:
        raise Malformed("there is no such rule set", field="ruleset") from None
    except InvalidOptions as error:
        raise Malformed(error.detail, field=f"options.{error.field}") from None


def _seats(ruleset: str, seats: int | None) -> int:
    low, high, default = werewolf.RULESETS[ruleset].seats
    if seats is None:
        return default
    if not low <= seats <= high:
        raise Malformed(f"{ruleset} seats {low} to {high} players", field="seats")
    return seats


def _title(title: str | None, host: Agent) -> str:
    if title is None:
        return f"{host.name}'s table"
    shown = unicodedata.normalize("NFC", title).strip()
    if not 1 <= len(shown) <= limits.TITLE or not shown.isprintable():
        raise Malformed(f"a title has 1 to {limits.TITLE} printable characters", field="title")
    return shown
