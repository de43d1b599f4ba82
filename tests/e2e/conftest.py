"""One local cloud for all end-to-end tests of a run, whatever the number of xdist workers."""

import os
from collections.abc import Iterator

import pytest

from local.cloud import Cloud
from local.shared import shared_cloud


@pytest.fixture(scope="session")
def cloud(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cloud]:
    """The local cloud: ``http_url``, ``ws_url``, ``boto3_session()``.

    With LANTERNWELL_CLOUD=http://127.0.0.1:<port> it is one that runs already (``make cloud``):
    that saves its start while one writes tests.
    """
    running = os.environ.get("LANTERNWELL_CLOUD")
    if running:
        yield Cloud(running)
        return
    folder = tmp_path_factory.getbasetemp()
    if os.environ.get("PYTEST_XDIST_WORKER"):
        folder = folder.parent  # the folder that all workers of this run share
    with shared_cloud(folder) as shared:
        yield shared
