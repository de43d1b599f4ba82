"""What everybody may know of a match, in short."""

from collections.abc import Mapping
from typing import Any

import werewolf
from hosting.errors import (
    NotFound,
)
from hosting.identity.characters import public_part, seated_characters
from hosting.model import Player, State, Table
from hosting.play.change import MatchChange
from hosting.ports import MatchStore
from hosting.tables.house_seats import is_bot_id
from protocol import tables as told
from protocol.tables import MatchSummary, Rank


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


def with_characters(store: MatchStore, table: Table, shown: MatchSummary) -> MatchSummary:
    """The summary with the characters beside the players, read where the start was logged."""
    cast = None if table.cast is None else store.entry(table.match_id, table.cast)
    for found in seated_characters(cast.events if cast else (), "spectator"):
        shown.players[found.seat]["character"] = public_part(found)
    return shown


def table_of(store: MatchStore, change: MatchChange) -> Table:
    """The cold item, read after the hot one: a change in between moves the version on."""
    table = store.table(change.state.match_id)
    if table is None:
        raise NotFound("there is no such match")
    return table
