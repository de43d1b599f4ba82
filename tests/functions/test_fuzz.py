"""Whatever is sent: no 5xx, no stack trace, and the match stays as it is."""

import base64
import json
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hosting.model import State
from protocol.codes import CODES
from tests.examples import examples
from tests.functions.house import House, Match, http, invoke, request, running, sample

CONNECTION = "JKJbGdM1liACGqw="

FIELDS = (
    *("name", "ruleset", "seats", "options", "title", "entropy", "turn_id", "action"),
    *("target", "message", "match_id", "after", "move", "request_id", "reasoning", "__class__"),
    *("character_id", "archetype", "backstory", "personality", "strategy", "mode", "thinking"),
)
HEADERS = (
    *("authorization", "Authorization", "content-type", "if-none-match", "accept-encoding"),
    *("cookie", "host", "x-forwarded-for", "accept", "origin"),
)

fuzzed = settings(
    max_examples=examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture]
)

texts = st.text(max_size=30)
scalars = st.none() | st.booleans() | st.integers() | st.floats() | texts
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
names = st.sampled_from(FIELDS)
objects = st.dictionaries(names | texts, values, max_size=6)
bodies = (
    objects.map(json.dumps)
    | values.map(json.dumps)
    | st.text(max_size=200)
    | st.integers(0, 9000).map(lambda depth: '{"a":' + "[" * depth)
    | st.integers(32_000, 33_000).map(lambda size: json.dumps({"name": "a" * size}))
)
header_values = st.text(st.characters(codec="latin-1"), max_size=60)
headers = st.dictionaries(
    st.sampled_from(HEADERS) | texts,
    header_values | st.text(max_size=20).map(lambda text: f"Bearer {text}"),
    max_size=4,
)
queries = st.dictionaries(
    st.sampled_from(["status", "ruleset", "limit", "cursor", "after", "mode", "thinking"]) | texts,
    st.sampled_from(["open", "running", "over", "werewolf-0.2", "1", "0", "-1", "1e3", "1,2"])
    | st.sampled_from(["mystery", "omniscient", "true", "false"])
    | st.text(max_size=40)
    | st.binary(max_size=60).map(lambda raw: base64.urlsafe_b64encode(raw).decode()),
    max_size=4,
)
methods = st.sampled_from(["GET", "POST", "DELETE", "PUT", "PATCH", "HEAD", "OPTIONS", "get", "X"])


@dataclass
class Scene:
    """A running match that nothing here may change."""

    house: House
    match: Match
    before: State | None

    def paths(self) -> st.SearchStrategy[str]:
        own = self.match.path
        known = [
            "/agents",
            "/characters",
            "/archetypes",
            "/matches",
            "/rules",
            "/openapi.json",
            "/",
            "",
        ]
        tails = ["", "/state", "/events", "/replay", "/moves", "/start", "/seats"]
        return (
            st.sampled_from([*known, *(own + tail for tail in tails)])
            | st.text(max_size=30).map(lambda text: f"/matches/{text}/moves")
            | st.text(max_size=30).map(lambda text: f"/{text}")
        )

    def unchanged(self) -> bool:
        return self.house.matches.state(self.match.match_id) == self.before


@pytest.fixture(scope="module")
def scene(shared_house: House) -> Scene:
    match = running()
    return Scene(shared_house, match, shared_house.matches.state(match.match_id))


def harmless(answer: Any) -> None:
    assert answer.status < 500, answer.text
    assert "Traceback" not in answer.text
    if answer.status >= 400:
        assert answer.headers["content-type"] == "application/problem+json"
        assert CODES[answer.body["code"]][0] == answer.status


@fuzzed
@given(st.data())
def test_any_request(scene: Scene, data: st.DataObject) -> None:
    body = data.draw(st.none() | bodies, "body")
    event = request(
        data.draw(methods, "method"),
        data.draw(scene.paths(), "path"),
        text=body,
        query=data.draw(queries, "query"),
        token=data.draw(st.none() | st.sampled_from([p.token for p in scene.match.players])),
        headers=data.draw(headers, "headers"),
    )
    if body is not None and data.draw(st.booleans(), "encoded"):
        event["body"] = base64.b64encode(body.encode(errors="replace")).decode()
        event["isBase64Encoded"] = True
    harmless(http(event))
    assert scene.unchanged()


@fuzzed
@given(
    player=st.integers(0, 4),
    body=objects,
    turn_id=st.sampled_from(["1.night_wolves.0", "1.night_seer.0", "0", ""]) | texts,
    action=st.sampled_from(["inspect", "say", "vote", "skip", "pass", "abstain", "KILL"]) | values,
)
def test_any_move_that_is_not_legal(
    scene: Scene, player: int, body: dict[str, Any], turn_id: str, action: Any
) -> None:
    token = scene.match.players[player].token
    text = json.dumps({**body, "turn_id": turn_id, "action": action})
    answer = http(request("POST", f"{scene.match.path}/moves", text=text, token=token))
    harmless(answer)
    assert answer.status >= 400
    assert scene.unchanged()


@fuzzed
@given(
    frame=bodies
    | st.builds(
        lambda action, rest: json.dumps({**rest, "action": action}),
        st.sampled_from(["subscribe", "unsubscribe", "move", "ping"]),
        objects,
    ),
    player=st.none() | st.integers(0, 4),
)
def test_any_frame(scene: Scene, frame: str, player: int | None) -> None:
    scene.house.fake_sockets.sent.clear()
    event = sample("socket/ping", match_id=scene.match.match_id)
    event["body"] = frame
    event["requestContext"]["authorizer"] = {"principalId": "spectator"}
    if player is not None:
        agent = scene.match.players[player]
        caller = scene.house.identity.caller(agent.token)
        event["requestContext"]["authorizer"] = {
            "agent_id": agent.agent_id,
            "digest": caller.digest.hex(),
        }
    assert invoke("socket", event) == {"statusCode": 200}
    (answer,) = scene.house.fake_sockets.of(CONNECTION)
    if answer["type"] == "error":
        assert CODES[answer["code"]][0] < 500
    else:
        assert answer["type"] in {"pong", "unsubscribed"}
    assert scene.unchanged()


@fuzzed
@given(header=st.none() | header_values, query=st.none() | st.text(max_size=60))
def test_any_token(scene: Scene, header: str | None, query: str | None) -> None:
    event = sample("authorizer/no-token")
    if header is not None:
        event["headers"]["authorization"] = header
    if query is not None:
        event["queryStringParameters"] = {"token": query}
    policy = invoke("authorizer", event)
    expected = "Allow" if header is None and query is None else "Deny"
    assert policy["policyDocument"]["Statement"][0]["Effect"] == expected
