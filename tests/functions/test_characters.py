"""Characters and viewing modes at the edge, fed from their sample events."""

import json
from typing import Any

import pytest

from tests.functions.house import (
    SAMPLE_CHARACTER,
    House,
    Match,
    Player,
    good,
    http,
    invoke,
    refused,
    register,
    request,
    sample,
    seat,
)
from tests.functions.test_sockets import CONNECTION, connect, send, socket_event


def made(player: Player) -> Any:
    return good(sample("api/create-character", token=player.token))


def show(options: dict[str, Any] | None = None) -> tuple[Player, Match]:
    """A house-9 match that runs, and its host, who does not play."""
    host = register("Host")
    body = {"ruleset": "house-9", "seats": 6, "options": options or {"omniscient": True}}
    match = Match(good(request("POST", "/matches", body, token=host.token))["match_id"], [])
    for number in range(6):
        seat(match, register(f"Guest {number}"))
    return host, match


def test_from_the_first_line_to_the_last(house: House) -> None:
    ada = register("Ada")
    answer = http(sample("api/create-character", token=ada.token))
    assert answer.status == 201
    character = answer.body
    sheet = json.loads(sample("api/create-character")["body"])
    assert {name: character[name] for name in sheet} == sheet
    names = {"token": ada.token, "character_id": character["character_id"]}
    assert good(sample("api/read-character", **names)) == character
    assert good(sample("api/list-characters", **names)) == {"characters": [character]}
    house.time += 1
    changed = good(sample("api/update-character", **names))
    assert changed["personality"] == "Warm, patient, and good at counting."
    assert changed["updated_at"] == character["created_at"] + 1
    gone = good(sample("api/delete-character", **names))
    assert gone == {"character_id": character["character_id"], "deleted": True}
    refused(http(sample("api/read-character", **names)), 404, "not_found")


def test_archetypes(house: House) -> None:
    answer = http(sample("api/list-archetypes"))
    assert "shepherd" in {archetype["id"] for archetype in answer.body["archetypes"]}
    assert answer.headers["cache-control"].startswith("public")


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"name": None}, "name"),
        ({"name": "\u202e"}, "name"),
        ({"archetype": "hero"}, "archetype"),
        ({"backstory": "x" * 1_001}, "backstory"),
        ({"personality": "a\x00"}, "personality"),
        ({"strategy": {"chess": "x"}}, "strategy.chess"),
        ({"strategy": {"house-9": 1}}, "strategy.house-9"),
        ({"strategy": []}, "strategy"),
        ({"agent_id": "a" * 16}, "agent_id"),
    ],
)
def test_what_is_no_sheet(house: House, changes: Any, field: str) -> None:
    ada = register("Ada")
    sheet = json.loads(sample("api/create-character")["body"]) | changes
    answer = http(request("POST", "/characters", sheet, token=ada.token))
    assert refused(answer, 400, "malformed")["field"] == field


def test_a_full_sheet_in_plain_letters_fits_into_a_body(house: House) -> None:
    ada = register("Ada")
    rulesets = [ruleset["id"] for ruleset in good(request("GET", "/rules"))["rulesets"]]
    sheet = {
        "name": "x" * 40,
        "archetype": "watcher",
        "backstory": "x" * 1_000,
        "personality": "x" * 500,
        "strategy": dict.fromkeys(rulesets, "x" * 1_500),
    }
    answer = good(request("POST", "/characters", sheet, token=ada.token))
    assert answer["strategy"] == sheet["strategy"]


def test_who_may_not(house: House) -> None:
    ada, bob = register("Ada"), register("Bob")
    mine = made(ada)["character_id"]
    for name in ("read-character", "update-character", "delete-character"):
        theirs = sample(f"api/{name}", token=bob.token, character_id=mine)
        refused(http(theirs), 404, "not_found")
        theirs["headers"].pop("authorization")
        refused(http(theirs), 401, "unauthorized")
    for _ in range(19):
        made(ada)
    answer = http(sample("api/create-character", token=ada.token))
    refused(answer, 409, "too_many_characters")


