"""The one door: whatever goes wrong on the way, a change is made once or not at all."""

import itertools
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

import werewolf
from hosting.backoff import Backoff
from hosting.errors import Busy, NotFound
from hosting.model import Caller
from hosting.play.change import MatchChange
from hosting.play.transaction import ATTEMPTS, PATIENCE_MS, SENDS
from hosting.ports import Contention
from tests.hosting.fakes import FakeTime
from tests.hosting.world import (
    World,
    agent,
    agents,
    awaited,
    refusal,
    running,
    simple_move,
)

RULES = "werewolf-0.2"
Change = Callable[[], Any]


def log_of(world: World, match_id: str) -> list[tuple[Any, ...]]:
    version = world.state_of(match_id).version
    entries = list(world.matches.entries(match_id, 1, version))
    assert [entry.version for entry in entries] == [*range(1, version + 1)]
    return [(entry.moves, entry.events, entry.effects) for entry in entries]


def a_move(world: World) -> tuple[str, Change]:
    match_id, callers = running(world)
    seat, turn = awaited(world, match_id)
    move = simple_move(turn)
    return match_id, lambda: world.play.move(match_id, callers[seat], turn["turn_id"], move)


def a_seat(world: World) -> tuple[str, Change]:
    host = agent(world, "host")
    match_id = world.opening.open(host, ruleset=RULES)["match_id"]
    return match_id, lambda: world.seating.sit(match_id, host)


def a_start(world: World) -> tuple[str, Change]:
    host, *others = agents(world, 5)
    match_id = world.opening.open(host, ruleset=RULES)["match_id"]
    for caller in (host, *others):
        world.seating.sit(match_id, caller)
    return match_id, lambda: world.starting.start(match_id, host)


def a_departure(world: World) -> tuple[str, Change]:
    match_id, callers = running(world)
    return match_id, lambda: world.play.leave(match_id, callers[4])


def a_deadline(world: World) -> tuple[str, Change]:
    match_id, _ = running(world)
    state = world.state_of(match_id)
    world.time.now_ms = state.deadline or 0
    return match_id, lambda: world.clock.wake(match_id, state.clock, 0)


CHANGES = [a_move, a_seat, a_start, a_departure, a_deadline]
FAULTS: list[list[str]] = [
    ["conflict"],
    ["throttled"],
    ["conflict", "throttled", "conflict"],
    ["lost"],
    ["dropped"],
    ["late"],
    ["dropped", "conflict"],
    ["dropped", "lost"],
    ["late", "conflict"],
    ["conflict", "lost"],
    ["dropped", "dropped", "dropped"],
]


@pytest.mark.parametrize("faults", FAULTS, ids="-".join)
@pytest.mark.parametrize("change", CHANGES, ids=lambda make: make.__name__)
def test_a_change_that_meets_faults_is_made_once(
    change: Callable[[World], tuple[str, Change]],
    faults: list[str],
) -> None:
    smooth, rough = World(), World()
    (smooth_id, smoothly), (rough_id, roughly) = change(smooth), change(rough)
    rough.matches.faults = list(faults)
    assert smoothly() == roughly()
    assert smooth_id == rough_id
    assert log_of(smooth, smooth_id) == log_of(rough, rough_id)
    assert rough.matches.faults == []


@pytest.mark.parametrize("fault", ["lost", "late"])
def test_when_somebody_else_is_faster_a_lost_answer_is_not_taken_for_ones_own(
    world: World, fault: str
) -> None:
    """Both are in flight at the same version; the one whose answer was lost must know who won."""
    host, first, second = agents(world, 3)
    match_id = world.opening.open(host, ruleset=RULES)["match_id"]
    world.matches.faults = ["dropped", lambda: world.seating.sit(match_id, second)]
    answer = world.seating.sit(match_id, first)
    assert answer.created
    assert answer.answer["place"] == 1
    names = [player["name"] for player in world.listing.summary(match_id)["players"]]
    assert names == ["p2", "p1"]
    world.matches.faults = [fault]
    assert world.seating.sit(match_id, host).answer["place"] == 2


def test_a_decision_is_taken_anew_on_what_the_faster_one_left(world: World) -> None:
    match_id, callers = running(world)
    seat, turn = awaited(world, match_id)
    move = simple_move(turn)

    def faster() -> None:
        world.matches.faults = []
        world.play.move(match_id, callers[seat], turn["turn_id"], move)

    world.matches.faults = [faster]
    other = {**move, "target": turn["legal_actions"][0]["targets"][1]}
    refused = refusal(world.play.move, match_id, callers[seat], turn["turn_id"], other)
    assert refused.code == "turn_used"


@pytest.mark.parametrize("fault", ["conflict", "throttled"])
def test_attempts_are_bounded(world: World, fault: str) -> None:
    match_id, move = a_move(world)
    version = world.state_of(match_id).version
    world.matches.faults = [fault] * 50
    refused = refusal(move)
    assert isinstance(refused, Busy)
    assert refused.retry_after == 1
    assert len(world.matches.faults) == 50 - ATTEMPTS
    assert world.state_of(match_id).version == version
    assert len(world.time.slept) == ATTEMPTS - 1
    assert 2 < sum(world.time.slept) < 4


