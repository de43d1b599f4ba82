"""What follows from a commit on one machine: streams, queues, clocks, and their thread."""

import threading
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hosting.adapters.local_clock import LocalClock
from hosting.adapters.local_ports import LocalPorts
from hosting.adapters.local_sockets import LocalSockets
from hosting.adapters.local_stream import LocalStream
from hosting.adapters.local_worker import Every, LocalWorker, backoff_ms
from hosting.model import Commit, LogEntry, State
from hosting.ports import Gone
from tests.hosting.fakes import NOW, FakeTime
from tests.hosting.test_stores import table

ONE, TWO = "a" * 16, "b" * 16


class House:
    """A database with matches, and a function that notes what it is handed."""

    def __init__(self, path: Path | None = None) -> None:
        self.time = FakeTime()
        self.ports = LocalPorts(path, now=self.time.now)
        self.handed: list[list[str]] = []
        self.broken: set[str] = set()
        """Entries, as `<first letter of the match><version>`, that fail."""

    def open(self, match_id: str) -> None:
        state = State(match_id, 0, "running", "werewolf-0.2")
        self.ports.matches.create(state, table(match_id))

    def commit(self, match_id: str, **changes: Any) -> None:
        effects = changes.pop("effects", frozenset())
        state = self.ports.matches.state(match_id)
        assert state is not None
        after = replace(state, version=state.version + 1, **changes)
        entry = LogEntry(match_id, after.version, NOW, f"{match_id}{after.version}")
        self.ports.matches.commit(Commit(after, replace(entry, effects=effects)))

    def stream(self, *, attempts: int = 3, effects: bool = False) -> LocalStream:
        return LocalStream(
            self.ports.database,
            "reader",
            self.read,
            now=self.time.now,
            attempts=attempts,
            effects=effects,
        )

    def read(self, event: Mapping[str, Any]) -> Any:
        """As a function does: in order, and of a match nothing after the first that fails."""
        names, failed, stopped = list[str](), list[dict[str, str]](), set[str]()
        for record in event["Records"]:
            image = record["dynamodb"]["NewImage"]
            name = f"{image['PK']['S'][6]}{int(image['version']['N'])}"
            if name in self.broken or name[0] in stopped:
                stopped.add(name[0])
                failed.append({"itemIdentifier": record["dynamodb"]["SequenceNumber"]})
            else:
                names.append(name)
        self.handed.append(names)
        return {"batchItemFailures": failed}

    def told(self) -> list[str]:
        return [name for names in self.handed for name in names]

    def until_quiet(self, stream: LocalStream) -> int | None:
        while (due := stream.run()) == self.time.now():
            pass
        return due


@pytest.fixture
def house() -> House:
    house = House()
    house.open(ONE)
    house.open(TWO)
    return house


def test_entries_come_in_the_order_of_their_commits_and_once(house: House) -> None:
    stream = house.stream()
    assert house.until_quiet(stream) is None
    for match_id in (ONE, TWO, ONE, ONE, TWO):
        house.commit(match_id)
    assert house.until_quiet(stream) is None
    assert house.told() == ["a1", "b1", "a2", "a3", "b2"]
    house.commit(TWO)
    house.until_quiet(stream)
    assert house.told()[5:] == ["b3"]


def test_many_entries_come_in_batches(house: House) -> None:
    for _ in range(60):
        house.commit(ONE)
    house.until_quiet(house.stream())
    assert [len(names) for names in house.handed] == [25, 25, 10]


def test_an_entry_that_fails_holds_up_its_own_match_alone(house: House) -> None:
    stream = house.stream(attempts=9)
    house.broken = {"a2"}
    for match_id in (ONE, ONE, TWO, ONE, TWO):
        house.commit(match_id)
    again = house.until_quiet(stream)
    assert house.told() == ["a1", "b1", "b2"]
    assert again == NOW + backoff_ms(1)
    house.commit(TWO)
    house.commit(ONE)
    house.until_quiet(stream)
    assert house.told()[3:] == ["b3"], "before it is due it is not tried"
    house.time.now_ms = again
    assert house.until_quiet(stream) == again + backoff_ms(2)
    house.broken = set()
    house.time.now_ms += backoff_ms(2)
    assert house.until_quiet(stream) is None
    assert house.told()[4:] == ["a2", "a3", "a4"]


