"""The clock: armed when it must be, harmless when early, late, doubled or killed."""

import json
from dataclasses import replace
from datetime import datetime
from random import Random
from typing import Any

import pytest

from hosting.clock.deadlines import GRACE_MS, MAX_WAKES, timestamp
from hosting.errors import Busy
from hosting.model import PlayedMove
from hosting.play.change import MatchChange
from tests.hosting.fakes import NOW
from tests.hosting.world import World, agents, awaited, events_sent, running, simple_move


class StepFunctions:
    """Runs the executions that were started, as the state machine does: wait, wake, wait again."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.killed: set[str] = set()
        self.wakes = 0
        self._asleep: dict[str, dict[str, Any]] = {}
        self._begun: set[str] = set()

    def run_until(self, at: int) -> None:
        """Let time pass; whatever wakes by then wakes."""
        while True:
            self._begin()
            due = {n: e for n, e in self._asleep.items() if woken_at(e["wake_at"]) <= at}
            if not due:
                break
            name = min(due, key=lambda name: woken_at(due[name]["wake_at"]))
            self._wake(name)
        self.world.time.now_ms = max(self.world.time.now_ms, at)

    def asleep(self) -> list[str]:
        self._begin()
        return sorted(self._asleep)

    def _begin(self) -> None:
        self.world.drain()
        for name, payload in self.world.clock_starter.started.items():
            if name not in self._begun | self.killed:
                self._begun.add(name)
                self._asleep[name] = json.loads(payload) | {"wakes": 0}

    def _wake(self, name: str) -> None:
        execution = self._asleep.pop(name)
        self.wakes += 1
        self.world.time.now_ms = max(self.world.time.now_ms, woken_at(execution["wake_at"]))
        answer = self.world.clock.wake(
            execution["match_id"], execution["generation"], execution["wakes"]
        )
        if not answer["done"]:
            self._asleep[name] = dict(answer)


def woken_at(wake_at: str) -> int:
    """When Step Functions wakes for a timestamp (ms): what is below a second is cut off."""
    return int(datetime.fromisoformat(wake_at).timestamp()) * 1000


def test_a_clock_never_wakes_before_the_deadline() -> None:
    assert timestamp(NOW) == "2027-01-15T08:00:00Z"
    assert timestamp(NOW + 7) == "2027-01-15T08:00:01Z"
    assert timestamp(0) == "1970-01-01T00:00:00Z"
    for at in range(NOW, NOW + 2_000, 7):
        assert at <= woken_at(timestamp(at)) < at + 1_000


@pytest.mark.parametrize("begun", [0, 1, 7, 500, 999])
def test_one_wake_for_each_deadline_that_is_played(world: World, begun: int) -> None:
    world.time.now_ms += begun
    match_id, _ = running(world)
    machine = StepFunctions(world)
    played = 0
    while played < 5:
        state = world.state_of(match_id)
        assert state.deadline is not None
        machine.run_until(state.deadline + 1_000)
        played += 1
        assert machine.wakes == played
        assert world.state_of(match_id).deadline != state.deadline


def test_a_start_arms_the_first_clock_and_moves_arm_no_other(world: World) -> None:
    match_id, callers = running(world)
    world.drain()
    assert list(world.clock_starter.started) == [f"{match_id}-1"]
    assert json.loads(world.clock_starter.started[f"{match_id}-1"]) == {
        "match_id": match_id,
        "generation": 1,
        "wake_at": timestamp(NOW + 30_000),
    }
    for _ in range(10):
        world.time.now_ms += 10
        seat, turn = awaited(world, match_id)
        world.play.move(match_id, callers[seat], turn["turn_id"], simple_move(turn))
    world.drain()
    assert world.clock_starter.calls == 1
    assert world.state_of(match_id).clock == 1


@pytest.mark.parametrize(
    ("was", "becomes", "armed"),
    [
        (NOW + 100, NOW + 200, False),
        (NOW + 100, NOW + 100, False),
        (NOW + 100, NOW + 99, True),
        (None, NOW + 100, True),
        (NOW + 100, None, False),
        (None, None, False),
    ],
)
def test_a_new_clock_is_armed_only_for_an_earlier_deadline(
    world: World, was: int | None, becomes: int | None, armed: bool
) -> None:
    match_id, _ = running(world)
    state = replace(world.state_of(match_id), deadline=was)
    change = MatchChange(state, NOW)
    match = change.match._replace(deadline=becomes)
    change.take(match, (), PlayedMove("player", 0, {}))
    commit = change.commit("c")
    assert commit.entry.effects == ({"clock"} if armed else set())
    assert commit.state.clock == commit.entry.clock == state.clock + armed
    assert commit.state.deadline == commit.entry.deadline == becomes


def test_nobody_moves_and_the_clock_alone_plays_the_match_to_its_end(world: World) -> None:
    match_id, _ = running(world)
    machine = StepFunctions(world)
    machine.run_until(NOW + 86_400_000)
    state = world.state_of(match_id)
    assert state.status == "over"
    assert machine.asleep() == []
    assert list(world.clock_starter.started) == [f"{match_id}-1"], "one execution served them all"


def test_one_wake_serves_many_turns(world: World) -> None:
    """While players move in time, the clock wakes once per deadline that it sleeps for."""
    match_id, callers = running(world, options={"turn_deadline_ms": 30_000, "talk_rounds": 5})
    machine = StepFunctions(world)
    moves = 0
    rng = Random(1)
    while world.state_of(match_id).status == "running" and moves < 60:
        machine.run_until(world.time.now_ms + rng.randrange(500, 3_000))
        seat, turn = awaited(world, match_id)
        world.play.move(match_id, callers[seat], turn["turn_id"], simple_move(turn))
        moves += 1
    log = list(world.matches.entries(match_id, 1, world.state_of(match_id).version))
    assert not any(move.by == "timeout" for entry in log for move in entry.moves)
    assert machine.wakes < moves / 5


@pytest.mark.parametrize("early", [1, 10, 29_999])
def test_waking_early_changes_nothing(world: World, early: int) -> None:
    match_id, _ = running(world)
    before = dict(world.matches.items)
    deadline = NOW + 30_000
    world.time.now_ms = deadline - early
    answer = world.clock.wake(match_id, 1, 4)
    assert answer == {
        "done": False,
        "match_id": match_id,
        "generation": 1,
        "wakes": 5,
        "wake_at": timestamp(deadline),
    }
    assert world.matches.items == before


@pytest.mark.parametrize("late", [0, 1, 3_600_000])
def test_waking_late_or_twice_plays_one_deadline(world: World, late: int) -> None:
    match_id, _ = running(world)
    version = world.state_of(match_id).version
    world.time.now_ms = NOW + 30_000 + late
    first = world.clock.wake(match_id, 1, 0)
    assert first == world.clock.wake(match_id, 1, 0), "twice"
    assert first["wake_at"] == timestamp(NOW + 60_000 + late), "nobody loses time to a late clock"
    state = world.state_of(match_id)
    assert state.version == version + 1
    assert (state.clock, state.deadline) == (1, NOW + 60_000 + late)


def test_an_old_generation_ends_when_it_wakes(world: World) -> None:
    match_id, _ = running(world)
    answer = world.clock.wake(match_id, 0, 0)
    assert (answer["done"], answer["wake_at"]) == (True, None)
    assert world.clock.wake("zzzzzzzzzzzzzzzz", 1, 0)["done"]


def test_an_old_generation_plays_a_deadline_that_has_passed_as_any_request_does(
    world: World,
) -> None:
    match_id, _ = running(world)
    deadline = world.state_of(match_id).deadline
    assert deadline is not None
    world.time.now_ms = deadline
    assert world.clock.wake(match_id, 0, 0)["done"]
    later = world.state_of(match_id).deadline
    assert later is not None
    assert later > deadline


def test_the_clock_of_an_open_or_finished_match_is_done(world: World) -> None:
    match_id, callers = running(world)
    for caller in callers:
        if world.state_of(match_id).status == "running":
            world.play.leave(match_id, caller)
    assert world.state_of(match_id).status == "over"
    assert world.clock.wake(match_id, 1, 0)["done"]


def test_after_a_thousand_wakes_a_new_execution_takes_over(world: World) -> None:
    match_id, _ = running(world)
    assert not world.clock.wake(match_id, 1, MAX_WAKES - 2)["done"]
    answer = world.clock.wake(match_id, 1, MAX_WAKES - 1)
    assert answer["done"]
    world.drain()
    assert list(world.clock_starter.started) == [f"{match_id}-1", f"{match_id}-2"]
    assert world.clock.wake(match_id, 1, MAX_WAKES - 1)["done"], "a repeat arms no third one"
    world.drain()
    assert len(world.clock_starter.started) == 2
    assert not world.clock.wake(match_id, 2, 0)["done"]


def test_the_stream_delivered_twice_starts_one_clock(world: World) -> None:
    match_id, _ = running(world)
    world.drain(twice=True)
    assert world.clock_starter.calls == 2
    assert list(world.clock_starter.started) == [f"{match_id}-1"]


def test_a_start_that_fails_is_tried_again_with_the_record(world: World) -> None:
    running(world)
    images = list(world.matches.images)
    world.clock_starter.failures = [ConnectionError("no answer")]
    with pytest.raises(ConnectionError):
        world.drain()
    world.matches.images = images
    world.drain()
    assert len(world.clock_starter.started) == 1


def swept(checked: int, rearmed: int) -> dict[str, int]:
    return {"checked": checked, "voided": 0, "rearmed": rearmed, "reconciled": 0}


def test_the_sweep_arms_lost_clocks_again(world: World) -> None:
    lost, _ = running(world)
    machine = StepFunctions(world)
    machine.killed.add(f"{lost}-1")
    world.time.now_ms += 30_000 + GRACE_MS
    assert world.sweep.run(until=world.now() + 1) == swept(1, 0)
    world.time.now_ms += 1
    assert world.sweep.run(until=world.now() + 1) == swept(1, 1)
    assert world.sweep.run(until=world.now() + 1) == swept(1, 0)
    state = world.state_of(lost)
    entry = world.matches.entry(lost, state.version)
    assert entry is not None
    assert [move.by for move in entry.moves] == ["timeout"], "what was due is played at once"
    assert state.clock == 2
    machine.run_until(NOW + 86_400_000)
    assert world.state_of(lost).status == "over"


def five_matches(world: World) -> None:
    for prefix in "abcde":
        callers = agents(world, 5, prefix)
        match_id = world.opening.open(callers[0], ruleset="werewolf-0.2", seats=5)["match_id"]
        for caller in callers:
            world.seating.sit(match_id, caller)


def test_the_sweep_goes_through_all_pages_and_stops_in_time(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hosting.clock.sweep.PAGE", 2)
    five_matches(world)
    world.time.now_ms += 100_000
    assert world.sweep.run(until=world.now()) == swept(0, 0)
    world.matches.faults = ["conflict"] * 10
    told = world.sweep.run(until=world.now() + 1)
    assert told == swept(5, 4), "a match that is busy does not stop the sweep"
    assert world.sweep.run(until=world.now() + 1) == swept(5, 1)


def test_a_page_that_cannot_be_read_does_not_stop_the_sweep(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hosting.clock.sweep.PAGE", 2)
    five_matches(world)
    world.time.now_ms += 100_000
    read = world.matches.states
    pages = 0

    def first_is_busy(match_ids: Any) -> Any:
        nonlocal pages
        pages += 1
        if pages == 1:
            raise Busy("overloaded", retry_after=1)
        return read(match_ids)

    monkeypatch.setattr(world.matches, "states", first_is_busy)
    assert world.sweep.run(until=world.now() + 1) == swept(3, 3)


def test_clocks_that_are_killed_and_readers_that_die_lose_nothing() -> None:
    """It goes wrong at random moments, over and over; the stream and the sweep bring all back."""
    for seed in range(5):
        rng = Random(seed)
        world = World()
        match_id, _ = running(world)
        world.subscriptions.connect("c", None)
        world.subscriptions.subscribe("c", match_id)
        machine = StepFunctions(world)
        for _ in range(400):
            if world.state_of(match_id).status == "over":
                break
            if rng.random() < 0.3:  # the clock's call dies: the state machine calls once more
                state = world.state_of(match_id)
                world.time.now_ms = state.deadline or 0
                world.clock.wake(match_id, state.clock, 0)
            if rng.random() < 0.1:  # the execution itself is killed
                machine.killed |= set(machine.asleep())
                machine._asleep.clear()
            if rng.random() < 0.3:  # the reader dies half-way: its batch comes again
                world.matches.images = world.matches.images[:1] + world.matches.images
            machine.run_until(world.now() + 30_000)
            if not machine.asleep():
                world.time.now_ms += GRACE_MS + 1
                world.sweep.run(until=world.now() + 1)
        world.drain()
        assert world.state_of(match_id).status == "over"
        told = world.event_pages.events(match_id, None, limit=500)["events"]
        sent = events_sent(world, "c")
        assert all(event in told for event in sent), "repeats are exact"
        assert {event["seq"] for event in sent} == {event["seq"] for event in told}
