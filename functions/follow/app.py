"""From the stream to what must follow from a change, such as a clock."""

from collections.abc import Mapping
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from edge.batches import work_through
from edge.observability import observed
from hosting.items import log_entry
from hosting.wiring import platform


@observed()
def handler(event: Mapping[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Carry out the effects of a batch, in order for each match; answer with the failed ones."""
    return work_through(event, context, _follow)


def _follow(image: dict[str, Any]) -> Mapping[str, int]:
    entry = log_entry(image)
    if entry is None:
        return {}
    platform().effects.dispatch(entry)
    return {"EffectsCarriedOut": len(entry.effects)}
