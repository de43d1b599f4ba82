"""Open sockets in DynamoDB."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from botocore.exceptions import ClientError

from hosting.adapters.attributes import pack, unpack
from hosting.adapters.aws import answering, code_of, dynamodb, transact
from hosting.adapters.batch import batch
from hosting.adapters.connection_items import (
    INFO,
    connection_id_in,
    connection_item,
    connection_key,
    is_open,
    read_connection,
    read_watcher,
    watcher_item,
)
from hosting.adapters.item import read_item
from hosting.errors import Busy
from hosting.ids import new_id
from hosting.items import STATE, Item, match_key
from hosting.model import Connection, Watcher
from hosting.ports import Gone, OutcomeUnknown, VersionConflict

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import QueryInputTypeDef, TransactWriteItemTypeDef

_BATCH: Final = 100


class DynamoConnections:
    """The Connections table, and the Matches table for the condition of a subscription."""

    def __init__(self, name: str, matches_name: str) -> None:
        self._name = name
        self._matches_name = matches_name

    def put(self, connection: Connection, *, expires_at: int) -> None:
        """A socket was opened."""
        with answering():
            dynamodb().put_item(
                TableName=self._name, Item=pack(connection_item(connection, expires_at))
            )

    def get(self, connection_id: str) -> Connection | None:
        """The socket's item."""
        key: Item = {"PK": connection_key(connection_id), "SK": INFO}
        item = read_item(self._name, key)
        return None if item is None or not is_open(item) else read_connection(connection_id, item)

    def open_among(self, connection_ids: Sequence[str]) -> frozenset[str]:
        """The sockets whose items say that they are open, a hundred at a time."""
        found: set[str] = set()
        ids = sorted(set(connection_ids))
        for start in range(0, len(ids), _BATCH):
            keys: list[Item] = [
                {"PK": connection_key(one), "SK": INFO} for one in ids[start : start + _BATCH]
            ]
            items = batch(self._name, keys, consistent=True)
            found |= {connection_id_in(item["PK"]) for item in items if is_open(item)}
        return frozenset(found)

    def watch(
        self, watcher: Watcher, match_id: str, *, expires_at: int, at_version: int | None
    ) -> None:
        """Note the match at the socket, which must be open, and the socket at the match."""
        item = watcher_item(watcher, match_id, expires_at)
        writes: list[TransactWriteItemTypeDef] = [
            {
                "Update": {
                    "TableName": self._name,
                    "Key": _info_key(watcher.connection_id),
                    "UpdateExpression": "ADD #matches :match",
                    "ConditionExpression": "attribute_exists(PK) AND attribute_not_exists(closed)",
                    "ExpressionAttributeNames": {"#matches": "matches"},
                    "ExpressionAttributeValues": pack({":match": frozenset({match_id})}),
                }
            },
            {"Put": {"TableName": self._name, "Item": pack(item)}},
        ]
        if at_version is not None:
            writes.append(
                {
                    "ConditionCheck": {
                        "TableName": self._matches_name,
                        "Key": pack({"PK": match_key(match_id), "SK": STATE}),
                        "ConditionExpression": "#version = :version",
                        "ExpressionAttributeNames": {"#version": "version"},
                        "ExpressionAttributeValues": pack({":version": at_version}),
                    }
                }
            )
        try:
            transact(dynamodb(), writes, new_id())
        except OutcomeUnknown as error:
            raise Busy("could not subscribe in time", retry_after=1) from error
        except VersionConflict:
            if self.get(watcher.connection_id) is None:
                raise Gone(watcher.connection_id) from None
            raise

    def unwatch(self, connection_id: str, match_id: str) -> None:
        """Take the match from the socket and the socket from the match."""
        with answering():
            dynamodb().delete_item(TableName=self._name, Key=_watcher_key(connection_id, match_id))
            try:
                dynamodb().update_item(
                    TableName=self._name,
                    Key=_info_key(connection_id),
                    UpdateExpression="DELETE #matches :match",
                    ConditionExpression="attribute_exists(PK)",
                    ExpressionAttributeNames={"#matches": "matches"},
                    ExpressionAttributeValues=pack({":match": frozenset({match_id})}),
                )
            except ClientError as error:
                if code_of(error) != "ConditionalCheckFailedException":
                    raise

    def watchers(self, match_id: str) -> Iterator[Watcher]:
        """All sockets at the match, page by page."""
        query: QueryInputTypeDef = {
            "TableName": self._name,
            "KeyConditionExpression": "PK = :match",
            "ExpressionAttributeValues": pack({":match": match_key(match_id)}),
            "ConsistentRead": True,
        }
        while True:
            with answering():
                page = dynamodb().query(**query)
            yield from (read_watcher(unpack(item)) for item in page["Items"])
            if not page.get("LastEvaluatedKey"):
                return
            query["ExclusiveStartKey"] = page["LastEvaluatedKey"]

    def close(self, connection_id: str) -> Connection | None:
        """Mark the socket's item; what it follows is in the answer."""
        with answering():
            try:
                answer = dynamodb().update_item(
                    TableName=self._name,
                    Key=_info_key(connection_id),
                    UpdateExpression="SET closed = :yes",
                    ConditionExpression="attribute_exists(PK)",
                    ExpressionAttributeValues=pack({":yes": 1}),
                    ReturnValues="ALL_NEW",
                )
            except ClientError as error:
                if code_of(error) != "ConditionalCheckFailedException":
                    raise
                return None
        return read_connection(connection_id, unpack(answer["Attributes"]))

    def remove(self, connection_id: str) -> None:
        """Delete the socket's item."""
        with answering():
            dynamodb().delete_item(TableName=self._name, Key=_info_key(connection_id))


def _info_key(connection_id: str) -> Any:
    return pack({"PK": connection_key(connection_id), "SK": INFO})


def _watcher_key(connection_id: str, match_id: str) -> Any:
    return pack({"PK": match_key(match_id), "SK": connection_key(connection_id)})
