"""Plain values to DynamoDB's attribute values and back: the four kinds that are used."""

import base64
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hosting.items import Value

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef


def pack(values: Mapping[str, Value]) -> dict[str, "AttributeValueTypeDef"]:
    """The attribute values of plain ones."""
    return {name: _pack(value) for name, value in values.items()}


def unpack(item: Mapping[str, Any]) -> dict[str, Value]:
    """The plain values of attribute values."""
    return {name: _unpack(value) for name, value in item.items()}


def to_text(item: Mapping[str, Value]) -> str:
    """An item as DynamoDB's JSON, as a stream record holds it; bytes are base64."""
    return json.dumps(pack(item), separators=(",", ":"), ensure_ascii=False, default=_base64)


def from_text(text: str) -> dict[str, Value]:
    """The item in DynamoDB's JSON."""
    return unpack(json.loads(text))


def _base64(value: bytes) -> str:
    return base64.b64encode(value).decode()


def _pack(value: Value) -> "AttributeValueTypeDef":
    if isinstance(value, str):
        return {"S": value}
    if isinstance(value, int):
        return {"N": str(value)}
    if isinstance(value, bytes):
        return {"B": value}
    return {"SS": sorted(value)}


def _unpack(value: Mapping[str, Any]) -> Value:
    ((kind, held),) = value.items()
    match kind:
        case "S":
            return str(held)
        case "N":
            return int(held)
        case "B":
            return base64.b64decode(held) if isinstance(held, str) else bytes(held)
        case "SS":
            return frozenset(held)
    raise ValueError(f"no attribute here is of kind {kind}")
