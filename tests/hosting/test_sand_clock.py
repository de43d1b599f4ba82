"""Phases in which all act at once: when they end, which clock ends them, and what is too late."""

import json
from random import Random
from typing import Any

import pytest

import werewolf
from hosting.model import Caller
from tests.hosting.fakes import NOW
from tests.hosting.test_clock import StepFunctions
from tests.hosting.world import World, refusal, running

S = 1_000


def table(world: World, seats: int = 6, **options: Any) -> tuple[str, list[Caller]]:
    return running(world, seats, options, "traditional-1")


def act(world: World, match_id: str, callers: list[Caller], seat: int, **move: Any) -> Any:
    turn = werewolf.turn(world.state_of(match_id).engine(), seat)
    assert turn is not None
    return world.play.move(match_id, callers[seat], turn.turn_id, move)


def lock(world: World, match_id: str, callers: list[Caller], *seats: int) -> None:
    for seat in seats or world.state_of(match_id).engine().awaiting:
        act(world, match_id, callers, seat, action="lock")


def phase_at(machine: StepFunctions, match_id: str, at: int) -> str:
    machine.run_until(at)
    return machine.world.state_of(match_id).engine().phase


def test_when_all_have_locked_before_it_the_phase_ends_at_its_minimum(world: World) -> None:
    match_id, callers = table(world)
    machine = StepFunctions(world)
    machine.run_until(NOW + 5 * S)
    lock(world, match_id, callers)
    state = world.state_of(match_id)
    assert (state.deadline, state.clock) == (NOW + 20 * S, 2)
    assert machine.asleep() == [f"{match_id}-1", f"{match_id}-2"]
    assert phase_at(machine, match_id, NOW + 20 * S - 1) == "night"
    assert phase_at(machine, match_id, NOW + 20 * S) == "day"
    version = world.state_of(match_id).version
    machine.run_until(NOW + 60 * S)
    assert machine.asleep() == [f"{match_id}-2"], "the old one has ended"
    assert world.state_of(match_id).version == version, "and nobody noticed"
    assert phase_at(machine, match_id, NOW + 320 * S - 1) == "day"
    assert phase_at(machine, match_id, NOW + 320 * S) == "night"
    assert machine.asleep() == [f"{match_id}-2"], "it sleeps on until the next end"


def test_after_the_minimum_it_ends_with_the_last_lock(world: World) -> None:
    match_id, callers = table(world)
    machine = StepFunctions(world)
    machine.run_until(NOW + 20 * S)
    lock(world, match_id, callers, 0, 1, 2, 3, 4)
    assert phase_at(machine, match_id, NOW + 33 * S) == "night"
    lock(world, match_id, callers, 5)
    state = world.state_of(match_id)
    assert (state.engine().phase, state.deadline) == ("day", NOW + 333 * S)
    assert state.clock == 1, "later than the clock sleeps for: it will find out"
    machine.run_until(NOW + 100 * S)
    lock(world, match_id, callers)
    state = world.state_of(match_id)
    assert (state.engine().phase, state.deadline, state.clock) == ("night", NOW + 160 * S, 2)
    assert phase_at(machine, match_id, NOW + 160 * S) == "day"
    assert machine.asleep() == [f"{match_id}-1", f"{match_id}-2"]
    machine.run_until(NOW + 333 * S)
    assert machine.asleep() == [f"{match_id}-2"]


def test_otherwise_it_ends_at_its_maximum(world: World) -> None:
    match_id, callers = table(world, night_max_s=40)
    machine = StepFunctions(world)
    machine.run_until(NOW + 5 * S)
    lock(world, match_id, callers, 0, 1, 2, 3, 4)
    assert phase_at(machine, match_id, NOW + 40 * S - 1) == "night"
    assert phase_at(machine, match_id, NOW + 40 * S) == "day"


def test_whoever_leaves_is_not_waited_for(world: World) -> None:
    match_id, callers = table(world)
    machine = StepFunctions(world)
    machine.run_until(NOW + 5 * S)
    lock(world, match_id, callers, 0, 1, 2, 3, 4)
    world.play.leave(match_id, callers[5])
    state = world.state_of(match_id)
    assert (state.deadline, state.clock) == (NOW + 20 * S, 2)


def test_a_pause_moves_the_minimum_as_well(world: World) -> None:
    match_id, callers = table(world)
    machine = StepFunctions(world)
    world.subscriptions.connect("c", callers[0])
    world.subscriptions.subscribe("c", match_id)
    lock(world, match_id, callers)
    machine.run_until(NOW + 5 * S)
    world.subscriptions.disconnect("c")
    machine.run_until(NOW + 50 * S)
    assert world.state_of(match_id).engine().phase == "night"
    world.subscriptions.connect("d", callers[0])
    world.subscriptions.subscribe("d", match_id)
    assert phase_at(machine, match_id, NOW + 65 * S - 1) == "night"
    assert phase_at(machine, match_id, NOW + 65 * S) == "day"


