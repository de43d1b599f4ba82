"""Odd bodies, headers, ids, cursors and frames: no 5xx, no stack trace, no changed match."""

import json
import random
import socket
from collections.abc import Iterator
from contextlib import suppress
from typing import Any
from urllib.parse import quote, urlsplit

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from tests.e2e.players import PATIENCE, Game, World, ask, frames

BODIES: list[bytes] = [
    b"",
    b"\x00",
    b"\xff\xfe",
    b"null",
    b"[]",
    b"{",
    b'{"turn_id":NaN,"action":"kill"}',
    b'{"turn_id":"1","action":"kill","target":1e999}',
    b'{"turn_id":"1","action":"kill","target":' + b"9" * 5000 + b"}",
    b'{"turn_id":"1","turn_id":"2","action":"kill"}',
    b'{"turn_id":"\\ud800","action":"\\udfff"}',
    b'{"turn_id":"1","action":"say","message":"\\u0000"}',
    b'{"turn_id":"1","action":{"$gt":""}}',
    b'{"turn_id":"1","action":"kill","target":' + b"[" * 8000 + b"]" * 8000 + b"}",
    b'{"__proto__":{},"constructor":1,"turn_id":"1","action":"kill"}',
    b'{"name":"\\u202eadA"}',
    b'{"name":"' + "\U0001f43a".encode() * 24 + b'"}',
    b'{"ruleset":"../../etc/passwd"}',
    b'{"ruleset":"werewolf-0.2","seats":1e3}',
    b'{"ruleset":"werewolf-0.2","options":[]}',
]
PATHS = [
    "/agents",
    "/matches",
    "/matches/{id}/seats",
    "/matches/{id}/moves",
    "/matches/{id}/start",
    "/matches/{id}/seats/me",
    "/matches/..%2f..%2fSTATE/moves",
    "/matches/%00%00%00%00/moves",
    "/matches/" + "a" * 2000 + "/moves",
    "/matches/STATE%23/state",
    "/rules/..%2f..%2fsecrets",
    "/%E0%A4%A",
    "//matches",
]
HEADERS: list[dict[str, str]] = [
    {},
    {"authorization": "Bearer"},
    {"authorization": "Bearer " + "a" * 3000},
    {"authorization": "Basic \\x00"},
    {"content-type": "multipart/form-data"},
    {"content-type": "application/xml; charset=utf-7"},
    {"if-none-match": '"' * 999},
    {"accept-encoding": "gzip;q=banana", "accept": "*"},
    {"x-forwarded-for": "' OR 1=1 --", "cookie": "=;=;" * 50},
]
QUERIES = [
    "after=1e3",
    "after=99999999999999999999",
    "limit=-1&limit=2",
    "cursor=%FF%FE",
    "cursor=eyJhIjoxfQ",
    "status=open%00&ruleset=%F0%9F%90%BA",
    "after=%F0%9F&&&===",
]
FRAMES: list[str | bytes] = [
    "",
    "{",
    "null",
    "[]",
    "\x00",
    b"\x00\xff",
    '{"action":1}',
    '{"action":"subscribe"}',
    '{"action":"subscribe","match_id":"../STATE","after":0}',
    '{"action":"subscribe","match_id":"aaaaaaaaaaaaaaaa","after":-1}',
    '{"action":"move","match_id":"aaaaaaaaaaaaaaaa","turn_id":"1","move":[]}',
    '{"action":"move","match_id":"aaaaaaaaaaaaaaaa","turn_id":"1","move":{"action":"kill"}}',
    '{"action":"$disconnect"}',
    '{"action":"ping","request_id":"' + "a" * 65 + '"}',
    '{"action":"ping","x":' + "[" * 5000 + "]" * 5000 + "}",
    '{"action":"ping","request_id":"\\ud800"}',
]


@pytest.fixture(scope="module")
def world(here: Any) -> Iterator[World]:
    with World(here) as world:
        yield world


@pytest.fixture(scope="module")
def game(world: World) -> Game:
    return world.game([world.agent() for _ in range(5)], turn_deadline_ms=600_000)


def harmless(status: int, text: str) -> None:
    assert 200 <= status < 500, text
    assert "Traceback" not in text
    assert ".py" not in text


def everything(game: Game, world: World) -> list[Any]:
    """What each viewer knows of the match, but for the time."""
    views = [game.state(agent) for agent in game.agents]
    views.append(world.anybody.get(f"{game.path}/state"))
    return [{**view, "server_now": None} for view in views]


def test_no_request_breaks_anything(world: World, game: Game) -> None:
    before = everything(game, world)
    dice = random.Random(20260101)
    for n in range(120):
        path = dice.choice(PATHS).format(id=game.match_id)
        method = dice.choice(["POST", "POST", "POST", "GET", "DELETE", "PATCH"])
        if method == "DELETE":
            path = path.replace("/seats/me", "/seats/you")
        agent = dice.choice([*game.agents, None])
        rest = agent.rest if agent and not path.endswith("seats/me") else world.anybody
        answer = rest.call(
            method,
            f"{path}?{dice.choice(QUERIES)}",
            content=BODIES[n % len(BODIES)] if method == "POST" else None,
            headers=dice.choice(HEADERS),
        )
        harmless(answer.status_code, answer.text)
    assert everything(game, world) == before


def test_no_raw_request_breaks_anything(world: World, game: Game) -> None:
    """What an HTTP library would not send."""
    url = urlsplit(f"{world.http_url}{game.path}/moves")
    for body in (b"\xc3\x28", b'{"a":"\xed\xa0\x80"}', b"\xef\xbb\xbf{}"):
        head = f"POST {url.path} HTTP/1.1\r\nHost: {url.netloc}\r\nConnection: close\r\n"
        with socket.create_connection((url.hostname or "", url.port or 80), PATIENCE) as raw:
            raw.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
            answer = raw.recv(65536).decode(errors="replace")
        harmless(int(answer.split(" ", 2)[1]), answer)


def test_no_frame_breaks_anything(world: World, game: Game) -> None:
    before = everything(game, world)
    for agent in (game.agents[0], None):
        with world.socket(agent) as watching:
            for frame in FRAMES:
                watching.send(frame)
            ask(watching, action="ping", request_id="last")
            for answer in frames(watching, lambda frame: frame.get("request_id") == "last"):
                assert answer["type"] in {"error", "pong"}, answer
                assert "Traceback" not in json.dumps(answer)
    assert everything(game, world) == before


@pytest.mark.parametrize("token", ["", "x", "\0", "a" * 2000, "' OR 1=1", "é"])
def test_a_bad_token_opens_no_socket(world: World, token: str) -> None:
    with pytest.raises(InvalidStatus) as refusal, suppress(ConnectionClosed):
        connect(f"{world.ws_url}?token={quote(token)}", open_timeout=PATIENCE).close()
    assert refusal.value.response.status_code in {401, 403}
