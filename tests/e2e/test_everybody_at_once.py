"""Eight at one table that all act at once, through WebSockets alone. Two lose their connection."""

import json
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

import pytest
from websockets.sync.client import ClientConnection

from tests.e2e.conftest import SWIFT
from tests.e2e.players import Agent, Game, World, ask

PATIENCE = 90.0
LATE_MS = 1_500


@dataclass
class Client:
    """One player's program: a socket, and what came through it."""

    world: World
    agent: Agent
    match_id: str
    events: dict[int, Any] = field(default_factory=dict)
    turn: Any = None
    _open: ExitStack = field(default_factory=ExitStack)
    _socket: ClientConnection | None = None
    _asked: int = 0

    def connect(self) -> None:
        """Open a socket, and be told what was missed."""
        self._socket = self._open.enter_context(self.world.socket(self.agent))
        ask(self._socket, action="subscribe", match_id=self.match_id, after=len(self.events))

    def drop(self) -> None:
        """Lose the connection."""
        self._open.close()
        self.turn = None

    def until(self, found: Callable[[Any], bool]) -> Any:
        """Read frames up to one that is wanted."""
        assert self._socket is not None
        end = time.monotonic() + PATIENCE
        while True:
            frame = json.loads(self._socket.recv(timeout=max(0.1, end - time.monotonic())))
            for event in frame.get("events", [frame["event"]] if "event" in frame else []):
                assert self.events.setdefault(event["seq"], event) == event
            if frame["type"] == "your_turn":
                self.turn = frame["turn"]
            if found(frame):
                return frame

    def event(self, kind: str, day: int = 1, number: int = 1) -> Any:
        """The event of this kind on this day, which may have come already."""

        def those() -> list[Any]:
            return [
                event
                for event in list(self.events.values())
                if event["type"] == kind and event["data"].get("day", day) == day
            ]

        if len(those()) < number:
            self.until(lambda _: len(those()) >= number)
        return those()[number - 1]

    def card(self) -> Any:
        """The player's own card."""
        return self.event("role_private")["data"]

    def turn_in(self, phase: str) -> Any:
        """The player's turn in this phase."""
        if self.turn is None or self.turn["phase"] != phase:
            self.until(lambda frame: frame.get("turn", {}).get("phase") == phase)
        return self.turn

    def move(self, phase: str, **move: Any) -> None:
        """A move in this phase, which must be accepted."""
        self._asked += 1
        number = self._asked
        turn_id = self.turn_in(phase)["turn_id"]
        message = {"match_id": self.match_id, "turn_id": turn_id, "move": move}
        assert self._socket is not None
        ask(self._socket, action="move", request_id=f"{number}", **message)
        answer = self.until(lambda frame: frame.get("request_id") == f"{number}")
        assert answer["type"] == "move_accepted", answer
        day, name, count = turn_id.split(".")
        following = f"{day}.{name}.{int(count) + 1}"
        if move["action"] == "lock":
            self.turn = None
        elif self.turn["turn_id"] != following:
            self.until(lambda frame: frame.get("turn", {}).get("turn_id") == following)


