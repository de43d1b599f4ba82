"""State, events and tags: what a viewer sees, in which numbers, and at what cost."""

from random import Random
from typing import Any

import pytest

import werewolf
from hosting.views.sequences import counted, numbered, seen_by, viewers
from tests.hosting.world import (
    World,
    agent,
    agents,
    awaited,
    dealt,
    play_out,
    refusal,
    running,
    simple_move,
)
from werewolf import Viewer


def played(seed: int = 1, seats: int = 7) -> tuple[World, str, list[Any]]:
    world = World()
    match_id, callers = running(world, seats, {"max_days": 8})
    play_out(world, match_id, callers, Random(seed), silences=0.1, leaves=0.01)
    return world, match_id, callers


@pytest.mark.parametrize("seed", range(4))
def test_every_viewer_has_a_dense_sequence_of_what_it_may_see(seed: int) -> None:
    world, match_id, callers = played(seed)
    state = world.state_of(match_id)
    log = list(world.matches.entries(match_id, 1, state.version))
    for viewer in viewers(state.seen):
        caller = callers[viewer] if isinstance(viewer, int) else None
        expected = [
            event.type
            for entry in log
            for event in entry.events
            if werewolf.visible_to(event, viewer)
        ]
        numbers = [seq for entry in log for seq, _ in numbered(entry, viewer)]
        assert numbers == [*range(1, len(expected) + 1)]
        assert seen_by(state.seen, viewer) == len(expected)
        if viewer == "omniscient":
            continue
        page = world.event_pages.events(match_id, caller, limit=500)
        told = page["events"]
        while page["more"]:
            page = world.event_pages.events(match_id, caller, after=page["next"], limit=500)
            told += page["events"]
        assert [event["type"] for event in told] == expected
        assert [event["seq"] for event in told] == numbers


def test_counts_follow_the_audiences() -> None:
    events = [
        werewolf.Event("a", {}),
        werewolf.Event("b", {}, (1,)),
        werewolf.Event("c", {}, ()),
        werewolf.Event("d", {}, (0, 1)),
    ]
    assert counted((0, 0, 5, 5), events) == (2, 3, 6, 9)


@pytest.mark.parametrize("limit", [1, 7, 500])
def test_pages_of_any_size_from_anywhere_tell_the_same(limit: int) -> None:
    world, match_id, callers = played(6)
    whole = world.event_pages.events(match_id, callers[3], limit=500)["events"]
    assert len(whole) > 3 * 7
    for after in range(len(whole) + 2):
        page = world.event_pages.events(match_id, callers[3], after=after, limit=limit)
        assert page["events"] == whole[after : after + limit]
        assert page["more"] == (after + limit < len(whole))
        assert page["next"] == max(after, min(after + limit, len(whole)))


