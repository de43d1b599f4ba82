from collections.abc import Iterator

import pytest
from moto import mock_aws

from hosting.adapters import aws
from hosting.wiring import using
from tests.functions.house import REGION, House, create_tables


def fresh_house(monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    with mock_aws():
        aws.dynamodb.cache_clear()
        monkeypatch.setenv("AWS_REGION", REGION)
        house = House(
            create_tables()
            | {"REGISTER_LIMIT_PER_MINUTE": "100000", "OPEN_LIMIT_PER_MINUTE": "100000"}
            | {"MOVE_LIMIT_PER_SECOND": "100000", "SOCKET_ENDPOINT": "https://sockets.example/play"}
        )
        with using(house):
            yield house
        aws.dynamodb.cache_clear()


@pytest.fixture
def house(monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    """A platform without agents and matches."""
    yield from fresh_house(monkeypatch)


@pytest.fixture(scope="module")
def shared_house() -> Iterator[House]:
    """One platform for all tests of a module, which leave each other in peace."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        yield from fresh_house(monkeypatch)
