"""One Logger, Tracer and Metrics per function. Requests, replies and tokens are never logged."""

import os
from typing import Final

from aws_lambda_powertools import Logger, Metrics, Tracer
from aws_lambda_powertools.metrics import MetricUnit

__all__ = ["COUNT", "logger", "metrics", "tracer"]

COUNT: Final = MetricUnit.Count

_service = os.environ.get("POWERTOOLS_SERVICE_NAME", "lanternwell")

logger: Final = Logger(service=_service)
metrics: Final = Metrics(
    service=_service, namespace=os.environ.get("POWERTOOLS_METRICS_NAMESPACE", "Lanternwell")
)
# Lambda names the X-Ray daemon in every function's environment; elsewhere there is none to tell.
tracer: Final = Tracer(
    service=_service,
    disabled="AWS_XRAY_DAEMON_ADDRESS" not in os.environ,
    patch_modules=["botocore"],
)
