"""Fixtures of the hosting tests."""

import pytest

from tests.hosting.world import World


@pytest.fixture
def world() -> World:
    """A platform in memory."""
    return World()
