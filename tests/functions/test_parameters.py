"""Query parameters: what a call does not know is refused, whichever call it is."""

import re
from typing import Any

import pytest

from tests.functions.house import (
    SAMPLE_CHARACTER,
    House,
    Match,
    good,
    http,
    open_table,
    plain,
    refused,
    register,
    request,
    running,
    seat,
)
from tests.functions.test_largest_bodies import OPENAPI

ROUTES = [
    (method.upper(), path, operation)
    for path, methods in OPENAPI["paths"].items()
    for method, operation in methods.items()
]


@pytest.fixture(scope="module")
def match(shared_house: House) -> Match:
    return running()


@pytest.mark.parametrize(
    ("method", "path", "operation"), ROUTES, ids=[f"{method} {path}" for method, path, _ in ROUTES]
)
def test_an_unknown_parameter_is_refused_by_name(
    match: Match, method: str, path: str, operation: Any
) -> None:
    names = {"match_id": match.match_id, "seat": "0", "ruleset": "arena-1"}
    names["character_id"] = SAMPLE_CHARACTER
    found = re.sub(r"\{(\w+)\}", lambda name: names[name[1]], path)
    token = match.players[0].token
    body: Any = None
    if "requestBody" in operation:
        model = operation["requestBody"]["content"]["application/json"]["schema"].get("$ref", "")
        body = {
            "RegisterAgent": {"name": "Nobody"},
            "OpenMatch": {"ruleset": "arena-1"},
            "CharacterSheet": {"name": "Hulda", "archetype": "watcher"},
            "Move": {"turn_id": "1.day.0", "action": "vote"},
        }.get(model.rpartition("/")[2], {})
    for name in ("Unknown", "x" * 100):
        event = request(method, found, body, token=token, query={name: "1"})
        assert refused(http(event), 400, "malformed")["field"] == name[:64]
    known = [one["name"] for one in operation.get("parameters", ()) if one["in"] == "query"]
    for name in known:
        event = request(method, found, body, token=token, query={name.upper(): "1"})
        assert refused(http(event), 400, "malformed")["field"] == name.upper()


def test_a_wish_that_was_misspelt_moves_nothing(match: Match) -> None:
    player, turn = match.on_turn()
    event = request(
        "POST",
        f"{match.path}/moves",
        {"turn_id": turn["turn_id"], **plain(turn)},
        token=player.token,
        query={"DRY_RUN": "true"},
    )
    refused(http(event), 400, "malformed")
    assert match.on_turn()[1]["turn_id"] == turn["turn_id"]


def listed(**query: str) -> tuple[list[str], str | None]:
    page = good(request("GET", "/matches", query=query))
    return [row["match_id"] for row in page["matches"]], page["next"]


def test_a_table_that_waits_for_people_is_found_behind_many_that_do_not(
    shared_house: House,
) -> None:
    host, guest = register("Host"), register("Guest")
    waiting = open_table(host)
    seat(waiting, guest)
    running()  # a full one waits for nobody
    for number in range(45):
        shared_house.time += 1
        body = {"ruleset": "werewolf-0.2", "fill": "house-bots", "private": number % 2 == 0}
        good(request("POST", "/matches", body, token=host.token))
    assert waiting.match_id not in listed()[0]
    assert listed(joinable="true") == ([waiting.match_id], None)
    assert listed(joinable="true", ruleset="werewolf-0.2")[0] == [waiting.match_id]
    assert listed(joinable="true", ruleset="arena-1") == ([], None)
    found, cursor = listed(joinable="true", limit="3")
    while cursor is not None:
        more, cursor = listed(joinable="true", limit="3", cursor=cursor)
        found += more
    assert found == [waiting.match_id], "a search that takes several pages comes to its end"
    event = request("GET", "/matches", query={"joinable": "true", "status": "running"})
    assert refused(http(event), 400, "malformed")["field"] == "joinable"
