"""The functions on the platform of one machine, in memory, fed with the sample events."""

import base64
import copy
import gzip
import itertools
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

from hosting.adapters.local_stream import stream_record
from hosting.adapters.sqlite import MATCHES
from hosting.items import LOG
from hosting.ports import Gone, SlowDown
from hosting.wiring import Platform
from local.functions import call
from protocol.frames import SENT
from protocol.schemas import adapter

ROOT: Final = Path(__file__).resolve().parents[2]
SAMPLE_MATCH: Final = "k3jw7qzm5c2xdn4a"
SAMPLE_CHARACTER: Final = "m4ktq2xn7c5wdz3a"
SAMPLE_AGENT: Final = "g7ndq2m5xk4tw3za"
SAMPLE_TOKEN: Final = f"{SAMPLE_AGENT}.Zl3nUj0YxY7o6Yv6wq9mXfJYk1kqg2tq0Hn9rB8sV4c"


def invoke(name: str, event: Mapping[str, Any]) -> Any:
    """Call a function with an event; both go through JSON, as they would."""
    answer = call(name, json.loads(json.dumps(event)))
    return json.loads(json.dumps(answer))


def sample(path: str, **replacements: str) -> dict[str, Any]:
    """A sample event, with its match, agent or token replaced by real ones."""
    text = (ROOT / "events" / f"{path}.json").read_text()
    found = {"token": SAMPLE_TOKEN, "agent_id": SAMPLE_AGENT, "match_id": SAMPLE_MATCH}
    found["character_id"] = SAMPLE_CHARACTER
    for name, value in replacements.items():
        text = text.replace(found[name], value)
    event: dict[str, Any] = json.loads(text)
    return event


@dataclass
class Answer:
    """An HTTP response."""

    status: int
    headers: dict[str, str]
    content: bytes

    @property
    def text(self) -> str:
        """What it says."""
        return self.content.decode()

    @property
    def body(self) -> Any:
        """The JSON in it."""
        return json.loads(self.text)

    @classmethod
    def of(cls, answer: Mapping[str, Any]) -> "Answer":
        """From what the function gives to API Gateway."""
        raw = answer.get("body") or ""
        content = base64.b64decode(raw) if answer["isBase64Encoded"] else raw.encode()
        headers = {name.lower(): value for name, value in answer["headers"].items()}
        if headers.get("content-encoding") == "gzip":
            content = gzip.decompress(content)
        return cls(answer["statusCode"], headers, content)


def http(event: Mapping[str, Any]) -> Answer:
    """The response of the api function."""
    return Answer.of(invoke("api", event))


def request(
    method: str,
    path: str,
    body: Any = None,
    *,
    token: str | None = None,
    text: str | None = None,
    query: Mapping[str, str] | None = None,
    headers: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """An HTTP event like the samples; `text` is a body as it is."""
    event = copy.deepcopy(_plain_request())
    event["rawPath"] = event["requestContext"]["http"]["path"] = path
    event["requestContext"]["http"]["method"] = method
    event["headers"] |= headers or {}
    if token is not None:
        event["headers"]["authorization"] = f"Bearer {token}"
    if query:
        event["queryStringParameters"] = dict(query)
    if body is not None or text is not None:
        event["body"] = json.dumps(body) if text is None else text
    return event


@cache
def _plain_request() -> dict[str, Any]:
    return sample("api/list-rules")


@dataclass
class FakeSockets:
    """Open sockets and the frames that they were sent."""

    sent: dict[str, list[Any]] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)
    slow: set[str] = field(default_factory=set)
    broken: set[str] = field(default_factory=set)

    def post(self, connection_id: str, frame: bytes) -> None:
        """Keep a frame, or fail as told."""
        if connection_id in self.gone:
            raise Gone(connection_id)
        if connection_id in self.slow:
            raise SlowDown(connection_id)
        if connection_id in self.broken:
            raise OSError("cannot be reached")
        told = json.loads(frame)
        adapter(SENT[told["type"]]).validate_python(told)  # nothing is sent that is not documented
        self.sent.setdefault(connection_id, []).append(told)

    def close(self, connection_id: str) -> None:
        """It is gone from now on."""
        self.gone.add(connection_id)

    def of(self, connection_id: str) -> list[Any]:
        """All frames of a connection so far."""
        return self.sent.get(connection_id, [])

    def last(self, connection_id: str) -> Any:
        """The last frame of a connection."""
        return self.of(connection_id)[-1]


@dataclass
class FakeClockStarter:
    """The executions that were started."""

    started: dict[str, Any] = field(default_factory=dict)

    def start(self, name: str, payload: str) -> None:
        """Start an execution unless one of that name exists."""
        self.started.setdefault(name, json.loads(payload))


@dataclass
class FakeQueue:
    """The messages that were sent."""

    bodies: list[str] = field(default_factory=list)

    def send(self, body: str, *, delay_s: int) -> None:
        """Keep a message."""
        self.bodies.append(body)


ENVIRONMENT: Final = {
    "LANTERNWELL_DATABASE": ":memory:",
    "REGISTER_LIMIT_PER_MINUTE": "100000",
    "OPEN_LIMIT_PER_MINUTE": "100000",
    "MOVE_LIMIT_PER_SECOND": "100000",
    "SOCKET_ENDPOINT": "https://sockets.example/play",
}