def test_reading_costs_what_is_read_and_not_the_length_of_the_match() -> None:
    world = World()
    options = {"max_days": 50, "talk_rounds": 5}
    match_id, callers = running(world, 10, options)
    while world.state_of(match_id).version < 600 and world.state_of(match_id).status != "over":
        seat, turn = awaited(world, match_id)
        move = {"action": "abstain"} if turn["phase"] == "day_vote" else simple_move(turn)
        world.play.move(match_id, callers[seat], turn["turn_id"], move)
    seen = seen_by(world.state_of(match_id).seen, "spectator")
    assert world.state_of(match_id).version > 100
    for after in (0, 1, seen // 2, seen - 60, seen - 1, seen):
        world.matches.calls.clear()
        world.event_pages.events(match_id, None, after=after, limit=10)
        assert world.matches.calls.count("state") == 1
        assert world.matches.calls.count("entry") <= 10
        assert world.matches.calls.count("log") <= 60


def test_events_are_asked_for_sensibly(world: World) -> None:
    match_id, _ = running(world)
    for wrong, field in (
        ({"after": -1}, "after"),
        ({"limit": 0}, "limit"),
        ({"limit": 501}, "limit"),
    ):
        refused = refusal(world.event_pages.events, match_id, None, **wrong)
        assert (refused.code, refused.field) == ("malformed", field)
    far = world.event_pages.events(match_id, None, after=10**15)
    assert (far["events"], far["next"], far["more"]) == ([], 10**15, False)
    assert refusal(world.event_pages.events, "zzzzzzzzzzzzzzzz", None).code == "not_found"


def test_the_state_is_the_engines_view(world: World) -> None:
    roles = ["werewolf", "seer", "werewolf", "villager", "villager", "villager", "villager"]
    match_id, callers = dealt(world, roles)
    state = world.state_of(match_id)
    log = [e for entry in world.matches.entries(match_id, 1, state.version) for e in entry.events]
    stranger = agent(world, "stranger")
    looking: list[tuple[Any, Viewer]] = [
        (None, "spectator"),
        (stranger, "spectator"),
        *((caller, seat) for seat, caller in enumerate(callers)),
    ]
    for caller, viewer in looking:
        body = world.states.state(match_id, caller).body
        assert body is not None
        assert body["viewer"] == viewer
        assert body["visible_state"] == werewolf.view(state.engine(), log, viewer)
        assert body["seq"] == seen_by(state.seen, viewer)
        assert body["server_now"] == world.now()
        assert (body["your_turn"] is not None) == (viewer == 0)
    forged = world.identity.caller(f"{callers[0].agent_id}.{'A' * 43}")
    assert refusal(world.states.state, match_id, forged).code == "unauthorized"


def test_a_tag_holds_until_this_viewer_can_see_a_change(world: World) -> None:
    roles = ["werewolf", "werewolf", "seer", "villager", "villager", "villager", "villager"]
    match_id, callers = dealt(world, roles)
    eyes: list[Any] = [None, *callers]

    def tags() -> list[str]:
        return [world.states.state(match_id, eye).etag for eye in eyes]

    before = tags()
    assert len(set(before)) == len(eyes)
    world.matches.calls.clear()
    assert world.states.state(match_id, callers[3], etag=before[4]).body is None
    assert world.matches.calls == ["state"]
    world.play.move(match_id, callers[0], "1.night_wolves.0", {"action": "kill", "target": 5})
    changed = [eye for eye, (old, new) in enumerate(zip(before, tags(), strict=True)) if old != new]
    assert changed == [1, 2], "the first wolf's pick is for the pack alone"
    world.time.now_ms += 5
    assert tags() == tags()
    before = tags()
    world.play.move(match_id, callers[1], "1.night_wolves.1", {"action": "kill", "target": 5})
    assert all(old != new for old, new in zip(before, tags(), strict=True)), "the phase is public"
    table = world.opening.open(callers[0], ruleset="werewolf-0.2")["match_id"]
    tag = world.states.state(table, None).etag
    world.seating.sit(table, callers[0])
    assert world.states.state(table, None).etag != tag


def test_the_numbers_go_on_from_the_lobby_to_the_game(world: World) -> None:
    callers = agents(world, 5)
    match_id = world.opening.open(callers[0], ruleset="werewolf-0.2", seats=5)["match_id"]
    for caller in callers:
        world.seating.sit(match_id, caller)
    for eye in (None, *callers):
        page = world.event_pages.events(match_id, eye)
        assert [event["seq"] for event in page["events"]] == [*range(1, page["next"] + 1)]
        assert [e["type"] for e in page["events"]][:6] == ["seat_taken"] * 5 + ["roles_dealt"]


def test_the_replay_names_who_played_and_what_they_brought() -> None:
    world = World()
    callers = agents(world, 5)
    match_id = world.opening.open(callers[0], ruleset="werewolf-0.2", seats=5)["match_id"]
    for place, caller in enumerate(callers):
        world.seating.sit(match_id, caller, entropy="tea" if place == 2 else None)
    order = [p["agent_id"] for p in world.listing.summary(match_id)["players"]]
    by_id = {caller.agent_id: caller for caller in callers}
    play_out(world, match_id, [by_id[one] for one in order], Random(1), silences=0.2)
    replay = world.replays.replay(match_id)
    assert [player["agent_id"] for player in replay["players"]] == order
    brought = {player["agent_id"]: player["entropy"] for player in replay["players"]}
    assert brought == {c.agent_id: "tea" if n == 2 else None for n, c in enumerate(callers)}
    assert werewolf.commitment(replay["seed"]) == replay["commitment"]
    assert world.listing.summary(match_id)["commitment"] == replay["commitment"]
    assert {move["by"] for move in replay["moves"]} == {"start", "player", "timeout"}
    summary = world.listing.summary(match_id)
    assert (summary["winner"], list(summary["ranking"] or ())) == (
        replay["winner"],
        list(replay["ranking"]),
    )
    assert summary["status"] == "over"
    assert summary["ended_at"] == replay["moves"][-1]["at"]
    assert world.listing.list(status="over")["matches"] == [summary]
