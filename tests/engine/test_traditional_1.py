"""traditional-1 beyond its cases: options, the deal, and the table that waits."""

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import werewolf
from tests.engine.random_play import scripts
from tests.examples import examples
from werewolf import IllegalMove, InvalidOptions, Match, Transition
from werewolf.checking.invariants import MOST_BYTES
from werewolf.checking.matches import Script, play

RULESET = "traditional-1"
NOW = 1_800_000_000_000
SEED = "5eed" * 16
ROLES = ["werewolf", "werewolf", "seer", "doctor", "villager", "villager", "villager"]
LOCK = {"action": "lock"}


def deal(roles: list[str] | None = None, seats: int = 7, **options: Any) -> Transition:
    names = [f"p{seat}" for seat in range(len(roles) if roles else seats)]
    return werewolf.start(RULESET, names, seed=SEED, now=NOW, options=options, roles=roles)


def started(**options: Any) -> Match:
    return deal(ROLES, **options).match


def locked(match: Match, *seats: int, now: int) -> Match:
    for seat in seats:
        match = werewolf.act(match, seat, LOCK, now=now).match
    return match


def kinds(transition: Transition) -> list[str]:
    return [event.type for event in transition.events]


def told(transition: Transition, kind: str) -> dict[str, Any]:
    (event,) = (event for event in transition.events if event.type == kind)
    assert event.audience == "everyone"
    return dict(event.data)


# ---- options and deal ---------------------------------------------------------------------------


def test_the_lobby_sees_every_option_with_its_default() -> None:
    assert werewolf.check_options(RULESET, None) == {
        "wolves": 2,
        "seer": True,
        "doctor": True,
        "night_min_s": 20,
        "night_max_s": 60,
        "day_min_s": 60,
        "day_minutes": 5,
        "elimination": "plurality",
        "reveal_roles": True,
        "wait_limit_s": 0,
    }


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("wolves", 0),
        ("wolves", 3),
        ("wolves", True),
        ("seer", 1),
        ("doctor", "yes"),
        ("night_min_s", 19),
        ("night_min_s", 61),
        ("night_max_s", 19),
        ("night_max_s", 61),
        ("day_min_s", 0),
        ("day_minutes", 1),
        ("day_minutes", 11),
        ("day_minutes", 2.5),
        ("elimination", "Majority"),
        ("elimination", None),
        ("reveal_roles", None),
        ("wait_limit_s", -1),
        ("wait_limit_s", 3_601),
        ("max_days", 5),
    ],
)
def test_options_out_of_bounds(field: str, value: Any) -> None:
    with pytest.raises(InvalidOptions) as refusal:
        werewolf.check_options(RULESET, {field: value})
    assert refusal.value.field == field


def test_the_shortest_night_is_not_longer_than_the_longest() -> None:
    with pytest.raises(InvalidOptions) as refusal:
        deal(night_min_s=41, night_max_s=40)
    assert refusal.value.field == "night_min_s"
    assert werewolf.check_options(RULESET, {"night_min_s": 40, "night_max_s": 40})


@pytest.mark.parametrize("seats", [0, 5, 9])
def test_no_other_tables(seats: int) -> None:
    with pytest.raises(InvalidOptions):
        deal(seats=seats)


@pytest.mark.parametrize("seats", [6, 7, 8])
@pytest.mark.parametrize("wolves", [1, 2])
@pytest.mark.parametrize("seer", [False, True])
@pytest.mark.parametrize("doctor", [False, True])
def test_the_deal(seats: int, wolves: int, seer: bool, doctor: bool) -> None:
    roles = deal(seats=seats, wolves=wolves, seer=seer, doctor=doctor).match.roles
    assert len(roles) == seats
    assert roles.count("werewolf") == wolves
    assert roles.count("seer") == seer
    assert roles.count("doctor") == doctor
    assert roles.count("villager") == seats - wolves - seer - doctor


def test_clocks_are_told_when_a_phase_begins() -> None:
    night = told(deal(ROLES), "night_start")
    assert night == {"day": 1, "earliest_ms": NOW + 20_000, "latest_ms": NOW + 60_000}
    dawn = NOW + 60_007
    day = told(werewolf.expire(started(), now=dawn), "day_start")
    assert day == {"day": 1, "earliest_ms": dawn + 60_000, "latest_ms": dawn + 300_000}


