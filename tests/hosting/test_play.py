"""Moves: receipts, turns, deadlines, departures."""

import json
from random import Random
from typing import Any

import pytest

import werewolf
from hosting import errors
from hosting.play.moves import fingerprint_of
from tests.hosting.world import (
    World,
    agent,
    awaited,
    dealt,
    play_out,
    refusal,
    running,
    simple_move,
    stored_bytes,
)
from werewolf.replay import canonical, first_difference


def test_a_move_is_one_read_and_one_transaction(world: World) -> None:
    match_id, callers = running(world)
    seat, turn = awaited(world, match_id)
    world.matches.calls.clear()
    world.agents.reads = 0
    receipt = world.play.move(match_id, callers[seat], turn["turn_id"], simple_move(turn))
    assert world.matches.calls == ["state", "commit"]
    assert world.agents.reads == 0
    assert receipt == {
        "match_id": match_id,
        "turn_id": turn["turn_id"],
        "seat": seat,
        "outcome": "accepted",
        "seq": receipt["seq"],
    }
    page = world.event_pages.events(match_id, callers[seat])
    assert receipt["seq"] == page["events"][-1]["seq"]


def test_the_same_move_again_gets_the_same_receipt_and_another_one_is_refused(
    world: World,
) -> None:
    match_id, callers = running(world)
    seat, turn = awaited(world, match_id)
    move = simple_move(turn)
    receipt = world.play.move(match_id, callers[seat], turn["turn_id"], move)
    version = world.state_of(match_id).version
    reordered = dict(reversed(move.items()))
    assert world.play.move(match_id, callers[seat], turn["turn_id"], reordered) == receipt
    other = {**move, "target": turn["legal_actions"][0]["targets"][1]}
    assert refusal(world.play.move, match_id, callers[seat], turn["turn_id"], other).code == (
        "turn_used"
    )
    assert world.state_of(match_id).version == version


def test_the_last_receipt_outlives_the_match(world: World) -> None:
    match_id, callers = running(world)
    turns = {}
    rng = Random(3)
    while world.state_of(match_id).status == "running":
        seat, turn = awaited(world, match_id)
        move = simple_move(turn)
        if turn["phase"] == "day_vote":
            move = {"action": "vote", "target": rng.choice(turn["legal_actions"][0]["targets"])}
        turns[seat] = (
            turn["turn_id"],
            move,
            world.play.move(match_id, callers[seat], turn["turn_id"], move),
        )
    for seat, (turn_id, move, receipt) in turns.items():
        assert world.play.move(match_id, callers[seat], turn_id, move) == receipt
        late = refusal(world.play.move, match_id, callers[seat], "9.day_vote.0", move)
        assert late.code == "match_over"


def test_who_may_move(world: World) -> None:
    match_id, callers = running(world)
    seat, turn = awaited(world, match_id)
    move = simple_move(turn)

    def code(caller: object, turn_id: str = turn["turn_id"], where: str = match_id) -> str:
        return refusal(world.play.move, where, caller, turn_id, move).code

    stranger = agent(world, "stranger")
    forged = world.identity.caller(f"{callers[seat].agent_id}.{'A' * 43}")
    other = next(s for s in range(7) if s != seat)
    version = world.state_of(match_id).version
    assert code(None) == "unauthorized"
    assert code(forged) == "unauthorized"
    assert code(stranger) == "not_seated"
    assert code(callers[other]) == "not_your_turn"
    assert code(callers[seat], "1.day_talk.0") == "turn_over"
    assert code(callers[seat], "nonsense") == "turn_over"
    assert code(callers[seat], where="zzzzzzzzzzzzzzzz") == "not_found"
    assert code(callers[seat], where="../../etc/passwd") == "not_found"
    assert world.state_of(match_id).version == version


def test_before_the_start_there_are_no_moves(world: World) -> None:
    caller = agent(world, "ada")
    match_id = world.opening.open(caller, ruleset="werewolf-0.2")["match_id"]
    move = {"action": "pass"}
    assert refusal(world.play.move, match_id, caller, "1.day_talk.0", move).code == "not_seated"
    world.seating.sit(match_id, caller)
    refused = refusal(world.play.move, match_id, caller, "1.day_talk.0", move)
    assert refused.code == "match_not_running"