class Table:
    """Eight programs, and the moments at which they wait for one another."""

    def __init__(self, world: World, game: Game) -> None:
        self.clients = [Client(world, agent, game.match_id) for agent in game.agents]
        self._together = threading.Barrier(len(self.clients))

    def meet(self) -> None:
        """Go on once all are here."""
        self._together.wait(PATIENCE)

    def play(self) -> None:
        """One night and one day; all play side by side."""
        with ThreadPoolExecutor(len(self.clients)) as pool:
            played = [pool.submit(self._play, client) for client in self.clients]
        errors = [error for error in (one.exception() for one in played) if error is not None]
        for error in sorted(errors, key=lambda e: isinstance(e, threading.BrokenBarrierError)):
            raise error

    def _play(self, client: Client) -> None:
        try:
            client.connect()
            self._night(client)
            self._day(client)
            client.event("faction_win")
        except BaseException:
            self._together.abort()
            raise
        finally:
            client.drop()

    def wolf(self) -> int:
        """The werewolf's seat. Those at the table do not know it; this test does."""
        return next(c.agent.seat for c in self.clients if c.card()["role"] == "werewolf")

    def _night(self, client: Client) -> None:
        role, seat = client.card()["role"], client.agent.seat
        client.turn_in("night")
        self.meet()
        wolf = self.wolf()
        if role in ("werewolf", "seer"):
            client.move("night", action="choose", target=(wolf + 1) % 8 if seat == wolf else wolf)
        self.meet()
        self._drop_and_return(client, "night", (wolf + 2) % 8, number=1)
        self.meet()
        client.move("night", action="lock")
        client.event("dawn")

    def _day(self, client: Client) -> None:
        wolf, seat = self.wolf(), client.agent.seat
        living = client.event("dawn")["data"]["killed"] != seat
        if living:
            client.turn_in("day")
        self.meet()
        if living:
            client.move("day", action="say", message=f"I am number {seat}.")
        self.meet()
        self._drop_and_return(client, "day", (wolf + 3) % 8, number=2)
        self.meet()
        if living:
            client.move("day", action="vote", target=wolf if seat != wolf else (wolf + 2) % 8)
        self.meet()
        if living:
            client.move("day", action="lock")

    def _drop_and_return(self, client: Client, phase: str, absent: int, *, number: int) -> None:
        """One loses its connection; all hear of it, and that it is back."""
        if client.agent.seat == absent:
            time.sleep(0.5)
            client.drop()
            time.sleep(3)
            client.connect()
        paused = client.event("paused", number=number)["data"]
        assert (paused["phase"], paused["waiting_for"]) == (phase, [absent])
        deadline = client.event("resumed", number=number)["data"]["latest_ms"]
        alive = all(
            event["data"]["seat"] != client.agent.seat
            for event in client.events.values()
            if event["type"] == "elimination"
        )
        if alive and (client.turn is None or client.turn["deadline_ms"] != deadline):
            client.until(lambda frame: frame.get("turn", {}).get("deadline_ms") == deadline)


@pytest.mark.parametrize(
    ("platform", "speed"),
    [("swift", SWIFT), pytest.param("cloud", 1, marks=pytest.mark.e2e)],
)
def test_a_night_and_a_day_with_two_who_drop_out_and_return(
    request: pytest.FixtureRequest, platform: str, speed: int
) -> None:
    with World(request.getfixturevalue(platform)) as world:
        two_drop_out_and_return(world, late_ms=LATE_MS * speed)


def two_drop_out_and_return(world: World, *, late_ms: int) -> None:
    agents = [world.agent() for _ in range(8)]
    game = world.game(agents, ruleset="traditional-1", wolves=1, doctor=False, day_minutes=2)
    table = Table(world, game)
    table.play()

    summary = world.anybody.get(game.path)
    assert (summary["status"], summary["winner"]) == ("over", "villagers")
    events = world.anybody.get(f"{game.path}/replay")["events"]
    of = {kind: [e for e in events if e["type"] == kind] for kind in {e["type"] for e in events}}
    assert [e["data"]["phase"] for e in of["paused"]] == ["night", "day"]
    for start, resumed, end in (
        ("night_start", of["resumed"][0], of["dawn"][0]),
        ("day_start", of["resumed"][1], of["votes_revealed"][0]),
    ):
        stood = resumed["at"] - of["paused"][resumed is of["resumed"][1]]["at"]
        assert stood >= 2_000
        earliest = resumed["data"]["earliest_ms"]
        assert earliest == of[start][0]["data"]["earliest_ms"] + stood, "the time that was left"
        assert 0 <= end["at"] - earliest <= late_ms, "all had locked before"
    assert sum(e["data"]["action"] == "lock" for e in of["action_private"]) == 8
    assert sum(e["data"]["action"] == "lock" for e in of["action"]) == 7
    assert len(of["message"]) == 7
    for client in table.clients:
        assert sorted(client.events) == [*range(1, len(client.events) + 1)]
