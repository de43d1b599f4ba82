"""Following a match through a socket: everything, once, in order, whenever one joins."""

from itertools import product
from random import Random
from typing import Any

import pytest

from hosting.live import subscriptions
from hosting.live.subscriptions import CATCH_UP_MS, ROUNDS
from hosting.ports import Gone, SlowDown
from protocol import limits
from tests.hosting.world import (
    World,
    agents,
    awaited,
    events_in,
    events_sent,
    frames_of,
    refusal,
    running,
    simple_move,
)


def move_on(world: World, match_id: str, callers: list[Any]) -> None:
    seat, turn = awaited(world, match_id)
    move = {"action": "abstain"} if turn["phase"] == "day_vote" else simple_move(turn)
    world.play.move(match_id, callers[seat], turn["turn_id"], move)


def test_a_subscriber_catches_up_and_is_told_its_turn(world: World) -> None:
    match_id, callers = running(world)
    seat, turn = awaited(world, match_id)
    world.subscriptions.connect("c", callers[seat])
    world.subscriptions.subscribe("c", match_id, after=3, request_id="r1")
    told = world.event_pages.events(match_id, callers[seat], after=3)
    first, *events, last = frames_of(world, "c")
    assert first == {
        "type": "subscribed",
        "match_id": match_id,
        "viewer": seat,
        "seq": told["next"],
        "request_id": "r1",
    }
    assert events_in(events) == told["events"]
    assert (last["type"], last["turn"], last["server_now"]) == ("your_turn", turn, world.now())


@pytest.mark.parametrize("moves_between", [0, 1, ROUNDS - 1, ROUNDS + 3])
def test_nothing_falls_between_what_is_sent_and_what_is_pushed(
    world: World, moves_between: int
) -> None:
    """The match moves on while somebody subscribes; the stream is read before or after."""
    for drained_first, on_turn in product((True, False), (True, False)):
        world = World()
        match_id, callers = running(world)
        caller = callers[awaited(world, match_id)[0]] if on_turn else None
        world.subscriptions.connect("c", caller)

        def meanwhile(
            world: World = world, match_id: str = match_id, callers: Any = callers,
            drain: bool = drained_first,
        ) -> None:  # fmt: skip
            move_on(world, match_id, callers)
            if drain:
                world.drain()

        world.connections.before_watch = [meanwhile] * moves_between
        world.subscriptions.subscribe("c", match_id)
        for _ in range(5):
            move_on(world, match_id, callers)
        world.drain()
        told = world.event_pages.events(match_id, caller)["events"]
        sent = events_sent(world, "c")
        if moves_between == 0:
            assert sent == told
        else:
            assert {event["seq"] for event in sent} == {event["seq"] for event in told}
        assert all(event in told for event in sent)


def test_many_events_share_a_frame(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subscriptions, "FRAME_BYTES", 1_000)
    match_id, callers = running(world)
    for _ in range(20):
        move_on(world, match_id, callers)
    world.subscriptions.connect("c", None)
    world.subscriptions.subscribe("c", match_id)
    told = world.event_pages.events(match_id, None)["events"]
    assert events_sent(world, "c") == told
    _, *frames = world.sockets.frames["c"]
    assert len(frames) < len(told) / 3
    alone = [frame for frame in frames if b'"type":"event"' in frame[:20]]
    assert all(len(frame) < 1_000 for frame in frames if frame not in alone)


def test_who_is_too_far_behind_is_told_how_far_it_got_and_gets_on(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subscriptions, "FRAME_BYTES", 1_000)
    match_id, callers = running(world)
    for _ in range(40):
        move_on(world, match_id, callers)
    world.subscriptions.connect("c", callers[0])

    def slow(_: str) -> None:
        world.time.now_ms += CATCH_UP_MS // 2

    world.sockets.on_post = slow
    came_to = []
    after = 0
    while True:
        world.sockets.frames.clear()
        world.subscriptions.subscribe("c", match_id, after=after)
        sent = events_sent(world, "c")
        assert [event["seq"] for event in sent] == [*range(after + 1, after + 1 + len(sent))]
        last = frames_of(world, "c")[-1]
        if last["type"] != "behind":
            break
        assert last == {"type": "behind", "match_id": match_id, "seq": after + len(sent)}
        assert last["seq"] > after
        assert [*world.connections.watchers(match_id)] == [], "what comes now would leave a gap"
        after = last["seq"]
        came_to.append(after)
    told = world.event_pages.events(match_id, callers[0])["next"]
    assert after + len(sent) == told
    assert len(came_to) > 2
    assert len([*world.connections.watchers(match_id)]) == 1


