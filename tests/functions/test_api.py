"""Each REST call, fed from its sample event."""

import json

import pytest

from protocol.rules import RulesetManifest
from protocol.schemas import adapter
from tests.functions.house import (
    House,
    Match,
    finished,
    good,
    http,
    open_table,
    plain,
    refused,
    register,
    request,
    running,
    sample,
    seat,
)
from werewolf import RULESETS
from werewolf.replay import first_difference


def test_register(house: House) -> None:
    answer = http(sample("api/register-agent"))
    assert answer.status == 201
    assert answer.body["name"] == "Ada"
    assert set(answer.body) == {"agent_id", "name", "token"}
    assert answer.headers["cache-control"] == "no-store"


def test_open_list_and_read(house: House) -> None:
    ada = register("Ada")
    opened = http(sample("api/open-match", token=ada.token))
    assert opened.status == 201
    summary = opened.body
    assert (summary["title"], summary["seats"], summary["taken"]) == ("Friday night", 7, 0)
    assert summary["host"] == ada.agent_id
    assert good(sample("api/list-matches")) == {"matches": [summary], "next": None}
    assert good(sample("api/read-match", match_id=summary["match_id"])) == summary


def test_pages_of_tables(house: House) -> None:
    ada = register("Ada")
    ids = set()
    for _ in range(3):
        house.time += 1
        ids.add(open_table(ada).match_id)
    query = {"limit": "2"}
    first = good(request("GET", "/matches", query=query))
    assert len(first["matches"]) == 2
    second = good(request("GET", "/matches", query={**query, "cursor": first["next"]}))
    assert second["next"] is None
    assert {match["match_id"] for match in first["matches"] + second["matches"]} == ids


def test_sit_down_and_leave(house: House) -> None:
    ada = register("Ada")
    match = open_table(ada)
    names = {"token": ada.token, "match_id": match.match_id}
    first, again = http(sample("api/take-seat", **names)), http(sample("api/take-seat", **names))
    assert (first.status, again.status) == (201, 200)
    assert first.body == again.body
    assert first.body["place"] == 0
    row = good(request("GET", match.path))["players"]
    assert row == [{"place": 0, "agent_id": ada.agent_id, "name": "Ada"}]
    left = good(sample("api/leave-seat", **names))
    assert left == {"match_id": match.match_id, "left": True}
    assert good(request("GET", match.path))["players"] == []


def test_sit_down_without_a_body(house: House) -> None:
    ada = register("Ada")
    match = open_table(ada)
    answer = http(request("POST", f"{match.path}/seats", token=ada.token))
    assert answer.status == 201


def test_start(house: House) -> None:
    players = [register(name) for name in "ABCDE"]
    match = open_table(players[0], seats=7)
    for player in players:
        seat(match, player)
    summary = good(sample("api/start-match", token=players[0].token, match_id=match.match_id))
    assert summary["status"] == "running"
    assert sorted(row["seat"] for row in summary["players"]) == list(range(5))
    assert (summary["day"], summary["alive"]) == (1, [0, 1, 2, 3, 4])


def test_state_and_its_tag(house: House) -> None:
    match = running()
    player, turn = match.on_turn()
    event = sample("api/read-state", token=player.token, match_id=match.match_id)
    first = http(event)
    assert first.status == 200
    assert first.body["viewer"] == player.seat
    assert first.body["your_turn"] == turn
    assert first.body["server_now"] == house.time
    assert first.headers["cache-control"] == "no-store"

    house.time += 5
    for known in (
        first.headers["etag"],
        f"W/{first.headers['etag']}",
        f'"x", {first.headers["etag"]}',
    ):
        event["headers"]["if-none-match"] = known
        second = http(event)
        assert (second.status, second.text) == (304, "")
        assert second.headers["etag"] == first.headers["etag"]

    match.move(player, turn["turn_id"], **plain(turn))
    assert http(event).status == 200