def test_what_the_engine_refuses_comes_with_the_legal_actions(world: World) -> None:
    match_id, callers = running(world)
    seat, turn = awaited(world, match_id)
    for move, code in (
        ({"action": "dance"}, "illegal_action"),
        ({"action": "kill", "target": seat}, "illegal_target"),
        ({"action": "kill", "target": turn["legal_actions"][0]["targets"][0], "message": "x" * 281},
         "message_too_long"),
    ):  # fmt: skip
        refused = refusal(world.play.move, match_id, callers[seat], turn["turn_id"], move)
        assert refused.code == code
        assert list(refused.legal_actions) == turn["legal_actions"]
    refused = refusal(world.play.move, match_id, callers[seat], turn["turn_id"], {"action": 3})
    assert (refused.code, refused.field) == ("malformed", "action")


def test_every_refusal_of_a_move_has_its_error() -> None:
    for code in werewolf.MOVE_CODES:
        refused = errors.from_engine(werewolf.IllegalMove(code, "why", field="target"))
        assert (refused.code, refused.detail, refused.field) == (code, "why", "target")


@pytest.mark.parametrize("late_by", [0, 1, 5_000])
@pytest.mark.parametrize("clock_first", [True, False])
def test_a_move_at_or_after_the_deadline_is_late_whether_or_not_the_clock_has_fired(
    world: World, late_by: int, clock_first: bool
) -> None:
    match_id, callers = running(world)
    seat, turn = awaited(world, match_id)
    before = world.state_of(match_id)
    world.time.now_ms = turn["deadline_ms"] + late_by
    if clock_first:
        world.clock.wake(match_id, before.clock, 0)
    refused = refusal(world.play.move, match_id, callers[seat], turn["turn_id"], simple_move(turn))
    assert refused.code == "deadline_passed"
    after = world.state_of(match_id)
    assert after.version == before.version + 1
    assert after.missed[seat] == turn["turn_id"]
    entry = world.matches.entry(match_id, after.version)
    assert entry is not None
    assert [move.by for move in entry.moves] == ["timeout"]


def test_a_receipt_outlives_a_turn_that_is_missed_later(world: World) -> None:
    roles = ["werewolf", "seer", "villager", "villager", "villager"]
    match_id, callers = dealt(world, roles)
    move = {"action": "kill", "target": 3}
    receipt = world.play.move(match_id, callers[0], "1.night_wolves.0", move)
    for _ in range(4):
        _, turn = awaited(world, match_id)
        world.time.now_ms = turn["deadline_ms"]
        world.clock.wake(match_id, 1, 0)
    assert world.state_of(match_id).missed[0] == "1.day_talk.0"
    assert world.play.move(match_id, callers[0], "1.night_wolves.0", move) == receipt
    late = refusal(world.play.move, match_id, callers[0], "1.day_talk.0", {"action": "pass"})
    assert late.code == "deadline_passed"


def test_the_deadline_is_played_and_then_the_move_is_judged_in_one_transaction(
    world: World,
) -> None:
    roles = ["werewolf", "werewolf", "seer", "villager", "villager", "villager", "villager"]
    match_id, callers = dealt(world, roles)
    seat, turn = awaited(world, match_id)
    assert seat == 0
    world.time.now_ms = turn["deadline_ms"]
    world.play.move(match_id, callers[1], "1.night_wolves.1", {"action": "kill", "target": 5})
    entry = world.matches.entry(match_id, world.state_of(match_id).version)
    assert entry is not None
    assert [(move.by, move.seat) for move in entry.moves] == [("timeout", 0), ("player", 1)]


def test_three_silences_put_a_seat_out_and_its_late_move_is_told_so(world: World) -> None:
    match_id, callers = running(world, options={"max_consecutive_timeouts": 1})
    seat, turn = awaited(world, match_id)
    world.time.now_ms = turn["deadline_ms"]
    move = simple_move(turn)
    refused = refusal(world.play.move, match_id, callers[seat], turn["turn_id"], move)
    assert refused.code == "deadline_passed"
    assert seat not in world.state_of(match_id).engine().alive
    refused = refusal(world.play.move, match_id, callers[seat], "1.day_talk.0", move)
    assert refused.code == "eliminated"


@pytest.mark.parametrize(
    "move",
    [
        {"action": "kill", "target": 1, "message": "\ud800"},
        {"action": "kill", "target": float("nan")},
        {"action": "kill", "target": float("inf")},
        {"action": "kill", "target": {1, 2}},
    ],
)
def test_what_is_no_json_is_malformed(world: World, move: dict[str, object]) -> None:
    match_id, callers = running(world)
    seat, turn = awaited(world, match_id)
    version = world.state_of(match_id).version
    refused = refusal(world.play.move, match_id, callers[seat], turn["turn_id"], move)
    assert refused.code == "malformed"
    assert world.state_of(match_id).version == version


