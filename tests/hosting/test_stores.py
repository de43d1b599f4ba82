"""What any store must do: those on SQLite, in a file and in memory, and those on DynamoDB."""

import itertools
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hosting.adapters.dynamo_agents import DynamoAgents
from hosting.adapters.dynamo_connections import DynamoConnections
from hosting.adapters.dynamo_matches import DynamoMatches
from hosting.adapters.sqlite import Database
from hosting.adapters.sqlite_agents import SqliteAgents
from hosting.adapters.sqlite_connections import SqliteConnections
from hosting.adapters.sqlite_matches import SqliteMatches
from hosting.model import (
    Agent,
    Caller,
    Commit,
    Connection,
    LogEntry,
    PlayedMove,
    Player,
    Receipt,
    SeatRow,
    State,
    Table,
    TableChange,
    Watcher,
)
from hosting.ports import AgentStore, ConnectionStore, Gone, MatchStore, VersionConflict
from tests.hosting.aws import AGENTS, CONNECTIONS, MATCHES, tables
from tests.hosting.fakes import NOW
from werewolf import Event

ID = "k3jw7qzm5c2xdn4a"
OTHER = "aaaaaaaaaaaaaaaa"
COMMITS = itertools.count(1)
Stores = tuple[MatchStore, AgentStore, ConnectionStore]


@pytest.fixture(params=["memory", "file", "dynamo"])
def stores(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Stores]:
    if request.param != "dynamo":
        database = Database(None if request.param == "memory" else tmp_path / "test.db")
        yield SqliteMatches(database), SqliteAgents(database), SqliteConnections(database)
        database.close()
        return
    with tables():
        yield (
            DynamoMatches(MATCHES, AGENTS),
            DynamoAgents(AGENTS),
            DynamoConnections(CONNECTIONS, MATCHES),
        )


@pytest.fixture
def matches(stores: Stores) -> MatchStore:
    return stores[0]


@pytest.fixture
def agents(stores: Stores) -> AgentStore:
    return stores[1]


@pytest.fixture
def connections(stores: Stores) -> ConnectionStore:
    stores[0].create(State(ID, 0, "open", "werewolf-0.2"), table())
    return stores[2]


def table(match_id: str = ID, **changes: Any) -> Table:
    plain = Table(
        match_id=match_id,
        title="Freitag 🐺",
        ruleset="werewolf-0.2",
        status="open",
        host="h" * 16,
        seats=7,
        options={"max_days": 20},
        players=(),
        commitment="c0ffee",
        opened_at=NOW,
        seed="5eed",
    )
    return replace(plain, **changes)


def commit(state: State, table: TableChange | None = None, **entry: Any) -> Commit:
    """The next change after this state."""
    after = replace(state, version=state.version + 1)
    log = LogEntry(after.match_id, after.version, NOW, f"commit-{next(COMMITS)}", **entry)
    return Commit(after, log, table)


def test_a_new_match_is_there_and_may_be_created_twice(matches: MatchStore) -> None:
    state = State(ID, 0, "open", "werewolf-0.2")
    assert matches.state(ID) is None
    assert matches.table(ID) is None
    matches.create(state, table())
    matches.create(state, table())
    assert matches.state(ID) == state
    assert matches.table(ID) == table()


def test_what_a_table_may_be_besides(matches: MatchStore) -> None:
    made = table(fill=True, invite="c0de" * 16, reserved=("a" * 16, "b" * 16), rematch=OTHER)
    matches.create(State(ID, 0, "open", "werewolf-0.2"), made)
    assert matches.table(ID) == made


def test_a_match_has_one_rematch(matches: MatchStore) -> None:
    first, second = "b" * 16, "c" * 16
    matches.create(State(ID, 0, "open", "werewolf-0.2"), table())
    for rematch in (first, first, second):
        state = State(rematch, 0, "open", "werewolf-0.2")
        matches.create(state, table(rematch), rematch_of=ID)
    assert matches.table(ID) == table(rematch=first)
    assert matches.table(first) == table(first)
    assert (matches.state(second), matches.table(second)) == (None, None)


