"""From the stream to the sockets."""

import json
import threading
import time
from random import Random

import pytest

import werewolf
from hosting.items import log_entry
from hosting.model import Caller, LogEntry, Watcher
from hosting.ports import SlowDown
from tests.hosting.world import (
    World,
    agent,
    dealt,
    events_sent,
    frames_of,
    play_out,
    running,
    simple_move,
)

ROLES = ["werewolf", "werewolf", "seer", "villager", "villager", "villager", "villager"]


def watch(world: World, connection_id: str, match_id: str, caller: Caller | None) -> None:
    """A connection that is sent everything from now on."""
    world.subscriptions.connect(connection_id, caller)
    agent_id = None if caller is None else caller.agent_id
    world.connections.watch(
        Watcher(connection_id, agent_id, 0), match_id, expires_at=0, at_version=None
    )


def last_entry(world: World) -> LogEntry:
    entry = log_entry(world.matches.images[-1])
    assert entry is not None
    return entry


def test_everybody_is_sent_what_it_may_see_in_its_own_numbers() -> None:
    world = World()
    match_id, callers = running(world)
    stranger = agent(world, "stranger")
    watching = {"spectator": None, "stranger": stranger} | {
        f"seat {seat}": caller for seat, caller in enumerate(callers)
    }
    for connection_id, caller in watching.items():
        watch(world, connection_id, match_id, caller)
    play_out(world, match_id, callers, Random(4), silences=0.05)
    world.drain()
    for connection_id, caller in watching.items():
        told = world.event_pages.events(match_id, caller, limit=500)["events"]
        assert events_sent(world, connection_id) == told
    frames = world.sockets.frames
    assert frames["spectator"] == frames["stranger"]


def test_a_turn_is_told_to_its_seat_alone() -> None:
    world = World()
    match_id, callers = dealt(world, ROLES)
    for seat, caller in enumerate(callers):
        watch(world, f"{seat}", match_id, caller)
    watch(world, "spectator", match_id, None)
    world.drain()
    turn = werewolf.turn(world.state_of(match_id).engine(), 0)
    assert turn is not None
    told = [frame for frame in frames_of(world, "0") if frame["type"] == "your_turn"]
    assert told == [
        {
            "type": "your_turn",
            "match_id": match_id,
            "turn": turn.as_dict(),
            "server_now": world.now(),
        }
    ]
    for other in ("1", "2", "3", "spectator"):
        assert {frame["type"] for frame in frames_of(world, other)} == {"event"}
    world.sockets.frames.clear()
    world.play.move(match_id, callers[0], turn.turn_id, simple_move(turn.as_dict()))
    world.drain()
    kinds = {c: [f["type"] for f in frames_of(world, c)] for c in world.sockets.frames}
    assert kinds == {"0": ["event"], "1": ["event", "your_turn"]}


def test_before_the_start_all_are_sent_the_same(world: World) -> None:
    host = agent(world, "host")
    match_id = world.opening.open(host, ruleset="werewolf-0.2")["match_id"]
    watch(world, "c", match_id, host)
    watch(world, "d", match_id, None)
    world.seating.sit(match_id, host)
    world.matches.calls.clear()
    world.drain()
    assert world.sockets.frames["c"] == world.sockets.frames["d"]
    assert json.loads(world.sockets.frames["c"][0]) == {
        "type": "event",
        "match_id": match_id,
        "event": {
            "seq": 1,
            "at": world.now(),
            "type": "seat_taken",
            "data": {"place": 0, "name": "host"},
        },
    }
    assert world.matches.calls == []


def test_a_record_that_comes_twice_repeats_the_same_frames() -> None:
    once, twice = World(), World()
    for world in (once, twice):
        match_id, callers = running(world)
        for seat, caller in enumerate(callers):
            watch(world, f"{seat}", match_id, caller)
        play_out(world, match_id, callers, Random(9))
        world.drain(twice=world is twice)
    for connection_id, frames in once.sockets.frames.items():
        repeated = twice.sockets.frames[connection_id]
        assert len(repeated) == 2 * len(frames)
        assert list(dict.fromkeys(repeated)) == list(dict.fromkeys(frames))


def test_a_connection_is_not_sent_again_what_it_caught_up_with(world: World) -> None:
    match_id, callers = running(world)
    world.subscriptions.connect("c", callers[0])
    world.subscriptions.subscribe("c", match_id)
    caught_up = events_sent(world, "c")
    world.drain()
    assert events_sent(world, "c") == caught_up


