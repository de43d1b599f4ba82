"""A match that nobody plays any more is void: told as such, in every list, with its replay."""

from random import Random

import pytest

from hosting.errors import MatchOver
from hosting.model import Caller
from tests.hosting.test_clock import StepFunctions
from tests.hosting.test_presence import follow, waiting_for
from tests.hosting.world import World, awaited, play_out, refusal, running
from werewolf.checking.moves import legal_move
from werewolf.replay import canonical, first_difference

DAY_MS = 24 * 60 * 60 * 1000


def abandoned(world: World) -> tuple[str, list[Caller]]:
    """Nobody moves from the start on, and the clock goes on."""
    match_id, callers = running(world, 6, {}, "traditional-1")
    world.drain()
    StepFunctions(world).run_until(world.now() + DAY_MS)
    return match_id, callers


def waiting(world: World) -> tuple[str, list[Caller]]:
    """The table waits for one who does not come back."""
    match_id, callers = running(world, 6, {}, "traditional-1")
    follow(world, "a", match_id, callers[2])
    world.subscriptions.disconnect("a")
    assert waiting_for(world, match_id) == (2,)
    return match_id, callers


def test_a_match_that_nobody_plays_is_void_for_everybody_who_asks(world: World) -> None:
    match_id, callers = abandoned(world)
    summary = world.listing.summary(match_id)
    assert (summary["status"], summary["winner"], summary["ranking"]) == ("void", None, None)
    assert summary["ended_at"] is not None
    assert "seat" in summary["players"][0]
    body = world.states.state(match_id, callers[0]).body
    assert body is not None
    assert (body["status"], body["your_turn"]) == ("void", None)
    assert world.states.state(match_id, callers[0]).poll_after is None
    for status in ("open", "running", "over", "void"):
        found = [row["match_id"] for row in world.listing.list(status=status)["matches"]]
        assert found == ([match_id] if status == "void" else [])
    assert [row["status"] for row in world.listing.own(callers[0])["matches"]] == ["void"]
    replay = world.replays.replay(match_id)
    assert (replay["winner"], replay["ranking"]) == (None, [])
    assert first_difference(canonical(dict(replay)).encode()) is None
    assert isinstance(refusal(world.play.leave, match_id, callers[0]), MatchOver)
    host = next(one for one in callers if one.agent_id == summary["host"])
    assert isinstance(refusal(world.play.kick, match_id, host, 3), MatchOver)
    move = refusal(world.play.move, match_id, callers[0], "1.night.0", {"action": "lock"})
    assert isinstance(move, MatchOver)


def test_those_who_come_back_too_late_may_play_once_more(world: World) -> None:
    match_id, callers = abandoned(world)
    for caller in callers:
        again = world.rematches.ask(match_id, caller).answer
    assert again["status"] == "running"


def test_the_sweep_ends_a_table_that_has_waited_for_a_day(world: World) -> None:
    match_id, callers = waiting(world)
    world.time.now_ms += DAY_MS - 1
    assert world.sweep.run(until=world.now() + 1)["voided"] == 0
    assert world.listing.summary(match_id)["status"] == "running"
    world.time.now_ms += 1
    assert world.sweep.run(until=world.now() + 1)["voided"] == 1
    assert world.sweep.run(until=world.now() + 1) == dict.fromkeys(
        ("checked", "voided", "rearmed", "reconciled"), 0
    )
    assert world.listing.summary(match_id)["status"] == "void"
    told = world.event_pages.events(match_id, callers[2])["events"][-1]
    assert (told["type"], told["data"]["reason"]) == ("match_void", "waited_too_long")
    replay = canonical(dict(world.replays.replay(match_id))).encode()
    assert first_difference(replay) is None


def test_whoever_asks_first_after_that_finds_it_void(world: World) -> None:
    """Nothing hangs on when the sweep comes."""
    match_id, callers = waiting(world)
    world.time.now_ms += DAY_MS
    follow(world, "b", match_id, callers[2])
    assert world.listing.summary(match_id)["status"] == "void"


@pytest.mark.parametrize("ruleset", ["werewolf-0.2", "house-9"])
def test_a_day_without_a_move_is_the_end_wherever_the_clock_is(world: World, ruleset: str) -> None:
    options = {"turn_deadline_ms": DAY_MS}
    rng = Random(5)
    match_id, callers = running(world, 7, options, ruleset)
    world.time.now_ms += 1_000
    seat, turn = awaited(world, match_id)
    move = legal_move(world.state_of(match_id).engine(), seat, rng)
    world.play.move(match_id, callers[seat], turn["turn_id"], move)
    world.time.now_ms += DAY_MS - 1
    assert world.state_of(match_id).status == "running"
    seat, turn = awaited(world, match_id)
    world.time.now_ms += 1
    late = refusal(world.play.move, match_id, callers[seat], turn["turn_id"], move)
    assert late.code == "match_over"
    assert world.listing.summary(match_id)["status"] == "void"


def test_a_match_that_is_played_is_never_void(world: World) -> None:
    match_id, callers = running(world, 7)
    play_out(world, match_id, callers, Random(7), silences=0.3)
    assert world.listing.summary(match_id)["status"] == "over"