def test_a_rematch_takes_the_place_of_the_one_that_is_named(matches: MatchStore) -> None:
    first, second, third = "b" * 16, "c" * 16, "d" * 16
    matches.create(State(ID, 0, "open", "werewolf-0.2"), table(rematch=first))
    for rematch in (second, second, third):  # the third comes too late
        state = State(rematch, 0, "open", "werewolf-0.2")
        matches.create(state, table(rematch), rematch_of=ID, in_place_of=first)
    assert matches.table(ID) == table(rematch=second)
    assert matches.table(second) == table(second)
    assert (matches.state(third), matches.table(third)) == (None, None)


def test_open_matches_by_age(matches: MatchStore) -> None:
    for number, ruleset in enumerate(["werewolf-0.2", "werewolf-0.2", "house-9", "werewolf-0.2"]):
        match_id = f"{'a' * 15}{number + 2}"
        made = table(match_id, ruleset=ruleset, opened_at=NOW + number)
        matches.create(State(match_id, 0, "open", ruleset), made)
    running = TableChange(status="running")
    matches.commit(commit(State(f"{'a' * 15}2", 0, "running", "werewolf-0.2"), running))
    before = matches.opened_before
    assert before("werewolf-0.2", NOW + 1, limit=9) == []
    assert before("werewolf-0.2", NOW + 9, limit=9) == ["a" * 15 + "5", "a" * 15 + "3"]
    assert before("werewolf-0.2", NOW + 9, limit=1) == ["a" * 15 + "5"]
    assert before("house-9", NOW + 3, limit=9) == ["a" * 15 + "4"]
    assert before("arena-1", NOW + 3, limit=9) == []


def test_an_own_list(matches: MatchStore) -> None:
    me, other, key = "m" * 16, "o" * 16, bytes(range(32))
    for number in range(3):
        match_id = f"{'a' * 15}{number + 2}"
        matches.create(State(match_id, 0, "open", "werewolf-0.2"), table(match_id))
        rows = (
            SeatRow(key, f"1#{NOW + number:013d}#{match_id}", me),
            SeatRow(key[::-1], f"1#{NOW + number:013d}#{match_id}", other),
        )
        made = commit(State(match_id, 0, "open", "werewolf-0.2"))
        matches.commit(replace(made, rows=rows))
    newest, middle, oldest = (f"{'a' * 15}{number}" for number in (4, 3, 2))
    assert matches.own(me, after=None, limit=9) == ([newest, middle, oldest], None)
    page, mark = matches.own(me, after=None, limit=2)
    assert page == [newest, middle]
    assert matches.own(me, after=mark, limit=2) == ([oldest], None)
    down = SeatRow(key, f"0#{NOW + 9:013d}#{newest}")
    made = commit(State(newest, 1, "over", "werewolf-0.2"))
    matches.commit(replace(made, rows=(down,)))
    gone = commit(State(middle, 1, "open", "werewolf-0.2"))
    matches.commit(replace(gone, rows=(SeatRow(key, None),)))
    assert matches.own(me, after=None, limit=9) == ([oldest, newest], None)
    assert matches.own(other, after=None, limit=9)[0] == [newest, middle, oldest]
    assert matches.listing("open", None, after=None, limit=9)[0] != []


def test_everything_written_is_read_again(matches: MatchStore) -> None:
    state = State(ID, 0, "open", "werewolf-0.2")
    matches.create(state, table())
    full = replace(
        state,
        status="running",
        keys=bytes(range(64)),
        seen=(3, 4, 3, 9),
        deadline=NOW + 1,
        clock=2,
        match='{"phase":"night 🌕"}',
        receipts=(Receipt("1.day.0", "abc", "accepted", 4), None),
        missed=("", "1.day.1"),
        host=b"\xff" * 32,
        mode="omniscient",
    )
    change = TableChange(
        status="running",
        players=(Player("a" * 16, "Ada", 1), Player("b" * 16, "狼", 0)),
        entropies=("", "tea"),
        started_at=NOW,
    )
    written = commit(
        full,
        change,
        events=(Event("message", {"text": "🐺"}), Event("role_private", {}, (1,))),
        before=(2, 2, 2, 2),
        turns=((1, {"turn_id": "1.day.1", "legal_actions": [{"action": "pass"}]}),),
        moves=(PlayedMove("player", 0, {"action": "say", "message": "🐺"}), PlayedMove("timeout")),
        effects=frozenset({"clock"}),
        clock=2,
        deadline=NOW + 1,
    )
    matches.commit(written)
    assert matches.state(ID) == written.state
    assert matches.entry(ID, 1) == written.entry
    assert matches.table(ID) == table(
        status="running",
        players=change.players,
        entropies=("", "tea"),
        started_at=NOW,
    )
    over = replace(written.state, status="over", deadline=None)
    end = TableChange(status="over", ended_at=NOW, winner="draw", ranking=({"seat": 0, "rank": 1},))
    matches.commit(commit(over, end))
    assert matches.state(ID) == replace(over, version=2)
    told = matches.table(ID)
    assert told is not None
    assert (told.status, told.winner, told.ranking) == ("over", "draw", ({"seat": 0, "rank": 1},))
    assert told.players == change.players