def test_after_so_many_attempts_it_is_given_up(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    stream = house.stream(attempts=3)
    house.broken = {"a1"}
    house.commit(ONE)
    house.commit(ONE)
    for _ in range(4):
        due = house.until_quiet(stream)
        house.time.now_ms = due or house.time.now_ms
    assert house.told() == ["a2"]
    assert len([names for names in house.handed if names == []]) == 3
    assert "gives up entry" in caplog.text


def test_a_function_that_raises_fails_with_its_first_record(house: House) -> None:
    calls: list[int] = []

    def call(event: Mapping[str, Any]) -> Any:
        calls.append(len(event["Records"]))
        raise OSError

    stream = LocalStream(house.ports.database, "broken", call, now=house.time.now, attempts=2)
    house.commit(ONE)
    house.commit(TWO)
    house.until_quiet(stream)
    assert calls == [2]
    house.time.now_ms += backoff_ms(1)
    assert house.until_quiet(stream) is None, "both are given up after two attempts"
    assert calls == [2, 1, 1]


def test_only_entries_with_effects_where_asked(house: House) -> None:
    stream = house.stream(effects=True)
    house.commit(ONE)
    house.commit(ONE, effects=frozenset({"clock"}))
    house.commit(TWO)
    house.until_quiet(stream)
    assert house.told() == ["a2"]


def test_a_restart_goes_on_where_it_was(tmp_path: Path) -> None:
    house = House(tmp_path / "test.db")
    house.open(ONE)
    house.open(TWO)
    house.commit(ONE)
    house.commit(TWO)
    house.broken = {"b1"}
    house.until_quiet(house.stream())
    house.ports.database.close()
    later = House(tmp_path / "test.db")
    later.commit(ONE)
    later.time.now_ms += backoff_ms(1)
    stream = later.stream()
    later.until_quiet(stream)
    assert sorted(later.told()) == ["a2", "b1"]
    later.ports.database.close()


# ---- the queue -------------------------------------------------------------------------------


def test_messages_are_received_when_they_are_due_and_once(house: House) -> None:
    queue, bodies = house.ports.bots_queue, list[str]()

    def call(event: Mapping[str, Any]) -> Any:
        bodies.extend(record["body"] for record in event["Records"])
        return {"batchItemFailures": []}

    receiver = queue.receiver(call)
    assert receiver.run() is None
    queue.send("later", delay_s=3)
    queue.send("now", delay_s=0)
    assert receiver.run() == NOW + 3000
    assert bodies == ["now"]
    house.time.now_ms += 3000
    assert receiver.run() is None
    assert bodies == ["now", "later"]


def test_a_message_that_fails_comes_three_times(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    queue, tried = house.ports.bots_queue, list[str]()

    def call(event: Mapping[str, Any]) -> Any:
        tried.extend(record["body"] for record in event["Records"])
        failed = [r["messageId"] for r in event["Records"] if r["body"] == "bad"]
        return {"batchItemFailures": [{"itemIdentifier": one} for one in failed]}

    queue.send("bad", delay_s=0)
    queue.send("good", delay_s=0)
    receiver = queue.receiver(call)
    for _ in range(5):
        house.time.now_ms = receiver.run() or house.time.now_ms
    assert tried == ["bad", "good", "bad", "bad"]
    assert "given up: bad" in caplog.text


# ---- the clock -------------------------------------------------------------------------------


def test_deadlines_are_played_when_they_pass_whatever_changed_them(house: House) -> None:
    woken: list[tuple[str, int]] = []

    def call(event: Mapping[str, Any]) -> Any:
        woken.append((event["match_id"], house.time.now_ms))
        house.commit(event["match_id"], deadline=None)
        return {"done": True}

    clock = LocalClock(house.ports.database, call, now=house.time.now)
    assert clock.run() is None
    house.commit(ONE, deadline=NOW + 500)
    house.commit(TWO, deadline=NOW + 900)
    assert clock.run() == NOW + 500
    house.commit(TWO, deadline=NOW + 200)
    assert clock.run() == NOW + 200
    house.time.now_ms = NOW + 200
    assert clock.run() == NOW + 500
    house.time.now_ms = NOW + 501
    assert clock.run() is None
    assert woken == [(TWO, NOW + 200), (ONE, NOW + 501)]


@pytest.mark.parametrize("raises", [True, False])
def test_a_deadline_that_cannot_be_played_is_tried_with_growing_pauses(
    house: House, raises: bool
) -> None:
    woken: list[str] = []

    def call(event: Mapping[str, Any]) -> Any:
        woken.append(event["match_id"])
        if event["match_id"] == ONE and raises:
            raise OSError
        if event["match_id"] == TWO:
            house.commit(TWO, deadline=None)
        return {"done": False}

    clock = LocalClock(house.ports.database, call, now=house.time.now)
    for match_id in (ONE, TWO):
        house.commit(match_id, deadline=NOW - 1)
    for attempt in (1, 2, 3):
        due = clock.run()
        assert due == house.time.now_ms + backoff_ms(attempt)
        assert clock.run() == due, "not before"
        house.time.now_ms = due
    assert woken == [ONE, TWO, ONE, ONE]
    house.commit(ONE, deadline=None)
    assert clock.run() is None, "played by somebody else"


# ---- the thread, and sockets -----------------------------------------------------------------


def test_the_worker_runs_when_it_is_woken_and_ends_when_it_is_stopped() -> None:
    ran, rounds = threading.Event(), list[int]()

    class Noting:
        def run(self) -> None:
            rounds.append(1)
            ran.set()

    worker = LocalWorker([Noting()], now=FakeTime().now)
    worker.start()
    assert ran.wait(10)
    ran.clear()
    worker.wake()
    assert ran.wait(10)
    worker.stop()
    assert len(rounds) == 2, "it slept in between"


def test_a_part_that_fails_does_not_end_the_others() -> None:
    class Broken:
        def run(self) -> int | None:
            raise OSError

    time, calls = FakeTime(), list[int]()
    worker = LocalWorker(
        [Broken(), Every(500, lambda: calls.append(1), now=time.now)], now=time.now
    )
    assert worker.round() == NOW + 500
    assert worker.round() == NOW + 500
    time.now_ms += 500
    assert worker.round() == NOW + 1000
    assert calls == [1, 1]


def test_pauses_grow_up_to_a_bound() -> None:
    pauses = [backoff_ms(attempts) for attempts in range(1, 200)]
    assert pauses == sorted(pauses)
    assert pauses[0] < pauses[1]
    assert pauses[-1] == pauses[-2] == 30_000


def test_a_socket_that_is_not_open_is_gone() -> None:
    class Channel:
        def __init__(self) -> None:
            self.sent: list[bytes] = []

        def send(self, frame: bytes) -> None:
            self.sent.append(frame)

        def close(self) -> None:
            self.sent.append(b"closed")

    sockets, channel = LocalSockets(), Channel()
    with pytest.raises(Gone):
        sockets.post("c", b"1")
    sockets.opened("c", channel)
    sockets.post("c", b"1")
    sockets.close("c")
    sockets.close("c")
    assert channel.sent == [b"1", b"closed"]
    with pytest.raises(Gone):
        sockets.post("c", b"2")
    sockets.opened("c", channel)
    sockets.closed("c")
    with pytest.raises(Gone):
        sockets.post("c", b"2")
