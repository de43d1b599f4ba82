"""Many at once, in real threads: on SQLite, and on the tables with their transactions."""

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import pytest

from hosting.backoff import Backoff
from hosting.errors import HostingError
from hosting.wiring import Platform
from tests.hosting.aws import ENVIRONMENT, tables
from tests.hosting.crowd import TYPICAL, everybody_speaks
from tests.hosting.world import MANY, World, agents, running, simple_move

T = TypeVar("T")
CROWD = 20


class RealPauses(World):
    """The world in which threads do wait for one another."""

    pauses = Backoff()


@pytest.fixture(params=["memory", "file", "dynamo"])
def platform(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Iterator[Platform]:
    """In real time, in which a machine with much to do is far slower than any table."""
    monkeypatch.setattr("hosting.play.transaction.PATIENCE_MS", 120_000)
    if request.param != "dynamo":
        world = RealPauses(database=None if request.param == "memory" else tmp_path / "test.db")
        yield world
        world.ports.database.close()
        return
    with tables():
        yield Platform(ENVIRONMENT | MANY)


def at_once(calls: list[Callable[[], T]]) -> list[T | str]:
    """The answers of calls that all begin at the same moment; of a refusal, its code."""
    gate = threading.Barrier(len(calls))

    def one(call: Callable[[], T]) -> T | str:
        gate.wait()
        try:
            return call()
        except HostingError as error:
            return error.code

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(one, calls))


def test_twenty_requests_for_one_turn_move_the_match_once(platform: Platform) -> None:
    match_id, callers = running(platform)
    state = platform.matches.state(match_id)
    assert state is not None
    seat = state.engine().awaiting[0]
    body = platform.states.state(match_id, callers[seat]).body
    assert body is not None
    turn = body["your_turn"]
    assert turn is not None
    targets = turn["legal_actions"][0]["targets"]
    moves = [simple_move(turn) | {"target": targets[n % 2]} for n in range(CROWD)]

    def call(move: dict[str, Any]) -> Callable[[], Any]:
        return lambda: platform.play.move(match_id, callers[seat], turn["turn_id"], move)

    answers = at_once([call(move) for move in moves])
    receipts = [answer for answer in answers if not isinstance(answer, str)]
    assert len(receipts) == CROWD / 2
    assert all(receipt == receipts[0] for receipt in receipts)
    assert Counter(answer for answer in answers if isinstance(answer, str)) == {
        "turn_used": CROWD / 2
    }
    after = platform.matches.state(match_id)
    assert after is not None
    assert after.version == state.version + 1
    winners = {n % 2 for n, answer in enumerate(answers) if not isinstance(answer, str)}
    assert len(winners) == 1


def test_eight_act_in_the_same_instant_and_all_succeed(platform: Platform) -> None:
    match_id, callers = running(platform, 8, ruleset="traditional-1")
    before = platform.matches.state(match_id)
    assert before is not None
    locks = [
        lambda caller=caller: platform.play.move(match_id, caller, "1.night.0", {"action": "lock"})
        for caller in callers
    ]
    answers = at_once(locks)  # type: ignore[arg-type]
    assert [a["seat"] for a in answers if not isinstance(a, str)] == [*range(8)]
    after = platform.matches.state(match_id)
    assert after is not None
    assert (after.version, after.engine().awaiting) == (before.version + 8, ())
    entries = platform.matches.entries(match_id, before.version + 1, after.version)
    assert sorted(move.seat or 0 for entry in entries for move in entry.moves) == [*range(8)]


@pytest.mark.parametrize(("factor", "spread_ms"), [(1, 0), (2, 0), (1, 100)])
def test_those_who_collided_do_not_collide_again(factor: float, spread_ms: float) -> None:
    """In simulated time, with the latencies of a table in the same region, or twice those."""
    told = everybody_speaks(7, rounds=25, spread_ms=spread_ms, latencies=TYPICAL.times(factor))
    assert told.spoken == Counter((seat, f"{seat} {n}") for seat in range(8) for n in range(25))
    assert sorted(told.attempts)[len(told.attempts) * 99 // 100] <= 3


def test_twenty_agents_for_the_last_seat(platform: Platform) -> None:
    crowd = agents(platform, CROWD + 6)
    match_id = platform.opening.open(crowd[0], ruleset="werewolf-0.2")["match_id"]
    for caller in crowd[:6]:
        platform.seating.sit(match_id, caller)
    answers = at_once(
        [lambda caller=caller: platform.seating.sit(match_id, caller) for caller in crowd[6:]]  # type: ignore[misc]
    )
    assert sum(not isinstance(answer, str) for answer in answers) == 1
    assert answers.count("table_full") == CROWD - 1
    summary = platform.listing.summary(match_id)
    assert (summary["status"], summary["taken"]) == ("running", 7)
    state = platform.matches.state(match_id)
    assert state is not None
    starts = [
        move
        for entry in platform.matches.entries(match_id, 1, state.version)
        for move in entry.moves
    ]
    assert [move.by for move in starts] == ["start"]


def test_a_whole_table_sits_down_at_once(platform: Platform) -> None:
    crowd = agents(platform, 10)
    match_id = platform.opening.open(crowd[0], ruleset="werewolf-0.2", seats=10)["match_id"]
    answers = at_once(
        [lambda caller=caller: platform.seating.sit(match_id, caller) for caller in crowd]  # type: ignore[misc]
    )
    places = [answer.answer["place"] for answer in answers if not isinstance(answer, str)]
    assert sorted(places) == [*range(10)]
    assert platform.listing.summary(match_id)["status"] == "running"


def test_the_host_starts_while_the_last_one_sits_down(platform: Platform) -> None:
    crowd = agents(platform, 7)
    match_id = platform.opening.open(crowd[0], ruleset="werewolf-0.2")["match_id"]
    for caller in crowd[:6]:
        platform.seating.sit(match_id, caller)
    start, sit = at_once(
        [
            lambda: platform.starting.start(match_id, crowd[0]),
            lambda: platform.seating.sit(match_id, crowd[6]),
        ]
    )
    taken = platform.listing.summary(match_id)["taken"]
    if taken == 6:
        assert sit == "match_not_open"
    else:
        assert start == "match_not_open"


def test_one_name_for_many(platform: Platform) -> None:
    register = platform.identity.register
    answers = at_once([lambda: register("Ada", source="x"), lambda: register("aDA", source="x")])
    assert sorted(isinstance(answer, str) for answer in answers) == [False, True]
    assert "name_taken" in answers
