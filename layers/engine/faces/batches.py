"""Working through a batch: stream records of DynamoDB in order, messages of SQS in any."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from aws_lambda_powertools.utilities.batch import (
    BatchProcessor,
    EventType,
    FailureResponse,
    SuccessResponse,
    process_partial_response,
)
from aws_lambda_powertools.utilities.data_classes.dynamo_db_stream_event import DynamoDBRecord
from aws_lambda_powertools.utilities.data_classes.sqs_event import SQSRecord
from aws_lambda_powertools.utilities.typing import LambdaContext

from faces.observability import COUNT, logger, metrics

SPARE_MS: Final = 10_000
"""With less time than this left, no further record is begun: the longest that one should take."""


class RecordHeldBack(Exception):
    """A record was not looked at, since one before it failed or the time was short."""


class InOrderProcessor(BatchProcessor):
    """Stops at the first failure, so that no later record overtakes it, and when time is short.

    Lambda takes a stream up again at the lowest sequence number that is reported as failed, so
    the rest of the batch comes again after the failed record, and in order. A call that ran out
    of time would have the whole batch come again, and again. The first record is always tried.
    """

    def __init__(self, time_left_ms: Callable[[], int]) -> None:
        super().__init__(EventType.DynamoDBStreams, raise_on_entire_batch_failure=False)
        self._time_left_ms = time_left_ms

    def _process_record(self, record: dict[str, Any]) -> SuccessResponse | FailureResponse:
        if self.fail_messages or (self.success_messages and self._time_left_ms() < SPARE_MS):
            held = RecordHeldBack("a record before it failed, or the time was short")
            data = self._to_batch_type(record, event_type=self.event_type)
            return self.failure_handler(record=data, exception=(RecordHeldBack, held, None))
        return super()._process_record(record)


def work_through(
    event: Mapping[str, Any], context: LambdaContext, work: Callable[[dict[str, Any]], None]
) -> dict[str, Any]:
    """Call `work` with the new image of each record, in order; answer with the failed ones.

    An image is plain Python (numbers are Decimal). Records that removed an item are passed over.
    """

    metrics.add_metric(name="Records", unit=COUNT, value=len(event["Records"]))

    def on_record(record: DynamoDBRecord) -> None:
        image = record.dynamodb.new_image if record.dynamodb else None
        if not image:
            return
        try:
            work(dict(image))
        except Exception:
            logger.exception("a stream record failed", extra={"record": record.event_id})
            raise

    return dict(
        process_partial_response(
            event=dict(event),
            record_handler=on_record,
            processor=InOrderProcessor(context.get_remaining_time_in_millis),
            context=context,
        )
    )


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
