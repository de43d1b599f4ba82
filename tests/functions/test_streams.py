"""What is read from the stream: pushes, clocks; the clock itself, and the sweep."""

import json
from datetime import datetime
from itertools import pairwise
from random import Random
from threading import Barrier
from typing import Any

import pytest

from edge.batches import SPARE_MS
from hosting.answers import Delivery
from hosting.model import Caller, LogEntry, Watcher
from local.functions import Context
from tests.functions.house import (
    SAMPLE_MATCH,
    House,
    Match,
    finished,
    good,
    http,
    invoke,
    open_table,
    plain,
    refused,
    register,
    request,
    running,
    sample,
)
from tests.template.platform import function

NOTHING_FAILED: dict[str, Any] = {"batchItemFailures": []}


def watch(house: House, match_id: str, connection_id: str, agent_id: str | None = None) -> None:
    expires_at = house.time + 60_000
    caller = Caller(agent_id, bytes(32)) if agent_id else None
    house.subscriptions.connect(connection_id, caller)
    watcher = Watcher(connection_id, agent_id, 0)
    house.connections.watch(watcher, match_id, expires_at=expires_at, at_version=None)


def records(house: House, match: Match) -> dict[str, Any]:
    return {"Records": house.log_records(match.match_id)}


def pushed(house: House, connection_id: str) -> list[Any]:
    frames = house.fake_sockets.of(connection_id)
    return [frame["event"] for frame in frames if frame["type"] == "event"]


def failed(*numbers: int) -> dict[str, Any]:
    return {"batchItemFailures": [{"itemIdentifier": str(100 + number)} for number in numbers]}


def test_the_sample_batches(house: House) -> None:
    watch(house, SAMPLE_MATCH, "window")
    assert invoke("push", sample("push/batch")) == NOTHING_FAILED
    told = [event["type"] for event in pushed(house, "window")]
    assert told == ["seat_taken", "seat_taken", "roles_dealt", "night_start"]
    assert invoke("follow", sample("follow/batch")) == NOTHING_FAILED
    (name,) = house.fake_clock.started
    assert name == f"{SAMPLE_MATCH}-1"


def test_each_viewer_is_pushed_its_own_events(house: House) -> None:
    match = running()
    wolf, turn = match.on_turn()
    match.move(wolf, turn["turn_id"], **plain(turn))
    watch(house, match.match_id, "window")
    for player in match.players:
        watch(house, match.match_id, f"seat {player.seat}", player.agent_id)
    assert invoke("push", records(house, match)) == NOTHING_FAILED

    for connection_id, player in [
        ("window", None),
        *[(f"seat {p.seat}", p) for p in match.players],
    ]:
        token = player.token if player else None
        page = good(request("GET", f"{match.path}/events", token=token))
        assert pushed(house, connection_id) == page["events"]


def test_the_last_event_tells_that_the_match_is_over(house: House) -> None:
    match = finished()
    watch(house, match.match_id, "window")
    invoke("push", records(house, match))
    shown, last = pushed(house, "window")[-2:]
    assert (shown["type"], last["type"]) == ("reveal", "faction_win")
    assert last["data"]["winner"] == good(request("GET", match.path))["winner"]


def test_each_move_in_traditional_1_uses_its_turn_up(house: House) -> None:
    match = running(6, ruleset="traditional-1")
    player, turn = match.on_turn()
    watch(house, match.match_id, "mine", player.agent_id)
    known = {turn["turn_id"]}
    for action in ("choose", "choose", "lock"):
        offer = next((o for o in turn["legal_actions"] if o["action"] == action), None)
        if offer is None:
            continue
        move = {"action": action}
        if "targets" in offer:
            move["target"] = offer["targets"][0 if len(known) == 1 else -1]
        version = house.matches.state(match.match_id).version
        assert match.move(player, turn["turn_id"], **move).status == 200
        refused(match.move(player, turn["turn_id"], action="pass"), 409, "turn_used")
        invoke("push", {"Records": house.log_records(match.match_id, version + 1)})
        turn = match.state(player)["your_turn"]
        if action == "lock":
            assert turn is None
        else:
            assert house.fake_sockets.last("mine")["turn"] == turn
            assert turn["turn_id"] not in known
            known.add(turn["turn_id"])