def test_every_move_makes_a_new_turn() -> None:
    match = started()
    for number, target in enumerate([4, 4, 5]):
        turn = werewolf.turn(match, 0)
        assert turn is not None
        assert turn.turn_id == f"1.night.{number}"
        assert turn.deadline == NOW + 60_000
        match = werewolf.act(
            match, 0, {"action": "choose", "target": target}, now=NOW + number
        ).match
    other = werewolf.turn(match, 1)
    assert other is not None
    assert other.turn_id == "1.night.0"


# ---- the table waits ----------------------------------------------------------------------------


def test_the_clock_stops_and_goes_on_with_what_was_left() -> None:
    stopped = werewolf.pause(started(), [3], now=NOW + 15_000)
    assert told(stopped, "paused") == {"day": 1, "phase": "night", "waiting_for": [3]}
    match = stopped.match
    assert match.waiting_for == (3,)
    assert match.deadline is None
    assert match.awaiting == ()
    assert werewolf.turn(match, 0) is None
    assert werewolf.expire(match, now=NOW + 10**9) == Transition(match, ())
    state = werewolf.view(match, stopped.events, "spectator")
    assert state["waiting_for"] == [3]
    assert state["clock"] == {"least_left_ms": 5_000, "left_ms": 45_000}

    back = NOW + 1_000_000
    resumed = werewolf.resume(match, [3], now=back)
    clock = {"earliest_ms": back + 5_000, "latest_ms": back + 45_000}
    assert told(resumed, "resumed") == {"day": 1, "phase": "night", **clock}
    assert resumed.match.deadline == back + 45_000
    assert resumed.match.waiting_for == ()
    assert resumed.match.awaiting == tuple(range(7))
    assert werewolf.view(resumed.match, resumed.events, 0)["clock"] == clock
    ended = locked(resumed.match, *range(6), now=back + 1_000)
    assert ended.deadline == back + 45_000
    assert locked(ended, 6, now=back + 2_000).deadline == back + 5_000


def test_nobody_moves_while_the_table_waits() -> None:
    match = locked(started(), 5, now=NOW)
    match = werewolf.pause(match, [3], now=NOW).match
    for seat in range(7):
        with pytest.raises(IllegalMove) as refusal:
            werewolf.act(match, seat, LOCK, now=NOW)
        assert refusal.value.code == "paused"
    with pytest.raises(IllegalMove) as refusal:
        werewolf.act(match, 9, LOCK, now=NOW)
    assert refusal.value.code == "not_your_turn"
    match = werewolf.resume(match, [3], now=NOW).match
    assert match.awaiting == (0, 1, 2, 3, 4, 6)
    with pytest.raises(IllegalMove) as refusal:
        werewolf.act(match, 5, LOCK, now=NOW)
    assert refusal.value.code == "locked"


def test_a_turn_outlives_the_pause() -> None:
    match = werewolf.act(started(), 0, {"action": "choose", "target": 4}, now=NOW).match
    before = werewolf.turn(match, 0)
    match = werewolf.pause(match, [0], now=NOW).match
    after = werewolf.turn(werewolf.resume(match, [0], now=NOW + 500).match, 0)
    assert before is not None
    assert after == before._replace(deadline=NOW + 60_500)


def test_all_who_are_missing_must_come_back() -> None:
    first = werewolf.pause(started(), [3], now=NOW + 1_000)
    more = werewolf.pause(first.match, [5, 3, 1], now=NOW + 2_000)
    assert told(more, "paused")["waiting_for"] == [1, 3, 5]
    one_back = werewolf.resume(more.match, [3, 0], now=NOW + 3_000)
    assert told(one_back, "paused")["waiting_for"] == [1, 5]
    assert one_back.match.deadline is None
    all_back = werewolf.resume(one_back.match, [1, 5], now=NOW + 4_000)
    assert kinds(all_back) == ["resumed"]
    assert all_back.match.deadline == NOW + 63_000


