"""Each row of the error table, as clients meet it. A refused request changes nothing."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from hosting.adapters.sqlite import AGENTS
from tests.e2e.players import Agent, Game, World, plain

NOWHERE = "a" * 16


@dataclass
class Scene:
    """Matches in every condition, and somebody who sits in none of them."""

    world: World
    stranger: Agent
    open_table: Game
    night: Game
    talk: Game
    over: Game


@pytest.fixture(scope="module")
def scene(here: Any) -> Iterator[Scene]:
    with World(here) as world:
        yield set_up(world)


def set_up(world: World) -> Scene:
    agents = [world.agent() for _ in range(6)]
    stranger = agents.pop()
    open_table = Game(world.table(agents[0], 6), agents[:1])
    agents[0].rest.post(f"{open_table.path}/seats", {})
    over = world.game(agents[:])
    for agent in agents:
        answer = agent.rest.call("DELETE", f"{over.path}/seats/me")
        if answer.json().get("code") == "match_over":
            break
    night = world.game(agents[:], turn_deadline_ms=600_000)
    talk = world.game(agents[:], turn_deadline_ms=600_000)
    talk.play_until("day_talk")
    return Scene(world, stranger, open_table, night, talk, over)


def refused(response: httpx.Response, status: int, code: str) -> Any:
    assert (response.status_code, response.headers["content-type"]) == (
        status,
        "application/problem+json",
    ), response.text
    problem = response.json()
    assert problem["code"] == code
    assert problem["status"] == status
    assert problem["title"]
    assert problem["detail"]
    return problem


@pytest.mark.parametrize(
    ("method", "path", "content", "field"),
    [
        ("POST", "/agents", "", "body"),
        ("POST", "/agents", "name=Ada", "body"),
        ("POST", "/agents", "[]", "body"),
        ("POST", "/agents", '{"name":1}', "name"),
        ("POST", "/agents", '{"name":""}', "name"),
        ("POST", "/agents", '{"name":"<b>"}', "name"),
        ("POST", "/agents", '{"name":"Ada","token":"x"}', "token"),
        ("POST", "/matches", "{}", "ruleset"),
        ("POST", "/matches", '{"ruleset":"chess"}', "ruleset"),
        ("POST", "/matches", '{"ruleset":"werewolf-0.2","seats":99}', "seats"),
        ("POST", "/matches", '{"ruleset":"werewolf-0.2","options":{"x":1}}', "x"),
        ("POST", "/matches", '{"ruleset":"werewolf-0.2","options":{"max_days":0}}', "max_days"),
        ("POST", "/matches/{open}/seats", '{"entropy":"ä"}', "entropy"),
        ("POST", "/matches/{night}/moves", '{"action":"kill"}', "turn_id"),
        ("GET", "/matches?status=lost", None, "status"),
        ("GET", "/matches?limit=0", None, "limit"),
        ("GET", "/matches?status=open&cursor=%00", None, "cursor"),
        ("GET", "/matches/{night}/events?after=-1", None, "after"),
    ],
)
def test_malformed(scene: Scene, method: str, path: str, content: str | None, field: str) -> None:
    path = path.format(open=scene.open_table.match_id, night=scene.night.match_id)
    answer = scene.stranger.rest.call(method, path, content=content)
    problem = refused(answer, 400, "malformed")
    assert problem["field"].endswith(field)


@pytest.mark.parametrize("token", [None, "x", f"{NOWHERE}.{'b' * 43}"])
@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/matches"),
        ("POST", "/matches/{id}/seats"),
        ("DELETE", "/matches/{id}/seats/me"),
        ("POST", "/matches/{id}/start"),
        ("POST", "/matches/{id}/moves"),
    ],
)
def test_unauthorized(scene: Scene, method: str, path: str, token: str | None) -> None:
    body = {"turn_id": "1", "action": "pass"} if path.endswith("moves") else {}
    body = {"ruleset": "werewolf-0.2"} if path == "/matches" else body
    headers = {"authorization": f"Bearer {token}"} if token else {}
    answer = scene.world.anybody.call(
        method,
        path.format(id=scene.night.match_id),
        body if method == "POST" else None,
        headers=headers,
    )
    refused(answer, 401, "unauthorized")
    assert answer.headers["www-authenticate"] == "Bearer"


def test_not_seated(scene: Scene) -> None:
    refused(scene.night.move(scene.stranger, "1.night_wolves.0", action="kill"), 403, "not_seated")
    answer = scene.stranger.rest.call("DELETE", f"{scene.night.path}/seats/me")
    refused(answer, 403, "not_seated")


def test_not_host(scene: Scene) -> None:
    answer = scene.stranger.rest.call("POST", f"{scene.open_table.path}/start")
    refused(answer, 403, "not_host")


@pytest.mark.parametrize(
    "path",
    [
        "/nowhere",
        f"/matches/{NOWHERE}",
        f"/matches/{NOWHERE}/state",
        "/matches/K%C3%A4",
        "/rules/x",
    ],
)
def test_not_found(scene: Scene, path: str) -> None:
    refused(scene.world.anybody.call("GET", path), 404, "not_found")


def test_method_not_allowed(scene: Scene) -> None:
    answer = scene.world.anybody.call("PUT", "/agents")
    refused(answer, 405, "method_not_allowed")
    assert answer.headers["allow"] == "POST"


def test_name_taken(scene: Scene) -> None:
    body = {"name": scene.stranger.name.upper()}
    refused(scene.world.anybody.call("POST", "/agents", body), 409, "name_taken")


def test_match_not_running(scene: Scene) -> None:
    answer = scene.open_table.move(scene.open_table.agents[0], "1.night_wolves.0", action="pass")
    refused(answer, 409, "match_not_running")


def test_too_few_players(scene: Scene) -> None:
    answer = scene.open_table.agents[0].rest.call("POST", f"{scene.open_table.path}/start")
    refused(answer, 409, "too_few_players")


def test_match_over(scene: Scene) -> None:
    answer = scene.over.move(scene.over.agents[0], "1.night_wolves.0", action="kill", target=1)
    refused(answer, 409, "match_over")


def test_match_not_over(scene: Scene) -> None:
    answer = scene.world.anybody.call("GET", f"{scene.night.path}/replay")
    refused(answer, 409, "match_not_over")


def test_table_full(scene: Scene) -> None:
    answer = scene.stranger.rest.call("POST", f"{scene.night.path}/seats", {})
    assert answer.json()["code"] in {"table_full", "match_not_open"}
    refused(answer, 409, answer.json()["code"])


def test_not_your_turn(scene: Scene) -> None:
    on_turn, turn = scene.talk.on_turn()
    other = next(agent for agent in scene.talk.agents if agent is not on_turn)
    alive = scene.talk.state(on_turn)["visible_state"]["alive"]
    other = next(a for a in scene.talk.agents if a is not on_turn and a.seat in alive)
    answer = scene.talk.move(other, turn["turn_id"], action="pass")
    refused(answer, 409, "not_your_turn")


def test_turn_over(scene: Scene) -> None:
    on_turn, _turn = scene.talk.on_turn()
    answer = scene.talk.move(on_turn, "9.day_talk.9", action="pass")
    refused(answer, 409, "turn_over")


def test_turn_used(scene: Scene) -> None:
    agent, turn = scene.talk.on_turn()
    once = scene.talk.move(agent, turn["turn_id"], action="say", message="once")
    again = scene.talk.move(agent, turn["turn_id"], action="say", message="once")
    assert (once.status_code, once.json()) == (200, again.json())
    answer = scene.talk.move(agent, turn["turn_id"], action="say", message="twice")
    refused(answer, 409, "turn_used")


def test_deadline_passed(scene: Scene) -> None:
    """The seat has no other turn for as long as those of all the others last."""
    game = scene.world.game(scene.night.agents[:], turn_deadline_ms=3_000)
    agent, turn = game.on_turn()
    time.sleep(max(0.0, turn["deadline_ms"] / 1000 - time.time()) + 0.1)
    answer = game.move(agent, turn["turn_id"], **plain(turn))
    refused(answer, 409, "deadline_passed")


@pytest.mark.parametrize(
    ("move", "code"),
    [
        ({"action": "kill", "target": 0}, "illegal_action"),
        ({"action": "say"}, "message_required"),
        ({"action": "say", "message": " "}, "message_required"),
        ({"action": "say", "message": "ä" * 281}, "message_too_long"),
    ],
)
def test_illegal_words(scene: Scene, move: dict[str, Any], code: str) -> None:
    agent, turn = scene.talk.on_turn()
    problem = refused(scene.talk.move(agent, turn["turn_id"], **move), 422, code)
    assert problem["legal_actions"] == turn["legal_actions"]
    assert scene.talk.state(agent)["your_turn"] == turn


def test_illegal_target(scene: Scene) -> None:
    wolf, turn = scene.night.on_turn()
    answer = scene.night.move(wolf, turn["turn_id"], action="kill", target=wolf.seat)
    problem = refused(answer, 422, "illegal_target")
    assert problem["legal_actions"] == turn["legal_actions"]


def test_body_too_large(scene: Scene) -> None:
    body = {"turn_id": "1", "action": "say", "message": "a" * 33_000}
    answer = scene.stranger.rest.call("POST", f"{scene.night.path}/moves", body)
    refused(answer, 413, "body_too_large")


def test_too_many_requests(scene: Scene, here: Any) -> None:
    """More tables than any limit allows were opened in this minute, or in the next."""
    host = scene.world.agent()
    for minute in (0, 1):
        window = int(time.time() // 60) + minute
        key = {"PK": f"RATE#open#{host.agent_id}#{window}", "SK": "COUNTER"}
        with here.platform.ports.database.writing() as items:
            items.put(AGENTS, key | {"count": 1_000_000})
    answer = host.rest.call("POST", "/matches", {"ruleset": "werewolf-0.2"})
    refused(answer, 429, "too_many_requests")
    assert 1 <= int(answer.headers["retry-after"]) <= 60


def test_a_refusal_of_each_status_comes_through_either_gateway(both: Any) -> None:
    with World(both) as world:
        host, guest = world.agent(), world.agent()
        match_id = world.table(host, 5)
        path = f"/matches/{match_id}"
        move = {"turn_id": "1", "action": "pass"}
        for rest, method, where, body, status, code in (
            (host.rest, "POST", "/matches", {}, 400, "malformed"),
            (world.anybody, "POST", f"{path}/seats", {}, 401, "unauthorized"),
            (guest.rest, "POST", f"{path}/start", None, 403, "not_host"),
            (host.rest, "GET", "/nowhere", None, 404, "not_found"),
            (host.rest, "PATCH", path, None, 405, "method_not_allowed"),
            (host.rest, "GET", f"{path}/replay", None, 409, "match_not_over"),
            (host.rest, "POST", f"{path}/moves", move | {"x": "a" * 33_000}, 413, "body_too_large"),
            (host.rest, "POST", "/matches", NO_BOTS, 422, "no_house_bots"),
        ):
            refused(rest.call(method, where, body), status, code)


NO_BOTS = {"ruleset": "traditional-1", "fill": "house-bots"}
