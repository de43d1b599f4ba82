"""A queue with delay on one machine: rows of the database, handed to a function as SQS does."""

import logging
from collections.abc import Callable, Mapping
from typing import Any, Final

from hosting.adapters.local_worker import backoff_ms
from hosting.adapters.sqlite import Database

_BATCH: Final = 10
_ATTEMPTS: Final = 3

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS queue (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    function TEXT NOT NULL,
    body TEXT NOT NULL,
    due INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX IF NOT EXISTS queue_due ON queue (function, due);
"""

_log = logging.getLogger(__name__)


class LocalQueue:
    """The messages for one function."""

    def __init__(self, database: Database, function: str, *, now: Callable[[], int]) -> None:
        self._database = database
        self._function = function
        self._now = now
        database.define(_SCHEMA)

    def send(self, body: str, *, delay_s: int) -> None:
        """Send a message that is to be received in so many seconds."""
        due = self._now() + 1000 * delay_s
        with self._database.writing() as items:
            items.connection.execute(
                "INSERT INTO queue (function, body, due) VALUES (?, ?, ?)",
                (self._function, body, due),
            )

    def receiver(self, call: Callable[[Mapping[str, Any]], Any]) -> "Receiver":
        """What hands the messages to a function."""
        return Receiver(self._database, self._function, call, now=self._now)


class Receiver:
    """Hands the messages that are due to a function. One that fails comes again, three times."""

    def __init__(
        self,
        database: Database,
        function: str,
        call: Callable[[Mapping[str, Any]], Any],
        *,
        now: Callable[[], int],
    ) -> None:
        self._database = database
        self._function = function
        self._call = call
        self._now = now

    def run(self) -> int | None:
        """Hand over a batch of messages; when to come again (ms), or None."""
        with self._database.reading() as items:
            due = items.connection.execute(
                "SELECT number, body, attempts FROM queue WHERE function = ? AND due <= ? "
                "ORDER BY due, number LIMIT ?",
                (self._function, self._now(), _BATCH),
            ).fetchall()
        if due:
            failed = self._hand_over({number: body for number, body, _ in due})
            with self._database.writing() as items:
                for number, body, attempts in due:
                    if number not in failed:
                        items.connection.execute("DELETE FROM queue WHERE number = ?", (number,))
                    elif attempts + 1 >= _ATTEMPTS:
                        _log.error("a message is given up: %s", body)
                        items.connection.execute("DELETE FROM queue WHERE number = ?", (number,))
                    else:
                        again = self._now() + backoff_ms(attempts + 1)
                        items.connection.execute(
                            "UPDATE queue SET attempts = attempts + 1, due = ? WHERE number = ?",
                            (again, number),
                        )
        with self._database.reading() as items:
            query = "SELECT MIN(due) FROM queue WHERE function = ?"
            ((soonest,),) = items.connection.execute(query, (self._function,)).fetchall()
        return None if soonest is None else int(soonest)

    def _hand_over(self, bodies: Mapping[int, str]) -> set[int]:
        """The numbers of the messages that failed."""
        records = [
            {
                "messageId": str(number),
                "receiptHandle": str(number),
                "body": body,
                "attributes": {},
                "messageAttributes": {},
                "eventSource": "aws:sqs",
                "eventSourceARN": f"arn:aws:sqs:local:000000000000:{self._function}",
                "awsRegion": "local",
            }
            for number, body in bodies.items()
        ]
        try:
            answer = self._call({"Records": records})
            return {int(failure["itemIdentifier"]) for failure in answer["batchItemFailures"]}
        except Exception:  # noqa: BLE001 - whatever it was, they come again
            _log.exception("a batch of messages failed")
            return set(bodies)
