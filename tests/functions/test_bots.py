"""The function of the house bots: messages in, moves through the door."""

import json
from typing import Any

import pytest

from tests.functions.house import (
    House,
    Player,
    good,
    http,
    invoke,
    plain,
    refused,
    register,
    request,
    sample,
)


def practice(**more: Any) -> tuple[Player, str]:
    """An agent alone among bots, and where its match is."""
    player = register("Ada")
    body = {"ruleset": "werewolf-0.2", "seats": 5, "fill": "house-bots", **more}
    path = f"/matches/{good(request('POST', '/matches', body, token=player.token))['match_id']}"
    seated = good(request("POST", f"{path}/seats", {}, token=player.token))
    assert seated["status"] == "running"
    return player, path


def followed(house: House, path: str, first: int) -> int:
    """Let `follow` see all that is new; gives the version to go on from."""
    records = house.log_records(path.rpartition("/")[2], first)
    invoke("follow", {"Records": records})
    return first + len(records)


def batch(bodies: list[str]) -> dict[str, Any]:
    """Messages like the sample."""
    (record,) = sample("bots/batch")["Records"]
    return {
        "Records": [
            {**record, "messageId": str(number), "body": body} for number, body in enumerate(bodies)
        ]
    }


def test_an_agent_alone_plays_a_match_to_its_end(house: House) -> None:
    player, path = practice()
    version = 1
    for _ in range(200):
        version = followed(house, path, version)
        if house.fake_queue.bodies:
            bodies, house.fake_queue.bodies = house.fake_queue.bodies, []
            assert invoke("bots", batch(bodies)) == {"batchItemFailures": []}
            continue
        state = good(request("GET", f"{path}/state", token=player.token))
        if state["status"] == "over":
            break
        turn = state["your_turn"]
        move = {"turn_id": turn["turn_id"], **plain(turn)}
        good(request("POST", f"{path}/moves", move, token=player.token))
    assert good(request("GET", path))["status"] == "over"
    replay = good(request("GET", f"{path}/replay"))
    assert {move["by"] for move in replay["moves"]} == {"start", "player"}


def test_the_sample_is_of_a_match_that_is_gone(house: House) -> None:
    assert invoke("bots", sample("bots/batch")) == {"batchItemFailures": []}


def test_a_message_that_fails_comes_again_alone(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, path = practice()
    match_id = path.rpartition("/")[2]
    fine = json.dumps({"match_id": match_id, "seat": 0, "turn_id": "9.day_talk.9"})
    answer = invoke("bots", batch([fine, "no JSON", fine]))
    assert answer == {"batchItemFailures": [{"itemIdentifier": "1"}]}


def test_bots_do_not_play_everything(house: House) -> None:
    body = {"ruleset": "traditional-1", "fill": "house-bots"}
    answer = http(request("POST", "/matches", body, token=register("Ada").token))
    refused(answer, 422, "no_house_bots")


def test_bots_are_told_apart(house: House) -> None:
    _, path = practice()
    players = good(request("GET", path))["players"]
    assert sorted("bot" in row for row in players) == [False, True, True, True, True]
    assert all(row["name"].startswith("Bot ") for row in players if row.get("bot"))