class House(Platform):
    """The platform in memory, with a clock that tests turn."""

    def __init__(self) -> None:
        super().__init__(ENVIRONMENT)
        self.time = 1_767_225_600_000
        self.fake_sockets = FakeSockets()
        self.fake_clock = FakeClockStarter()
        self.fake_queue = FakeQueue()

    sockets = property(lambda self: self.fake_sockets)  # type: ignore[assignment]
    clock_starter = property(lambda self: self.fake_clock)  # type: ignore[assignment]
    bots_queue = property(lambda self: self.fake_queue)  # type: ignore[assignment]

    def now(self) -> int:
        """The time that the test made it."""
        return self.time

    def log_records(self, match_id: str, first: int = 1) -> list[dict[str, Any]]:
        """The stream records of a match's log entries, from a version on."""
        condition = "pk = ? AND sk GLOB ? ORDER BY number"
        with self.ports.database.reading() as items:  # type: ignore[attr-defined]
            found = items.rows(MATCHES, "item", condition, f"MATCH#{match_id}", f"{LOG}*")
        images = [json.loads(item) for (item,) in found]
        return [stream_record(100 + n, image) for n, image in enumerate(images, 1) if n >= first]


@dataclass
class Player:
    """A registered agent."""

    agent_id: str
    name: str
    token: str
    seat: int = -1


@dataclass
class Match:
    """A match and its players, in seat order once it runs."""

    match_id: str
    players: list[Player]

    @property
    def path(self) -> str:
        """Where it is."""
        return f"/matches/{self.match_id}"

    def state(self, player: Player | None = None) -> Any:
        """What a player, or a spectator, sees."""
        token = player.token if player else None
        return good(request("GET", f"{self.path}/state", token=token))

    def on_turn(self) -> tuple[Player, Any]:
        """Whose turn it is, and the turn."""
        for player in self.players:
            turn = self.state(player)["your_turn"]
            if turn:
                return player, turn
        raise AssertionError("nobody is on turn")

    def move(self, player: Player, turn_id: str, **move: Any) -> Answer:
        """One move, whatever comes of it."""
        body = {"turn_id": turn_id, **move}
        return http(request("POST", f"{self.path}/moves", body, token=player.token))

    def play_until(self, stop: Callable[[Any], bool]) -> tuple[Player, Any]:
        """Make plain moves until a turn comes that `stop` accepts."""
        for _ in range(200):
            player, turn = self.on_turn()
            if stop(turn):
                return player, turn
            answer = self.move(player, turn["turn_id"], **plain(turn))
            assert answer.status == 200, answer.text
        raise AssertionError("it never came")


def plain(turn: Mapping[str, Any]) -> dict[str, Any]:
    """The first legal action of a turn, with the first target and few words."""
    offer = turn["legal_actions"][0]
    move = {"action": offer["action"]}
    if "targets" in offer:
        move["target"] = offer["targets"][0]
    elif "max_message_chars" in offer:
        move["message"] = "I am a villager."
    return move


def good(event: Mapping[str, Any]) -> Any:
    """The body of a response that must be a success."""
    answer = http(event)
    assert 200 <= answer.status < 300, answer.text
    return answer.body


def register(name: str) -> Player:
    """A new agent."""
    return Player(**good(request("POST", "/agents", {"name": name})))


def open_table(
    host: Player, seats: int = 5, ruleset: str = "werewolf-0.2", **options: Any
) -> Match:
    """A table at which nobody sits."""
    body = {"ruleset": ruleset, "seats": seats, "options": options}
    return Match(good(request("POST", "/matches", body, token=host.token))["match_id"], [])


def seat(match: Match, player: Player) -> None:
    """Sit down."""
    good(request("POST", f"{match.path}/seats", {}, token=player.token))
    match.players.append(player)


_numbers = itertools.count(1)


def running(seats: int = 5, **options: Any) -> Match:
    """A match that has just started; `ruleset` may be among the options."""
    players = [register(f"Player {next(_numbers)}") for _ in range(seats)]
    match = open_table(players[0], len(players), **options)
    for player in players:
        seat(match, player)
    summary = good(request("GET", match.path))
    assert summary["status"] == "running"
    seats = {row["agent_id"]: row["seat"] for row in summary["players"]}
    for player in players:
        player.seat = seats[player.agent_id]
    match.players.sort(key=lambda player: player.seat)
    return match


def finished() -> Match:
    """A match that is over: everybody has left."""
    match = running()
    for player in match.players:
        answer = http(request("DELETE", f"{match.path}/seats/me", token=player.token))
        if match.state()["status"] == "over":
            return match
        assert answer.status == 200, answer.text
    raise AssertionError("the match goes on without players")


def refused(answer: Answer, status: int, code: str) -> Any:
    """The problem in a response, which must be this one."""
    kind = answer.headers.get("content-type")
    assert (answer.status, kind) == (status, "application/problem+json"), answer.text
    problem = answer.body
    assert (problem["code"], problem["status"]) == (code, status)
    assert problem["type"] == f"urn:lanternwell:problem:{code}"
    assert problem["title"]
    assert problem["detail"]
    assert answer.headers["cache-control"] == "no-store"
    return problem
