"""Starting the clock's state machine in Step Functions."""

from functools import cached_property
from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from hosting.adapters.aws import client, code_of

if TYPE_CHECKING:
    from mypy_boto3_stepfunctions import SFNClient


class StepFunctionsClock:
    """One Standard state machine; names of executions are unique for ninety days."""

    def __init__(self, arn: str) -> None:
        self._arn = arn

    @cached_property
    def _client(self) -> "SFNClient":
        made: SFNClient = client("stepfunctions")
        return made

    def start(self, name: str, payload: str) -> None:
        """Start an execution; one of this name that was started before will do."""
        try:
            self._client.start_execution(stateMachineArn=self._arn, name=name, input=payload)
        except ClientError as error:
            if code_of(error) != "ExecutionAlreadyExists":
                raise
