"""Matches in DynamoDB."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from hosting.adapters.attributes import pack, unpack
from hosting.adapters.aws import answering, dynamodb, transact
from hosting.errors import Busy
from hosting.items import (
    STATE,
    TABLE,
    Item,
    Value,
    log_item,
    log_key,
    match_key,
    read_log,
    read_state,
    read_table,
    state_item,
    state_values,
    table_item,
    table_values,
)
from hosting.model import Commit, LogEntry, State, Status, Table
from hosting.ports import Contention, OutcomeUnknown, VersionConflict

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import (
        AttributeValueTypeDef,
        QueryInputTypeDef,
        TransactWriteItemTypeDef,
    )

INDEX: Final = "listings"
_STATE_OPTIONAL: Final = ("deadline", "keys", "match", "host", "mode")
_NEWEST_PAGE: Final = 25
_SENDS: Final = 3
_BATCHES: Final = 3


class DynamoMatches:
    """The Matches table."""

    def __init__(self, name: str) -> None:
        self._name = name

    def create(self, state: State, table: Table) -> None:
        """Write the hot and the cold item of a new match.

        The id is new and drawn at random, so an item that is there already is this very one, from
        a send whose answer was lost.
        """
        writes = [self._put_new(state_item(state)), self._put_new(table_item(table))]
        for _ in range(_SENDS):
            try:
                transact(dynamodb(), writes, state.match_id)
            except (OutcomeUnknown, Contention):
                continue
            except VersionConflict:
                return
            else:
                return
        raise Busy("the match could not be written", retry_after=1)

    def state(self, match_id: str) -> State | None:
        """The hot item."""
        item = self._get(match_id, STATE)
        return None if item is None else read_state(item)

    def table(self, match_id: str) -> Table | None:
        """The cold item."""
        item = self._get(match_id, TABLE)
        return None if item is None else read_table(item)

    def commit(self, commit: Commit) -> None:
        """Update the hot item on its version, put the log entry, update the cold item if asked."""
        writes = [
            self._update_state(commit.state),
            self._put_new(log_item(commit.entry)),
        ]
        if commit.table is not None:
            writes.append(self._update_table(commit.state.match_id, table_values(commit.table)))
        transact(dynamodb(), writes, commit.entry.commit_id)

    def entry(self, match_id: str, version: int) -> LogEntry | None:
        """One log entry."""
        item = self._get(match_id, log_key(version))
        return None if item is None else read_log(item)

    def entries(
        self, match_id: str, first: int, last: int, *, newest_first: bool = False
    ) -> Iterator[LogEntry]:
        """Log entries, page by page; small pages from the end, where few are wanted."""
        if first > last:
            return
        query: QueryInputTypeDef = {
            "TableName": self._name,
            "KeyConditionExpression": "PK = :match AND SK BETWEEN :first AND :last",
            "ExpressionAttributeValues": pack(
                {
                    ":match": match_key(match_id),
                    ":first": log_key(first),
                    ":last": log_key(last),
                }
            ),
            "ConsistentRead": True,
            "ScanIndexForward": not newest_first,
        }
        if newest_first:
            query["Limit"] = _NEWEST_PAGE
        while True:
            with answering():
                page = dynamodb().query(**query)
            for item in page["Items"]:
                yield read_log(unpack(item))
            if not page.get("LastEvaluatedKey"):
                return
            query["ExclusiveStartKey"] = page["LastEvaluatedKey"]

    def listing(
        self, status: Status, ruleset: str | None, *, after: str | None, limit: int
    ) -> tuple[list[str], str | None]:
        """A page of the index. A mark is the index's sort key."""
        values: dict[str, Value] = {":status": status}
        condition = "listing = :status"
        if ruleset is not None:
            condition += " AND begins_with(listed, :ruleset)"
            values[":ruleset"] = f"{ruleset}#"
        query: QueryInputTypeDef = {
            "TableName": self._name,
            "IndexName": INDEX,
            "KeyConditionExpression": condition,
            "ExpressionAttributeValues": pack(values),
            "ScanIndexForward": False,
            "Limit": limit,
        }
        if after is not None:
            query["ExclusiveStartKey"] = pack(
                {
                    "PK": match_key(_match_id(after)),
                    "SK": TABLE,
                    "listing": status,
                    "listed": after,
                }
            )
        with answering():
            page = dynamodb().query(**query)
        marks = [str(unpack(item)["listed"]) for item in page["Items"]]
        more = bool(page.get("LastEvaluatedKey"))
        return [*map(_match_id, marks)], marks[-1] if more and marks else None

    def tables(self, match_ids: Sequence[str]) -> list[Table]:
        """The cold items, by a batched read."""
        found = {table.match_id: table for table in map(read_table, self._batch(match_ids, TABLE))}
        return [found[match_id] for match_id in match_ids if match_id in found]

    def deadlines(self, match_ids: Sequence[str]) -> dict[str, int | None]:
        """The deadlines in the hot items, by a batched read."""
        states = map(read_state, self._batch(match_ids, STATE))
        return {state.match_id: state.deadline for state in states}

    def _batch(self, match_ids: Sequence[str], sort_key: str) -> list[Item]:
        """One item of each match, in no order."""
        keys = [pack({"PK": match_key(match_id), "SK": sort_key}) for match_id in match_ids]
        wanted: Any = {self._name: {"Keys": keys}} if keys else {}
        items: list[Item] = []
        for _ in range(_BATCHES):
            if not wanted:
                return items
            with answering():
                answer = dynamodb().batch_get_item(RequestItems=wanted)
            items += map(unpack, answer["Responses"].get(self._name, ()))
            wanted = answer.get("UnprocessedKeys")
        if wanted:
            raise Busy("a store is overloaded", retry_after=1)
        return items

    def _get(self, match_id: str, sort_key: str) -> Item | None:
        with answering():
            answer = dynamodb().get_item(
                TableName=self._name,
                Key=pack({"PK": match_key(match_id), "SK": sort_key}),
                ConsistentRead=True,
            )
        item = answer.get("Item")
        return None if item is None else unpack(item)

    def _put_new(self, item: Item) -> "TransactWriteItemTypeDef":
        """Never over something that is there: history is written once."""
        return {
            "Put": {
                "TableName": self._name,
                "Item": pack(item),
                "ConditionExpression": "attribute_not_exists(PK)",
            }
        }

    def _update_state(self, state: State) -> "TransactWriteItemTypeDef":
        """Only if the stored version is still the one that was read."""
        values = state_values(state)
        gone = [name for name in _STATE_OPTIONAL if name not in values]
        expression, names, packed = _assignments(values)
        if gone:
            expression += " REMOVE " + ", ".join(f"#{name}" for name in gone)
            names |= {f"#{name}": name for name in gone}
        return {
            "Update": {
                "TableName": self._name,
                "Key": pack({"PK": match_key(state.match_id), "SK": STATE}),
                "UpdateExpression": expression,
                "ConditionExpression": "#version = :read",
                "ExpressionAttributeNames": names,
                "ExpressionAttributeValues": packed | pack({":read": state.version - 1}),
            }
        }

    def _update_table(self, match_id: str, values: Item) -> "TransactWriteItemTypeDef":
        """Only a cold item that is there: this never makes one."""
        expression, names, packed = _assignments(values)
        return {
            "Update": {
                "TableName": self._name,
                "Key": pack({"PK": match_key(match_id), "SK": TABLE}),
                "UpdateExpression": expression,
                "ConditionExpression": "attribute_exists(PK)",
                "ExpressionAttributeNames": names,
                "ExpressionAttributeValues": packed,
            }
        }


def _assignments(
    values: Mapping[str, Value],
) -> tuple[str, dict[str, str], dict[str, "AttributeValueTypeDef"]]:
    """A SET expression with its names and values."""
    expression = "SET " + ", ".join(f"#{name} = :{name}" for name in values)
    names = {f"#{name}": name for name in values}
    return expression, names, pack({f":{name}": value for name, value in values.items()})


def _match_id(mark: str) -> str:
    return mark.rpartition("#")[2]
