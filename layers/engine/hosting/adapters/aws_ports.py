"""The ports on AWS, by the variables that the template gives to a function.

A function is told of what it uses alone, and importing this imports no AWS library.
"""

from collections.abc import Mapping
from functools import cached_property

from hosting.ports import (
    AgentStore,
    CharacterStore,
    ClockStarter,
    ConnectionStore,
    MatchStore,
    Queue,
    Sockets,
)


class AwsPorts:
    """DynamoDB, API Gateway, Step Functions and SQS."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment

    @cached_property
    def matches(self) -> MatchStore:
        """The Matches table (`MATCHES_TABLE`, and `AGENTS_TABLE` for who starts matches)."""
        from hosting.adapters.dynamo_matches import DynamoMatches

        return DynamoMatches(
            self._environment["MATCHES_TABLE"], self._environment.get("AGENTS_TABLE", "")
        )

    @cached_property
    def agents(self) -> AgentStore:
        """The Agents table (`AGENTS_TABLE`)."""
        from hosting.adapters.dynamo_agents import DynamoAgents

        return DynamoAgents(self._environment["AGENTS_TABLE"])

    @cached_property
    def character_store(self) -> CharacterStore:
        """The characters in the Agents table (`AGENTS_TABLE`)."""
        from hosting.adapters.dynamo_characters import DynamoCharacters

        return DynamoCharacters(self._environment["AGENTS_TABLE"])

    @cached_property
    def connections(self) -> ConnectionStore:
        """The Connections table (`CONNECTIONS_TABLE`, and `MATCHES_TABLE` for its condition)."""
        from hosting.adapters.dynamo_connections import DynamoConnections

        return DynamoConnections(
            self._environment["CONNECTIONS_TABLE"], self._environment["MATCHES_TABLE"]
        )

    @cached_property
    def sockets(self) -> Sockets:
        """The WebSocket API's management endpoint (`SOCKET_ENDPOINT`)."""
        from hosting.adapters.managed_sockets import ManagedSockets

        return ManagedSockets(self._environment["SOCKET_ENDPOINT"])

    @cached_property
    def clock_starter(self) -> ClockStarter:
        """The clock's state machine (`CLOCK_ARN`).

        Only `follow` starts clocks and is told where; to tell `deadline`, which the state machine
        names, would be a circle.
        """
        from hosting.adapters.step_functions import StepFunctionsClock

        return StepFunctionsClock(self._environment.get("CLOCK_ARN", ""))

    @cached_property
    def bots_queue(self) -> Queue:
        """The queue of the turns of house bots (`BOTS_QUEUE_URL`). Only `follow` sends to it."""
        from hosting.adapters.sqs import SqsQueue

        return SqsQueue(self._environment.get("BOTS_QUEUE_URL", ""))
