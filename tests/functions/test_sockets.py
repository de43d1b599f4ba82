"""WebSockets: who may open one, and what a client may send."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

import pytest

from hosting.identity.rate_limits import TokenBuckets
from hosting.model import Connection
from tests.functions.house import (
    SAMPLE_MATCH,
    House,
    Match,
    Player,
    invoke,
    open_table,
    plain,
    register,
    running,
    sample,
)

CONNECTION = "JKJbGdM1liACGqw="


def authorizer_context(player: Player) -> dict[str, str]:
    return {
        "principalId": player.agent_id,
        "agent_id": player.agent_id,
        "digest": hashlib.sha256(player.token.encode()).hexdigest(),
    }


def socket_event(name: str, player: Player | None, match: Match | None = None) -> dict[str, Any]:
    event = sample(f"socket/{name}", match_id=match.match_id if match else SAMPLE_MATCH)
    event["requestContext"]["authorizer"] = (
        authorizer_context(player) if player else {"principalId": "spectator"}
    )
    return event


def connect(player: Player | None) -> None:
    assert invoke("socket", socket_event("connect", player)) == {"statusCode": 200}


def send(player: Player | None, frame: Any) -> None:
    event = socket_event("ping", player)
    event["body"] = frame if isinstance(frame, str) else json.dumps(frame)
    assert invoke("socket", event) == {"statusCode": 200}


def effect(policy: Mapping[str, Any]) -> str:
    (statement,) = policy["policyDocument"]["Statement"]
    assert statement["Action"] == "execute-api:Invoke"
    assert statement["Resource"].startswith("arn:aws:execute-api:")
    return str(statement["Effect"])


@pytest.mark.parametrize("place", ["header", "query"])
def test_an_agent_opens_a_socket(house: House, place: str) -> None:
    ada = register("Ada")
    policy = invoke("authorizer", sample(f"authorizer/token-in-{place}", token=ada.token))
    assert effect(policy) == "Allow"
    expected = authorizer_context(ada)
    assert policy["principalId"] == expected.pop("principalId")
    assert policy["context"] == expected


def test_anybody_opens_a_socket_as_a_spectator(house: House) -> None:
    policy = invoke("authorizer", sample("authorizer/no-token"))
    assert effect(policy) == "Allow"
    assert policy["context"] == {}


@pytest.mark.parametrize("token", ["", "x", "a b", "é", "a" * 500, f"{'a' * 16}.{'b' * 43}"])
@pytest.mark.parametrize("place", ["header", "query"])
def test_a_bad_token_opens_nothing(house: House, place: str, token: str) -> None:
    event = sample(f"authorizer/token-in-{place}")
    if place == "query":
        event["queryStringParameters"]["token"] = token
    else:
        event["headers"]["Authorization"] = f"Bearer {token}"
    policy = invoke("authorizer", event)
    assert effect(policy) == "Deny"
    assert policy["context"] == {}


@pytest.mark.parametrize("route", ["$connect", "$disconnect"])
def test_a_message_that_names_a_route_opens_and_closes_nothing(house: House, route: str) -> None:
    connect(None)
    event = socket_event("ping", None)
    event["requestContext"]["routeKey"] = route
    event["body"] = json.dumps({"action": route})
    assert invoke("socket", event) == {"statusCode": 200}
    assert house.fake_sockets.of(CONNECTION)[-1]["code"] == "malformed"


def test_connect_and_disconnect(house: House) -> None:
    ada = register("Ada")
    connect(ada)
    connection = house.connections.get(CONNECTION)
    assert connection is not None
    assert connection.caller is not None
    assert connection.caller.agent_id == ada.agent_id
    assert connection.caller.digest == hashlib.sha256(ada.token.encode()).digest()
    assert invoke("socket", socket_event("disconnect", ada)) == {"statusCode": 200}
    assert house.connections.get(CONNECTION) is None


def test_ping(house: House) -> None:
    connect(None)
    invoke("socket", socket_event("ping", None))
    assert house.fake_sockets.of(CONNECTION) == [{"type": "pong", "server_now": house.time}]


def test_subscribing_tells_all_so_far_and_the_turn(house: House) -> None:
    match = running()
    player, turn = match.on_turn()
    connect(player)
    invoke("socket", socket_event("subscribe", player, match))
    first, *events, last = house.fake_sockets.of(CONNECTION)
    assert first["type"] == "subscribed"
    assert (first["viewer"], first["request_id"]) == (player.seat, "r1")
    told = [event["seq"] for frame in events for event in frame["events"]]
    assert told == list(range(1, first["seq"] + 1))
    assert last == {
        "type": "your_turn",
        "match_id": match.match_id,
        "turn": turn,
        "server_now": house.time,
    }


def test_a_spectator_is_told_what_spectators_see(house: House) -> None:
    match = running()
    connect(None)
    invoke("socket", socket_event("subscribe", None, match))
    frames = house.fake_sockets.of(CONNECTION)
    assert frames[0]["viewer"] == "spectator"
    kinds = {event["type"] for frame in frames[1:] for event in frame["events"]}
    assert "roles_dealt" in kinds
    assert "role_private" not in kinds


def test_unsubscribing(house: House) -> None:
    match = running()
    connect(None)
    invoke("socket", socket_event("subscribe", None, match))
    assert list(house.connections.watchers(match.match_id))
    invoke("socket", socket_event("unsubscribe", None, match))
    assert house.fake_sockets.last(CONNECTION)["type"] == "unsubscribed"
    assert not list(house.connections.watchers(match.match_id))


def test_a_move_and_its_repeat(house: House) -> None:
    match = running()
    player, turn = match.play_until(lambda turn: turn["phase"] == "day_talk")
    connect(player)
    event = socket_event("move", player, match)
    invoke("socket", event)
    accepted = house.fake_sockets.last(CONNECTION)
    assert accepted == {
        "type": "move_accepted",
        "match_id": match.match_id,
        "turn_id": turn["turn_id"],
        "seat": player.seat,
        "outcome": "accepted",
        "seq": accepted["seq"],
        "request_id": "r2",
    }
    invoke("socket", event)
    assert house.fake_sockets.last(CONNECTION) == accepted


def test_a_refused_move(house: House) -> None:
    match = running()
    wolf, turn = match.on_turn()
    connect(wolf)
    move = {**plain(turn), "target": wolf.seat}
    message = {"action": "move", "match_id": match.match_id, "turn_id": turn["turn_id"]}
    send(wolf, {**message, "move": move, "request_id": "r9"})
    refusal = house.fake_sockets.last(CONNECTION)
    assert refusal["type"] == "error"
    assert refusal["code"] == "illegal_target"
    assert refusal["legal_actions"] == turn["legal_actions"]
    assert (refusal["match_id"], refusal["request_id"]) == (match.match_id, "r9")


def test_so_many_spectators_and_no_more(house: House) -> None:
    house._environment = {**house._environment, "SPECTATORS_PER_MATCH": "1"}
    match = running()
    subscribe = {"action": "subscribe", "match_id": match.match_id, "request_id": "r1"}
    connect(None)
    send(None, subscribe)
    assert house.fake_sockets.last(CONNECTION)["type"] != "error"
    house.connections.put(Connection("another", None), expires_at=house.time + 60_000)
    event = socket_event("ping", None)
    event["requestContext"]["connectionId"] = "another"
    event["body"] = json.dumps(subscribe)
    invoke("socket", event)
    (refusal,) = house.fake_sockets.of("another")
    assert (refusal["type"], refusal["code"]) == ("error", "too_many_spectators")
    assert (refusal["match_id"], refusal["request_id"]) == (match.match_id, "r1")


def test_a_spectator_may_not_move(house: House) -> None:
    match = running()
    _wolf, turn = match.on_turn()
    connect(None)
    message = {"action": "move", "match_id": match.match_id, "turn_id": turn["turn_id"]}
    send(None, {**message, "move": plain(turn)})
    assert house.fake_sockets.last(CONNECTION)["code"] == "unauthorized"


def test_a_stranger_may_not_move(house: House) -> None:
    match = running()
    stranger = register("Stranger")
    connect(stranger)
    message = {"action": "move", "match_id": match.match_id, "turn_id": "1.night_wolves.0"}
    send(stranger, {**message, "move": {"action": "kill"}})
    assert house.fake_sockets.last(CONNECTION)["code"] == "not_seated"


@pytest.mark.parametrize(
    ("frame", "field"),
    [
        ("", "body"),
        ("{", "body"),
        ("[]", "body"),
        ("\0", "body"),
        ('{"action":"ping","action":"ping"}', "body"),
        ({}, "action"),
        ({"action": None}, "action"),
        ({"action": "shout"}, "action"),
        ({"action": ["ping"]}, "action"),
        ({"action": "ping", "more": 1}, "more"),
        ({"action": "ping", "request_id": ""}, "request_id"),
        ({"action": "ping", "request_id": "a" * 65}, "request_id"),
        ({"action": "subscribe"}, "match_id"),
        ({"action": "subscribe", "match_id": "../STATE"}, "match_id"),
        ({"action": "subscribe", "match_id": SAMPLE_MATCH, "after": -1}, "after"),
        ({"action": "subscribe", "match_id": SAMPLE_MATCH, "after": "1"}, "after"),
        ({"action": "move", "match_id": SAMPLE_MATCH, "turn_id": "1", "move": []}, "move"),
        ({"action": "move", "match_id": SAMPLE_MATCH, "turn_id": "1", "move": {}}, "move.action"),
    ],
)
def test_frames_that_are_none(house: House, frame: Any, field: str) -> None:
    connect(None)
    send(None, frame)
    refusal = house.fake_sockets.last(CONNECTION)
    assert (refusal["type"], refusal["code"], refusal["field"]) == ("error", "malformed", field)


def test_a_frame_that_is_too_large(house: House) -> None:
    connect(None)
    send(None, {"action": "ping", "request_id": "a" * 33_000})
    assert house.fake_sockets.last(CONNECTION)["code"] == "body_too_large"


def test_a_connection_that_sends_too_much_is_told_to_wait(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house, "messages", TokenBuckets(1, now=house.now))
    connect(None)
    for request_id in "abc":
        send(None, {"action": "ping", "request_id": request_id})
    send(None, "no JSON either")
    kinds = [frame["type"] for frame in house.fake_sockets.of(CONNECTION)]
    assert kinds == ["pong", "pong", "error", "error"]
    assert house.fake_sockets.of(CONNECTION)[2] == {
        "type": "error",
        "code": "too_many_requests",
        "detail": "too many requests at once",
        "retry_after": 1,
        "request_id": "c",
    }
    house.time += 1_000
    send(None, {"action": "ping"})
    assert house.fake_sockets.last(CONNECTION)["type"] == "pong"


def test_a_match_that_does_not_exist(house: House) -> None:
    connect(None)
    send(None, {"action": "subscribe", "match_id": "a" * 16, "request_id": "r"})
    refusal = house.fake_sockets.last(CONNECTION)
    assert (refusal["code"], refusal["request_id"]) == ("not_found", "r")


def test_a_fault_of_ours_is_told_without_details(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_args: Any, **_more: Any) -> None:
        raise RuntimeError("secret detail")

    match = open_table(register("Ada"))
    connect(None)
    monkeypatch.setattr(house.subscriptions, "subscribe", fail)
    send(None, {"action": "subscribe", "match_id": match.match_id})
    failure = house.fake_sockets.last(CONNECTION)
    assert failure["code"] == "internal"
    assert "secret" not in json.dumps(failure)


def test_a_socket_that_is_gone_is_forgotten(house: House) -> None:
    connect(None)
    house.fake_sockets.gone.add(CONNECTION)
    send(None, {"action": "ping"})
    assert house.connections.get(CONNECTION) is None
