"""The error table: every row is raised, and answered with its status."""

import re
from dataclasses import dataclass
from typing import Any

import pytest

import werewolf
from edge.problems import problem_body
from hosting.errors import BY_CODE, HostingError, NotFound
from protocol.codes import CODES
from tests.functions.house import (
    ROOT,
    House,
    Match,
    Player,
    finished,
    http,
    open_table,
    refused,
    register,
    request,
    running,
    seat,
)

NOWHERE = "a" * 16


@pytest.mark.parametrize("code", CODES)
def test_every_code_has_a_refusal_that_somebody_raises(code: str) -> None:
    kind = BY_CODE[code]
    body = problem_body(kind("why"))
    assert (body.code, body.status, body.title) == (code, *CODES[code][:2])
    assert body.detail == "why"
    raised = re.compile(rf"\b{kind.__name__}\(")
    assert code in werewolf.MOVE_CODES or any(map(raised.search, SOURCES))


SOURCES = [
    path.read_text()
    for folder in ("layers/engine/hosting", "layers/engine/edge", "functions")
    for path in (ROOT / folder).rglob("*.py")
    if path.name != "errors.py"
]


def test_every_refusal_has_a_code_of_the_table() -> None:
    assert set(CODES) >= werewolf.MOVE_CODES
    with pytest.raises(TypeError, match="out_of_tea is no code"):
        type("OutOfTea", (HostingError,), {})


@dataclass
class Scene:
    """Matches in every condition, and somebody who sits in none of them."""

    house: House
    stranger: Player
    open_table: Match
    night: Match
    talk: Match
    over: Match


@pytest.fixture(scope="module")
def scene(shared_house: House) -> Scene:
    stranger = register("Stranger")
    table = open_table(register("Host"))
    guest = register("Guest")
    seat(table, guest)
    talk = running()
    talk.play_until(lambda turn: turn["phase"] == "day_talk")
    return Scene(shared_house, stranger, table, running(), talk, finished())


@pytest.mark.parametrize(
    ("method", "path", "text", "field"),
    [
        ("POST", "/agents", None, "body"),
        ("POST", "/agents", "name=Ada", "body"),
        ("POST", "/agents", '[{"name":"Ada"}]', "body"),
        ("POST", "/agents", '{"name":"Ada","name":"Bea"}', "body"),
        ("POST", "/agents", '{"name":1}', "name"),
        ("POST", "/agents", '{"name":null}', "name"),
        ("POST", "/agents", '{"name":""}', "name"),
        ("POST", "/agents", '{"name":"' + "a" * 25 + '"}', "name"),
        ("POST", "/agents", '{"name":"<b>"}', "name"),
        ("POST", "/agents", '{"name":"Ada","token":"x"}', "token"),
        ("POST", "/agents", '{"name":"Ada","' + "x" * 200 + '":1}', "x" * 64),
        ("POST", "/matches", "{}", "ruleset"),
        ("POST", "/matches", '{"ruleset":"chess"}', "ruleset"),
        ("POST", "/matches", '{"ruleset":"werewolf-0.2","seats":99}', "seats"),
        ("POST", "/matches", '{"ruleset":"werewolf-0.2","seats":4}', "seats"),
        ("POST", "/matches", '{"ruleset":"werewolf-0.2","seats":7.0}', "seats"),
        ("POST", "/matches", '{"ruleset":"werewolf-0.2","seats":true}', "seats"),
        ("POST", "/matches", '{"ruleset":"werewolf-0.2","title":"\\u0000"}', "title"),
        ("POST", "/matches", '{"ruleset":"werewolf-0.2","options":{"x":1}}', "options.x"),
        (
            "POST",
            "/matches",
            '{"ruleset":"werewolf-0.2","options":{"max_days":0}}',
            "options.max_days",
        ),
        ("POST", "/matches/{open}/seats", '{"entropy":"ä"}', "entropy"),
        ("POST", "/matches/{open}/seats", '{"entropy":""}', "entropy"),
        ("POST", "/matches/{night}/moves", '{"action":"kill"}', "turn_id"),
        ("POST", "/matches/{night}/moves", '{"turn_id":"1","action":["kill"]}', "action"),
        (
            "POST",
            "/matches/{night}/moves",
            '{"action":"kill","turn_id":"' + "1" * 65 + '"}',
            "turn_id",
        ),
    ],
)
def test_malformed(scene: Scene, method: str, path: str, text: str | None, field: str) -> None:
    path = path.format(open=scene.open_table.match_id, night=scene.night.match_id)
    answer = http(request(method, path, text=text, token=scene.stranger.token))
    assert refused(answer, 400, "malformed").get("field") == field


