"""From the stream to WebSockets: what happened in a match goes to all who watch it."""

from collections.abc import Mapping
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from edge.batches import work_through
from edge.observability import observed
from hosting.items import log_entry
from hosting.wiring import platform


@observed()
def handler(event: Mapping[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Push each log entry of a batch, in order for each match; answer with the failed ones."""
    return work_through(event, context, _push)


def _push(image: dict[str, Any]) -> Mapping[str, int]:
    entry = log_entry(image)
    if entry is None:
        return {}
    delivery = platform().push.deliver(entry)
    return {
        "ConnectionsServed": delivery.served,
        "ConnectionsGone": delivery.gone,
        "ConnectionsFailed": delivery.failed,
    }