def test_a_change_needs_the_version_that_was_read(matches: MatchStore) -> None:
    state = State(ID, 0, "open", "werewolf-0.2")
    matches.create(state, table())
    matches.commit(commit(state, TableChange(winner="first"), moves=(PlayedMove("start"),)))
    with pytest.raises(VersionConflict):
        matches.commit(commit(state, TableChange(winner="second")))
    told, first = matches.table(ID), matches.entry(ID, 1)
    assert told is not None
    assert told.winner == "first"
    assert first is not None
    assert first.moves == (PlayedMove("start"),)
    assert matches.entry(ID, 2) is None


def test_the_log_is_read_both_ways(matches: MatchStore) -> None:
    state = State(ID, 0, "open", "werewolf-0.2")
    matches.create(state, table())
    matches.create(replace(state, match_id=OTHER), table(OTHER))
    for _ in range(30):
        change = commit(state)
        matches.commit(change)
        state = change.state
    assert [e.version for e in matches.entries(ID, 1, 30)] == [*range(1, 31)]
    assert [e.version for e in matches.entries(ID, 4, 6)] == [4, 5, 6]
    back = [e.version for e in matches.entries(ID, 1, 29, newest_first=True)]
    assert back == [*range(29, 0, -1)]
    assert list(matches.entries(ID, 1, 0)) == []
    assert list(matches.entries(OTHER, 1, 9)) == []


def test_what_viewers_are_not_told_need_not_be_read(matches: MatchStore) -> None:
    state = State(ID, 0, "open", "house-9")
    matches.create(state, table())
    spoken = (Event("message", {"text": "Good morning."}), Event("vote_start", {}))
    change = commit(
        state,
        events=(spoken[0], Event("thinking", {"text": "hm", "seat": 1}, ()), spoken[1]),
        before=(1, 1),
        turns=((1, {"turn_id": "1.day_talk.1"}),),
        moves=(PlayedMove("player", 1, {"action": "say", "thinking": "hm"}),),
    )
    matches.commit(change)
    for backwards in (False, True):
        (told,) = matches.entries(ID, 1, 9, newest_first=backwards, told=True)
        assert told == replace(change.entry, events=spoken, turns=(), moves=())
        assert list(matches.entries(ID, 1, 9, newest_first=backwards)) == [change.entry]


def test_tables_are_listed_by_status_and_rule_set(matches: MatchStore) -> None:
    ids = [f"{letter * 16}" for letter in "abcdefg"]
    for age, match_id in enumerate(ids):
        ruleset = "arena-1" if match_id[0] in "ce" else "werewolf-0.2"
        opened = table(match_id, ruleset=ruleset, opened_at=NOW + age)
        matches.create(State(match_id, 0, "open", ruleset), opened)
    matches.commit(commit(State(ids[6], 0, "running", "werewolf-0.2"), TableChange("running")))
    page, mark = matches.listing("open", "werewolf-0.2", after=None, limit=3)
    assert page == [ids[5], ids[3], ids[1]]
    assert mark is not None
    assert matches.listing("open", "werewolf-0.2", after=mark, limit=3) == ([ids[0]], None)
    assert matches.listing("open", "arena-1", after=None, limit=9) == ([ids[4], ids[2]], None)
    assert matches.listing("running", None, after=None, limit=9) == ([ids[6]], None)
    assert matches.listing("over", None, after=None, limit=9) == ([], None)
    everything, _ = matches.listing("open", None, after=None, limit=9)
    assert sorted(everything) == ids[:6]
    nowhere = f"werewolf-0.2#{NOW + 2:013d}#zzzzzzzzzzzzzzzz"
    assert matches.listing("open", "werewolf-0.2", after=nowhere, limit=3)[0] == [ids[1], ids[0]]