def test_an_outcome_that_stays_unknown_is_told_and_asking_again_is_safe(world: World) -> None:
    match_id, move = a_move(world)
    world.matches.faults = ["lost", *["dropped"] * (SENDS - 1)]
    assert refusal(move).code == "busy"
    version = world.state_of(match_id).version
    receipt = move()
    assert receipt["outcome"] == "accepted"
    assert world.state_of(match_id).version == version


def test_in_line_each_place_has_a_slot_of_its_own() -> None:
    time, rng = FakeTime(), Random(1)
    pauses = Backoff(sleep=time.sleep, share=rng.random)
    for attempt, slot in ((1, 60), (2, 120), (3, 120)):
        time.slept.clear()
        for place in range(10):
            pauses.wait_in_slot(0, place)
            pauses.wait_in_slot(attempt, place)
        assert [int(slept * 1000 / slot) for slept in time.slept] == [*range(10)]
        gaps = [later - slept for slept, later in itertools.pairwise(time.slept)]
        assert min(gaps) > slot / 2000, "and there is room between them"
    time.slept.clear()
    for _ in range(200):
        pauses.wait_in_slot(1, None)
    assert {int(slept * 1000 / 60) for slept in time.slept} == {*range(11)}


def test_pauses_grow_within_bounds_and_are_spread_at_random() -> None:
    time = FakeTime()
    rng = Random(1)
    pauses = Backoff(sleep=time.sleep, share=rng.random)
    for attempt in range(10):
        pauses.before(attempt)
    assert len(time.slept) == 9
    assert len(set(time.slept)) == 9
    for pause, bound in zip(time.slept, [20, 40, 80, 160, 320, 400, 400, 400, 400], strict=True):
        assert 0 <= pause <= bound / 1000


def test_there_is_no_door_to_what_does_not_exist(world: World) -> None:
    for match_id in ("zzzzzzzzzzzzzzzz", "", "x" * 3000, "MATCH#a", "a\x00b"):
        with pytest.raises(NotFound):
            world.transactions.run(match_id, lambda change: change.changed)


def test_a_refused_change_writes_nothing(world: World) -> None:
    match_id, callers = running(world)
    before = dict(world.matches.items)
    stranger = Caller(callers[0].agent_id, b"\0" * 32)
    for call in (
        lambda: world.seating.sit(match_id, callers[0], entropy="\n"),
        lambda: world.starting.start(match_id, callers[0]),
        lambda: world.play.leave(match_id, stranger),
        lambda: world.play.move(match_id, callers[0], "?", {"action": "kill"}),
    ):
        refusal(call)
    assert world.matches.items == before


def test_a_move_that_came_in_time_and_met_others_is_not_late(world: World) -> None:
    match_id, callers = running(world)
    seat, turn = awaited(world, match_id)
    world.time.now_ms = turn["deadline_ms"] - 5

    def slow() -> None:
        world.time.now_ms += 300
        raise Contention

    world.matches.faults = [slow, slow]
    receipt = world.play.move(match_id, callers[seat], turn["turn_id"], simple_move(turn))
    assert receipt["outcome"] == "accepted"
    entry = world.matches.entry(match_id, world.state_of(match_id).version)
    assert entry is not None
    assert [(move.by, move.seat) for move in entry.moves] == [("player", seat)]
    assert entry.at == turn["deadline_ms"] - 1


def test_a_turn_that_the_clock_has_played_meanwhile_is_gone(world: World) -> None:
    match_id, callers = running(world)
    seat, turn = awaited(world, match_id)
    world.time.now_ms = turn["deadline_ms"] - 5

    def clock() -> None:
        world.time.now_ms += 10
        world.clock.wake(match_id, world.state_of(match_id).clock, 0)

    world.matches.faults = [clock]
    refused = refusal(world.play.move, match_id, callers[seat], turn["turn_id"], simple_move(turn))
    assert refused.code == "deadline_passed"


def test_the_door_says_busy_before_its_callers_time_is_over(world: World) -> None:
    _, move = a_move(world)

    def slow() -> None:
        world.time.now_ms += PATIENCE_MS // 2
        raise Contention

    world.matches.faults = [slow] * 9
    assert refusal(move).code == "busy"
    assert len(world.matches.faults) == 7


def test_a_change_is_not_sent_when_its_match_took_too_long_to_read(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id, move = a_move(world)
    version = world.state_of(match_id).version
    read = world.matches.state

    def slow(match_id: str) -> Any:
        world.time.now_ms += PATIENCE_MS
        return read(match_id)

    with monkeypatch.context() as patch:
        patch.setattr(world.matches, "state", slow)
        assert refusal(move).code == "busy"
    assert world.state_of(match_id).version == version
    move()


def test_what_was_decided_before_a_refusal_is_forgotten() -> None:
    world = World()
    match_id, _ = running(world)
    before = world.state_of(match_id)

    def half_decided(change: MatchChange) -> None:
        change.emit(werewolf.Event("half", {}))
        raise Busy("a store does not answer", retry_after=1)

    refusal(world.transactions.run, match_id, half_decided)
    assert world.state_of(match_id) == before
