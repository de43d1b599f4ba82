"""Agents' characters, in DynamoDB: they lie under their agent, whose profile counts them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from botocore.exceptions import ClientError

from hosting.adapters.agent_items import (
    CHARACTER,
    PROFILE,
    agent_key,
    character_item,
    character_key,
    read_character,
    sheet_json,
)
from hosting.adapters.attributes import pack, unpack
from hosting.adapters.aws import answering, code_of, dynamodb, transact
from hosting.adapters.batch import batch
from hosting.adapters.item import put_new, read_item
from hosting.errors import Busy
from hosting.ids import new_id
from hosting.model import Character, Sheet, Unchanged
from hosting.ports import Contention, OutcomeUnknown, VersionConflict

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import QueryInputTypeDef, TransactWriteItemTypeDef

_SENDS: Final = 3


class DynamoCharacters:
    """The characters in the Agents table."""

    def __init__(self, name: str) -> None:
        self._name = name

    def add(self, character: Character, *, most: int) -> bool:
        """Write the character, which must be new, and count it, if there is room for it."""
        put = put_new(self._name, character_item(character))
        room = "attribute_not_exists(#count) OR #count < :most"
        count = self._count(character.agent_id, 1, f"attribute_exists(PK) AND ({room})", most=most)
        for _ in range(_SENDS):
            try:
                transact(dynamodb(), [put, count], character.character_id)
            except (OutcomeUnknown, Contention):
                continue
            except VersionConflict:
                return self.character(character.agent_id, character.character_id) is not None
            else:
                return True
        raise Busy("the character could not be written", retry_after=1)

    def character(self, agent_id: str, character_id: str) -> Character | None:
        """The character's item."""
        item = read_item(self._name, character_key(agent_id, character_id))
        return None if item is None else read_character(item)

    def characters(self, agent_id: str) -> list[Character]:
        """All characters of an agent, page by page."""
        query: QueryInputTypeDef = {
            "TableName": self._name,
            "KeyConditionExpression": "PK = :agent AND begins_with(SK, :character)",
            "ExpressionAttributeValues": pack(
                {":agent": agent_key(agent_id), ":character": CHARACTER}
            ),
            "ConsistentRead": True,
        }
        found: list[Character] = []
        while True:
            with answering():
                page = dynamodb().query(**query)
            found += (read_character(unpack(item)) for item in page["Items"])
            if not page.get("LastEvaluatedKey"):
                return found
            query["ExclusiveStartKey"] = page["LastEvaluatedKey"]

    def brought(self, wanted: Sequence[tuple[str, str]]) -> list[Character | None]:
        """Characters of several agents, by a batched read."""
        keys = [character_key(*one) for one in wanted]
        characters = map(read_character, batch(self._name, keys, consistent=True))
        found = {(one.agent_id, one.character_id): one for one in characters}
        return [found.get(one) for one in wanted]

    def rewrite(self, agent_id: str, character_id: str, sheet: Sheet, at: int) -> Character | None:
        """Replace the sheet and move the version on; a send that is repeated does so twice."""
        try:
            with answering():
                answer = dynamodb().update_item(
                    TableName=self._name,
                    Key=pack(character_key(agent_id, character_id)),
                    UpdateExpression="SET #sheet = :sheet, #at = :at ADD #version :one",
                    ConditionExpression="attribute_exists(PK)",
                    ExpressionAttributeNames={
                        "#sheet": "sheet",
                        "#at": "updated_at",
                        "#version": "version",
                    },
                    ExpressionAttributeValues=pack(
                        {":sheet": sheet_json(sheet), ":at": at, ":one": 1}
                    ),
                    ReturnValues="ALL_NEW",
                )
        except ClientError as error:
            if code_of(error) != "ConditionalCheckFailedException":
                raise
            return None
        return read_character(unpack(answer["Attributes"]))

    def remove(self, agent_id: str, character_id: str) -> bool:
        """Delete the character, which must be there, and count it no longer."""
        delete: TransactWriteItemTypeDef = {
            "Delete": {
                "TableName": self._name,
                "Key": pack(character_key(agent_id, character_id)),
                "ConditionExpression": "attribute_exists(PK)",
            }
        }
        count = self._count(agent_id, -1, "attribute_exists(PK)")
        unknown, token = False, new_id()
        for _ in range(_SENDS):
            try:
                transact(dynamodb(), [delete, count], token)
            except OutcomeUnknown:
                unknown = True
            except Contention:
                continue
            except VersionConflict:
                return unknown  # then the send whose answer was lost has deleted it
            else:
                return True
        raise Busy("the character could not be deleted", retry_after=1)

    def _count(
        self, agent_id: str, change: int, condition: str, **values: int
    ) -> "TransactWriteItemTypeDef":
        return {
            "Update": {
                "TableName": self._name,
                "Key": pack({"PK": agent_key(agent_id), "SK": PROFILE}),
                "UpdateExpression": "ADD #count :change",
                "ConditionExpression": condition,
                "ExpressionAttributeNames": {"#count": "characters"},
                "ExpressionAttributeValues": pack(
                    {":change": change, **{f":{name}": value for name, value in values.items()}}
                ),
            }
        }


def still_as_read(agents_name: str, character: Unchanged) -> "TransactWriteItemTypeDef":
    """For a transaction: only if the character is at this version still, or still not there."""
    key = pack(character_key(character.agent_id, character.character_id))
    if character.version is None:
        return {
            "ConditionCheck": {
                "TableName": agents_name,
                "Key": key,
                "ConditionExpression": "attribute_not_exists(PK)",
            }
        }
    return {
        "ConditionCheck": {
            "TableName": agents_name,
            "Key": key,
            "ConditionExpression": "#version = :read",
            "ExpressionAttributeNames": {"#version": "version"},
            "ExpressionAttributeValues": pack({":read": character.version}),
        }
    }
