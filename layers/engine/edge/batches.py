"""Working through a batch: stream records in order for each match, messages of SQS in any."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any, Final

from aws_lambda_powertools.utilities.batch import (
    BatchProcessor,
    EventType,
    process_partial_response,
)
from aws_lambda_powertools.utilities.data_classes.dynamo_db_stream_event import DynamoDBRecord
from aws_lambda_powertools.utilities.data_classes.sqs_event import SQSRecord
from aws_lambda_powertools.utilities.typing import LambdaContext

from edge.observability import COUNT, logger, metrics

SPARE_MS: Final = 10_000
"""With less time than this left, no further record is begun: the longest that one should take."""

SIDE_BY_SIDE: Final = 8
"""So many matches of a batch are worked on at the same time."""


def work_through(
    event: Mapping[str, Any],
    context: LambdaContext,
    work: Callable[[dict[str, Any]], Mapping[str, int]],
) -> dict[str, Any]:
    """Call `work` with the new image of each stream record; answer with the failed ones.

    The records of one match are taken in order, and matches side by side. After a failure, or when
    the time is short, the rest of that match is reported as failed too, so that no record overtakes
    another: Lambda goes on from the lowest sequence number that is reported, and whatever succeeded
    after it comes again. The first record of a batch is always tried.

    `work` gives counts to be added to the metrics. An image is plain Python (numbers are Decimal).
    Records that removed an item are passed over.
    """
    records = [DynamoDBRecord(record) for record in event["Records"]]
    metrics.add_metric(name="Records", unit=COUNT, value=len(records))
    lanes: dict[str, list[DynamoDBRecord]] = {}
    for record in records:
        lanes.setdefault(_match_of(record), []).append(record)
    counts: Counter[str] = Counter()
    failed: set[str] = set()

    def run(lane: Sequence[DynamoDBRecord]) -> Counter[str]:
        done: Counter[str] = Counter()
        for position, record in enumerate(lane):
            first = record is records[0]
            late = not first and context.get_remaining_time_in_millis() < SPARE_MS
            if late or not _succeeds(record, work, done):
                failed.update(_number(held) for held in lane[position:])
                break
        return done

    with ThreadPoolExecutor(SIDE_BY_SIDE, thread_name_prefix="match") as pool:
        started = [pool.submit(copy_context().run, run, lane) for lane in lanes.values()]
        for lane in started:
            counts += lane.result()
    for name, count in counts.items():
        metrics.add_metric(name=name, unit=COUNT, value=count)
    numbers = [number for record in records if (number := _number(record)) in failed]
    return {"batchItemFailures": [{"itemIdentifier": number} for number in numbers]}


def _succeeds(
    record: DynamoDBRecord,
    work: Callable[[dict[str, Any]], Mapping[str, int]],
    done: Counter[str],
) -> bool:
    image = record.dynamodb.new_image if record.dynamodb else None
    if not image:
        return True
    try:
        done.update(work(dict(image)))
    except Exception:  # noqa: BLE001 - whatever it was, Lambda sends the record again
        logger.exception("a stream record failed", extra={"record": record.event_id})
        return False
    return True


def _match_of(record: DynamoDBRecord) -> str:
    keys = record.dynamodb.keys if record.dynamodb else None
    return str((keys or {}).get("PK", ""))


def _number(record: DynamoDBRecord) -> str:
    return str(record.dynamodb.sequence_number if record.dynamodb else "")


def work_through_messages(
    event: Mapping[str, Any], context: LambdaContext, work: Callable[[str], None]
) -> dict[str, Any]:
    """Call `work` with the body of each message; answer with the failed ones."""

    metrics.add_metric(name="Messages", unit=COUNT, value=len(event["Records"]))

    def on_message(record: SQSRecord) -> None:
        try:
            work(record.body)
        except Exception:
            logger.exception("a message failed", extra={"message": record.message_id})
            raise

    return dict(
        process_partial_response(
            event=dict(event),
            record_handler=on_message,
            processor=BatchProcessor(EventType.SQS, raise_on_entire_batch_failure=False),
            context=context,
        )
    )
