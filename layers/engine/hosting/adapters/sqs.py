"""Sending messages to a queue in SQS."""

from functools import cached_property
from typing import TYPE_CHECKING

from hosting.adapters.aws import client

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient


class SqsQueue:
    """One standard queue, by its URL."""

    def __init__(self, url: str) -> None:
        self._url = url

    @cached_property
    def _client(self) -> "SQSClient":
        made: SQSClient = client("sqs")
        return made

    def send(self, body: str, *, delay_s: int) -> None:
        """Send a message that is to be received in so many seconds (0 to 900)."""
        self._client.send_message(QueueUrl=self._url, MessageBody=body, DelaySeconds=delay_s)