def test_a_move_and_its_receipt(house: House) -> None:
    match = running()
    player, turn = match.play_until(lambda turn: turn["phase"] == "day_talk")
    event = sample("api/make-move", token=player.token, match_id=match.match_id)
    body = json.loads(event["body"])
    assert body["turn_id"] == turn["turn_id"]
    receipt = good(event)
    assert receipt["seat"] == player.seat
    assert receipt["outcome"] == "accepted"
    assert good(event) == receipt
    said = [e for e in all_events(match) if e["type"] == "message"]
    assert [event["data"]["text"] for event in said] == [body["message"]]


def all_events(match: Match) -> list[dict]:
    return good(request("GET", f"{match.path}/events", query={"limit": "500"}))["events"]


def test_events(house: House) -> None:
    match = running()
    names = {"token": match.players[0].token, "match_id": match.match_id}
    event = sample("api/read-events", **names)
    event["queryStringParameters"] = {"after": "0", "limit": "3"}
    page = http(event)
    assert [one["seq"] for one in page.body["events"]] == [1, 2, 3]
    assert (page.body["next"], page.body["more"]) == (3, True)
    event["headers"]["if-none-match"] = page.headers["etag"]
    house.time += 1
    assert http(event).status == 304


@pytest.mark.parametrize("gzip", [True, False])
def test_replay(house: House, gzip: bool) -> None:
    match = finished()
    event = sample("api/read-replay", match_id=match.match_id)
    if not gzip:
        del event["headers"]["accept-encoding"]
    answer = http(event)
    assert answer.status == 200
    assert answer.headers.get("content-encoding") == ("gzip" if gzip else None)
    replay = answer.body
    assert replay["format"] == "lanternwell-replay-1"
    assert first_difference(answer.text.encode()) is None
    assert replay["moves"][0]["by"] == "start"
    assert replay["events"][-1]["type"] == "faction_win"
    summary = good(request("GET", match.path))
    assert summary["status"] == "over"
    assert summary["winner"] == replay["winner"]


def test_rules(house: House) -> None:
    listed = good(sample("api/list-rules"))["rulesets"]
    assert "werewolf-0.2" in {ruleset["id"] for ruleset in listed}
    for ruleset in listed:
        page = http(request("GET", f"/rules/{ruleset['id']}"))
        assert page.status == 200
        assert page.headers["content-type"].startswith("text/markdown")
        assert page.text.startswith("#")
    assert http(sample("api/read-rules")).status == 200


@pytest.mark.parametrize(
    ("accept", "query", "kind"),
    [
        (None, {}, "text/markdown"),
        ("*/*", {}, "text/markdown"),
        ("text/html,application/xhtml+xml,*/*;q=0.8", {}, "text/markdown"),
        ("text/markdown, application/json", {}, "text/markdown"),
        ("application/json", {}, "application/json"),
        ("Application/JSON;q=0.9, */*;q=0.1", {}, "application/json"),
        ("*/*", {"format": "json"}, "application/json"),
        ("application/json", {"format": "markdown"}, "text/markdown"),
    ],
)
def test_rules_for_people_and_for_programs(
    house: House, accept: str | None, query: dict[str, str], kind: str
) -> None:
    for ruleset, rules in RULESETS.items():
        event = request("GET", f"/rules/{ruleset}", query=query)
        event["headers"].pop("accept", None)
        if accept is not None:
            event["headers"]["accept"] = accept
        answer = http(event)
        assert (answer.status, answer.headers["vary"]) == (200, "Accept")
        assert answer.headers["content-type"].partition(";")[0] == kind
        if kind == "application/json":
            assert answer.body == json.loads(json.dumps(rules.manifest()))
            adapter(RulesetManifest).validate_python(answer.body)
        else:
            assert answer.text == rules.page


def test_rules_in_no_such_form(house: House) -> None:
    answer = http(request("GET", "/rules/arena-1", query={"format": "yaml"}))
    assert refused(answer, 400, "malformed")["field"] == "format"


def test_a_form_s_content_type_does_not_matter(house: House) -> None:
    event = sample("api/register-agent")
    event["headers"]["content-type"] = "application/x-www-form-urlencoded"
    assert http(event).status == 201
