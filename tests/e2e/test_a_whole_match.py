"""Matches from the first seat to the last word, as agents and onlookers see them."""

import hashlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from websockets.sync.client import ClientConnection

from tests.e2e.players import Agent, Game, World, ask, eventually, frames, plain


@pytest.fixture(scope="module")
def world(both: Any) -> Iterator[World]:
    with World(both) as world:
        yield world


def test_the_index_names_the_address_of_the_socket(world: World) -> None:
    assert world.anybody.get("/")["socket"] == world.ws_url


def all_events(game: Game, agent: Agent | None, world: World) -> list[Any]:
    rest = agent.rest if agent else world.anybody
    events: list[Any] = []
    while True:
        page = rest.get(f"{game.path}/events", after=len(events), limit=50)
        events += page["events"]
        if not page["more"]:
            return events


class Watching:
    """A socket that follows a match, and what it was told."""

    def __init__(self, socket: ClientConnection, game: Game) -> None:
        self._socket = socket
        self._game = game
        self.events: dict[int, Any] = {}
        self.turns: list[str] = []
        ask(socket, action="subscribe", match_id=game.match_id, after=0)

    def until(self, found: Callable[[Any], bool]) -> Any:
        """Read up to the frame that `found` accepts."""
        accepted = None
        for frame in frames(self._socket, found):
            accepted = accepted or (frame if found(frame) else None)
            if frame["type"] == "event":
                event = frame["event"]
                assert self.events.setdefault(event["seq"], event) == event
            elif frame["type"] == "your_turn":
                self.turns.append(frame["turn"]["turn_id"])
        return accepted

    def move(self, turn: dict[str, Any]) -> Any:
        """Make a plain move through the socket; the receipt."""
        message = {"match_id": self._game.match_id, "turn_id": turn["turn_id"]}
        request_id = turn["turn_id"]
        ask(self._socket, action="move", move=plain(turn), request_id=request_id, **message)
        return self.until(lambda frame: frame.get("request_id") == request_id)


def test_seven_agents_play_and_somebody_watches(world: World) -> None:
    agents = [world.agent() for _ in range(7)]
    game = world.game(agents, turn_deadline_ms=60_000, talk_rounds=1, max_days=4)
    player = game.agents[0]
    made = []
    with world.socket() as window_socket, world.socket(player) as own_socket:
        window, own = Watching(window_socket, game), Watching(own_socket, game)
        while world.anybody.get(game.path)["status"] == "running":
            for agent in game.agents:
                turn = game.state(agent)["your_turn"]
                if not turn:
                    continue
                if agent is player:
                    receipt = own.move(turn)
                    assert receipt["type"] == "move_accepted", receipt
                    made.append(turn["turn_id"])
                else:
                    answer = game.move(agent, turn["turn_id"], **plain(turn))
                    assert answer.status_code == 200, answer.text
                    receipt = answer.json()
                assert (receipt["seat"], receipt["turn_id"]) == (agent.seat, turn["turn_id"])

        for watching, viewer in ((window, None), (own, player)):
            watching.until(lambda frame: is_event(frame, "faction_win"))
            told = all_events(game, viewer, world)
            assert [watching.events[seq] for seq in sorted(watching.events)] == told
            assert [event["seq"] for event in told] == list(range(1, len(told) + 1))
        assert set(own.turns) == set(made)
        assert window.turns == []

    summary = world.anybody.get(game.path)
    assert summary["status"] == "over"
    assert summary["winner"] in {"werewolves", "villagers"}
    assert sorted(rank["seat"] for rank in summary["ranking"]) == list(range(7))
    replay = world.anybody.get(f"{game.path}/replay")
    assert replay["format"] == "lanternwell-replay-1"
    assert hashlib.sha256(bytes.fromhex(replay["seed"])).hexdigest() == summary["commitment"]
    assert replay["commitment"] == summary["commitment"]
    assert {player["agent_id"] for player in replay["players"]} == {a.agent_id for a in agents}


def test_the_silent_one_is_struck_out(world: World) -> None:
    agents = [world.agent() for _ in range(5)]
    few = {"talk_rounds": 2, "max_consecutive_timeouts": 2}
    game = world.game(agents, turn_deadline_ms=4_000, **few)
    silent, turn = game.play_until("day_talk")

    def struck_out() -> bool:
        for other in game.agents:
            now = game.state(other)["your_turn"] if other is not silent else None
            if now:
                game.move(other, now["turn_id"], **quiet(now))
        events = all_events(game, None, world)
        return any(
            event["type"] == "elimination"
            and event["data"]["seat"] == silent.seat
            and event["data"]["cause"] == "left"
            for event in events
        )

    eventually(struck_out)
    gone = game.move(silent, turn["turn_id"], action="pass")
    assert gone.status_code == 409
    assert gone.json()["code"] in {"eliminated", "match_over", "deadline_passed"}


def test_twenty_moves_at_once_in_one_turn(world: World) -> None:
    game = world.game([world.agent() for _ in range(5)], turn_deadline_ms=60_000)
    agent, turn = game.play_until("day_talk")
    before = world.anybody.get(f"{game.path}/events")["next"]
    texts = ["the same words"] * 10 + [f"other words {n}" for n in range(10)]

    def speak(text: str) -> Any:
        return game.move(agent, turn["turn_id"], action="say", message=text)

    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(speak, texts))

    accepted = [n for n, answer in enumerate(answers) if answer.status_code == 200]
    words = {texts[n] for n in accepted}
    assert len(words) == 1
    assert len(accepted) == texts.count(words.pop())
    assert len({answers[n].text for n in accepted}) == 1
    for n, answer in enumerate(answers):
        if n not in accepted:
            assert (answer.status_code, answer.json()["code"]) == (409, "turn_used")
    page = world.anybody.get(f"{game.path}/events", after=before)
    assert [event["type"] for event in page["events"]].count("message") == 1


def test_twenty_agents_for_the_last_seat(world: World) -> None:
    first = [world.agent() for _ in range(4)]
    match_id = world.table(first[0])
    for agent in first:
        agent.rest.post(f"/matches/{match_id}/seats", {})
    rivals = [world.agent() for _ in range(20)]

    with ThreadPoolExecutor(20) as pool:
        answers = list(
            pool.map(lambda one: one.rest.call("POST", f"/matches/{match_id}/seats", {}), rivals)
        )

    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 19
    codes = {answer.json()["code"] for answer in answers if answer.status_code == 409}
    assert codes <= {"table_full", "match_not_open"}
    summary = world.anybody.get(f"/matches/{match_id}")
    assert summary["status"] == "running"
    assert summary["taken"] == 5


def is_event(frame: Any, kind: str) -> bool:
    return frame["type"] == "event" and frame["event"]["type"] == kind


def quiet(turn: dict[str, Any]) -> dict[str, Any]:
    """As little as the turn allows."""
    offers = {offer["action"] for offer in turn["legal_actions"]}
    for action in ("pass", "abstain", "skip"):
        if action in offers:
            return {"action": action}
    return plain(turn)


@pytest.mark.parametrize("what", ["state", "events"])
def test_what_the_caller_has_already_does_not_come_twice(world: World, what: str) -> None:
    path = f"/matches/{world.table(world.agent())}/{what}"
    first = world.anybody.call("GET", path)
    again = world.anybody.call("GET", path, headers={"if-none-match": first.headers["etag"]})
    assert first.status_code == 200
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == first.headers["etag"]
