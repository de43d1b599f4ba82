"""What follows from a commit, on one machine: the log entries in the order of their commits.

Each consumer has a cursor in the database and is handed the entries after it as the records of a
DynamoDB stream. An entry that fails is held with all later ones of its match, and tried again with
growing pauses; other matches go on. A process that dies hands over again what it cannot know to
have been carried out.
"""

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from hosting.adapters.local_worker import backoff_ms
from hosting.adapters.sqlite import MATCHES, Database, Items
from hosting.items import LOG

_BATCH: Final = 25
_UNSTORED: Final = 500
"""By how much the stored cursor may lie back where all entries were passed over."""

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS cursors (consumer TEXT PRIMARY KEY, number INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS held (
    consumer TEXT NOT NULL,
    number INTEGER NOT NULL,
    pk TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    due INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (consumer, number)
);
"""

_log = logging.getLogger(__name__)


class _Record(NamedTuple):
    number: int
    pk: str
    image: dict[str, Any]


class LocalStream:
    """Hands log entries to one function. `effects` are the entries that have some."""

    def __init__(
        self,
        database: Database,
        consumer: str,
        call: Callable[[Mapping[str, Any]], Any],
        *,
        now: Callable[[], int],
        attempts: int,
        effects: bool = False,
    ) -> None:
        self._database = database
        self._consumer = consumer
        self._call = call
        self._now = now
        self._attempts = attempts
        self._effects = effects
        database.define(_SCHEMA)
        with database.reading() as items:
            query = "SELECT number FROM cursors WHERE consumer = ?"
            found = items.connection.execute(query, (consumer,)).fetchone()
        self._cursor = self._stored = int(found[0]) if found else 0

    def run(self) -> int | None:
        """Hand over a batch of entries; when to come again (ms), or None."""
        for pk in self._due():
            self._retry(pk)
        if self._go_on():
            return self._now()
        with self._database.reading() as items:
            heads = self._heads(items)
        return min((due for _, _, _, due in heads), default=None)

    def _go_on(self) -> bool:
        """The entries behind the cursor. Whether there may be more."""
        with self._database.reading() as items:
            condition = "number > ? AND sk GLOB ? ORDER BY number LIMIT ?"
            values = (self._cursor, f"{LOG}*", _BATCH)
            rows = items.rows(MATCHES, "number, pk, item", condition, *values)
            held = {pk for pk, *_ in self._heads(items)}
        if not rows:
            return False
        found = [_Record(number, pk, json.loads(item)) for number, pk, item in rows]
        wanted = [one for one in found if not self._effects or "effects" in one.image]
        batch = [one for one in wanted if one.pk not in held]
        failed = self._hand_over(batch)
        end = rows[-1][0]
        if wanted or end - self._stored > _UNSTORED:
            with self._database.writing() as items:
                for record in wanted:
                    if record.pk in held or record.number in failed:
                        first = record.pk not in held
                        held.add(record.pk)
                        self._hold(items, record, attempts=1 if first else 0)
                items.connection.execute(
                    "INSERT INTO cursors VALUES (?, ?) "
                    "ON CONFLICT (consumer) DO UPDATE SET number = excluded.number",
                    (self._consumer, end),
                )
            self._stored = end
        self._cursor = end
        return len(rows) == _BATCH

    def _retry(self, pk: str) -> None:
        """The held entries of a match, in their order."""
        with self._database.reading() as items:
            rows = items.connection.execute(
                f"SELECT number, pk, attempts, item FROM held JOIN {MATCHES} USING (number, pk) "  # noqa: S608
                "WHERE consumer = ? AND pk = ? ORDER BY number LIMIT ?",
                (self._consumer, pk, _BATCH),
            ).fetchall()
        records = [_Record(number, pk, json.loads(item)) for number, _, _, item in rows]
        failed = self._hand_over(records)
        with self._database.writing() as items:
            for record, (_, _, attempts, _) in zip(records, rows, strict=True):
                if record.number not in failed:
                    self._release(items, record.number)
                    continue
                if attempts + 1 < self._attempts:
                    self._hold(items, record, attempts=attempts + 1)
                else:
                    _log.error("%s gives up entry %s of %s", self._consumer, record.number, pk)
                    self._release(items, record.number)
                return  # those behind it have not been looked at

    def _hand_over(self, records: Sequence[_Record]) -> set[int]:
        """The numbers of the records that failed, or come after one of their match that did."""
        if not records:
            return set()
        try:
            answer = self._call(
                {"Records": [stream_record(one.number, one.image) for one in records]}
            )
            return {int(failure["itemIdentifier"]) for failure in answer["batchItemFailures"]}
        except Exception:  # noqa: BLE001 - whatever it was, they come again
            _log.exception("%s failed", self._consumer)
            return {record.number for record in records}

    def _hold(self, items: Items, record: _Record, *, attempts: int = 0) -> None:
        due = self._now() + backoff_ms(attempts) if attempts else 0
        items.connection.execute(
            "INSERT INTO held VALUES (?, ?, ?, ?, ?) ON CONFLICT (consumer, number) "
            "DO UPDATE SET attempts = excluded.attempts, due = excluded.due",
            (self._consumer, record.number, record.pk, attempts, due),
        )

    def _release(self, items: Items, number: int) -> None:
        query = "DELETE FROM held WHERE consumer = ? AND number = ?"
        items.connection.execute(query, (self._consumer, number))

    def _due(self) -> list[str]:
        """The matches whose first held entry may be tried again."""
        with self._database.reading() as items:
            return [pk for pk, _, _, due in self._heads(items) if due <= self._now()]

    def _heads(self, items: Items) -> list[tuple[str, int, int, int]]:
        """Of each match that is held: the key, and number, attempts and due of the first entry."""
        return items.connection.execute(
            "SELECT pk, MIN(number), attempts, due FROM held WHERE consumer = ? GROUP BY pk",
            (self._consumer,),
        ).fetchall()


def stream_record(number: int, image: dict[str, Any]) -> dict[str, Any]:
    """A log entry as the record of a DynamoDB stream; `image` is its item as DynamoDB's JSON."""
    return {
        "eventID": f"{number:032x}",
        "eventName": "INSERT",
        "eventVersion": "1.1",
        "eventSource": "aws:dynamodb",
        "awsRegion": "local",
        "dynamodb": {
            "Keys": {name: image[name] for name in ("PK", "SK")},
            "NewImage": image,
            "SequenceNumber": str(number),
            "StreamViewType": "NEW_IMAGE",
        },
    }
