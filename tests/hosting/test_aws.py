"""What the answers of AWS, and their absence, mean: the faults that moto does not give."""

import json
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from typing import Any

import pytest
from botocore.exceptions import (
    ClientError,
    ConnectionClosedError,
    EndpointConnectionError,
    ReadTimeoutError,
)

from hosting.adapters import aws, batch
from hosting.adapters.attributes import unpack
from hosting.adapters.dynamo_agents import DynamoAgents
from hosting.adapters.dynamo_connections import DynamoConnections
from hosting.adapters.dynamo_matches import DynamoMatches
from hosting.adapters.managed_sockets import ManagedSockets
from hosting.adapters.step_functions import StepFunctionsClock
from hosting.backoff import Backoff
from hosting.errors import Busy
from hosting.model import Agent, Commit, LogEntry, State, Watcher
from hosting.ports import Contention, Gone, OutcomeUnknown, SlowDown, VersionConflict
from hosting.wiring import Platform
from tests.hosting.aws import AGENTS, CONNECTIONS, ENVIRONMENT, MATCHES, tables
from tests.hosting.test_stores import ID, table
from tests.hosting.world import MANY, running, simple_move

URL = "http://127.0.0.1:9"
Fault = Exception | Callable[[], Exception]


def refused(code: str, status: int = 400, *, retries: int = 0, **more: Any) -> ClientError:
    metadata = {"HTTPStatusCode": status, "RetryAttempts": retries}
    response: Any = {"Error": {"Code": code}, "ResponseMetadata": metadata, **more}
    return ClientError(response, "Operation")


def canceled(*codes: str, retries: int = 0) -> ClientError:
    reasons = [{"Code": code} for code in codes]
    return refused("TransactionCanceledException", retries=retries, CancellationReasons=reasons)


class Faults:
    """Faults for the next requests of a client. A true `sent` lets the request through first."""

    def __init__(self, client: Any) -> None:
        self.next: list[tuple[Exception | None, bool]] = []
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self._ask = client._make_api_call
        client._make_api_call = self._asked

    def add(self, fault: Exception | None, *, sent: bool = False) -> None:
        self.next.append((fault, sent))

    def _asked(self, operation: str, parameters: dict[str, Any]) -> Any:
        self.asked.append((operation, parameters))
        fault, sent = self.next.pop(0) if self.next else (None, False)
        if fault is None:
            return self._ask(operation, parameters)
        if sent:
            self._ask(operation, parameters)
        raise fault


@pytest.fixture
def faults() -> Iterator[Faults]:
    with tables() as db:
        yield Faults(db)


def a_commit() -> Commit:
    state = State(ID, 1, "open", "werewolf-0.2")
    return Commit(state, LogEntry(ID, 1, 0, "c" * 16))


@pytest.mark.parametrize(
    ("fault", "meaning"),
    [
        (canceled("ConditionalCheckFailed", "None"), VersionConflict),
        (canceled("None", "ConditionalCheckFailed"), VersionConflict),
        (canceled("ConditionalCheckFailed", "TransactionConflict"), VersionConflict),
        (canceled("TransactionConflict", "None"), Contention),
        (canceled("None", "ThrottlingError"), Contention),
        (canceled("ProvisionedThroughputExceeded"), Contention),
        (refused("ThrottlingException"), Contention),
        (refused("RequestLimitExceeded"), Contention),
        (refused("TransactionInProgressException"), OutcomeUnknown),
        (refused("InternalServerError", 500), OutcomeUnknown),
        (refused("ServiceUnavailable", 503), OutcomeUnknown),
        (ReadTimeoutError(endpoint_url=URL), OutcomeUnknown),
        (ConnectionClosedError(endpoint_url=URL), OutcomeUnknown),
        (EndpointConnectionError(endpoint_url=URL), OutcomeUnknown),
        # The client had sent it before on its own: the first send may have gone through.
        (canceled("ConditionalCheckFailed", retries=1), OutcomeUnknown),
        (canceled("TransactionConflict", retries=2), OutcomeUnknown),
        # Mistakes of ours are not hidden.
        (canceled("ValidationError"), ClientError),
        (refused("ValidationException"), ClientError),
        (refused("AccessDeniedException"), ClientError),
    ],
    ids=str,
)
def test_what_a_failed_transaction_means(
    faults: Faults, fault: Exception, meaning: type[Exception]
) -> None:
    matches = DynamoMatches(MATCHES, AGENTS)
    matches.create(State(ID, 0, "open", "werewolf-0.2"), table())
    faults.add(fault)
    with pytest.raises(meaning) as caught:
        matches.commit(a_commit())
    assert type(caught.value) is meaning
    matches.commit(a_commit())