@pytest.mark.parametrize("clock_first", [True, False])
@pytest.mark.parametrize("late_by", [0, 1, 5 * S])
def test_what_comes_after_the_end_counts_for_nothing(
    world: World, clock_first: bool, late_by: int
) -> None:
    """Not for the phase that it names, nor for the next one, and it is told so."""
    match_id, callers = table(world)
    match = world.state_of(match_id).engine()
    names = {}
    for seat in match.alive:
        turn = werewolf.turn(match, seat)
        assert turn is not None
        names[seat] = (turn.turn_id, turn.legal_actions[0])
    world.time.now_ms = NOW + 60 * S + late_by
    if clock_first:
        world.clock.wake(match_id, 1, 0)
    for seat, (turn_id, offer) in names.items():
        move = {"action": offer["action"]}
        if "targets" in offer:
            move["target"] = offer["targets"][0]
        refused = refusal(world.play.move, match_id, callers[seat], turn_id, move)
        assert refused.code == "turn_over"
    match = world.state_of(match_id).engine()
    assert (match.phase, match.awaiting, match.moves) == ("day", match.alive, (0,) * 6)


def test_a_choice_in_the_last_millisecond_counts(world: World) -> None:
    match_id, callers = table(world, wolves=1)
    match = world.state_of(match_id).engine()
    wolf = match.roles.index("werewolf")
    doctor, victim = match.roles.index("doctor"), match.roles.index("villager")
    world.time.now_ms = NOW + 60 * S - 1
    act(world, match_id, callers, wolf, action="choose", target=victim)
    world.time.now_ms += 1
    dead = refusal(world.play.move, match_id, callers[victim], "1.night.0", {"action": "lock"})
    assert dead.code == "eliminated"
    late = refusal(world.play.move, match_id, callers[doctor], "1.night.0", {"action": "lock"})
    assert late.code == "turn_over"
    assert world.state_of(match_id).engine().eliminated == ((victim, 1, "werewolves"),)


def test_at_night_nobody_sees_that_all_have_locked(world: World) -> None:
    """The deadline comes nearer, and no viewer is shown anything of it."""
    match_id, callers = table(world)
    for seat, caller in enumerate([*callers, None]):
        world.subscriptions.connect(f"{seat}", caller)
        world.subscriptions.subscribe(f"{seat}", match_id)
    lock(world, match_id, callers, 0, 1, 2, 3, 4)
    world.drain()

    def sights() -> list[Any]:
        eyes = [*callers[:5], None]
        return [
            json.dumps(
                [
                    world.states.state(match_id, caller),
                    world.event_pages.events(match_id, caller),
                    world.listing.summary(match_id),
                    [frame.decode() for frame in world.sockets.frames[connection_id]],
                ]
            )
            for caller, connection_id in zip(eyes, "012346", strict=True)
        ]

    before = sights()
    lock(world, match_id, callers, 5)
    world.drain()
    assert world.state_of(match_id).deadline == NOW + 20 * S
    assert sights() == before


def test_whole_matches_by_the_sand_clock_alone() -> None:
    """Each phase ends at its minimum, with its last lock, or at its maximum, never otherwise."""
    for seed in range(4):
        rng = Random(seed)
        world = World()
        match_id, callers = table(world, rng.choice([6, 7, 8]), night_max_s=rng.choice([20, 60]))
        machine = StepFunctions(world)
        began, phase = NOW, "night"
        for _ in range(400):
            state = world.state_of(match_id)
            if state.status == "over":
                break
            overdue = state.deadline is not None and world.now() >= state.deadline
            match = state.engine()
            if match.awaiting and not overdue and rng.random() < 0.9:
                seat = rng.choice(match.awaiting)
                turn = werewolf.turn(match, seat)
                assert turn is not None
                offer = rng.choice(turn.legal_actions)
                move = {"action": offer["action"]}
                if "targets" in offer:
                    move["target"] = rng.choice(offer["targets"])
                if offer["action"] == "say":
                    move["message"] = "Good morning."
                world.play.move(match_id, callers[seat], turn.turn_id, move)
            else:
                machine.run_until(world.now() + rng.choice([1, 3_000, 20_000]))
            after = world.state_of(match_id)
            if after.engine().phase != phase or after.engine().day != match.day:
                entry = next(
                    e
                    for e in world.matches.entries(match_id, 1, after.version, newest_first=True)
                    if any(event.type in ("dawn", "votes_revealed") for event in e.events)
                )
                options = match.options
                shortest, longest = (
                    (20_000, 1_000 * int(options["night_max_s"]))
                    if phase == "night"
                    else (60_000, 60_000 * int(options["day_minutes"]))
                )
                lasted = entry.at - began
                by_lock = [move.by for move in entry.moves] == ["player"]
                # A clock wakes on the whole second after a deadline.
                on_time = any(0 <= lasted - due < 1_000 for due in (shortest, longest))
                assert on_time or (by_lock and shortest < lasted < longest)
                began, phase = entry.at, after.engine().phase
        assert len(world.clock_starter.started) == world.state_of(match_id).clock
