"""The SQLite database itself: durable, shared by threads, and clear about what goes wrong."""

import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from hosting.adapters.sqlite import AGENTS, MATCHES, Database
from hosting.errors import Busy
from hosting.items import Item

COUNTING = """
import sys
from hosting.adapters.sqlite import AGENTS, Database

database = Database(sys.argv[1])
for number in range(1_000_000):
    with database.writing() as items:
        items.put(AGENTS, {"PK": "a", "SK": f"{number:07d}"})
        items.put(AGENTS, {"PK": "b", "SK": f"{number:07d}"})
    print(number, flush=True)
"""


@pytest.fixture(params=["memory", "file"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    made = Database(None if request.param == "memory" else tmp_path / "test.db")
    yield made
    made.close()


def count(database: Database, partition: str) -> int:
    with database.reading() as items:
        return len(items.find(AGENTS, "pk = ?", partition))


def test_what_was_committed_survives_a_kill_and_nothing_else_is_there(tmp_path: Path) -> None:
    path = tmp_path / "test.db"
    command = [sys.executable, "-c", COUNTING, str(path)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, env={"PYTHONPATH": "layers/engine"}, text=True
    ) as writer:
        assert writer.stdout is not None
        told = [int(writer.stdout.readline()) for _ in range(200)]
        writer.kill()
        told += map(int, writer.stdout.read().split())
    database = Database(path)
    kept = count(database, "a")
    assert told[-1] + 1 <= kept <= told[-1] + 2, "one more at most, whose answer was not told"
    assert count(database, "b") == kept, "a transaction is whole"
    database.close()


def test_a_transaction_that_fails_leaves_nothing(database: Database) -> None:
    def fail() -> None:
        with database.writing() as items:
            items.put(AGENTS, {"PK": "a", "SK": "1"})
            raise LookupError

    with pytest.raises(LookupError):
        fail()
    assert count(database, "a") == 0
    with database.writing() as items:
        items.put(AGENTS, {"PK": "a", "SK": "1"})
    assert count(database, "a") == 1


def test_threads_that_count_lose_nothing(database: Database) -> None:
    def add() -> None:
        for _ in range(50):
            with database.writing() as items:
                item = items.get(AGENTS, "a", "COUNT") or {"count": 0}
                number = int(str(item["count"])) + 1
                items.put(AGENTS, {"PK": "a", "SK": "COUNT", "count": number})

    threads = [threading.Thread(target=add) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with database.reading() as items:
        item = items.get(AGENTS, "a", "COUNT")
    assert item is not None
    assert item["count"] == 400


def test_threads_that_come_and_go_leave_no_connections(tmp_path: Path) -> None:
    database = Database(tmp_path / "test.db")
    for _ in range(20):
        thread = threading.Thread(target=count, args=(database, "a"))
        thread.start()
        thread.join()
    assert len(database._connections) == 1
    database.close()


def test_items_keep_their_number_when_they_are_written_again(database: Database) -> None:
    first: Item = {"PK": "m", "SK": "1"}
    for item in (first, {"PK": "m", "SK": "2"}, first | {"title": "again"}):
        with database.writing() as items:
            items.put(MATCHES, item)
    with database.reading() as items:
        assert items.rows(MATCHES, "number, sk", "pk = ? ORDER BY number", "m") == [
            (1, "1"),
            (2, "2"),
        ]


def test_every_kind_of_value_comes_back(database: Database) -> None:
    item: Item = {"PK": "a", "SK": "1", "b": bytes(range(256)), "n": -(10**15), "s": "狼\n"}
    item["set"] = frozenset({"x", "ä"})
    with database.writing() as items:
        items.put(AGENTS, item)
    with database.reading() as items:
        assert items.get(AGENTS, "a", "1") == item


def test_listeners_are_told_after_the_commit(database: Database) -> None:
    seen: list[int] = []
    database.listen(lambda: seen.append(count(database, "a")))
    with database.writing() as items:
        items.put(AGENTS, {"PK": "a", "SK": "1"})
    assert seen == [1]


def test_a_database_that_somebody_has_locked_is_busy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hosting.adapters.sqlite._PATIENCE_S", 0.0)
    database = Database(tmp_path / "test.db")
    other = sqlite3.connect(tmp_path / "test.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(Busy), database.writing():
        raise AssertionError("it is locked")
    assert count(database, "a") == 0, "reading goes on"
    other.close()
    database.close()


def test_a_file_that_cannot_be_opened_is_busy(tmp_path: Path) -> None:
    with pytest.raises(Busy, match="unable to open"):
        Database(tmp_path / "nowhere" / "test.db")