def test_a_transaction_that_is_sent_again_carries_the_same_token(faults: Faults) -> None:
    platform = Platform(ENVIRONMENT | MANY)
    match_id, callers = running(platform)
    state = platform.matches.state(match_id)
    assert state is not None
    seat = state.engine().awaiting[0]
    body = platform.states.state(match_id, callers[seat]).body
    assert body is not None
    turn = body["your_turn"]
    assert turn is not None
    faults.asked.clear()
    faults.add(None)
    faults.add(canceled("TransactionConflict"))
    faults.add(None)
    faults.add(ReadTimeoutError(endpoint_url=URL), sent=True)
    receipt = platform.play.move(match_id, callers[seat], turn["turn_id"], simple_move(turn))
    assert receipt["outcome"] == "accepted"
    sent = [
        parameters["ClientRequestToken"]
        for operation, parameters in faults.asked
        if operation == "TransactWriteItems"
    ]
    assert len(sent) == 3
    assert sent[0] != sent[1], "another decision is another transaction"
    assert sent[1] == sent[2], "the same transaction again"
    after = platform.matches.state(match_id)
    assert after is not None
    assert after.version == state.version + 1


@pytest.mark.parametrize("sent", [True, False])
def test_opening_and_registering_survive_a_lost_answer(faults: Faults, sent: bool) -> None:
    matches, agents = DynamoMatches(MATCHES, AGENTS), DynamoAgents(AGENTS)
    faults.add(ConnectionClosedError(endpoint_url=URL), sent=sent)
    matches.create(State(ID, 0, "open", "werewolf-0.2"), table())
    assert matches.table(ID) == table()
    ada = Agent("a" * 16, "Ada", b"1" * 32)
    faults.add(ConnectionClosedError(endpoint_url=URL), sent=sent)
    assert agents.create(ada, "ada", 0)
    assert agents.agent("a" * 16) == ada
    for create in (
        lambda: matches.create(State("b" * 16, 0, "open", "x"), table("b" * 16)),
        lambda: agents.create(Agent("b" * 16, "Bob", b""), "bob", 0),
    ):
        for _ in range(3):
            faults.add(canceled("TransactionConflict"))
        with pytest.raises(Busy):
            create()


@pytest.mark.parametrize(
    "fault",
    [
        refused("ProvisionedThroughputExceededException"),
        refused("InternalServerError", 500),
        ReadTimeoutError(endpoint_url=URL),
    ],
    ids=str,
)
def test_a_store_that_does_not_answer_is_busy(faults: Faults, fault: Exception) -> None:
    matches, agents = DynamoMatches(MATCHES, AGENTS), DynamoAgents(AGENTS)
    connections = DynamoConnections(CONNECTIONS, MATCHES)
    looks: list[Callable[[], Any]] = [
        lambda: matches.state(ID),
        lambda: list(matches.entries(ID, 1, 2)),
        lambda: matches.listing("open", None, after=None, limit=1),
        lambda: matches.tables([ID]),
        lambda: agents.agent("a" * 16),
        lambda: agents.count("x", expires_at=0),
        lambda: connections.get("c"),
        lambda: list(connections.watchers(ID)),
        lambda: connections.remove("c"),
    ]
    for look in looks:
        faults.add(fault)
        with pytest.raises(Busy):
            look()
    faults.add(refused("ValidationException"))
    with pytest.raises(ClientError):
        matches.state(ID)


