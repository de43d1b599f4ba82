"""Tables in moto, as the template makes them, and what is asked of them."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from botocore.client import BaseClient
from moto import mock_aws

from hosting.adapters import aws

MATCHES = "matches"
AGENTS = "agents"
CONNECTIONS = "connections"
_clients: dict[str, BaseClient] = {}
ENVIRONMENT = {"MATCHES_TABLE": MATCHES, "AGENTS_TABLE": AGENTS, "CONNECTIONS_TABLE": CONNECTIONS}


@contextmanager
def tables() -> Iterator[BaseClient]:
    """The three tables, empty; the client that the adapters use."""
    with mock_aws():
        if aws.dynamodb() is not _clients.get("mocked"):  # it takes long to make one
            aws.dynamodb.cache_clear()
            _clients["mocked"] = aws.dynamodb()
        db = aws.dynamodb()
        as_it_was = dict(vars(db))
        _one_at_a_time(db)
        for name in (MATCHES, AGENTS, CONNECTIONS):
            _create(db, name)
        try:
            yield db
        finally:
            vars(db).clear()
            vars(db).update(as_it_was)


def _one_at_a_time(db: Any) -> None:
    """DynamoDB carries out each request as a whole; moto, called from threads, does not."""
    lock = threading.Lock()
    ask = db._make_api_call

    def locked(operation: str, parameters: dict[str, Any]) -> Any:
        with lock:
            return ask(operation, parameters)

    db._make_api_call = locked


def _create(db: Any, name: str) -> None:
    keys = ["PK", "SK"]
    index: dict[str, Any] = {}
    if name == MATCHES:
        keys += ["listing", "listed"]
        index["GlobalSecondaryIndexes"] = [
            {
                "IndexName": "listings",
                "KeySchema": _schema("listing", "listed"),
                "Projection": {"ProjectionType": "KEYS_ONLY"},
            }
        ]
    db.create_table(
        TableName=name,
        BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[{"AttributeName": key, "AttributeType": "S"} for key in keys],
        KeySchema=_schema("PK", "SK"),
        **index,
    )


def _schema(partition: str, sort: str) -> list[dict[str, str]]:
    return [
        {"AttributeName": partition, "KeyType": "HASH"},
        {"AttributeName": sort, "KeyType": "RANGE"},
    ]


class Calls:
    """What a client is asked, one word per request."""

    def __init__(self, client: Any) -> None:
        self.made: list[str] = []
        self._ask = client._make_api_call
        client._make_api_call = self._asked

    def _asked(self, operation: str, parameters: dict[str, Any]) -> Any:
        self.made.append(operation)
        return self._ask(operation, parameters)