def test_a_batch_that_comes_twice_repeats_the_same_frames(house: House) -> None:
    match = running()
    watch(house, match.match_id, "window")
    invoke("push", records(house, match))
    once = pushed(house, "window")
    invoke("push", records(house, match))
    assert pushed(house, "window") == once + once
    invoke("follow", records(house, match))
    invoke("follow", records(house, match))
    assert len(house.fake_clock.started) == 1


def test_connections_that_fail_hold_nobody_up(house: House) -> None:
    match = running()
    for connection_id in ("gone", "broken", "window"):
        watch(house, match.match_id, connection_id)
    house.fake_sockets.gone.add("gone")
    house.fake_sockets.broken.add("broken")
    assert invoke("push", records(house, match)) == NOTHING_FAILED
    assert pushed(house, "window")
    watching = {watcher.connection_id for watcher in house.connections.watchers(match.match_id)}
    assert watching == {"window"}
    assert "broken" in house.fake_sockets.gone, "it was closed, so that its client comes again"


@pytest.mark.parametrize("name", ["push", "follow"])
def test_no_record_overtakes_one_that_failed(
    house: House, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    match = running()
    seen: list[int] = []

    def third_fails(entry: LogEntry) -> Delivery:
        if entry.version == 3:
            raise OSError("no")
        seen.append(entry.version)
        return Delivery(0, 0, 0)

    monkeypatch.setattr(house.effects, "dispatch", third_fails)
    monkeypatch.setattr(house.push, "deliver", third_fails)
    answer = invoke(name, records(house, match))
    assert answer == failed(3, 4, 5)
    assert seen == [1, 2]


class Reader:
    """Hands stream records to a function as Lambda is documented to.

    A stream keeps the order of each item. With one lane a shard's batches come one after another;
    with more, only the records of one item keep their order, and every log entry is an item of its
    own. What is reported as failed comes again with all that follows it.
    """

    def __init__(self, name: str, dice: Random) -> None:
        (event,) = (e for e in function(name)["Events"].values() if e["Type"] == "DynamoDB")
        self._lanes = event["Properties"]["ParallelizationFactor"]
        self._name = name
        self._dice = dice

    def read(self, records: list[dict[str, Any]]) -> None:
        waiting = list(records)
        if self._lanes > 1:
            self._dice.shuffle(waiting)
        while waiting:
            batch = waiting[: self._dice.randint(1, 7)]
            answer = invoke(self._name, {"Records": batch})
            failed = {failure["itemIdentifier"] for failure in answer["batchItemFailures"]}
            numbers = [record["dynamodb"]["SequenceNumber"] for record in batch]
            done = min((numbers.index(number) for number in failed), default=len(batch))
            waiting = waiting[done:]


@pytest.mark.parametrize("name", ["push", "follow"])
def test_whatever_the_stream_may_reorder_the_order_of_a_match_is_kept(
    house: House, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    dice = Random(9)
    per_match = [house.log_records(running().match_id) for _ in range(4)]
    stream = [
        per_match[lane].pop(0)
        for lane in dice.sample([i for i, r in enumerate(per_match) for _ in r], k=20)
    ]
    for number, record in enumerate(stream):
        record["dynamodb"]["SequenceNumber"] = str(number)
    seen: dict[str, list[int]] = {}

    def sometimes(entry: LogEntry) -> Delivery:
        if dice.random() < 0.2:
            raise OSError("no")
        seen.setdefault(entry.match_id, []).append(entry.version)
        return Delivery(0, 0, 0)

    monkeypatch.setattr(house.effects, "dispatch", sometimes)
    monkeypatch.setattr(house.push, "deliver", sometimes)
    Reader(name, dice).read(stream)
    assert len(seen) == 4
    for versions in seen.values():
        first_seen = list(dict.fromkeys(versions))
        assert first_seen == [1, 2, 3, 4, 5]
        # What came again came in order, from an entry that had been seen or the next one.
        assert all(after <= before + 1 for before, after in pairwise(versions))


def test_matches_of_a_batch_go_side_by_side(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    both = Barrier(2, timeout=10)

    def waits_for_the_other(entry: LogEntry) -> Delivery:
        both.wait()
        return Delivery(0, 0, 0)

    monkeypatch.setattr(house.push, "deliver", waits_for_the_other)
    entries = [record for _ in range(2) for record in house.log_records(running().match_id)]
    assert invoke("push", {"Records": entries}) == NOTHING_FAILED


@pytest.mark.parametrize("name", ["push", "follow"])
@pytest.mark.parametrize(("left", "done"), [([SPARE_MS] * 9, 5), ([SPARE_MS, 1, 1], 2), ([1], 1)])
def test_a_batch_that_takes_too_long_goes_on_where_it_stopped(
    house: House, monkeypatch: pytest.MonkeyPatch, name: str, left: list[int], done: int
) -> None:
    match = running()
    clock, seen = iter(left), list[int]()

    def noted(entry: LogEntry) -> Delivery:
        seen.append(entry.version)
        return Delivery(0, 0, 0)

    monkeypatch.setattr(house.effects, "dispatch", noted)
    monkeypatch.setattr(house.push, "deliver", noted)
    monkeypatch.setattr(Context, "get_remaining_time_in_millis", lambda _: next(clock))
    answer = invoke(name, records(house, match))
    assert answer == failed(*range(done + 1, 6))
    assert seen == [*range(1, done + 1)]


def test_what_is_no_log_entry_is_passed_over(house: House) -> None:
    event = sample("push/batch")
    removed, state, _log = event["Records"]
    removed["eventName"] = "REMOVE"
    del removed["dynamodb"]["NewImage"]
    state["dynamodb"]["NewImage"]["SK"]["S"] = "STATE"
    for name in ("push", "follow"):
        assert invoke(name, {"Records": [removed, state]}) == NOTHING_FAILED


def wake(match: Match, generation: int = 1, wakes: int = 0) -> Any:
    event = sample("deadline/wake", match_id=match.match_id)
    return invoke("deadline", event | {"generation": generation, "wakes": wakes})


def test_a_clock_that_wakes_early_sleeps_on(house: House) -> None:
    match = running()
    before = match.state()
    _player, turn = match.on_turn()
    answer = wake(match)
    assert answer == {
        "done": False,
        "match_id": match.match_id,
        "generation": 1,
        "wakes": 1,
        "wake_at": answer["wake_at"],
    }
    asleep_until = datetime.fromisoformat(answer["wake_at"]).timestamp() * 1000
    assert 0 <= asleep_until - turn["deadline_ms"] < 1_000
    assert match.state() == before


def test_a_clock_that_wakes_in_time_plays_the_default(house: House) -> None:
    match = running()
    wolf, turn = match.on_turn()
    house.time = turn["deadline_ms"]
    first = wake(match)
    assert not first["done"]
    assert match.state(wolf)["your_turn"] is None
    after = match.state()
    assert wake(match, wakes=1)["wake_at"] == first["wake_at"]
    assert match.state() == after


def test_clocks_that_are_done(house: House) -> None:
    assert wake(finished())["done"]
    assert wake(Match(SAMPLE_MATCH, []))["done"]
    assert wake(running(), generation=0)["done"]


def test_a_clock_that_has_woken_often_hands_over(house: House) -> None:
    match = running()
    answer = wake(match, wakes=999)
    assert answer["done"]
    invoke("follow", records(house, match))
    assert set(house.fake_clock.started) == {f"{match.match_id}-1", f"{match.match_id}-2"}


def test_the_sweep_winds_lost_clocks(house: House) -> None:
    match = running()
    finished()
    _player, turn = match.on_turn()
    nothing = {"checked": 1, "voided": 0, "rearmed": 0, "reconciled": 0, "closed": 0}
    assert invoke("sweep", sample("sweep/schedule")) == nothing
    house.time = turn["deadline_ms"] + 30_001
    assert invoke("sweep", sample("sweep/schedule")) == nothing | {"rearmed": 1}
    invoke("follow", records(house, match))
    assert f"{match.match_id}-2" in house.fake_clock.started
    payload = json.dumps(house.fake_clock.started[f"{match.match_id}-2"])
    assert match.match_id in payload


def test_the_sweep_closes_tables_that_nobody_filled(house: House) -> None:
    stale = open_table(register("Patience"))
    house.time += 120 * 60_000
    fresh = open_table(register("Late"))
    assert invoke("sweep", sample("sweep/schedule"))["closed"] == 0
    house.time += 1
    assert invoke("sweep", sample("sweep/schedule"))["closed"] == 1
    assert good(request("GET", stale.path))["status"] == "closed"
    assert good(request("GET", fresh.path))["status"] == "open"
    assert good(request("GET", f"{stale.path}/state"))["visible_state"] is None
    answer = http(request("POST", f"{stale.path}/seats", {}, token=register("Too late").token))
    refused(answer, 409, "match_not_open")
