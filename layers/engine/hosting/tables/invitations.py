"""Whom a table lets sit down: everybody, who knows its code, or those whom it is kept for."""

import hashlib
import hmac

from hosting.model import Agent, Table


def hashed_invite(invite: str) -> str:
    """A code has 80 random bits, so a plain hash is enough: there is nothing to guess."""
    return hashlib.sha256(invite.encode("utf-8", "surrogatepass")).hexdigest()


def is_invited(table: Table, agent: Agent, invite: str | None) -> bool:
    """Whether the agent may sit down here, given the code that it knows."""
    if table.reserved:
        return agent.agent_id in table.reserved
    if table.invite is None or agent.agent_id == table.host:
        return True
    return hmac.compare_digest(table.invite, hashed_invite(invite or ""))


def is_kept(table: Table, agent: Agent) -> bool:
    """Whether only the seat of the host is left, at a table that waits for it."""
    return (
        table.fill
        and not table.reserved
        and agent.agent_id != table.host
        and len(table.players) == table.seats - 1
        and not all_have_come(table)
    )


def all_have_come(table: Table) -> bool:
    """Whether those whom the bots wait for have sat down: the host, or who has a seat reserved."""
    awaited = set(table.reserved) or {table.host}
    return awaited <= {player.agent_id for player in table.players}
