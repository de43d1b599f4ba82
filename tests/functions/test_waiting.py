"""The table waits: a socket closes, somebody comes back, or the host puts the player out."""

from typing import Any

import pytest

from tests.functions.house import House, Match, good, http, invoke, refused, running, sample
from tests.functions.test_sockets import CONNECTION, connect, send, socket_event


def host_of(match: Match) -> str:
    return str(good(sample("api/read-match", match_id=match.match_id))["host"])


@pytest.fixture
def match(house: House) -> Match:
    """Six under rules that wait; seat 3, which is not the host's, follows the match."""
    match = running(6, ruleset="traditional-1", wait_limit_s=10)
    while match.players[3].agent_id == host_of(match):  # seats are drawn
        match = running(6, ruleset="traditional-1", wait_limit_s=10)
    connect(match.players[3])
    invoke("socket", socket_event("subscribe", match.players[3], match))
    return match


def waiting_for(match: Match) -> list[int]:
    return list(match.state()["visible_state"]["waiting_for"])


def put_out(match: Match, token: str) -> Any:
    return http(sample("api/put-out", match_id=match.match_id, token=token))


def test_a_closed_socket_pauses_and_a_move_through_a_new_one_resumes(match: Match) -> None:
    player = match.players[3]
    turn = match.state(player)["your_turn"]
    invoke("socket", socket_event("disconnect", player))
    assert waiting_for(match) == [3]
    other = match.players[0]
    refused(match.move(other, turn["turn_id"], action="lock"), 409, "paused")
    connect(player)
    message = {"action": "move", "match_id": match.match_id, "turn_id": turn["turn_id"]}
    send(player, {**message, "move": {"action": "lock"}})
    assert waiting_for(match) == []


def test_a_push_that_finds_a_socket_gone_pauses(house: House, match: Match) -> None:
    house.fake_sockets.gone.add(CONNECTION)
    turn = match.state(match.players[0])["your_turn"]
    assert match.move(match.players[0], turn["turn_id"], action="lock").status == 200
    assert good_leave(match, 5)
    records = {"Records": house.log_records(match.match_id)}
    assert invoke("push", records) == {"batchItemFailures": []}
    assert waiting_for(match) == [3]


def good_leave(match: Match, seat: int) -> Any:
    event = sample("api/leave-seat", match_id=match.match_id, token=match.players[seat].token)
    return good(event)


def test_the_host_puts_an_absent_player_out(house: House, match: Match) -> None:
    host = next(player for player in match.players if player.agent_id == host_of(match))
    guest = next(player for player in match.players if player is not host)
    refused(put_out(match, guest.token), 403, "not_host")
    refused(put_out(match, host.token), 409, "not_absent")
    invoke("socket", socket_event("disconnect", match.players[3]))
    refused(put_out(match, host.token), 409, "too_early")
    house.time += 10_000
    answer = put_out(match, host.token)
    assert answer.status == 200
    assert answer.body == {"match_id": match.match_id, "seat": 3, "left": True}
    assert 3 not in match.state()["visible_state"]["alive"]


@pytest.mark.parametrize("seat", ["6", "63"])
def test_a_seat_that_is_not_there(match: Match, seat: str) -> None:
    host = next(player for player in match.players if player.agent_id == host_of(match))
    event = sample("api/put-out", match_id=match.match_id, token=host.token)
    event["rawPath"] = event["rawPath"].replace("/3", f"/{seat}")
    event["requestContext"]["http"]["path"] = event["rawPath"]
    refused(http(event), 404, "not_found")


@pytest.mark.parametrize("seat", ["x", "-1", "64", "%31"])
def test_what_is_no_seat_is_not_found(match: Match, seat: str) -> None:
    event = sample("api/put-out", match_id=match.match_id, token=match.players[0].token)
    event["rawPath"] = event["rawPath"].replace("/3", f"/{seat}")
    event["requestContext"]["http"]["path"] = event["rawPath"]
    refused(http(event), 404, "not_found")


def test_the_sweep_finds_a_player_whose_going_was_overlooked(house: House, match: Match) -> None:
    assert house.connections.close(CONNECTION) is not None  # and the process dies
    assert waiting_for(match) == []
    assert invoke("sweep", sample("sweep/schedule"))["reconciled"] == 1
    assert waiting_for(match) == [3]