def test_who_has_no_turn_does_not_contend_with_those_who_move(world: World) -> None:
    match_id, callers = running(world)
    seat, _ = awaited(world, match_id)
    for number, caller in enumerate([None, *callers]):
        world.subscriptions.connect(f"{number}", caller)
        world.subscriptions.subscribe(f"{number}", match_id)
    version = world.state_of(match_id).version
    on_turn = [version if number == seat else None for number in range(len(callers))]
    assert world.connections.checked == [None, None, *on_turn], "a spectator finds room first"


def test_a_turn_that_was_told_is_not_told_again_when_the_stream_lags(world: World) -> None:
    match_id, callers = running(world)
    for _ in range(3):
        move_on(world, match_id, callers)
    seat, turn = awaited(world, match_id)
    for caller in callers:
        world.subscriptions.connect(caller.agent_id, caller)
        world.subscriptions.subscribe(caller.agent_id, match_id)
    world.drain()
    for number, caller in enumerate(callers):
        frames = frames_of(world, caller.agent_id)
        turns = [frame["turn"] for frame in frames if frame["type"] == "your_turn"]
        assert turns == ([turn] if number == seat else [])


def test_a_socket_that_takes_no_more_is_told_that_it_is_busy(world: World) -> None:
    match_id, _ = running(world)
    world.subscriptions.connect("c", None)
    world.sockets.faults["c"] = [SlowDown("c")] * 9
    refused = refusal(world.subscriptions.subscribe, "c", match_id)
    assert (refused.code, refused.retry_after) == ("busy", 1)


def test_one_may_subscribe_again_from_anywhere(world: World) -> None:
    match_id, callers = running(world)
    told = world.event_pages.events(match_id, None)["events"]
    world.subscriptions.connect("c", None)
    for after in (0, 2, len(told), len(told) + 50):
        world.sockets.frames.clear()
        world.subscriptions.subscribe("c", match_id, after=after)
        assert events_sent(world, "c") == told[after:]
    move_on(world, match_id, callers)
    world.play.leave(match_id, callers[5])
    world.drain()
    everything = world.event_pages.events(match_id, None)["events"]
    assert events_sent(world, "c") == everything[len(told) :], "a wish for the future is cut short"
    assert len([*world.connections.watchers(match_id)]) == 1


def test_who_subscribes_again_is_pushed_nothing_until_it_has_caught_up(world: World) -> None:
    match_id, callers = running(world)
    world.subscriptions.connect("c", None)
    world.subscriptions.subscribe("c", match_id)
    while world.state_of(match_id).engine().phase != "day_talk":
        move_on(world, match_id, callers)
    world.drain()
    world.sockets.frames.clear()

    def talk(_: str) -> None:
        if len(world.sockets.frames.get("c", [])) == 1:
            world.sockets.on_post = lambda _: None
            move_on(world, match_id, callers)
            world.drain()

    world.sockets.on_post = talk
    world.subscriptions.subscribe("c", match_id)
    told = world.event_pages.events(match_id, None)["events"]
    assert events_sent(world, "c") == told


def test_who_subscribes_in_the_lobby_is_a_seat_once_the_match_runs(world: World) -> None:
    callers = agents(world, 5)
    match_id = world.opening.open(callers[0], ruleset="werewolf-0.2", seats=5)["match_id"]
    world.seating.sit(match_id, callers[0])
    world.subscriptions.connect("c", callers[0])
    world.subscriptions.subscribe("c", match_id)
    assert frames_of(world, "c")[0]["viewer"] == "spectator"
    world.drain()
    for caller in callers[1:]:
        world.seating.sit(match_id, caller)
    world.drain()
    assert events_sent(world, "c") == world.event_pages.events(match_id, callers[0])["events"]
    assert any(event["type"] == "role_private" for event in events_sent(world, "c"))