def test_what_changes_nothing_about_a_pause() -> None:
    match = started()
    assert werewolf.resume(match, [3], now=NOW + 10**9) == Transition(match, ())
    assert werewolf.pause(match, [], now=NOW) == Transition(match, ())
    assert werewolf.pause(match, [-1, 7], now=NOW) == Transition(match, ())
    paused = werewolf.pause(match, [3], now=NOW).match
    assert werewolf.pause(paused, [3], now=NOW + 5) == Transition(paused, ())
    assert werewolf.resume(paused, [4], now=NOW + 5) == Transition(paused, ())
    gone = werewolf.leave(match, 4, now=NOW).match
    assert werewolf.pause(gone, [4], now=NOW) == Transition(gone, ())
    over = werewolf.leave(werewolf.leave(match, 0, now=NOW).match, 1, now=NOW).match
    assert werewolf.pause(over, [3], now=NOW) == Transition(over, ())
    assert werewolf.resume(over, [3], now=NOW) == Transition(over, ())


def test_only_rules_that_wait_stop_the_clock() -> None:
    names = [f"p{seat}" for seat in range(7)]
    for ruleset, rules in werewolf.RULESETS.items():
        if rules.seats.min <= 7 <= rules.seats.max:
            match = werewolf.start(ruleset, names, seed=SEED, now=NOW).match
            paused = werewolf.pause(match, [0], now=NOW).match
            assert (paused != match) == rules.waits == (ruleset == RULESET)


def test_all_locked_before_the_pause_end_the_phase_after_it() -> None:
    match = locked(started(), *range(7), now=NOW + 10_000)
    match = werewolf.pause(match, [6], now=NOW + 15_000).match
    state = werewolf.view(match, [], "spectator")
    assert state["clock"] == {"least_left_ms": 5_000, "left_ms": 45_000}, "a lock shows"
    match = werewolf.resume(match, [6], now=NOW + 100_000).match
    assert (match.phase, match.deadline) == ("night", NOW + 105_000)
    assert werewolf.expire(match, now=NOW + 105_000).match.phase == "day"


def test_the_host_puts_an_absent_player_out() -> None:
    match = werewolf.pause(started(), [3], now=NOW + 15_000).match
    with pytest.raises(IllegalMove) as refusal:
        werewolf.put_out(match, 4, now=NOW + 10**9)
    assert refusal.value.code == "not_absent"
    put_out = werewolf.put_out(match, 3, now=NOW + 15_000)
    assert kinds(put_out) == ["elimination", "resumed"]
    assert told(put_out, "elimination")["cause"] == "left"
    assert put_out.match.alive == (0, 1, 2, 4, 5, 6)
    assert put_out.match.awaiting == (0, 1, 2, 4, 5, 6)
    assert put_out.match.deadline == NOW + 60_000
    for gone, code in ((3, "eliminated"), (0, "not_absent"), (8, "not_your_turn")):
        with pytest.raises(IllegalMove) as refusal:
            werewolf.put_out(put_out.match, gone, now=NOW + 15_000)
        assert refusal.value.code == code


def test_the_host_waits_as_long_as_the_table_said() -> None:
    match = werewolf.pause(started(wait_limit_s=30), [3], now=NOW).match
    match = werewolf.pause(match, [5], now=NOW + 20_000).match
    for seat, ready in ((3, NOW + 30_000), (5, NOW + 50_000)):
        with pytest.raises(IllegalMove) as refusal:
            werewolf.put_out(match, seat, now=ready - 1)
        assert refusal.value.code == "too_early"
        assert seat in match.waiting_for
        match = werewolf.put_out(match, seat, now=ready).match
    assert match.alive == (0, 1, 2, 4, 6)
    assert match.waiting_for == ()


def test_who_comes_back_and_goes_again_is_waited_for_anew() -> None:
    match = werewolf.pause(started(wait_limit_s=30), [3, 4], now=NOW).match
    match = werewolf.resume(match, [3], now=NOW + 29_000).match
    match = werewolf.pause(match, [3], now=NOW + 29_500).match
    with pytest.raises(IllegalMove) as refusal:
        werewolf.put_out(match, 3, now=NOW + 59_499)
    assert refusal.value.code == "too_early"
    assert 3 not in werewolf.put_out(match, 3, now=NOW + 59_500).match.alive


