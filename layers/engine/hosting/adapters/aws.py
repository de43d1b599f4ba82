"""Clients of AWS services, and what their errors mean here.

Clients are made when they are first needed, with botocore alone (boto3's resources would be
imported for nothing), and kept for the life of the process.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from botocore.config import Config
from botocore.exceptions import ClientError, HTTPClientError
from botocore.exceptions import ConnectionError as NoConnectionError
from botocore.session import get_session

from hosting.errors import Busy
from hosting.ports import Contention, OutcomeUnknown, VersionConflict

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef

THROTTLED: Final = frozenset(
    {
        "ThrottlingException",
        "ThrottlingError",
        "ProvisionedThroughputExceeded",
        "ProvisionedThroughputExceededException",
        "RequestLimitExceeded",
        "TooManyRequestsException",
        "LimitExceededException",
        "TransactionConflict",
        "TransactionConflictException",
    }
)
NO_ANSWER: Final = (HTTPClientError, NoConnectionError)
"""Nothing came back: the request may not have been sent, or its answer was lost."""

CONNECT: Final = 1.0
PATIENCE: Final = 2.0
ATTEMPTS: Final = 2
SLOWEST: Final = ATTEMPTS * (CONNECT + PATIENCE) + 1.0
"""Seconds that a call to DynamoDB takes at most, with the client's own pause between attempts. With
`door.PATIENCE_MS` before it that is less than a function has that somebody waits for."""

_CANCELED: Final = "TransactionCanceledException"
_IN_PROGRESS: Final = "TransactionInProgressException"
_FAILED_CONDITION: Final = "ConditionalCheckFailed"


def client(service: str, *, attempts: int = 3, patience: float = 3, **settings: Any) -> Any:
    """A client that gives up in seconds, not minutes: `patience` for an answer, per attempt."""
    config = Config(
        connect_timeout=CONNECT,
        read_timeout=patience,
        retries={"mode": "standard", "total_max_attempts": attempts},
        max_pool_connections=32,
    )
    region = os.environ.get("AWS_REGION")
    return get_session().create_client(service, region_name=region, config=config, **settings)


@lru_cache(maxsize=1)
def dynamodb() -> "DynamoDBClient":
    """The one DynamoDB client; it is safe to share between threads."""
    made: DynamoDBClient = client("dynamodb", attempts=ATTEMPTS, patience=PATIENCE)
    return made


def code_of(error: ClientError) -> str:
    """The service's own name for the error."""
    return str(error.response.get("Error", {}).get("Code", ""))


def is_transient(error: ClientError) -> bool:
    """Whether the service may well answer the same request later."""
    return code_of(error) in THROTTLED or _is_service_fault(error)


@contextmanager
def answering() -> Iterator[None]:
    """`Busy` when the service does not answer, after the retries of the client."""
    try:
        yield
    except NO_ANSWER as error:
        raise Busy("a store does not answer", retry_after=1) from error
    except ClientError as error:
        if is_transient(error):
            raise Busy("a store is overloaded", retry_after=1) from error
        raise


def transact(
    db: "DynamoDBClient", writes: Sequence["TransactWriteItemTypeDef"], token: str
) -> None:
    """Write all or nothing, once: `token` names this very transaction.

    Raises `VersionConflict` when a condition does not hold, `Contention`, or `OutcomeUnknown`.
    """
    try:
        db.transact_write_items(TransactItems=writes, ClientRequestToken=token)
    except NO_ANSWER as error:
        raise OutcomeUnknown(str(error)) from error
    except ClientError as error:
        meaning = _meaning(error)
        if meaning is None:
            raise
        raise meaning from error


def _meaning(error: ClientError) -> Exception | None:
    """What a failed transaction means here; None for what is a mistake of ours."""
    code = code_of(error)
    reasons = _reasons(error.response) if code == _CANCELED else {code}
    refused: Exception
    if _FAILED_CONDITION in reasons:
        refused = VersionConflict(code)
    elif reasons & THROTTLED:
        refused = Contention(code)
    elif code == _IN_PROGRESS or _is_service_fault(error):
        return OutcomeUnknown(code)
    else:
        return None
    # The client may have sent it before, on its own, and have lost the answer.
    resent = error.response.get("ResponseMetadata", {}).get("RetryAttempts", 0)
    return OutcomeUnknown(code) if resent else refused


def _reasons(response: Mapping[str, Any]) -> set[str]:
    return {str(reason.get("Code")) for reason in response.get("CancellationReasons", ())}


def _is_service_fault(error: ClientError) -> bool:
    status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
    return bool(status >= 500)
