"""Opening a table."""

import unicodedata
from collections.abc import Callable, Mapping
from typing import Any

import bots
import werewolf
from hosting.errors import (
    Malformed,
    NoHouseBots,
)
from hosting.identity.agents import Identity
from hosting.identity.rate_limits import Quota
from hosting.model import Agent, Caller, State, Table
from hosting.ports import MatchStore
from hosting.tables.invitations import hashed_invite
from hosting.tables.summaries import summary
from protocol import limits
from protocol.tables import MatchSummary
from protocol.terms import Fill
from werewolf import InvalidOptions, UnknownRuleset


class Opening:
    """Opens tables."""

    def __init__(
        self,
        store: MatchStore,
        identity: Identity,
        quota: Quota,
        *,
        now: Callable[[], int],
        new_seed: Callable[[], str],
        new_match_id: Callable[[], str],
        new_invite: Callable[[], str],
    ) -> None:
        self._store = store
        self._identity = identity
        self._quota = quota
        self._now = now
        self._new_seed = new_seed
        self._new_match_id = new_match_id
        self._new_invite = new_invite

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
            invite=None if invite is None else hashed_invite(invite),
        )
        watched = host.digest if chosen.get("omniscient") is True else b""
        self._store.create(State(match_id, 0, "open", ruleset, host=watched), table)
        return summary(table, invite=invite)


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