def test_a_subscription_whose_outcome_is_unknown_is_busy(faults: Faults) -> None:
    connections = DynamoConnections(CONNECTIONS, MATCHES)
    for fault, meaning in (
        (ReadTimeoutError(endpoint_url=URL), Busy),
        (canceled("TransactionConflict"), Contention),
    ):
        faults.add(fault)
        with pytest.raises(meaning):
            connections.watch(Watcher("c", None, 0), ID, expires_at=0, at_version=1)


def test_a_batch_that_is_served_in_parts_is_asked_for_the_rest(
    faults: Faults, monkeypatch: pytest.MonkeyPatch
) -> None:
    matches = DynamoMatches(MATCHES, AGENTS)
    ids = [letter * 16 for letter in "abc"]
    for match_id in ids:
        matches.create(State(match_id, 0, "open", "x", deadline=7), table(match_id))
    whole = faults._ask

    def in_parts(operation: str, parameters: dict[str, Any]) -> Any:
        if operation != "BatchGetItem":
            return whole(operation, parameters)
        ((name, wanted),) = parameters["RequestItems"].items()
        first, *rest = wanted["Keys"]
        answer = whole(operation, {"RequestItems": {name: {"Keys": [first]}}})
        return answer | {"UnprocessedKeys": {name: {"Keys": rest}} if rest else {}}

    monkeypatch.setattr(faults, "_ask", in_parts)
    slept: list[float] = []
    pauses = Backoff(sleep=slept.append, share=lambda: 1.0)
    monkeypatch.setattr(batch, "_backoff", pauses)
    assert [state.deadline for state in matches.states(ids)] == [7] * len(ids)
    assert slept == [0.02, 0.04], "a table that could not serve all is given time"
    with pytest.raises(Busy):
        matches.states([letter * 16 for letter in "abcde"])
    assert len(slept) == 5


@pytest.mark.parametrize(
    ("fault", "meaning"),
    [
        (refused("GoneException", 410), Gone),
        (refused("410", 410), Gone),
        (refused("LimitExceededException", 429), SlowDown),
        (refused("TooManyRequestsException", 429), SlowDown),
        (refused("ThrottlingException"), SlowDown),
        (refused("ForbiddenException", 403), ClientError),
        (refused("PayloadTooLargeException", 413), ClientError),
        (ReadTimeoutError(endpoint_url=URL), ReadTimeoutError),
    ],
    ids=str,
)
def test_what_a_failed_post_means(fault: Exception, meaning: type[Exception]) -> None:
    sockets = ManagedSockets(URL)
    faults = Faults(sockets._client)
    faults.add(fault)
    with pytest.raises(meaning):
        sockets.post("c=", b"{}")
    assert faults.asked == [("PostToConnection", {"ConnectionId": "c=", "Data": b"{}"})]
    faults.add(fault)
    with nullcontext() if meaning is Gone else pytest.raises(meaning):
        sockets.close("c=")
    assert faults.asked[1:] == [("DeleteConnection", {"ConnectionId": "c="})]


def test_an_execution_that_exists_is_as_good_as_started() -> None:
    clock = StepFunctionsClock("arn:aws:states:eu-central-1:123456789012:stateMachine:clock")
    faults = Faults(clock._client)
    faults.add(refused("ExecutionAlreadyExists"))
    clock.start("a-1", json.dumps({}))
    for fault in (refused("ExecutionLimitExceeded"), refused("ThrottlingException")):
        faults.add(fault)
        with pytest.raises(ClientError):
            clock.start("a-2", json.dumps({}))
    assert [asked["name"] for _, asked in faults.asked] == ["a-1", "a-2", "a-2"]


def test_clients_give_up_in_seconds() -> None:
    made = aws.client("dynamodb", attempts=2, patience=2)
    config = made.meta.config
    assert (config.connect_timeout, config.read_timeout) == (1, 2)
    assert config.retries == {"mode": "standard", "total_max_attempts": 2}
    patient = aws.dynamodb().meta.config
    attempts = patient.retries["total_max_attempts"]
    assert attempts * (patient.connect_timeout + patient.read_timeout) < aws.SLOWEST


def test_values_of_other_kinds_are_refused() -> None:
    with pytest.raises(ValueError, match="BOOL"):
        unpack({"x": {"BOOL": True}})
