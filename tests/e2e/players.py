"""Agents for the end-to-end tests: plain HTTP and WebSockets, nothing of the project's own code."""

import json
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Self

import httpx
from websockets.sync.client import ClientConnection, connect

PATIENCE = 90.0
"""Seconds after which something that should have happened will not."""
TOO_LATE = {"deadline_passed", "turn_over", "not_your_turn"}
"""What a move is told that came after its deadline, on a machine with much to do."""


class Rest:
    """The REST calls of one caller; `token` None is somebody nobody knows."""

    def __init__(self, client: httpx.Client, token: str | None = None) -> None:
        self._client = client
        self._headers = {"authorization": f"Bearer {token}"} if token else {}

    def call(self, method: str, path: str, body: Any = None, **more: Any) -> httpx.Response:
        """One request; `body` is sent as JSON. Who is told to come back does so."""
        headers = self._headers | more.pop("headers", {})
        if body is not None:
            more["content"] = json.dumps(body)
        end = time.monotonic() + PATIENCE
        while True:
            answer = self._client.request(method, path, headers=headers, **more)
            if answer.status_code != 503 or time.monotonic() > end:
                return answer
            time.sleep(float(answer.headers.get("retry-after", 1)))

    def get(self, path: str, **params: Any) -> Any:
        """The body of a GET that must succeed."""
        return self._good(self.call("GET", path, params=params))

    def post(self, path: str, body: Any = None) -> Any:
        """The body of a POST that must succeed."""
        return self._good(self.call("POST", path, body))

    @staticmethod
    def _good(response: httpx.Response) -> Any:
        assert response.is_success, (
            f"{response.request.url}: {response.status_code} {response.text}"
        )
        return response.json()


@dataclass(frozen=True)
class Agent:
    """A registered agent."""

    rest: Rest
    agent_id: str
    name: str
    token: str
    seat: int = -1


@dataclass
class Game:
    """A match with all its players, in seat order once it runs."""

    match_id: str
    agents: list[Agent]

    @property
    def path(self) -> str:
        """Where the match is."""
        return f"/matches/{self.match_id}"

    def state(self, agent: Agent) -> Any:
        """What this player sees."""
        return agent.rest.get(f"{self.path}/state")

    def on_turn(self) -> tuple[Agent, dict[str, Any]]:
        """Whose turn it is, and the turn. Somebody must have one, if not the very moment when it
        is asked: while one is asked after the other, a turn may pass from those to these."""

        def found() -> tuple[Agent, dict[str, Any]] | None:
            for agent in self.agents:
                turn = self.state(agent)["your_turn"]
                if turn:
                    return agent, turn
            return None

        on_turn: tuple[Agent, dict[str, Any]] = eventually(found)
        return on_turn

    def move(self, agent: Agent, turn_id: str, **move: Any) -> httpx.Response:
        """One move, whatever comes of it."""
        return agent.rest.call("POST", f"{self.path}/moves", {"turn_id": turn_id, **move})

    def play_until(self, phase: str) -> tuple[Agent, dict[str, Any]]:
        """Make plain moves until somebody is on turn in this phase: who, and the turn."""
        for _ in range(60):
            agent, turn = self.on_turn()
            if turn["phase"] == phase:
                return agent, turn
            answer = self.move(agent, turn["turn_id"], **plain(turn))
            late = answer.status_code == 409 and answer.json()["code"] in TOO_LATE
            assert late or answer.status_code == 200, answer.text
        raise AssertionError(f"{phase} never came")


def plain(turn: dict[str, Any]) -> dict[str, Any]:
    """The first legal action of a turn, with the first target and few words."""
    offer = turn["legal_actions"][0]
    move = {"action": offer["action"]}
    if "targets" in offer:
        move["target"] = offer["targets"][0]
    elif "max_message_chars" in offer:
        move["message"] = f"It is day {turn['day']}."
    return move


class World:
    """The deployed platform, and everybody that a test brings to it."""

    def __init__(self, cloud: Any) -> None:
        self.http_url = cloud.http_url
        self.ws_url = cloud.ws_url
        self.client = httpx.Client(base_url=cloud.http_url, timeout=PATIENCE)
        self.anybody = Rest(self.client)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.client.close()

    def agent(self) -> Agent:
        """Somebody new."""
        name = f"e2e {uuid.uuid4().hex[:16]}"
        told = self.anybody.post("/agents", {"name": name})
        return Agent(Rest(self.client, told["token"]), told["agent_id"], name, told["token"])

    def table(
        self, host: Agent, seats: int = 5, ruleset: str = "werewolf-0.2", **options: Any
    ) -> str:
        """A new table; the host does not sit down."""
        body = {"ruleset": ruleset, "seats": seats, "options": options}
        return str(host.rest.post("/matches", body)["match_id"])

    def game(self, agents: list[Agent], **options: Any) -> Game:
        """A running match of these agents; `ruleset` may be among the options."""
        game = Game(self.table(agents[0], len(agents), **options), agents)
        for agent in agents:
            agent.rest.post(f"{game.path}/seats", {})
        summary = self.anybody.get(game.path)
        assert summary["status"] == "running"
        seats = {player["agent_id"]: player["seat"] for player in summary["players"]}
        seated = [replace(agent, seat=seats[agent.agent_id]) for agent in agents]
        game.agents = sorted(seated, key=lambda agent: agent.seat)
        return game

    def socket(self, agent: Agent | None = None) -> ClientConnection:
        """An open WebSocket, a spectator's without an agent."""
        url = f"{self.ws_url}?token={agent.token}" if agent else self.ws_url
        return connect(url, open_timeout=PATIENCE)


def ask(socket: ClientConnection, **frame: Any) -> None:
    """Send one frame."""
    socket.send(json.dumps(frame))


def frames(socket: ClientConnection, until: Callable[[Any], bool]) -> Iterator[Any]:
    """The frames that come in, up to the one that `until` accepts; events one by one."""
    end = time.monotonic() + PATIENCE
    while True:
        told = json.loads(socket.recv(timeout=max(0.1, end - time.monotonic())))
        parts = [told]
        if told["type"] == "events":
            parts = [told | {"type": "event", "event": event} for event in told["events"]]
        yield from parts
        if any(map(until, parts)):
            return


def eventually(found: Callable[[], Any], seconds: float = PATIENCE) -> Any:
    """The first true result of `found`, asked again and again."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        result = found()
        if result:
            return result
        time.sleep(0.1)
    raise AssertionError("it never happened")
