"""Tables by invitation, rematches, own lists, dry runs and polls, over REST."""

from typing import Any

import pytest

from tests.functions.house import (
    House,
    finished,
    good,
    http,
    plain,
    refused,
    register,
    request,
    running,
)


def test_a_private_table(house: House) -> None:
    host, guest = register("Ada"), register("Bea")
    body = {"ruleset": "werewolf-0.2", "private": True}
    opened = good(request("POST", "/matches", body, token=host.token))
    path = f"/matches/{opened['match_id']}/seats"
    assert "invite" not in good(request("GET", f"/matches/{opened['match_id']}"))
    assert good(request("GET", "/matches"))["matches"] == []
    refused(http(request("POST", path, {}, token=guest.token)), 403, "not_invited")
    wrong = {"invite": "a" * 16}
    refused(http(request("POST", path, wrong, token=guest.token)), 403, "not_invited")
    right = {"invite": opened["invite"]}
    assert http(request("POST", path, right, token=guest.token)).status == 201
    own = good(request("GET", "/agents/me/matches", token=guest.token))["matches"]
    assert [row["match_id"] for row in own] == [opened["match_id"]]
    assert own[0]["private"] is True


def test_a_rematch(house: House) -> None:
    match = finished()
    first, second = match.players[:2]
    path = f"{match.path}/rematch"
    asked = http(request("POST", path, token=first.token))
    again = http(request("POST", path, token=first.token))
    other = http(request("POST", path, {"entropy": "c0ffee"}, token=second.token))
    assert [answer.status for answer in (asked, again, other)] == [201, 200, 201]
    assert asked.body == again.body
    assert asked.body["match_id"] == other.body["match_id"]
    assert good(request("GET", match.path))["rematch"] == asked.body["match_id"]
    refused(http(request("POST", path, token=register("Zoe").token)), 403, "not_seated")
    early = running()
    answer = http(request("POST", f"{early.path}/rematch", token=early.players[0].token))
    refused(answer, 409, "match_not_over")


def test_a_dry_run_changes_nothing(house: House) -> None:
    match = running()
    player, turn = match.on_turn()
    move = {"turn_id": turn["turn_id"], **plain(turn)}
    records = len(house.log_records(match.match_id))

    def post(body: Any, **query: str) -> Any:
        return http(request("POST", f"{match.path}/moves", body, token=player.token, query=query))

    assert post(move, dry_run="true").body == {
        "match_id": match.match_id,
        "turn_id": turn["turn_id"],
        "seat": player.seat,
        "would_be": "accepted",
    }
    problem = refused(post({**move, "target": 99}, dry_run="true"), 422, "illegal_target")
    assert problem == post({**move, "target": 99}).body
    refused(post(move, dry_run="perhaps"), 400, "malformed")
    assert len(house.log_records(match.match_id)) == records
    assert post(move, dry_run="false").body["outcome"] == "accepted"


@pytest.mark.parametrize("what", ["state", "events"])
def test_a_poll_says_when_to_ask_again(house: House, what: str) -> None:
    match = running(turn_deadline_ms=60_000)
    path, token = f"{match.path}/{what}", match.players[0].token
    first = http(request("GET", path, token=token))
    assert first.headers["retry-after"] == "6"
    assert first.body["server_now"] == house.now()
    headers = {"if-none-match": first.headers["etag"]}
    again = http(request("GET", path, token=token, headers=headers))
    assert (again.status, again.text) == (304, "")
    assert again.headers["retry-after"] == "6"
    assert again.headers["etag"] == first.headers["etag"]
    over = http(request("GET", f"{finished().path}/{what}"))
    assert "retry-after" not in over.headers


def test_own_matches_need_a_token(house: House) -> None:
    refused(http(request("GET", "/agents/me/matches")), 401, "unauthorized")
    refused(http(request("GET", "/agents/me/matches", token="x")), 401, "unauthorized")
    answer = http(request("POST", "/agents/me/matches", {}))
    refused(answer, 405, "method_not_allowed")
