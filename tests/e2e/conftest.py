"""The platforms that the end-to-end tests run on.

All run on the platform in one process, one for each xdist worker. What only the template can show
(permissions, streams, the state machine, stages) runs on the local cloud as well, one for all
workers of a run.
"""

import os
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from hosting.adapters.local_worker import Every, Part
from hosting.wiring import Platform
from local.cloud import Cloud
from local.server import LocalServer
from local.shared import shared_cloud


@pytest.fixture(scope="session")
def here() -> Iterator[LocalServer]:
    """The platform in one process: ``http_url``, ``ws_url``, ``platform``."""
    with LocalServer(settings={"BOT_PACE_SECONDS": "0"}) as server:
        yield server


BEGAN_MS = time.time_ns() // 1_000_000
SWIFT = 10
"""So many times as fast does time pass on the swift platform."""


class SwiftPlatform(Platform):
    """Its clock runs fast."""

    def now(self) -> int:
        return BEGAN_MS + SWIFT * (super().now() - BEGAN_MS)


class SwiftServer(LocalServer):
    """A server for matches that would take minutes."""

    def make_platform(self, environment: Mapping[str, str]) -> Platform:
        return SwiftPlatform(environment)

    def make_parts(self) -> list[Part]:
        ticks = Every(20, lambda: None, now=self.platform.now)  # sleeps are in real time
        return [*super().make_parts(), ticks]


@pytest.fixture(scope="session")
def swift() -> Iterator[LocalServer]:
    """The platform in one process, with a clock that runs fast."""
    with SwiftServer() as server:
        yield server


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
    folder: Path = tmp_path_factory.getbasetemp()
    if os.environ.get("PYTEST_XDIST_WORKER"):
        folder = folder.parent  # the folder that all workers of this run share
    with shared_cloud(folder) as shared:
        yield shared


@pytest.fixture(scope="session", params=["here", pytest.param("cloud", marks=pytest.mark.e2e)])
def both(request: pytest.FixtureRequest) -> LocalServer | Cloud:
    """Each of them in turn."""
    platform: LocalServer | Cloud = request.getfixturevalue(request.param)
    return platform