def test_sitting_down_as_somebody(house: House) -> None:
    host = register("Host")
    body = {"ruleset": "house-9", "seats": 6}
    match = Match(good(request("POST", "/matches", body, token=host.token))["match_id"], [])
    ada = register("Ada")
    names = {"token": ada.token, "match_id": match.match_id}
    unknown = http(sample("api/take-seat-with-character", **names))
    assert refused(unknown, 404, "not_found")["field"] == "character_id"
    names["character_id"] = made(ada)["character_id"]
    assert http(sample("api/take-seat-with-character", **names)).status == 201
    for number in range(5):
        seat(match, register(f"Guest {number}"))
    (row,) = [p for p in good(request("GET", match.path))["players"] if "character" in p]
    assert (row["agent_id"], row["character"]["name"]) == (ada.agent_id, "Mother Hulda")
    assert set(row["character"]) == {"name", "archetype", "backstory", "personality"}
    own, window = match.state(ada)["characters"], match.state()["characters"]
    assert own[0].pop("strategy") == "Hand the floor to those who have said nothing."
    assert own == window
    assert SAMPLE_CHARACTER not in json.dumps(window)


def test_the_host_knows_everything(house: House) -> None:
    host, match = show()
    player, turn = match.on_turn()
    move = {"action": "introduce", "message": "Good evening.", "thinking": "They suspect nothing."}
    assert match.move(player, turn["turn_id"], **move).status == 200
    names = {"token": host.token, "match_id": match.match_id}
    told = http(sample("api/read-state-omniscient", **names))
    assert told.status == 200
    assert told.body["viewer"] == "omniscient"
    assert [one["text"] for one in told.body["thinking"]] == ["They suspect nothing."]
    assert all("role" in row for row in told.body["visible_state"]["players"])
    again = sample("api/read-state-omniscient", **names)
    again["headers"]["if-none-match"] = told.headers["etag"]
    assert http(again).status == 304
    events = good(sample("api/read-events-omniscient", **names))["events"]
    assert [e["thinking"] for e in events if "thinking" in e] == ["They suspect nothing."]
    assert "thinking" not in http(request("GET", f"{match.path}/events")).text
    refused(http(sample("api/read-state", **names)), 409, "mode_fixed")
    sit = http(request("POST", f"{match.path}/seats", {}, token=host.token))
    assert sit.status == 409


def test_nobody_else_knows_everything(house: House) -> None:
    host, match = show()
    for token in (None, match.players[0].token, register("Stranger").token):
        for path in ("state", "events"):
            query = {"mode": "omniscient"}
            event = request("GET", f"{match.path}/{path}", query=query, token=token)
            refused(http(event), 403, "omniscient_not_allowed")
    for query, field in (
        ({"mode": "all"}, "mode"),
        ({"thinking": "maybe"}, "thinking"),
        ({"thinking": "true"}, "thinking"),
    ):
        event = request("GET", f"{match.path}/state", query=query, token=host.token)
        assert refused(http(event), 400, "malformed")["field"] == field


def test_a_host_who_looked_on_omnisciently_does_not_sit_down(house: House) -> None:
    host = register("Host")
    body = {"ruleset": "house-9", "seats": 6, "options": {"omniscient": True}}
    path = "/matches/" + good(request("POST", "/matches", body, token=host.token))["match_id"]
    good(request("GET", f"{path}/state", query={"mode": "omniscient"}, token=host.token))
    answer = http(request("POST", f"{path}/seats", {}, token=host.token))
    refused(answer, 409, "mode_fixed")


def test_a_socket_that_knows_everything(house: House) -> None:
    host, match = show()
    connect(host)
    subscribe = socket_event("subscribe-omniscient", host, match)
    assert invoke("socket", subscribe) == {"statusCode": 200}
    player, turn = match.on_turn()
    said = {"action": "introduce", "message": "Hello.", "thinking": "Nobody knows me."}
    before = len(house.log_records(match.match_id))
    assert match.move(player, turn["turn_id"], **said).status == 200
    records = house.log_records(match.match_id, before + 1)
    assert invoke("push", {"Records": records}) == {"batchItemFailures": []}
    frames = house.fake_sockets.of(CONNECTION)
    subscribed, *rest = frames
    assert (subscribed["viewer"], subscribed["request_id"]) == ("omniscient", "r3")
    events = [e for f in rest for e in f.get("events", [f.get("event")])]
    assert sum(event["type"] == "role_private" for event in events) == 6
    thoughts = [event["thinking"] for event in events if "thinking" in event]
    assert thoughts == ["Nobody knows me."]
    send(host, {"action": "subscribe", "match_id": match.match_id, "request_id": "r4"})
    refusal = house.fake_sockets.last(CONNECTION)
    assert (refusal["code"], refusal["request_id"]) == ("mode_fixed", "r4")
    for frame, field in (({"mode": "x"}, "mode"), ({"thinking": 1}, "thinking")):
        send(host, {"action": "subscribe", "match_id": match.match_id, **frame})
        assert house.fake_sockets.last(CONNECTION)["field"] == field
