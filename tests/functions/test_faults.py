"""What happens when the platform itself is late, busy, or wrong."""

from typing import Any

import pytest
from botocore.exceptions import ClientError

import hosting.errors
from tests.functions.house import House, http, plain, refused, register, request, running, sample

NOWHERE = "a" * 16


def test_deadline_passed(house: House) -> None:
    match = running()
    player, turn = match.on_turn()
    house.time = turn["deadline_ms"]
    answer = match.move(player, turn["turn_id"], **plain(turn))
    refused(answer, 409, "deadline_passed")


def test_too_many_requests(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    house._environment = {**house._environment, "REGISTER_LIMIT_PER_MINUTE": "2"}
    register("One")
    register("Two")
    answer = http(request("POST", "/agents", {"name": "Three"}))
    refused(answer, 429, "too_many_requests")
    assert 1 <= int(answer.headers["retry-after"]) <= 60


def test_a_throttled_store_is_busy(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def throttled(*_args: Any, **_more: Any) -> None:
        raise hosting.errors.Busy("a store is overloaded", retry_after=1)

    monkeypatch.setattr(house.matches, "table", throttled)
    answer = http(request("GET", f"/matches/{NOWHERE}"))
    refused(answer, 503, "busy")
    assert answer.headers["retry-after"] == "1"


def test_another_fault_of_a_store_is_ours(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_args: Any, **_more: Any) -> None:
        raise ClientError({"Error": {"Code": "AccessDenied", "Message": "arn:secret"}}, "GetItem")

    monkeypatch.setattr(house.matches, "table", broken)
    answer = http(request("GET", f"/matches/{NOWHERE}"))
    refused(answer, 500, "internal")
    assert "secret" not in answer.text


def test_a_fault_of_ours_is_told_without_details(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_match_id: str) -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr(house.listing, "summary", fail)
    answer = http(sample("api/read-match"))
    assert (answer.status, answer.body["code"]) == (500, "internal")
    assert "secret" not in answer.text


def test_a_reply_of_another_shape_is_a_fault_of_ours(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house.listing, "summary", lambda _match_id: {"title": 1})
    answer = http(sample("api/read-match"))
    assert (answer.status, answer.body["code"]) == (500, "internal")


def test_an_event_that_is_no_http_event_gets_an_answer(house: House) -> None:
    answer = http({"headers": {}, "rawPath": "/rules"})
    assert (answer.status, answer.body["code"]) == (500, "internal")
