"""Reading several items at once."""

from collections.abc import Sequence
from typing import Any, Final

from hosting.adapters.attributes import pack, unpack
from hosting.adapters.aws import answering, dynamodb
from hosting.backoff import Backoff
from hosting.errors import Busy
from hosting.items import Item

_ROUNDS: Final = 4
_backoff: Final = Backoff()


def batch(table: str, keys: Sequence[Item], *, consistent: bool = False) -> list[Item]:
    """The items with these keys (at most 100), in no order; those that are not there are left out.

    Raises `Busy` when the store does not give all of them in a few requests.
    """
    asked: Any = {"Keys": [*map(pack, keys)], "ConsistentRead": consistent}
    wanted: Any = {table: asked} if keys else {}
    items: list[Item] = []
    for attempt in range(_ROUNDS):
        if not wanted:
            return items
        _backoff.before(
            attempt
        )  # what is left over is left over because the table has enough to do
        with answering():
            answer = dynamodb().batch_get_item(RequestItems=wanted)
        items += map(unpack, answer["Responses"].get(table, ()))
        wanted = answer.get("UnprocessedKeys")
    if wanted:
        raise Busy("a store is overloaded", retry_after=1)
    return items