@pytest.mark.parametrize(
    ("path", "query", "field"),
    [
        ("/matches", {"status": "lost"}, "status"),
        ("/matches", {"limit": "0"}, "limit"),
        ("/matches", {"limit": "1,2"}, "limit"),
        ("/matches", {"limit": "x"}, "limit"),
        ("/matches", {"ruleset": "chess"}, "ruleset"),
        ("/matches", {"cursor": "x"}, "cursor"),
        ("/matches", {"cursor": "ä" * 300}, "cursor"),
        ("/matches/{night}/events", {"after": "-1"}, "after"),
        ("/matches/{night}/events", {"after": "9" * 30}, "after"),
        ("/matches/{night}/events", {"after": ""}, "after"),
        ("/matches/{night}/events", {"limit": "501"}, "limit"),
    ],
)
def test_malformed_queries(scene: Scene, path: str, query: dict[str, str], field: str) -> None:
    event = request("GET", path.format(night=scene.night.match_id), query=query)
    assert refused(http(event), 400, "malformed")["field"] == field


@pytest.mark.parametrize("header", [None, "Bearer x", f"Bearer {NOWHERE}.{'b' * 43}", "Basic YQ=="])
@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/matches", {"ruleset": "werewolf-0.2"}),
        ("POST", "/matches/{id}/seats", {}),
        ("DELETE", "/matches/{id}/seats/me", None),
        ("POST", "/matches/{id}/start", None),
        ("DELETE", "/matches/{id}/seats/3", None),
        ("POST", "/matches/{id}/moves", {"turn_id": "1", "action": "kill"}),
        ("GET", "/matches/{id}/state", None),
        ("GET", "/matches/{id}/events", None),
    ],
)
def test_unauthorized(scene: Scene, method: str, path: str, body: Any, header: str | None) -> None:
    headers = {"authorization": header} if header else {}
    answer = http(request(method, path.format(id=scene.night.match_id), body, headers=headers))
    if header is None and method == "GET":
        assert answer.body.get("viewer", "spectator") == "spectator"
        return
    refused(answer, 401, "unauthorized")
    assert answer.headers["www-authenticate"] == "Bearer"


def test_somebody_else_s_secret_is_no_token(scene: Scene) -> None:
    mine, theirs = scene.night.players[0], scene.stranger
    forged = f"{mine.agent_id}.{theirs.token.partition('.')[2]}"
    answer = http(request("GET", f"{scene.night.path}/state", token=forged))
    refused(answer, 401, "unauthorized")


def test_not_seated(scene: Scene) -> None:
    refused(scene.night.move(scene.stranger, "1.night_wolves.0", action="kill"), 403, "not_seated")
    answer = http(request("DELETE", f"{scene.night.path}/seats/me", token=scene.stranger.token))
    refused(answer, 403, "not_seated")


def test_not_host(scene: Scene) -> None:
    answer = http(request("POST", f"{scene.open_table.path}/start", token=scene.stranger.token))
    refused(answer, 403, "not_host")
    answer = http(request("DELETE", f"{scene.night.path}/seats/3", token=scene.stranger.token))
    refused(answer, 403, "not_host")


@pytest.mark.parametrize(
    "path",
    [
        "/nowhere",
        "/matches/",
        f"/matches/{NOWHERE}",
        f"/matches/{NOWHERE}/state",
        f"/matches/{NOWHERE}/events",
        f"/matches/{NOWHERE}/replay",
        "/matches/short",
        "/matches/" + "A" * 16,
        "/matches/" + "a" * 3000,
        "/matches/a\0b/state",
        "/rules/chess",
        "/rules/" + "x" * 300,
    ],
)
def test_not_found(scene: Scene, path: str) -> None:
    refused(http(request("GET", path)), 404, "not_found")


@pytest.mark.parametrize(
    ("method", "path", "allow"),
    [
        ("PUT", "/agents", "POST"),
        ("GET", "/agents", "POST"),
        ("DELETE", "/matches", "POST, GET"),
        ("POST", f"/matches/{NOWHERE}/state", "GET"),
        ("OPTIONS", "/rules", "GET"),
        ("HEAD", "/rules", "GET"),
    ],
)
def test_method_not_allowed(scene: Scene, method: str, path: str, allow: str) -> None:
    answer = http(request(method, path))
    refused(answer, 405, "method_not_allowed")
    assert answer.headers["allow"] == allow


