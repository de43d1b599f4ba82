"""One item of a table: read it, or put it where none is."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hosting.adapters.attributes import pack, unpack
from hosting.adapters.aws import answering, dynamodb

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef

    from hosting.items import Item, Value


def read_item(table: str, key: Mapping[str, "Value"]) -> "Item | None":
    """The item as it is now, or None. Raises `Busy`."""
    with answering():
        answer: Mapping[str, Any] = dynamodb().get_item(
            TableName=table, Key=pack(key), ConsistentRead=True
        )
    item = answer.get("Item")
    return None if item is None else unpack(item)


def put_new(table: str, item: "Item") -> "TransactWriteItemTypeDef":
    """The write of an item on the condition that none is there: never over another."""
    return {
        "Put": {
            "TableName": table,
            "Item": pack(item),
            "ConditionExpression": "attribute_not_exists(PK)",
        }
    }
