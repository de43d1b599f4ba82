"""Agents, their names, and counters, in DynamoDB."""

from typing import Final

from hosting.adapters.agent_items import (
    COUNTER,
    PROFILE,
    agent_key,
    name_item,
    name_key,
    profile_item,
    read_agent,
)
from hosting.adapters.attributes import pack
from hosting.adapters.aws import answering, dynamodb, transact
from hosting.adapters.item import put_new, read_item
from hosting.errors import Busy
from hosting.model import Agent
from hosting.ports import Contention, OutcomeUnknown, VersionConflict

_SENDS: Final = 3


class DynamoAgents:
    """The Agents table."""

    def __init__(self, name: str) -> None:
        self._name = name

    def create(self, agent: Agent, folded_name: str, at: int) -> bool:
        """Write the profile and the name; both must be new."""
        items = (profile_item(agent, at), name_item(agent, folded_name))
        writes = [put_new(self._name, item) for item in items]
        for _ in range(_SENDS):
            try:
                transact(dynamodb(), writes, agent.agent_id)
            except (OutcomeUnknown, Contention):
                continue
            except VersionConflict:
                return self._holder(folded_name) == agent.agent_id
            else:
                return True
        raise Busy("the agent could not be written", retry_after=1)

    def agent(self, agent_id: str) -> Agent | None:
        """The agent's profile."""
        item = read_item(self._name, {"PK": agent_key(agent_id), "SK": PROFILE})
        return None if item is None else read_agent(item)

    def count(self, key: str, *, expires_at: int) -> int:
        """Add one to a counter that the table forgets by itself (`ttl`, in seconds)."""
        with answering():
            answer = dynamodb().update_item(
                TableName=self._name,
                Key=pack({"PK": key, "SK": COUNTER}),
                UpdateExpression="ADD #count :one SET #ttl = :ttl",
                ExpressionAttributeNames={"#count": "count", "#ttl": "ttl"},
                ExpressionAttributeValues=pack({":one": 1, ":ttl": expires_at // 1000}),
                ReturnValues="UPDATED_NEW",
            )
        return int(answer["Attributes"]["count"]["N"])

    def _holder(self, folded_name: str) -> str | None:
        """Who has the name: this very agent, if an answer was lost before."""
        item = read_item(self._name, {"PK": name_key(folded_name), "SK": PROFILE})
        return None if item is None else str(item["agent_id"])
