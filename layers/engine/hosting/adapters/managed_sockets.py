"""Posting to WebSockets through API Gateway's management endpoint."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from hosting.adapters.aws import THROTTLED, client, code_of
from hosting.ports import Gone, SlowDown

if TYPE_CHECKING:
    from mypy_boto3_apigatewaymanagementapi import ApiGatewayManagementApiClient


class ManagedSockets:
    """The sockets of one WebSocket API. `endpoint` is the URL of its management endpoint."""

    def __init__(self, endpoint: str) -> None:
        self._endpoint = endpoint

    @cached_property
    def _client(self) -> "ApiGatewayManagementApiClient":
        made: ApiGatewayManagementApiClient = client(
            "apigatewaymanagementapi", attempts=2, patience=2, endpoint_url=self._endpoint
        )
        return made

    def post(self, connection_id: str, frame: bytes) -> None:
        """Send one frame."""
        with _understood(connection_id):
            self._client.post_to_connection(ConnectionId=connection_id, Data=frame)

    def close(self, connection_id: str) -> None:
        """Close the connection."""
        with suppress(Gone), _understood(connection_id):
            self._client.delete_connection(ConnectionId=connection_id)


@contextmanager
def _understood(connection_id: str) -> Iterator[None]:
    """`Gone` and `SlowDown` for what the service says."""
    try:
        yield
    except ClientError as error:
        code = code_of(error)
        status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode")
        if code == "GoneException" or status == 410:
            raise Gone(connection_id) from error
        if code in THROTTLED or status == 429:
            raise SlowDown(connection_id) from error
        raise
