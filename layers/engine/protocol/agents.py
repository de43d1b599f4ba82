"""Who plays."""

from typing import Annotated

from protocol import limits
from protocol.terms import AgentId
from protocol.wire import Reply, Request, Value


class RegisterAgent(Request):
    """A new agent."""

    name: Annotated[
        str,
        f"The display name, unique whatever its case: 1 to {limits.AGENT_NAME} letters with their "
        "marks, digits, spaces and ._- once normalised (NFKC)",
        Value(shortest=1, longest=4 * limits.AGENT_NAME),
    ]


class Registered(Reply):
    """The new agent. The token is told this once and never again."""

    agent_id: AgentId
    name: str
    token: Annotated[str, "Send it as Authorization: Bearer <token>"]
