"""Matches in DynamoDB."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from hosting.adapters.attributes import pack, unpack
from hosting.adapters.aws import answering, dynamodb, transact
from hosting.adapters.batch import batch
from hosting.adapters.dynamo_characters import still_as_read
from hosting.adapters.item import put_new, read_item
from hosting.errors import Busy
from hosting.items import (
    KEPT,
    STATE,
    TABLE,
    TOLD,
    Item,
    Value,
    kept_item,
    kept_key,
    log_item,
    log_key,
    match_key,
    own_list,
    read_kept,
    read_log,
    read_state,
    read_table,
    row_key,
    state_item,
    state_values,
    table_item,
    table_values,
)
from hosting.model import Commit, Kept, LogEntry, SeatRow, State, Table
from hosting.ports import Contention, OutcomeUnknown, VersionConflict
from protocol.terms import Status

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


class DynamoMatches:
    """The Matches table, and the Agents table for the conditions of a start."""

    def __init__(self, name: str, agents_name: str) -> None:
        self._name = name
        self._agents_name = agents_name

    def create(
        self,
        state: State,
        table: Table,
        *,
        rematch_of: str | None = None,
        in_place_of: str | None = None,
    ) -> None:
        """Write the hot and the cold item of a new match, and note it at the match before it.

        The id is new and drawn at random, so an item that is there already is this very one, from
        a send whose answer was lost; or the match before it has another rematch by now.
        """
        writes = [put_new(self._name, item) for item in (state_item(state), table_item(table))]
        if rematch_of is not None:
            writes.append(self._note_rematch(rematch_of, table.match_id, in_place_of))
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
            put_new(self._name, log_item(commit.entry)),
        ]
        if (kept := kept_item(commit)) is not None:
            writes.append(put_new(self._name, kept))
        if commit.table is not None:
            writes.append(self._update_table(commit.state.match_id, table_values(commit.table)))
        writes += [self._update_row(commit.state.match_id, row) for row in commit.rows]
        writes += [still_as_read(self._agents_name, one) for one in commit.unchanged]
        transact(dynamodb(), writes, commit.entry.commit_id)

    def entry(self, match_id: str, version: int) -> LogEntry | None:
        """One log entry."""
        item = self._get(match_id, log_key(version))
        return None if item is None else read_log(item)

    def entries(
        self,
        match_id: str,
        first: int,
        last: int,
        *,
        newest_first: bool = False,
        told: bool = False,
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
        if told:
            query["ProjectionExpression"] = ", ".join(f"#{name}" for name in TOLD)
            query["ExpressionAttributeNames"] = {f"#{name}": name for name in TOLD}
        while True:
            with answering():
                page = dynamodb().query(**query)
            for item in page["Items"]:
                yield read_log(unpack(item))
            if not page.get("LastEvaluatedKey"):
                return
            query["ExclusiveStartKey"] = page["LastEvaluatedKey"]

    def kept(self, match_id: str, *, newest: int) -> list[Kept]:
        """The item of the start, and a range of the others from the end."""
        first = self._get(match_id, kept_key(0))
        if first is None:
            return []
        keys = {":match": match_key(match_id), ":first": kept_key(1), ":last": f"{KEPT}~"}
        with answering():
            page = dynamodb().query(
                TableName=self._name,
                KeyConditionExpression="PK = :match AND SK BETWEEN :first AND :last",
                ExpressionAttributeValues=pack(keys),
                ConsistentRead=True,
                ScanIndexForward=False,
                Limit=newest,
            )
        later = [*map(unpack, reversed(page["Items"]))]
        return [*map(read_kept, (first, *later))]

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

    def opened_before(self, ruleset: str, at: int, *, limit: int) -> list[str]:
        """A range of the index: its sort key begins with rule set and time."""
        low, high = f"{ruleset}#", f"{ruleset}#{at:013d}"
        marks = self._marks(
            "listing = :list AND listed BETWEEN :low AND :high",
            {":list": "open", ":low": low, ":high": high},
            limit,
        )
        return [*map(_match_id, marks)]

    def own(self, agent_id: str, *, after: str | None, limit: int) -> tuple[list[str], str | None]:
        """A page of the agent's own list, which lies in the index beside those of tables."""
        values = {":list": own_list(agent_id)}
        condition = "listing = :list"
        if after is not None:  # marks are unique, so that the page begins right behind this one
            condition += " AND listed < :after"
            values[":after"] = after
        marks = self._marks(condition, values, limit + 1)
        page = marks[:limit]
        return [*map(_match_id, page)], page[-1] if len(marks) > limit else None

    def _marks(self, condition: str, values: Mapping[str, str], limit: int) -> list[str]:
        with answering():
            page = dynamodb().query(
                TableName=self._name,
                IndexName=INDEX,
                KeyConditionExpression=condition,
                ExpressionAttributeValues=pack(values),
                ScanIndexForward=False,
                Limit=limit,
            )
        return [str(unpack(item)["listed"]) for item in page["Items"]]

    def tables(self, match_ids: Sequence[str]) -> list[Table]:
        """The cold items, by a batched read."""
        found = {table.match_id: table for table in map(read_table, self._batch(match_ids, TABLE))}
        return [found[match_id] for match_id in match_ids if match_id in found]

    def states(self, match_ids: Sequence[str]) -> list[State]:
        """The hot items, by a batched read."""
        return [*map(read_state, self._batch(match_ids, STATE))]

    def _batch(self, match_ids: Sequence[str], sort_key: str) -> list[Item]:
        """One item of each match, in no order."""
        return batch(self._name, [{"PK": match_key(one), "SK": sort_key} for one in match_ids])

    def _get(self, match_id: str, sort_key: str) -> Item | None:
        return read_item(self._name, {"PK": match_key(match_id), "SK": sort_key})

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

    def _update_row(self, match_id: str, row: SeatRow) -> "TransactWriteItemTypeDef":
        """Made when somebody sits down, and taken out of the index when it stands up."""
        values: Item = {}
        if row.agent_id is not None:
            values["listing"] = own_list(row.agent_id)
        if row.listed is not None:
            values["listed"] = row.listed
        key = pack({"PK": match_key(match_id), "SK": row_key(row.key)})
        if not values:
            remove = "REMOVE listing, listed"
            return {"Update": {"TableName": self._name, "Key": key, "UpdateExpression": remove}}
        expression, names, packed = _assignments(values)
        return {
            "Update": {
                "TableName": self._name,
                "Key": key,
                "UpdateExpression": expression,
                "ExpressionAttributeNames": names,
                "ExpressionAttributeValues": packed,
            }
        }

    def _note_rematch(
        self, match_id: str, rematch: str, in_place_of: str | None
    ) -> "TransactWriteItemTypeDef":
        """Only one rematch, whoever asks for it at the same time."""
        known = "attribute_not_exists(rematch)" if in_place_of is None else "rematch = :known"
        values = {":rematch": rematch} | ({} if in_place_of is None else {":known": in_place_of})
        return {
            "Update": {
                "TableName": self._name,
                "Key": pack({"PK": match_key(match_id), "SK": TABLE}),
                "UpdateExpression": "SET rematch = :rematch",
                "ConditionExpression": f"attribute_exists(PK) AND {known}",
                "ExpressionAttributeValues": pack(values),
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