def test_who_unsubscribes_is_sent_no_more(world: World) -> None:
    match_id, callers = running(world)
    world.subscriptions.connect("c", None)
    world.subscriptions.subscribe("c", match_id)
    world.subscriptions.unsubscribe("c", match_id)
    world.subscriptions.unsubscribe("c", match_id)
    world.sockets.frames.clear()
    for _ in range(5):
        move_on(world, match_id, callers)
    world.drain()
    assert world.sockets.frames == {}


def test_what_cannot_be_subscribed_to(world: World) -> None:
    match_id, _ = running(world)
    world.subscriptions.connect("c", None)
    assert refusal(world.subscriptions.subscribe, "c", match_id, after=-1).field == "after"
    assert refusal(world.subscriptions.subscribe, "c", "zzzzzzzzzzzzzzzz").code == "not_found"
    assert world.sockets.frames == {}


def test_a_socket_that_was_taken_for_gone_is_closed_when_it_says_something(world: World) -> None:
    match_id, _ = running(world)
    world.subscriptions.subscribe("d", match_id)
    assert world.sockets.closed == ["d"]
    assert world.sockets.frames == {}
    world.subscriptions.connect("e", None)
    world.sockets.faults["e"] = [Gone("e")]
    world.subscriptions.subscribe("e", match_id)
    assert world.sockets.closed == ["d", "e"]
    assert world.connections.get("e") is None


def test_a_socket_that_cannot_be_closed_yet_is_asked_to_try_again(world: World) -> None:
    match_id, _ = running(world)
    world.subscriptions.connect("e", None)
    world.sockets.faults["e"] = [Gone("e")]
    world.sockets.cannot_close = SlowDown("e")
    assert refusal(world.subscriptions.subscribe, "e", match_id).code == "busy"
    assert world.connections.get("e") is not None, "it is not forgotten before it is closed"


def test_a_connection_follows_so_many_matches(world: World) -> None:
    (host,) = agents(world, 1)
    world.subscriptions.connect("c", None)
    for _ in range(limits.MATCHES_PER_SOCKET):
        match_id = world.opening.open(host, ruleset="werewolf-0.2")["match_id"]
        world.subscriptions.subscribe("c", match_id)
    world.subscriptions.subscribe("c", match_id)
    one_more = world.opening.open(host, ruleset="werewolf-0.2")["match_id"]
    assert refusal(world.subscriptions.subscribe, "c", one_more).code == "too_many_matches"
    world.subscriptions.unsubscribe("c", match_id)
    world.subscriptions.subscribe("c", one_more)


def test_a_socket_that_closes_meanwhile_is_forgotten(world: World) -> None:
    match_id, _ = running(world)
    world.subscriptions.connect("c", None)
    world.sockets.gone.add("c")
    world.subscriptions.subscribe("c", match_id)
    assert world.connections.get("c") is None
    world.subscriptions.connect("d", None)
    world.connections.before_watch = [lambda: world.subscriptions.disconnect("d")]
    world.subscriptions.subscribe("d", match_id)
    assert [*world.connections.watchers(match_id)] == []


def test_a_whole_match_through_a_socket_that_breaks_at_random() -> None:
    for seed in range(3):
        rng = Random(seed)
        world = World()
        match_id, callers = running(world)
        received: list[dict[str, Any]] = []
        connected = 0
        for number in range(100):
            if world.state_of(match_id).status == "over":
                break
            if not connected:
                connected = number + 1
                world.sockets.frames.clear()
                world.subscriptions.connect(f"c{connected}", callers[2])
                after = received[-1]["seq"] if received else 0
                world.subscriptions.subscribe(f"c{connected}", match_id, after=after)
            move_on(world, match_id, callers)
            if rng.random() < 0.8:
                world.drain(twice=rng.random() < 0.2)
            if rng.random() < 0.3:
                received += fresh(world, f"c{connected}", received)
                world.subscriptions.disconnect(f"c{connected}")
                connected = 0
        world.drain()
        if connected:
            received += fresh(world, f"c{connected}", received)
        told = world.event_pages.events(match_id, callers[2], limit=500)["events"]
        assert received == told[: len(received)]
        assert not connected or received == told


def fresh(world: World, connection_id: str, received: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What a client keeps of what it was sent: each number once."""
    last = received[-1]["seq"] if received else 0
    by_seq = {event["seq"]: event for event in events_sent(world, connection_id)}
    return [by_seq[seq] for seq in sorted(by_seq) if seq > last]
