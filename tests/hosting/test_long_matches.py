"""A look costs no more on the 750th day than on the third."""

from collections.abc import Iterator
from typing import Any

import pytest

import werewolf
from hosting.model import Caller, State
from hosting.tables.events import TABLE_EVENTS
from hosting.views.log import KEPT_READ, WHOLE_LOG
from hosting.wiring import Platform
from tests.hosting.aws import ENVIRONMENT, tables
from tests.hosting.test_budget import Timed
from tests.hosting.world import MANY, World, running
from werewolf import Viewer

VIEWERS: list[Viewer] = [*range(6), "spectator", "omniscient"]


class Village:
    """A table of traditional-1 that never comes to its end: nobody kills, and nobody is voted."""

    def __init__(self, platform: Any) -> None:
        self.platform = platform
        self.match_id, self.callers = running(platform, 6, {}, "traditional-1")
        self.seer = self.state.engine().roles.index("seer")

    @property
    def state(self) -> State:
        state: State | None = self.platform.matches.state(self.match_id)
        assert state is not None
        return state

    def act(self, seat: int, **move: Any) -> None:
        turn = werewolf.turn(self.state.engine(), seat)
        assert turn is not None
        self.platform.play.move(self.match_id, self.callers[seat], turn.turn_id, move)

    def sleep(self) -> None:
        deadline = self.state.deadline
        assert deadline is not None
        if isinstance(self.platform, World):
            self.platform.time.now_ms = deadline
        else:
            self.platform.ahead_ms += max(0, deadline - self.platform.now()) + 1
        self.platform.clock.wake(self.match_id, self.state.clock, 0)

    def days(self, last: int, *, talk: int = 3) -> None:
        """Until the vote of this day, with some talk a day, and the seer at work."""
        while True:
            match = self.state.engine()
            if match.phase == "night":
                self.act(self.seer, action="choose", target=(self.seer + match.day % 5 + 1) % 6)
            else:
                for number in range(talk):
                    self.act(number % 6, action="say", message=f"{number} of day {match.day}")
                if match.day == last:
                    return
            self.sleep()

    def by_the_whole_log(self, viewer: Viewer) -> dict[str, Any]:
        entries = self.platform.matches.entries(self.match_id, 1, self.state.version)
        log = [event for entry in entries for event in entry.events]
        played = [event for event in log if event.type not in TABLE_EVENTS]
        return werewolf.view(self.state.engine(), played, viewer)

    def look(self, viewer: Viewer) -> Any:
        caller: Caller | None = self.callers[viewer] if isinstance(viewer, int) else None
        body = self.platform.states.state(self.match_id, caller).body
        assert body is not None
        return body["visible_state"]


@pytest.fixture(params=["memory", "dynamo"])
def platform(request: pytest.FixtureRequest) -> Iterator[Platform]:
    if request.param == "memory":
        yield World()
        return
    with tables():
        yield Timed(ENVIRONMENT | MANY)


def test_a_look_shows_the_same_as_the_whole_log(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hosting.views.log.WHOLE_LOG", 20)
    village = Village(platform)
    village.days(8)
    for viewer in VIEWERS[:-1]:
        assert village.look(viewer) == village.by_the_whole_log(viewer)


def test_what_lasts_is_kept_from_the_start_on(platform: Platform) -> None:
    village = Village(platform)
    village.days(3)
    kept = platform.matches.kept(village.match_id, newest=KEPT_READ)
    types = [event.type for one in kept for event in one.events]
    assert types[0] == "roles_dealt"
    assert types[1:] == ["seer_result_private", "dawn", "votes_revealed"] * 2 + types[1:3]
    for one in kept:
        entry = platform.matches.entry(village.match_id, one.version)
        assert entry is not None
        assert all(event in entry.events for event in one.events)
    assert [one.version for one in kept] == sorted(one.version for one in kept)
    assert platform.matches.kept(village.match_id, newest=2) == [kept[0], *kept[-2:]]


def test_a_look_costs_no_more_on_the_750th_day() -> None:
    world = World()
    village = Village(world)
    read: dict[int, int] = {}
    for day in (3, 60, 750):
        village.days(day)
        world.matches.calls.clear()
        world.matches.log_bytes = 0
        village.look(0)
        assert world.matches.calls.count("log") <= WHOLE_LOG
        read[day] = world.matches.calls.count("log")
        world.matches.log_bytes = None
    assert read[750] <= read[60] <= read[3], read
    for viewer in VIEWERS[:-1]:
        assert village.look(viewer) == village.by_the_whole_log(viewer)
    assert len(world.matches.kept(village.match_id, newest=KEPT_READ)) <= KEPT_READ + 1


def test_a_match_that_started_before_is_read_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World()
    with monkeypatch.context() as before:
        before.setattr("hosting.adapters.sqlite_matches.kept_item", lambda _commit: None)
        village = Village(world)
        village.days(20)
    village.days(60)
    assert world.matches.kept(village.match_id, newest=KEPT_READ) == []
    for viewer in VIEWERS[:-1]:
        assert village.look(viewer) == village.by_the_whole_log(viewer)


def test_a_day_with_much_talk_is_read_to_its_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hosting.views.log.WHOLE_LOG", 10)
    village = Village(World())
    village.days(4, talk=300)
    shown = village.look("spectator")
    assert shown == village.by_the_whole_log("spectator")
    assert len(shown["talk"]) == 200