def test_the_gone_are_forgotten_and_hold_up_nobody(world: World) -> None:
    match_id, _ = running(world)
    for connection_id in ("a", "b", "c"):
        watch(world, connection_id, match_id, None)
    world.sockets.gone.add("b")
    delivery = world.push.deliver(last_entry(world))
    assert delivery == (2, 1, 0)
    assert world.sockets.frames["a"] == world.sockets.frames["c"]
    assert {watcher.connection_id for watcher in world.connections.watchers(match_id)} == {"a", "c"}
    assert world.connections.get("b") is None


def test_a_connection_that_is_slow_is_tried_again_in_order(world: World) -> None:
    match_id, _ = running(world)
    watch(world, "a", match_id, None)
    watch(world, "b", match_id, None)
    world.sockets.slow_down("a", 3)
    assert world.push.deliver(last_entry(world)) == (2, 0, 0)
    assert world.sockets.frames["a"] == world.sockets.frames["b"]
    assert len(world.time.slept) == 3
    world.sockets.slow_down("a", 1_000)
    assert world.push.deliver(last_entry(world)) == (1, 0, 1)
    assert len(world.sockets.faults["a"]) == 995, "the tries are bounded"


def test_whatever_else_goes_wrong_holds_up_nobody(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id, _ = running(world)
    for connection_id in ("a", "b", "c"):
        watch(world, connection_id, match_id, None)
    world.sockets.faults["b"] = [RuntimeError("boom")] * 9
    assert world.push.deliver(last_entry(world)) == (2, 0, 1)
    assert world.sockets.frames["a"] == world.sockets.frames["c"]
    assert "b" not in world.sockets.frames
    assert len(world.sockets.faults["b"]) == 8, "nothing overtakes the frame that failed"
    assert world.push.deliver(last_entry(world)) == (2, 0, 0)
    world.sockets.gone.add("c")
    monkeypatch.setattr(world.connections, "remove", None)
    assert world.push.deliver(last_entry(world)) == (1, 0, 1)


@pytest.mark.parametrize("fault", [RuntimeError("boom"), SlowDown("seat")])
def test_who_could_not_be_sent_its_turn_is_cut_off_comes_again_and_has_it(
    world: World, fault: Exception
) -> None:
    match_id, callers = running(world)
    for seat, caller in enumerate(callers):
        watch(world, f"{seat}", match_id, caller)
    seat = world.state_of(match_id).engine().awaiting[0]
    world.sockets.faults[f"{seat}"] = [fault] * 5
    world.drain()
    assert world.sockets.closed == [f"{seat}"]
    assert world.connections.get(f"{seat}") is None
    watchers = {watcher.connection_id for watcher in world.connections.watchers(match_id)}
    assert watchers == {f"{other}" for other in range(len(callers)) if other != seat}
    world.subscriptions.connect("again", callers[seat])
    world.subscriptions.subscribe("again", match_id)
    assert (
        events_sent(world, "again") == world.event_pages.events(match_id, callers[seat])["events"]
    )
    assert frames_of(world, "again")[-1]["type"] == "your_turn"


def test_who_cannot_even_be_closed_is_tried_again_with_the_next_entry(world: World) -> None:
    match_id, _ = running(world)
    watch(world, "a", match_id, None)
    world.sockets.faults["a"] = [RuntimeError("boom")]
    world.sockets.cannot_close = RuntimeError("cannot close")
    assert world.push.deliver(last_entry(world)) == (0, 0, 1)
    assert world.push.deliver(last_entry(world)) == (1, 0, 0)


def test_connections_are_served_side_by_side(world: World) -> None:
    match_id, _ = running(world)
    for number in range(12):
        watch(world, f"{number}", match_id, None)
    together = threading.Barrier(12)

    def meet(_: str) -> None:
        if not together.broken and not met.is_set():
            together.wait(timeout=10)
            met.set()

    met = threading.Event()
    world.sockets.on_post = meet
    started = time.monotonic()
    assert world.push.deliver(last_entry(world)) == (12, 0, 0)
    assert met.is_set()
    assert time.monotonic() - started < 10


def test_a_match_that_nobody_watches_costs_one_query(world: World) -> None:
    running(world)
    world.matches.calls.clear()
    for image in world.matches.images:
        entry = log_entry(image)
        assert entry is not None
        assert world.push.deliver(entry) == (0, 0, 0)
    assert world.matches.calls == []


def test_the_seats_are_read_once_per_match(world: World) -> None:
    match_id, callers = running(world)
    watch(world, "c", match_id, callers[0])
    play_out(world, match_id, callers, Random(2))
    world.matches.calls.clear()
    world.drain()
    assert world.matches.calls == ["table"]
