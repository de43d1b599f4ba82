from collections.abc import Iterator

import pytest

from hosting.wiring import using
from tests.functions.house import House


@pytest.fixture
def house() -> Iterator[House]:
    """A platform without agents and matches."""
    with using(House()) as house:
        yield house


@pytest.fixture(scope="module")
def shared_house() -> Iterator[House]:
    """One platform for all tests of a module, which leave each other in peace."""
    with using(House()) as house:
        yield house
