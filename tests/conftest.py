"""Settings for all tests."""

import os

import hypothesis
import pytest

from tests.examples import examples

hypothesis.settings.register_profile(
    "lanternwell",
    deadline=None,
    print_blob=True,
    derandomize="CI" in os.environ,
    max_examples=examples(100),
)
hypothesis.settings.load_profile("lanternwell")

_FAKE_AWS = {
    "AWS_ACCESS_KEY_ID": "testing",
    "AWS_SECRET_ACCESS_KEY": "testing",
    "AWS_DEFAULT_REGION": "eu-central-1",
    "AWS_EC2_METADATA_DISABLED": "true",
    "POWERTOOLS_LOG_LEVEL": "WARNING",
    "POWERTOOLS_METRICS_DISABLED": "true",
    "POWERTOOLS_TRACE_DISABLED": "true",
}


def pytest_configure(config: pytest.Config) -> None:
    """No test ever talks to a real account: settings of the caller's shell are forgotten."""
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        del os.environ[name]
    os.environ.update(_FAKE_AWS)
