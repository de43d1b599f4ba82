"""Logs, traces and metrics of a function. Requests, replies and tokens are never logged.

Where nobody collects metrics (`POWERTOOLS_METRICS_DISABLED`), none are counted.
"""

import os
import sys
from collections.abc import Callable, Mapping
from typing import Any, Final

from aws_lambda_powertools import Logger, Metrics, Tracer
from aws_lambda_powertools.metrics import MetricUnit
from aws_lambda_powertools.utilities.typing import LambdaContext

__all__ = ["COUNT", "logger", "metrics", "observed"]

COUNT: Final = MetricUnit.Count

Handler = Callable[[Mapping[str, Any], LambdaContext], dict[str, Any]]

_service = os.environ.get("POWERTOOLS_SERVICE_NAME", "platform")

_counts: Final = os.environ.get("POWERTOOLS_METRICS_DISABLED", "").lower() != "true"


class NoMetrics:
    """Counts nothing."""

    def add_metric(self, *, name: str, unit: MetricUnit, value: float) -> None:
        """Pass it over."""


logger: Final = Logger(service=_service, stream=sys.stderr)
metrics: Final[Metrics | NoMetrics] = (
    Metrics(
        service=_service, namespace=os.environ.get("POWERTOOLS_METRICS_NAMESPACE", "Lanternwell")
    )
    if _counts
    else NoMetrics()
)


def observed(*, correlation: str | None = None) -> Callable[[Handler], Handler]:
    """Decorate a handler: its logs name the call, its metrics are told, its calls are traced.

    `correlation` is the path in the event of what ties log lines of several functions together.
    """

    def decorate(handler: Handler) -> Handler:
        counted = handler
        if isinstance(metrics, Metrics):
            counted = metrics.log_metrics(handler, capture_cold_start_metric=True)
        traced = _traced(counted) if _has_daemon() else counted
        return logger.inject_lambda_context(
            traced, correlation_id_path=correlation, clear_state=True
        )

    return decorate


def _has_daemon() -> bool:
    """Whether there is an X-Ray daemon to tell. Lambda names it to every function.

    Elsewhere a trace would go nowhere, and importing its SDK takes 150 ms.
    """
    return "AWS_XRAY_DAEMON_ADDRESS" in os.environ


def _traced(handler: Handler) -> Handler:
    tracer = Tracer(service=_service, patch_modules=["botocore"])
    return tracer.capture_lambda_handler(handler, capture_response=False)