def test_many_items_at_once(matches: MatchStore) -> None:
    for match_id, deadline in ((ID, 5), (OTHER, None)):
        state = State(match_id, 0, "running", "werewolf-0.2", deadline=deadline)
        matches.create(state, table(match_id))
    states = {state.match_id: state for state in matches.states([ID, "z" * 16, OTHER])}
    assert {match_id: state.deadline for match_id, state in states.items()} == {ID: 5, OTHER: None}
    assert matches.tables([OTHER, "z" * 16, ID]) == [table(OTHER), table()]
    assert matches.states([]) == []
    assert matches.tables([]) == []


def test_a_name_is_given_once(agents: AgentStore) -> None:
    ada = Agent("a" * 16, "Ada", b"1" * 32)
    assert agents.create(ada, "ada", NOW)
    assert agents.create(ada, "ada", NOW)
    assert not agents.create(Agent("b" * 16, "ADA", b"2" * 32), "ada", NOW)
    assert agents.agent("a" * 16) == ada
    assert agents.agent("b" * 16) is None


def test_counters_count(agents: AgentStore) -> None:
    assert [agents.count("RATE#x", expires_at=NOW) for _ in range(3)] == [1, 2, 3]
    assert agents.count("RATE#y", expires_at=NOW) == 1


def test_sockets_come_and_go(connections: ConnectionStore) -> None:
    seated = Connection("c=1", Caller("a" * 16, b"\x00\xff" * 16))
    connections.put(seated, expires_at=NOW)
    connections.put(Connection("c=2", None), expires_at=NOW)
    assert connections.get("c=1") == seated
    assert connections.get("c=2") == Connection("c=2", None)
    assert connections.get("c=3") is None
    one, two = Watcher("c=1", "a" * 16, 5), Watcher("c=2", None, 0)
    for watcher in (one, two):
        connections.watch(watcher, ID, expires_at=NOW, at_version=0)
    assert sorted(connections.watchers(ID), key=lambda w: w.connection_id) == [one, two]
    assert connections.get("c=1") == replace(seated, matches=frozenset({ID}))
    later = replace(one, after=9, mode="omniscient", thinking=True, version=7)
    connections.watch(later, ID, expires_at=NOW, at_version=None)
    connections.unwatch("c=2", ID)
    connections.unwatch("c=3", ID)
    assert list(connections.watchers(ID)) == [later]
    assert connections.get("c=3") is None
    assert connections.open_among(["c=1", "c=2", "c=3"]) == {"c=1", "c=2"}
    assert connections.open_among([]) == frozenset()
    for _ in range(2):
        assert connections.close("c=1") == replace(seated, matches=frozenset({ID}))
    assert connections.open_among(["c=1", "c=2"]) == {"c=2"}
    assert connections.get("c=1") is None
    with pytest.raises(Gone):
        connections.watch(later, OTHER, expires_at=NOW, at_version=None)
    assert list(connections.watchers(ID)) == [later], "it stays until it is taken away"
    connections.unwatch("c=1", ID)
    assert list(connections.watchers(ID)) == []
    assert connections.close("c=1") == seated
    connections.remove("c=1")
    connections.remove("c=1")
    assert connections.close("c=1") is None


def test_watching_needs_the_version_and_an_open_socket(connections: ConnectionStore) -> None:
    with pytest.raises(Gone):
        connections.watch(Watcher("c=1", None, 0), ID, expires_at=NOW, at_version=0)
    connections.put(Connection("c=1", None), expires_at=NOW)
    with pytest.raises(VersionConflict):
        connections.watch(Watcher("c=1", None, 0), ID, expires_at=NOW, at_version=1)
    assert list(connections.watchers(ID)) == []
    with pytest.raises(Gone):
        connections.watch(Watcher("c=9", None, 0), ID, expires_at=NOW, at_version=None)