def test_fingerprints() -> None:
    one = fingerprint_of({"action": "say", "message": "é"})
    assert one == fingerprint_of({"message": "é", "action": "say"})
    assert len(one) == 16
    others: list[dict[str, Any]] = [
        {"action": "say", "message": "e"},
        {"action": "say"},
        {"action": "say", "x": None},
    ]
    assert len({one, *(fingerprint_of(other) for other in others)}) == 4


def test_leaving_a_match(world: World) -> None:
    match_id, callers = running(world)
    assert world.play.leave(match_id, callers[2]) == {"match_id": match_id, "left": True}
    version = world.state_of(match_id).version
    assert 2 not in world.state_of(match_id).engine().alive
    assert world.play.leave(match_id, callers[2])["left"]
    assert world.state_of(match_id).version == version
    assert refusal(world.play.leave, match_id, agent(world, "stranger")).code == "not_seated"
    assert refusal(world.play.leave, match_id, None).code == "unauthorized"
    play_out(world, match_id, callers, Random(5))
    assert refusal(world.play.leave, match_id, callers[3]).code == "match_over"


def test_an_agent_that_moves_too_fast_is_told_when_to_come_back() -> None:
    world = World({"MOVE_LIMIT_PER_SECOND": "2"})
    match_id, callers = running(world)
    seat, turn = awaited(world, match_id)
    codes = []
    for _ in range(5):
        try:
            world.play.move(match_id, callers[seat], "1.day_talk.99", simple_move(turn))
        except errors.HostingError as error:
            codes.append((error.code, error.retry_after))
    assert codes == [("turn_over", None)] * 4 + [("too_many_requests", 1)]
    forged = world.identity.caller(f"{callers[0].agent_id}.{'A' * 43}")
    world.time.now_ms += 500
    for _ in range(4):
        refusal(world.play.move, match_id, forged, turn["turn_id"], {})
    world.play.move(match_id, callers[seat], turn["turn_id"], simple_move(turn))


def test_the_state_stays_small_and_does_not_grow() -> None:
    early: list[int] = []
    late: list[int] = []
    for seed in range(4):
        world = World()
        options = {"max_days": 50, "talk_rounds": 5, "turn_deadline_ms": 1_000_000}
        match_id, callers = running(world, 10, options)
        rng = Random(seed)
        while world.state_of(match_id).status == "running":
            seat, turn = awaited(world, match_id)
            action = "abstain" if turn["phase"] == "day_vote" else None
            move = simple_move(turn) if action is None else {"action": action}
            if rng.random() < 0.3:
                world.time.now_ms = turn["deadline_ms"]
                world.clock.wake(match_id, world.state_of(match_id).clock, 0)
            else:
                world.play.move(match_id, callers[seat], turn["turn_id"], move)
            state = world.state_of(match_id)
            size = stored_bytes(world.matches.items[f"MATCH#{match_id}", "STATE"])
            (early if state.engine().day <= 2 else late).append(size)
    assert max(early + late) < 2_000
    assert late
    assert max(late) < max(early) + 250  # who is out, and longer numbers


def test_a_replay_is_true_byte_by_byte() -> None:
    for seed in range(6):
        world = World()
        match_id, callers = running(world, 5 + seed % 6)
        assert refusal(world.replays.replay, match_id).code == "match_not_over"
        play_out(world, match_id, callers, Random(seed), silences=0.1, leaves=0.01)
        replay = world.replays.replay(match_id)
        document = json.loads(json.dumps(replay))
        assert first_difference(canonical(document).encode()) is None


def test_what_is_legal_is_worked_out_once_for_each_position(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = World()
    match_id, callers = running(world, 7)
    seat, turn = awaited(world, match_id)
    asked: list[tuple[werewolf.Match, int]] = []
    offered = werewolf.turn

    def counted(match: werewolf.Match, seat: int) -> werewolf.Turn | None:
        asked.append((match, seat))
        return offered(match, seat)

    monkeypatch.setattr(werewolf, "turn", counted)
    world.play.move(match_id, callers[seat], turn["turn_id"], simple_move(turn))
    assert len(asked) == 2, "before and after"
    assert asked[0][0] != asked[1][0]
