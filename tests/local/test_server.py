"""The platform on one machine, as clients meet it: HTTP, WebSockets, restarts."""

import asyncio
import json
import socket
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from hosting.ports import Gone
from local.errors import LocalCloudError, PortTakenError
from local.gateway import _BACKLOG_BYTES, CORS, STAGE, _Channel
from local.server import FUNCTIONS, LocalServer
from local.tools import ROOT
from tests.template.platform import resources, template


@pytest.fixture(scope="module")
def server() -> Iterator[LocalServer]:
    with LocalServer() as server:
        yield server


@pytest.fixture
def http(server: LocalServer) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.http_url) as client:
        yield client


def test_the_index_names_the_address_of_the_socket(server: LocalServer, http: httpx.Client) -> None:
    assert http.get("/").json()["socket"] == server.ws_url


def register(http: httpx.Client, name: str) -> Any:
    answer = http.post("/agents", json={"name": name})
    assert answer.status_code == 201, answer.text
    return answer.json()


def ask(websocket: ClientConnection, **message: Any) -> Any:
    websocket.send(json.dumps(message))
    return json.loads(websocket.recv(timeout=10))


def auth(agent: Any) -> dict[str, str]:
    return {"authorization": f"Bearer {agent['token']}"}


def table(http: httpx.Client, agent: Any, **more: Any) -> str:
    body = {"ruleset": "werewolf-0.2", "seats": 5, **more}
    match_id: str = http.post("/matches", json=body, headers=auth(agent)).json()["match_id"]
    return match_id


def own_card(http: httpx.Client, match_id: str, agent: Any) -> Any:
    events = http.get(f"/matches/{match_id}/events", headers=auth(agent)).json()["events"]
    (card,) = (event["data"] for event in events if event["type"] == "role_private")
    return card


# ---- as the template says --------------------------------------------------------------------


def test_every_function_is_there() -> None:
    assert sorted(path.parent.name for path in ROOT.glob("functions/*/app.py")) == [*FUNCTIONS]


def test_pages_of_other_origins_are_let_in_as_the_template_says() -> None:
    assert resources("AWS::ApiGatewayV2::Api")["HttpApi"]["CorsConfiguration"] == CORS
    assert template()["Parameters"]["StageName"]["Default"] == STAGE


# ---- HTTP ------------------------------------------------------------------------------------


def test_preflights_are_answered_and_answers_may_be_read(http: httpx.Client) -> None:
    origin = {"origin": "https://elsewhere.example"}
    asked = {**origin, "access-control-request-method": "PUT"}
    answer = http.options("/matches", headers=asked)
    assert (answer.status_code, answer.content) == (204, b"")
    assert answer.headers["access-control-allow-origin"] == "*"
    assert answer.headers["access-control-allow-methods"] == "GET,POST,PUT,DELETE"
    assert "authorization" in answer.headers["access-control-allow-headers"]
    assert answer.headers["access-control-max-age"] == "3600"
    answer = http.get("/rules", headers=origin)
    assert answer.headers["access-control-allow-origin"] == "*"
    assert answer.headers["access-control-expose-headers"] == "etag,link,retry-after"
    assert "access-control-allow-origin" not in http.get("/rules").headers


@pytest.mark.parametrize("name", ["Ada", "Ädä", "狼"])
def test_a_body_reaches_the_function_whatever_its_type(http: httpx.Client, name: str) -> None:
    for number, kind in enumerate(["application/json", "application/x-www-form-urlencoded", None]):
        body = json.dumps({"name": f"{name} {number}"}, ensure_ascii=number == 0).encode()
        headers = {"content-type": kind} if kind else {}
        answer = http.post("/agents", content=body, headers=headers)
        assert answer.status_code == 201, answer.text
        assert answer.json()["name"] == f"{name} {number}"


def test_what_the_platform_refuses_comes_as_it_says(http: httpx.Client) -> None:
    answer = http.delete("/rules")
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET")
    assert answer.headers["content-type"] == "application/problem+json"
    assert http.get("/nowhere").json()["code"] == "not_found"
    assert http.get("/rules/%2e%2e%2fx").status_code == 404
    assert http.get("/matches?status=open&status=over").status_code == 400
    assert http.post("/agents", content=b"\xff").json()["code"] == "malformed"
    assert http.post("/agents", content=b"x" * 100_000).json()["code"] == "body_too_large"
    answer = http.get("/matches/" + "a" * 16 + "/state", headers={"authorization": "Bearer x"})
    assert answer.status_code == 401


