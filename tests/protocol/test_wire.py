"""The objects on the wire: how they are made, read and written."""

import copy
import json
import pkgutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from typing import Annotated, Any, Literal

import pytest
from pydantic import ValidationError

import protocol
from protocol.schemas import adapter, json_schemas
from protocol.wire import Reply, Request, Value, WireObject, members_of
from tests.functions.house import ROOT


class Coin(Reply):
    """A coin."""

    side: Literal["heads", "tails"]
    worth: Annotated[int, "In cents", Value(minimum=1)]


class Purse(Reply):
    """What holds coins."""

    type: Literal["purse"] = "purse"
    coins: Sequence[Coin]
    owner: str | None
    note: Annotated[str | None, "If there is one"] = None


class Toss(Request):
    """A coin to toss."""

    how_often: int = 1
    call: Annotated[str | None, Value(longest=5)] = None


class Bet(Toss, closed=False):
    """A toss with whatever else."""

    stake: int


COIN = Coin(side="heads", worth=5)


def test_an_object_is_its_json() -> None:
    purse = Purse(coins=[COIN], owner=None)
    assert purse == {"type": "purse", "coins": [{"side": "heads", "worth": 5}], "owner": None}
    assert json.loads(purse.encoded()) == purse
    assert (purse.type, purse.coins[0].worth, purse.owner) == ("purse", 5, None)


def test_what_may_be_absent_is_left_out_and_none() -> None:
    assert Purse(coins=[], owner=None, note=None).note is None
    assert "note" not in Purse(coins=[], owner=None, note=None)
    assert Purse(coins=[], owner=None, note="x")["note"] == "x"
    assert Toss() == {}
    assert (Toss().how_often, Toss(how_often=3).how_often, Toss().call) == (1, 3, None)


def test_an_object_has_its_members_and_no_others() -> None:
    with pytest.raises(TypeError, match="Coin needs worth"):
        Coin(side="heads")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="Coin has no colour"):
        Coin(side="heads", worth=1, colour="red")  # type: ignore[call-arg]
    with pytest.raises(AttributeError, match="Coin has no colour"):
        _ = COIN.colour  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match="Coin is read, not changed"):
        COIN.worth = 3  # type: ignore[misc]
    assert Bet.of({"stake": 1, "odds": 2})["odds"] == 2


def test_a_member_hides_no_method() -> None:
    with pytest.raises(TypeError, match="would hide a method"):

        class Bad(Reply):
            """A dictionary has items."""

            items: int


def test_another_one_with_other_members() -> None:
    assert COIN.replace(worth=7) == {"side": "heads", "worth": 7}
    assert copy.deepcopy(COIN) == COIN
    assert type(copy.deepcopy(COIN)) is Coin


def test_reading_leaves_out_what_is_new_and_takes_new_words() -> None:
    raw = {"type": "purse", "coins": [{**COIN, "side": "edge", "year": 1}], "owner": "Ada", "x": 1}
    purse = Purse.read(raw)
    assert type(purse.coins[0]) is Coin
    assert purse == {"type": "purse", "coins": [{"side": "edge", "worth": 5}], "owner": "Ada"}
    assert Purse.read({**raw, "note": None}).note is None
    assert Bet.read({"stake": 1, "odds": 2}) == {"stake": 1, "odds": 2}


@pytest.mark.parametrize(
    ("raw", "place"),
    [
        ([], "Purse: an object"),
        ({"type": "purse", "owner": None}, "Purse: coins is missing"),
        ({"type": "purse", "coins": {}, "owner": None}, "Purse.coins"),
        ({"type": "purse", "coins": [1], "owner": None}, r"Purse.coins\[0\]"),
        ({"type": "purse", "coins": [], "owner": 7}, "Purse.owner: str"),
        ({"type": "purse", "coins": [{**COIN, "worth": True}], "owner": ""}, r"\[0\].worth: int"),
        ({"type": "purse", "coins": [{**COIN, "side": 1}], "owner": ""}, r"\[0\].side"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_place(raw: Any, place: str) -> None:
    with pytest.raises(ValueError, match=place):
        Purse.read(raw)


def test_strangers_are_read_strictly() -> None:
    toss = adapter(Toss).validate_python({"how_often": 2})
    assert type(toss) is Toss
    assert toss.how_often == 2
    for bad in ({"how_often": "2"}, {"how_often": 2.0}, {"call": "longer"}, {"x": 1}, []):
        with pytest.raises(ValidationError):
            adapter(Toss).validate_python(bad)
    assert adapter(Bet).validate_python({"stake": 1, "odds": 2})["odds"] == 2


def test_the_schema_says_what_is_always_there() -> None:
    schemas = json_schemas([Purse, Toss], "#/{model}")
    assert schemas["Purse"]["required"] == ["type", "coins", "owner"]
    assert schemas["Purse"]["properties"]["coins"]["items"] == {"$ref": "#/Coin"}
    assert schemas["Purse"]["properties"]["note"]["type"] == "string"
    assert schemas["Purse"]["description"] == "What holds coins."
    assert schemas["Coin"]["properties"]["worth"]["description"] == "In cents"
    assert schemas["Coin"]["additionalProperties"] is False
    assert "required" not in schemas["Toss"]
    assert "default" not in json.dumps(schemas)  # code made of it would take them for required


# ---- all that there are -------------------------------------------------------------------------


def modules() -> list[str]:
    return [f"protocol.{found.name}" for found in pkgutil.iter_modules(protocol.__path__)]


def shapes(base: type[WireObject] = WireObject) -> Iterator[type[WireObject]]:
    for module in modules():
        import_module(module)
    for below in base.__subclasses__():
        if below.__module__.startswith("protocol."):
            yield below
            yield from shapes(below)


@pytest.mark.parametrize("shape", sorted(set(shapes()), key=str), ids=lambda shape: shape.__name__)
def test_every_object_can_be_described_and_says_what_it_is(shape: type[WireObject]) -> None:
    assert set(members_of(shape)) == set(shape.declared)
    assert adapter(shape).json_schema()["type"] == "object"
    assert shape.__name__.startswith("_") or "__doc__" in vars(shape)
    assert isinstance(shape.declared, Mapping)


def test_the_protocol_is_imported_without_pydantic() -> None:
    names = [name for name in modules() if name != "protocol.schemas"]
    probe = f"import sys, {', '.join(names)}; print('pydantic' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", probe],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(ROOT / "layers/engine")},
    )
    assert done.stdout.split() == ["False"]
