"""A talk show: characters at the table, a host who knows everything, and a window that does not."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import httpx
import pytest

from tests.e2e.players import Agent, Game, World, ask, frames

EVERYTHING = {"mode": "omniscient", "thinking": "true"}
SHEET = {
    "name": "Mother Hulda",
    "archetype": "shepherd",
    "backstory": "It snows when she wants it to.",
    "strategy": {"house-9": "Keep the plan of the pillow secret."},
}


@pytest.fixture(scope="module")
def world(both: Any) -> Iterator[World]:
    with World(both) as world:
        yield world


def sit_down(world: World, host: Agent) -> Game:
    """A house-9 match of six; the first to sit down has a character."""
    options = {"omniscient": True, "max_days": 1}
    body = {"ruleset": "house-9", "seats": 6, "options": options}
    game = Game(host.rest.post("/matches", body)["match_id"], [world.agent() for _ in range(6)])
    first = game.agents[0]
    character = first.rest.post("/characters", SHEET)
    path = f"/characters/{character['character_id']}"
    kind = {**SHEET, "personality": "Kind."}
    assert first.rest.call("PUT", path, kind).json()["personality"] == "Kind."
    for agent in game.agents:
        seat = {"character_id": character["character_id"]} if agent is first else {}
        agent.rest.post(f"{game.path}/seats", seat)
    assert first.rest.get("/characters")["characters"][0]["personality"] == "Kind."
    assert first.rest.call("DELETE", path).json()["deleted"] is True
    refused(first.rest.call("GET", path), 404, "not_found")
    seats = {p["agent_id"]: p["seat"] for p in world.anybody.get(game.path)["players"]}
    seated = [replace(agent, seat=seats[agent.agent_id]) for agent in game.agents]
    game.agents = sorted(seated, key=lambda agent: agent.seat)
    return game


def refused(answer: httpx.Response, status: int, code: str) -> None:
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def thoughtful(turn: dict[str, Any], number: int) -> dict[str, Any]:
    """A move that ends the match on its first day, without a death."""
    offer = turn["legal_actions"][0]
    move: dict[str, Any] = {"action": offer["action"], "thinking": f"Thought number {number}."}
    match offer["action"]:
        case "introduce":
            move["message"] = "Good evening."
        case "propose":
            move |= {"target": offer["targets"][number % 2], "message": "This one?"}
        case "investigate" | "protect":
            move["target"] = offer["targets"][0]
        case "say":
            move["action"] = "pass"
        case "vote":
            move["action"] = "abstain"
    return move


def told_until_the_end(socket: Any) -> list[str]:
    """The frames of a socket, as they came, up to the one that ends the match."""
    texts = []
    for frame in frames(socket, lambda frame: frame.get("event", {}).get("type") == "faction_win"):
        assert frame["type"] in {"subscribed", "event"}
        texts.append(json.dumps(frame))
    return texts


def events_of(texts: list[str]) -> list[Any]:
    found = {f["event"]["seq"]: f["event"] for f in map(json.loads, texts) if "event" in f}
    return [found[seq] for seq in sorted(found)]


def test_the_host_knows_everything_and_the_window_does_not(world: World) -> None:
    host = world.agent()
    game = sit_down(world, host)
    subscribe = {"action": "subscribe", "match_id": game.match_id}
    with world.socket(host) as host_socket, world.socket() as window_socket:
        ask(host_socket, **subscribe, mode="omniscient", thinking=True)
        ask(window_socket, **subscribe)
        thoughts = 0
        while world.anybody.get(game.path)["status"] == "running":
            agent, turn = game.on_turn()
            answer = game.move(agent, turn["turn_id"], **thoughtful(turn, thoughts))
            assert answer.status_code == 200, answer.text
            thoughts += 1
        everything = told_until_the_end(host_socket)
        window = told_until_the_end(window_socket)

    known = events_of(everything)
    assert known == host.rest.get(f"{game.path}/events", limit=500, **EVERYTHING)["events"]
    told = [event["thinking"] for event in known if "thinking" in event]
    assert told == [f"Thought number {number}." for number in range(thoughts)]
    types = [event["type"] for event in known]
    assert types.count("role_private") == 6
    proposals = [e for e in known if e["data"].get("action") == "propose"]
    assert len(proposals) == 6, "three exchanges without agreement"

    seen = events_of(window)
    assert seen == world.anybody.get(f"{game.path}/events", limit=500)["events"]
    assert [event["seq"] for event in seen] == [*range(1, len(seen) + 1)]
    while_it_ran = "".join(window).partition('"reveal"')[0]
    for hidden in ("thinking", "Thought", "propose", "This one?", '"role":', "pillow"):
        assert hidden not in while_it_ran
    assert "thinking" not in "".join(window)


def test_who_may_know_everything(world: World) -> None:
    host = world.agent()
    game = sit_down(world, host)
    state = f"{game.path}/state"
    for rest in (game.agents[0].rest, world.agent().rest, world.anybody):
        refused(rest.call("GET", state, params=EVERYTHING), 403, "omniscient_not_allowed")
    with world.socket(game.agents[0]) as socket:
        ask(socket, action="subscribe", match_id=game.match_id, mode="omniscient")
        (refusal,) = frames(socket, lambda _: True)
        assert (refusal["type"], refusal["code"]) == ("error", "omniscient_not_allowed")
    shown = host.rest.get(state, **EVERYTHING)
    assert shown["viewer"] == "omniscient"
    (character,) = shown["characters"]
    assert (character["name"], character["personality"]) == ("Mother Hulda", "Kind.")
    assert character["strategy"] == SHEET["strategy"]["house-9"]  # type: ignore[index]
    refused(host.rest.call("GET", state), 409, "mode_fixed")
    assert "pillow" not in world.anybody.call("GET", state).text
    assert "pillow" not in world.anybody.call("GET", game.path).text
    own = next(a for a in game.agents if a.seat == character["seat"])
    assert own.rest.get(state)["characters"] == [character]