def test_what_the_gateway_refuses_by_itself(
    http: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("local.gateway.MAX_BODY_BYTES", 1_000_000)
    answer = http.post("/agents", content=b"x" * 1_000_001)
    assert (answer.status_code, answer.json()) == (413, {"message": "Request Entity Too Large"})
    monkeypatch.setattr("local.functions.load", lambda _: None)
    answer = http.get("/rules", headers={"origin": "https://elsewhere.example"})
    assert (answer.status_code, answer.json()) == (500, {"message": "Internal Server Error"})
    assert answer.headers["access-control-allow-origin"] == "*"


def test_an_etag_saves_the_body(http: httpx.Client) -> None:
    match_id = table(http, register(http, "Etta"))
    first = http.get(f"/matches/{match_id}/state")
    again = http.get(f"/matches/{match_id}/state", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_a_request_that_breaks_off_is_not_carried_out(server: LocalServer) -> None:
    host, port = server.http_url.removeprefix("http://").split(":")
    body = b'{"name": "Halfway"}'
    with socket.create_connection((host, int(port))) as raw:
        head = f"POST /agents HTTP/1.1\r\nhost: x\r\ncontent-length: {len(body) + 1}\r\n\r\n"
        raw.sendall(head.encode() + body)
    with httpx.Client(base_url=server.http_url) as http:
        register(http, "Halfway")


# ---- WebSockets ------------------------------------------------------------------------------


def test_a_socket_is_pushed_what_happens(server: LocalServer, http: httpx.Client) -> None:
    agent = register(http, "Pia")
    match_id = table(http, agent)
    with connect(server.ws_url) as spectator:
        assert ask(spectator, action="ping")["type"] == "pong"
        told = ask(spectator, action="subscribe", match_id=match_id, after=0)
        assert (told["type"], told["viewer"]) == ("subscribed", "spectator")
        answer = http.post(f"/matches/{match_id}/seats", json={}, headers=auth(agent))
        assert answer.status_code == 201
        frame = json.loads(spectator.recv(timeout=10))
        assert frame["event"]["type"] == "seat_taken"


@pytest.mark.parametrize("how", ["query", "header"])
def test_a_token_opens_a_socket_and_a_bad_one_does_not(
    server: LocalServer, http: httpx.Client, how: str
) -> None:
    agent = register(http, f"Sok {how}")
    match_id = table(http, agent)
    http.post(f"/matches/{match_id}/seats", json={}, headers=auth(agent))

    def opened(token: str) -> ClientConnection:
        if how == "query":
            return connect(f"{server.ws_url}?token={token}")
        return connect(server.ws_url, additional_headers={"authorization": f"Bearer {token}"})

    with opened(agent["token"]) as websocket:
        message = {"turn_id": "1.x.0", "move": {"action": "pass"}, "match_id": match_id}
        assert ask(websocket, action="move", **message)["code"] == "match_not_running"
    with pytest.raises(InvalidStatus) as refusal:
        opened(agent["token"][:-3] + "AAA")
    assert refusal.value.response.status_code == 403
    assert json.loads(refusal.value.response.body or b"") == {"message": "Forbidden"}


def test_sockets_are_opened_at_the_stage_alone(server: LocalServer) -> None:
    with pytest.raises(InvalidStatus) as refusal:
        connect(server.ws_url + "/more")
    assert refusal.value.response.status_code == 403


def test_odd_messages_are_answered(server: LocalServer) -> None:
    with connect(server.ws_url) as websocket:
        for message in ("", "no json", b"\xff\x00", "[]", '{"action": "$disconnect"}'):
            websocket.send(message)
            assert json.loads(websocket.recv(timeout=10))["code"] == "malformed"
        websocket.send("x" * 100_000)
        assert json.loads(websocket.recv(timeout=10))["code"] == "body_too_large"
        websocket.send("x" * 200_000)
        with pytest.raises(ConnectionClosed) as closed:
            websocket.recv(timeout=10)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1009


def test_a_client_that_does_not_read_is_cut_off() -> None:
    async def main() -> list[str]:
        channel, sent = _Channel(), list[str]()
        for _ in range(_BACKLOG_BYTES // 100_000):
            channel.send(b"x" * 100_000)
        with pytest.raises(Gone):
            channel.send(b"x" * 100_000)
        await asyncio.sleep(0)

        async def send(message: Any) -> None:
            sent.append(message["type"])

        await channel.write(send)
        return sent

    *frames, last = asyncio.run(main())
    assert last == "websocket.close"
    assert len(frames) == _BACKLOG_BYTES // 100_000


def test_house_bots_play_a_whole_match(server: LocalServer, http: httpx.Client) -> None:
    quick = {"BOT_PACE_SECONDS": "0"}
    with LocalServer(settings=quick) as server, httpx.Client(base_url=server.http_url) as http:
        agent = register(http, "Host")
        match_id = table(http, agent, fill="house-bots")
        http.post(f"/matches/{match_id}/seats", json={}, headers=auth(agent))
        with connect(server.ws_url, max_queue=None) as spectator:
            spectator.send(json.dumps({"action": "subscribe", "match_id": match_id, "after": 0}))
            http.delete(f"/matches/{match_id}/seats/me", headers=auth(agent))
            while http.get(f"/matches/{match_id}").json()["status"] != "over":
                spectator.recv(timeout=30)
        assert http.get(f"/matches/{match_id}/replay").status_code == 200


# ---- starting and stopping -------------------------------------------------------------------


def test_a_restart_has_everything_and_closes_the_sockets_of_before(tmp_path: Path) -> None:
    path = tmp_path / "evening.db"
    with LocalServer(path) as server, httpx.Client(base_url=server.http_url) as http:
        agents = [register(http, f"agent {number}") for number in range(6)]
        match_id = table(http, agents[0], ruleset="traditional-1", seats=6)
        for agent in agents:
            http.post(f"/matches/{match_id}/seats", json={}, headers=auth(agent))
        before = own_card(http, match_id, agents[0])
        with connect(server.ws_url, additional_headers=auth(agents[1])) as websocket:
            ask(websocket, action="subscribe", match_id=match_id, after=0)
            # As after a kill: nobody is told that the socket is closed.
            server._ports.connections.close = lambda _: None  # type: ignore[method-assign]
    with LocalServer(path) as server, httpx.Client(base_url=server.http_url) as http:
        with connect(server.ws_url) as spectator:
            told = ask(spectator, action="subscribe", match_id=match_id, after=0)
            while "paused" not in str(told):
                told = json.loads(spectator.recv(timeout=10))
        assert own_card(http, match_id, agents[0]) == before
    assert sorted(file.name for file in tmp_path.iterdir()) == ["evening.db", "evening.db-lock"]


def test_one_database_is_served_by_one_process(tmp_path: Path) -> None:
    with (
        LocalServer(tmp_path / "evening.db"),
        pytest.raises(LocalCloudError, match="another process serves this database"),
    ):
        LocalServer(tmp_path / "evening.db")


def test_a_database_that_cannot_be_opened_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(LocalCloudError, match=r"nowhere.*unable to open") as refusal:
        LocalServer(tmp_path / "nowhere" / "evening.db")
    assert "\n" not in str(refusal.value)
    (tmp_path / "text.db").write_text("no database at all, but a text of some length" * 100)
    with pytest.raises(LocalCloudError, match="not a database"):
        LocalServer(tmp_path / "text.db")


def test_a_taken_port_is_told(server: LocalServer) -> None:
    port = int(server.http_url.rpartition(":")[2])
    with pytest.raises(PortTakenError, match=f"port {port} of 127.0.0.1 is taken"):
        LocalServer(port=port)


def test_servers_side_by_side_know_nothing_of_each_other(http: httpx.Client) -> None:
    register(http, "Twin")
    with LocalServer() as other, httpx.Client(base_url=other.http_url) as there:
        register(there, "Twin")
        with urllib.request.urlopen(f"{other.http_url}/matches") as answer:
            assert json.load(answer)["matches"] == []
