"""Finding an agent a seat."""

from collections.abc import AsyncIterator, Mapping
from typing import Any, Final

from lanternwell.client import AsyncClient
from lanternwell.errors import Refused
from lanternwell.model import Summary

RULESET: Final = "werewolf-0.2"
"""What is played where nobody says otherwise."""

HOUSE_BOTS: Final = "house-bots"

MISSED_AT_MOST: Final = 5
"""At so many tables somebody else may be quicker; after that, one is opened."""

PAGE: Final = 100
PAGES_AT_MOST: Final = 1000


async def take_seat(
    client: AsyncClient,
    *,
    match_id: str | None = None,
    practice: bool = False,
    ruleset: str = RULESET,
    invite: str | None = None,
    seats: int | None = None,
    options: Mapping[str, Any] | None = None,
) -> str:
    """Sit down, and get the id of the match.

    That is at this match; or, to `practice`, at a new table where house bots take all other seats
    and the match starts at once; or else at an open table of the rule set. Where there is none, one
    is opened. `seats` and `options` are for a table that is opened here.
    """
    new: dict[str, Any] = {"seats": seats, "options": options}
    if practice:
        match_id = (await client.open_table(ruleset, fill=HOUSE_BOTS, **new)).match_id
    if match_id is not None:
        await client.sit(match_id, invite=invite)
        return match_id
    missed = 0
    async for table in _open_tables(client, ruleset):
        try:
            await client.sit(table.match_id)
        except Refused as refusal:
            if refusal.reaction != "give_up" or refusal.status == 401:
                raise
            missed += 1  # this table is no more to be had
            if missed == MISSED_AT_MOST:
                break
        else:
            return table.match_id
    opened = await client.open_table(ruleset, **new)
    await client.sit(opened.match_id)
    return opened.match_id


async def _open_tables(client: AsyncClient, ruleset: str) -> AsyncIterator[Summary]:
    """The tables with a free seat for anybody, over all pages of the list."""
    cursor: str | None = None
    for _ in range(PAGES_AT_MOST):
        page = await client.tables(status="open", ruleset=ruleset, limit=PAGE, cursor=cursor)
        for table in page.matches:
            # a table for house bots keeps its last seat for its host
            if table.taken < table.seats and table.fill is None:
                yield table
        if page.next in (None, cursor):
            return
        cursor = page.next