def test_name_taken(scene: Scene) -> None:
    refused(http(request("POST", "/agents", {"name": "STRANGER"})), 409, "name_taken")


def test_match_not_running(scene: Scene) -> None:
    answer = scene.open_table.move(scene.open_table.players[0], "1.night_wolves.0", action="kill")
    refused(answer, 409, "match_not_running")


def test_match_not_open_and_table_full(scene: Scene) -> None:
    answer = http(request("POST", f"{scene.night.path}/seats", {}, token=scene.stranger.token))
    refused(answer, 409, "table_full")
    host = scene.night.players
    codes = [
        http(request("POST", f"{scene.night.path}/start", token=player.token)).body["code"]
        for player in host
    ]
    assert sorted(codes) == ["match_not_open", *["not_host"] * 4]


def test_too_few_players(shared_house: House) -> None:
    host = register("Lonely")
    answer = http(request("POST", f"{open_table(host).path}/start", token=host.token))
    refused(answer, 409, "too_few_players")


def test_match_over(scene: Scene) -> None:
    player = scene.over.players[0]
    answer = scene.over.move(player, "1.night_wolves.0", action="kill", target=1)
    refused(answer, 409, "match_over")


def test_match_not_over(scene: Scene) -> None:
    refused(http(request("GET", f"{scene.night.path}/replay")), 409, "match_not_over")


def test_not_your_turn(scene: Scene) -> None:
    on_turn, turn = scene.night.on_turn()
    other = next(player for player in scene.night.players if player is not on_turn)
    answer = scene.night.move(other, turn["turn_id"], action="kill", target=0)
    assert "legal_actions" not in refused(answer, 409, "not_your_turn")


def test_turn_over_and_turn_used(scene: Scene) -> None:
    player, turn = scene.talk.on_turn()
    answer = scene.talk.move(player, "9.day_talk.9", action="pass")
    refused(answer, 409, "turn_over")
    assert scene.talk.move(player, turn["turn_id"], action="say", message="once").status == 200
    answer = scene.talk.move(player, turn["turn_id"], action="say", message="twice")
    refused(answer, 409, "turn_used")


def test_eliminated(shared_house: House) -> None:
    match = running()
    player, _turn = match.on_turn()
    gone = next(other for other in match.players if other is not player)
    assert http(request("DELETE", f"{match.path}/seats/me", token=gone.token)).status == 200
    answer = match.move(gone, "1.night_seer.0", action="skip")
    assert answer.body["code"] in {"eliminated", "match_over"}
    refused(answer, 409, answer.body["code"])


@pytest.mark.parametrize(
    ("move", "code"),
    [
        ({"action": "kill", "target": 0}, "illegal_action"),
        ({"action": "say"}, "message_required"),
        ({"action": "say", "message": "  "}, "message_required"),
        ({"action": "say", "message": "ä" * 281}, "message_too_long"),
    ],
)
def test_illegal_words(shared_house: House, move: dict[str, Any], code: str) -> None:
    match = running()
    player, turn = match.play_until(lambda turn: turn["phase"] == "day_talk")
    problem = refused(match.move(player, turn["turn_id"], **move), 422, code)
    assert problem["legal_actions"] == turn["legal_actions"]
    assert match.state(player)["your_turn"] == turn


def test_illegal_target(scene: Scene) -> None:
    wolf, turn = scene.night.on_turn()
    answer = scene.night.move(wolf, turn["turn_id"], action="kill", target=wolf.seat)
    problem = refused(answer, 422, "illegal_target")
    assert problem["legal_actions"] == turn["legal_actions"]


@pytest.mark.parametrize("method", ["POST", "GET"])
def test_body_too_large(scene: Scene, method: str) -> None:
    refused(http(request(method, "/agents", text="a" * 32_769)), 413, "body_too_large")


def test_a_refusal_carries_no_more_than_it_knows() -> None:
    assert problem_body(NotFound("nothing")) == {
        "type": "urn:lanternwell:problem:not_found",
        "title": CODES["not_found"].title,
        "status": 404,
        "code": "not_found",
        "detail": "nothing",
    }
