"""On a schedule: arm the clocks again that got lost, and close the tables that nobody filled."""

from collections.abc import Mapping
from typing import Any, Final

from aws_lambda_powertools.utilities.typing import LambdaContext

from edge.observability import COUNT, metrics, observed
from hosting.wiring import platform

SPARE_MS: Final = 5_000
"""What is left of the time to end in good order; the next sweep goes on."""


@observed()
def handler(_event: Mapping[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Sweep once, within the time that this call has."""
    until = platform().now() + context.get_remaining_time_in_millis() - SPARE_MS
    swept = platform().sweep.run(until=until)
    metrics.add_metric(name="MatchesChecked", unit=COUNT, value=swept["checked"])
    metrics.add_metric(name="MatchesVoided", unit=COUNT, value=swept["voided"])
    metrics.add_metric(name="PlayersTended", unit=COUNT, value=swept["reconciled"])
    metrics.add_metric(name="ClocksRearmed", unit=COUNT, value=swept["rearmed"])
    closed = platform().closing.close_unfilled(until=until)
    metrics.add_metric(name="TablesClosed", unit=COUNT, value=closed)
    return {**swept, "closed": closed}
