"""So many sockets look on at a match; players always find room, and are served first."""

import pytest

from hosting.errors import TooManySpectators
from hosting.model import Caller
from tests.hosting.test_races import at_once
from tests.hosting.world import (
    MANY,
    RULES,
    World,
    agent,
    agents,
    awaited,
    frames_of,
    refusal,
    running,
    simple_move,
)


@pytest.fixture
def world() -> World:
    """Three may look on."""
    return World({**MANY, "SPECTATORS_PER_MATCH": "3"})


def follow(world: World, connection_id: str, match_id: str, caller: Caller | None = None) -> None:
    world.subscriptions.connect(connection_id, caller)
    world.subscriptions.subscribe(connection_id, match_id)


def watchers(world: World, match_id: str) -> set[str]:
    return {watcher.connection_id for watcher in world.connections.watchers(match_id)}


def test_the_fourth_is_refused_and_sent_nothing(world: World) -> None:
    match_id, callers = running(world)
    follow(world, "a", match_id)
    follow(world, "b", match_id, agent(world, "a stranger"))
    follow(world, "c", match_id)
    for connection_id, caller in (("d", None), ("e", agent(world, "another"))):
        world.subscriptions.connect(connection_id, caller)
        told = refusal(world.subscriptions.subscribe, connection_id, match_id)
        assert isinstance(told, TooManySpectators)
        assert frames_of(world, connection_id) == []
    for seat, caller in enumerate(callers):
        follow(world, f"{seat}", match_id, caller)
    assert watchers(world, match_id) == {"a", "b", "c"} | {f"{seat}" for seat in range(7)}
    world.subscriptions.subscribe("b", match_id, after=2)
    world.subscriptions.unsubscribe("b", match_id)
    world.subscriptions.subscribe("d", match_id)
    assert frames_of(world, "d")[0]["type"] == "subscribed"


def test_those_at_an_open_table_are_no_spectators(world: World) -> None:
    callers = agents(world, 5)
    match_id = world.opening.open(callers[0], ruleset=RULES, seats=6)["match_id"]
    for number, caller in enumerate(callers):
        world.seating.sit(match_id, caller)
        follow(world, f"{number}", match_id, caller)
    for connection_id in "abc":
        follow(world, connection_id, match_id)
    world.subscriptions.connect("d", None)
    assert refusal(world.subscriptions.subscribe, "d", match_id).code == "too_many_spectators"
    late = agent(world, "late")
    world.subscriptions.connect("e", late)
    assert refusal(world.subscriptions.subscribe, "e", match_id).code == "too_many_spectators"
    world.seating.sit(match_id, late)
    world.subscriptions.subscribe("e", match_id)


def test_who_knows_everything_always_finds_room(world: World) -> None:
    host, *players = agents(world, 7)
    options = {"omniscient": True}
    match_id = world.opening.open(host, ruleset="house-9", seats=6, options=options)["match_id"]
    for player in players:
        world.seating.sit(match_id, player)
    for connection_id in "abc":
        follow(world, connection_id, match_id)
    world.subscriptions.connect("host", host)
    world.subscriptions.subscribe("host", match_id, mode="omniscient")
    world.subscriptions.unsubscribe("a", match_id)
    follow(world, "d", match_id)


def test_those_who_come_at_the_same_time_are_counted_too(world: World) -> None:
    match_id, _ = running(world)
    for number in range(12):
        world.subscriptions.connect(f"{number}", None)
    answers = at_once(
        [lambda one=f"{n}": world.subscriptions.subscribe(one, match_id) for n in range(12)]  # type: ignore[misc]
    )
    assert len(watchers(world, match_id)) == answers.count(None) <= 3
    assert set(answers) <= {None, "too_many_spectators", "busy"}


def test_players_are_served_before_spectators(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hosting.live.push.SIDE_BY_SIDE", 1)
    match_id, callers = running(world)
    for connection_id in "abc":
        follow(world, connection_id, match_id)
    for seat, caller in enumerate(callers):
        follow(world, f"seat {seat}", match_id, caller)
    seat, turn = awaited(world, match_id)
    while turn["phase"] != "day_talk":
        world.play.move(match_id, callers[seat], turn["turn_id"], simple_move(turn))
        seat, turn = awaited(world, match_id)
    world.drain()
    served: list[str] = []
    world.sockets.on_post = served.append
    world.play.move(match_id, callers[seat], turn["turn_id"], simple_move(turn))
    world.drain()
    assert set(served) == {*"abc", *(f"seat {number}" for number in range(7))}
    assert set(list(dict.fromkeys(served))[-3:]) == set("abc")
