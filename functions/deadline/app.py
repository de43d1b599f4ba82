"""A clock has woken: play the deadline if it has passed, and say until when to sleep."""

from collections.abc import Mapping
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from edge.observability import COUNT, metrics, observed
from hosting.wiring import platform


@observed(correlation="match_id")
def handler(event: Mapping[str, Any], _context: LambdaContext) -> dict[str, Any]:
    """Answer a clock. An error is raised, so that the state machine tries again."""
    metrics.add_metric(name="Wakes", unit=COUNT, value=1)
    wake = platform().clock.wake(event["match_id"], int(event["generation"]), int(event["wakes"]))
    return dict(wake)
