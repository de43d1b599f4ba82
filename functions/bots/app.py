"""From the queue to the table: a house bot has its turn."""

import json
from collections.abc import Mapping
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from edge.batches import work_through_messages
from edge.observability import COUNT, metrics, observed
from hosting.wiring import platform


@observed()
def handler(event: Mapping[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Play the turns of a batch; answer with the messages that failed, so that they come again."""
    return work_through_messages(event, context, _take_turn)


def _take_turn(body: str) -> None:
    told = json.loads(body)
    played = platform().house_bots.take_turn(told["match_id"], told["seat"], told["turn_id"])
    metrics.add_metric(name="BotMoves" if played else "BotTurnsGone", unit=COUNT, value=1)
