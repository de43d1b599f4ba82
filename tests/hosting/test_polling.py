"""When to ask again: out of what the viewer may know, alone; and a poll that finds nothing new."""

import pytest

from hosting.views.polling import AT_AN_OPEN_TABLE, LONGEST
from tests.hosting.world import RULES, World, agent, dealt, refusal, running

ROLES = ["werewolf", "villager", "seer", "villager", "villager"]


def test_at_night_the_time_is_told_to_those_on_turn_alone(world: World) -> None:
    match_id, callers = dealt(world, ROLES)
    for step in range(29):
        world.time.now_ms += 1_000
        told = [world.states.state(match_id, caller).poll_after for caller in (None, *callers)]
        wolf = told.pop(1)
        assert wolf == max(1, -(-(29 - step) // 10))
        assert set(told) == {3}, "a tenth of the time for a turn, whenever one asks"
    world.play.move(match_id, callers[0], "1.night_wolves.0", {"action": "kill", "target": 1})
    told = [world.event_pages.read_on(match_id, caller).poll_after for caller in (None, *callers)]
    assert told == [3] * 6


def test_by_day_everybody_is_told_by_the_deadline(world: World) -> None:
    match_id, callers = dealt(world, ROLES)
    world.play.move(match_id, callers[0], "1.night_wolves.0", {"action": "kill", "target": 1})
    world.play.move(match_id, callers[2], "1.night_seer.0", {"action": "skip"})
    world.time.now_ms += 15_000
    for caller in (None, *callers):
        assert world.states.state(match_id, caller).poll_after == 2


@pytest.mark.parametrize(
    ("deadline_ms", "seconds"), [(1_000, 1), (60_000, 6), (86_400_000, LONGEST)]
)
def test_the_longer_a_turn_the_longer_the_wait(
    world: World, deadline_ms: int, seconds: int
) -> None:
    match_id, _ = running(world, 5, {"turn_deadline_ms": deadline_ms})
    assert world.states.state(match_id, None).poll_after == seconds


def test_before_and_after_the_match(world: World) -> None:
    host = agent(world, "Ada")
    match_id = world.opening.open(host, ruleset=RULES)["match_id"]
    assert world.states.state(match_id, None).poll_after == AT_AN_OPEN_TABLE
    world.time.now_ms += 3 * 3_600_000
    world.closing.close_unfilled(until=world.now() + 1)
    assert world.states.state(match_id, host).poll_after is None
    match_id, callers = running(world, 5)
    for caller in callers:
        if world.state_of(match_id).status == "running":
            world.play.leave(match_id, caller)
    read = world.event_pages.read_on(match_id, None, limit=1)
    assert read.poll_after == 0, "there is more"
    assert world.event_pages.read_on(match_id, None, limit=500).poll_after is None


def test_a_tag_of_a_page_holds_until_there_is_something_new(world: World) -> None:
    match_id, callers = dealt(world, ROLES)
    pages = world.event_pages
    first = pages.read_on(match_id, callers[1])
    assert first.body is not None
    world.matches.calls.clear()
    assert world.event_pages.read_on(match_id, callers[1], etag=first.etag).body is None
    assert world.matches.calls == ["state"]
    world.play.move(match_id, callers[0], "1.night_wolves.0", {"action": "kill", "target": 1})
    assert world.event_pages.read_on(match_id, callers[1], etag=first.etag).body is None, (
        "that was hidden"
    )
    for other in (callers[0], None):
        assert world.event_pages.read_on(match_id, other, etag=first.etag).body is not None
    for more in ({"after": 1}, {"limit": 1}):
        assert (
            world.event_pages.read_on(match_id, callers[1], etag=first.etag, **more).body
            is not None
        )


def test_a_dry_run_judges_as_the_move_would_and_changes_nothing(world: World) -> None:
    match_id, callers = dealt(world, ROLES)
    dry = world.play.dry_run
    before = world.state_of(match_id)
    legal = {"action": "kill", "target": 1}
    told = dry(match_id, callers[0], "1.night_wolves.0", legal)
    assert told == {
        "match_id": match_id,
        "turn_id": "1.night_wolves.0",
        "seat": 0,
        "would_be": "accepted",
    }
    for caller, turn_id, move in [
        (callers[0], "1.night_wolves.0", {"action": "kill", "target": 0}),
        (callers[0], "1.night_wolves.0", {"action": "say"}),
        (callers[0], "1.night_wolves.1", legal),
        (callers[1], "1.night_wolves.0", legal),
        (agent(world, "stranger"), "1.night_wolves.0", legal),
        (None, "1.night_wolves.0", legal),
    ]:
        tried = refusal(dry, match_id, caller, turn_id, move)
        made = refusal(world.play.move, match_id, caller, turn_id, move)
        assert vars(tried) == vars(made)
        assert type(tried) is type(made)
    assert world.state_of(match_id) == before
    assert "commit" not in world.matches.calls[-3:]


def test_a_dry_run_leaves_a_deadline_that_has_passed_to_others(world: World) -> None:
    match_id, callers = dealt(world, ROLES)
    world.time.now_ms += 30_000
    before = world.state_of(match_id)
    move = {"action": "kill", "target": 1}
    tried = refusal(world.play.dry_run, match_id, callers[0], "1.night_wolves.0", move)
    assert tried.code == "deadline_passed"
    told = world.play.dry_run(match_id, callers[2], "1.night_seer.0", {"action": "skip"})
    assert told["would_be"] == "accepted"
    assert world.state_of(match_id) == before
    assert refusal(world.play.move, match_id, callers[0], "1.night_wolves.0", move).code == (
        "deadline_passed"
    )
    assert world.state_of(match_id).version == before.version + 1


def test_a_dry_run_of_a_move_that_was_made_is_its_receipt(world: World) -> None:
    match_id, callers = dealt(world, ROLES)
    move = {"action": "kill", "target": 1}
    world.play.move(match_id, callers[0], "1.night_wolves.0", move)
    assert world.play.dry_run(match_id, callers[0], "1.night_wolves.0", move)["would_be"]
    other = {"action": "kill", "target": 3}
    tried = refusal(world.play.dry_run, match_id, callers[0], "1.night_wolves.0", other)
    assert tried.code == "turn_used"


def test_a_dry_run_warns_of_a_forfeit(world: World) -> None:
    match_id, callers = running(world, 8, ruleset="arena-1")
    match = world.state_of(match_id).engine()
    seat = match.awaiting[0]
    told = world.play.dry_run(match_id, callers[seat], "1.night_seer.0", {"action": "no_lynch"})
    assert told["would_be"] == "forfeit"
    assert seat in world.state_of(match_id).engine().alive