def test_leaving_while_the_table_waits() -> None:
    match = werewolf.pause(started(), [3], now=NOW).match
    gone = werewolf.leave(match, 5, now=NOW + 1)
    assert kinds(gone) == ["elimination"]
    assert gone.match.waiting_for == (3,)
    gone = werewolf.leave(gone.match, 3, now=NOW + 2)
    assert kinds(gone) == ["elimination", "resumed"]
    assert gone.match.awaiting == (0, 1, 2, 4, 6)


def test_the_last_unlocked_player_put_out_ends_a_phase_past_its_minimum() -> None:
    match = locked(started(), *range(6), now=NOW + 25_000)
    match = werewolf.pause(match, [6], now=NOW + 30_000).match
    put_out = werewolf.put_out(match, 6, now=NOW + 90_000)
    assert kinds(put_out) == ["elimination", "resumed", "dawn", "day_start"]
    assert put_out.match.deadline == NOW + 390_000


def test_a_match_that_ends_while_the_table_waits_waits_no_more() -> None:
    match = werewolf.pause(started(), [1, 3], now=NOW).match
    match = werewolf.leave(match, 0, now=NOW).match
    ended = werewolf.put_out(match, 1, now=NOW)
    assert kinds(ended) == ["elimination", "reveal", "faction_win"]
    assert ended.match.over
    assert ended.match.waiting_for == ()
    assert ended.match.pause is None
    assert ended.match.deadline is None
    assert werewolf.view(ended.match, ended.events, 3)["waiting_for"] == []


def test_a_pause_as_the_deadline_passes_leaves_no_time() -> None:
    match = werewolf.pause(started(), [3], now=NOW + 60_000).match
    assert werewolf.resume(match, [3], now=NOW + 90_000).match.phase == "day"


def test_everybody_missing_at_a_full_table_is_still_a_compact_match() -> None:
    match = deal(seats=8, elimination="majority", wait_limit_s=3_600).match
    match = werewolf.expire(match, now=NOW + 60_000).match
    for seat in range(8):
        match = werewolf.act(match, seat, {"action": "abstain"}, now=NOW + 60_000).match
        match = locked(match, seat, now=NOW + 60_000) if seat % 2 else match
    for seat in range(8):
        match = werewolf.pause(match, [seat], now=NOW + 200_000 + 7_777 * seat).match
    text = match.to_json()
    assert Match.from_json(text) == match
    assert Match.from_json(text).to_json() == text
    assert len(text.encode()) <= MOST_BYTES


def _without_time(text: Any, shift: int) -> Any:
    """A state or an event with its points in time moved back, its pauses forgotten."""
    if isinstance(text, dict):
        return {
            name: value - shift
            if name in ("deadline", "earliest") and value is not None
            else _without_time(value, shift)
            for name, value in text.items()
            if not name.endswith("_ms") and name != "last_move"
        }
    return text


@settings(max_examples=examples(100), deadline=None)
@given(scripts(RULESET), st.integers(0, 2**32))
def test_pauses_change_nothing_but_the_time(script: Script, number: int) -> None:
    rng = Random(number)
    transition = script.table.start()
    match, now, shift = transition.match, NOW, 0
    for step in play(script):
        if step.did.by == "start" or step.refusal is not None:
            continue
        if rng.random() < 0.05:
            missing = rng.sample(match.alive, rng.randint(1, len(match.alive)))
            match = werewolf.pause(match, missing, now=now + shift).match
            assert set(match.waiting_for) == set(missing)
            for seat in rng.sample(missing, len(missing)):
                shift += rng.randrange(0, 100_000)
                match = werewolf.resume(match, [seat], now=now + shift).match
        did = step.did
        now = did.at
        after = werewolf.apply(match, did._replace(at=now + shift))
        match = after.match
        state, plain = json.loads(match.to_json()), json.loads(step.after.to_json())
        assert _without_time(state, shift) == _without_time(plain, 0)
        assert [(e.type, _without_time(e.data, 0), e.audience) for e in after.events] == [
            (e.type, _without_time(e.data, 0), e.audience) for e in step.events
        ]
