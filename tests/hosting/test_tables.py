"""Tables by invitation, rematches, tables that close when nobody comes, and one's own list."""

import threading
from typing import Any

import pytest

from hosting.errors import (
    Malformed,
    MatchNotOpen,
    MatchNotOver,
    MatchNotRunning,
    MatchOver,
    NotFound,
    NotInvited,
    NotSeated,
    TooFewPlayers,
    Unauthorized,
)
from hosting.items import match_key
from hosting.model import Caller
from hosting.tables.closing import close
from hosting.wiring import Platform
from tests.hosting.test_races import at_once, platform
from tests.hosting.world import RULES, World, agent, agents, refusal, running

__all__ = ["platform"]

TWO_HOURS = 120 * 60_000


def over(world: Platform, seats: int = 5, **options: Any) -> tuple[str, list[Caller]]:
    """A match that is over: all have left."""
    match_id, callers = running(world, seats, options or None)
    for caller in callers:
        if world.listing.summary(match_id)["status"] == "running":
            world.play.leave(match_id, caller)
    return match_id, callers


def ids(world: World, caller: Caller, **query: Any) -> list[str]:
    return [row["match_id"] for row in world.listing.own(caller, **query)["matches"]]


# ---- by invitation ------------------------------------------------------------------------------


def test_a_private_table_is_for_those_who_know_its_code(world: World) -> None:
    host, guest = agents(world, 2)
    opened = world.opening.open(host, ruleset=RULES, seats=5, private=True)
    match_id, invite = opened["match_id"], opened["invite"]
    for wrong in (None, "", "x", invite[:-1], invite.upper()):
        assert isinstance(refusal(world.seating.sit, match_id, guest, invite=wrong), NotInvited)
    assert world.seating.sit(match_id, guest, invite=invite).created
    assert not world.seating.sit(match_id, guest).created, "who has a seat needs no code"
    assert world.seating.sit(match_id, host).created, "nor does the host"


def test_the_code_is_told_once_and_kept_hashed(world: World) -> None:
    host = agent(world, "Ada")
    opened = world.opening.open(host, ruleset=RULES, private=True)
    assert opened["private"] is True
    assert "invite" not in world.listing.summary(opened["match_id"])
    assert opened["invite"] not in str(world.matches.items)
    assert "invite" not in world.opening.open(host, ruleset=RULES)


def test_a_private_table_is_in_no_list_but_its_players_own(world: World) -> None:
    host = agent(world, "Ada")
    shown = world.opening.open(host, ruleset=RULES)["match_id"]
    hidden = world.opening.open(host, ruleset=RULES, private=True)["match_id"]
    world.seating.sit(hidden, host)
    assert [row["match_id"] for row in world.listing.list()["matches"]] == [shown]
    assert ids(world, host) == [hidden]


# ---- once more ----------------------------------------------------------------------------------


def test_a_rematch_is_for_the_same_players_with_new_seats(world: World) -> None:
    match_id, callers = over(world, max_days=3)
    old = world.listing.summary(match_id)
    answers = [world.rematches.ask(match_id, caller) for caller in callers]
    new = {sat.answer["match_id"] for sat in answers}
    assert len(new) == 1
    assert match_id not in new
    (new_id,) = new
    assert [sat.answer["status"] for sat in answers] == ["open"] * 4 + ["running"]
    summary = world.listing.summary(new_id)
    assert summary["host"] == callers[0].agent_id
    assert (summary["ruleset"], summary["seats"], summary["options"], summary["title"]) == (
        (old["ruleset"], old["seats"], old["options"], old["title"])
    )
    assert summary["commitment"] != old["commitment"]
    assert {row["agent_id"] for row in summary["players"]} == {c.agent_id for c in callers}
    assert world.listing.summary(match_id)["rematch"] == new_id


def test_asking_again_changes_nothing(world: World) -> None:
    match_id, callers = over(world)
    first = world.rematches.ask(match_id, callers[0])
    again = world.rematches.ask(match_id, callers[0])
    assert (first.created, again.created) == (True, False)
    assert first.answer == again.answer


@pytest.mark.parametrize("who", [(0, 0), (0, 1)], ids=["two clicks", "two players"])
def test_two_at_once_open_one_table(world: World, who: tuple[int, int]) -> None:
    match_id, callers = over(world)
    create, answers = world.matches.create, []
    meeting = threading.Barrier(2, timeout=10)

    def meet(*args: Any, **kwargs: Any) -> None:
        meeting.wait()
        create(*args, **kwargs)

    world.matches.create = meet  # type: ignore[method-assign]
    asking = [
        threading.Thread(
            target=lambda seat=seat: answers.append(world.rematches.ask(match_id, callers[seat]))
        )
        for seat in who
    ]
    for thread in asking:
        thread.start()
    for thread in asking:
        thread.join()
    assert len({sat.answer["match_id"] for sat in answers}) == 1
    assert world.listing.summary(answers[0].answer["match_id"])["taken"] == len(set(who))


def test_a_process_that_dies_after_opening_leaves_a_table_to_be_found(world: World) -> None:
    match_id, callers = over(world)
    sit = world.seating.sit
    world.seating.sit = lambda *_, **__: 1 / 0  # type: ignore[assignment, method-assign]
    with pytest.raises(ZeroDivisionError):
        world.rematches.ask(match_id, callers[0])
    world.seating.sit = sit  # type: ignore[method-assign]
    new_id = world.listing.summary(match_id)["rematch"]
    assert world.rematches.ask(match_id, callers[0]).answer["match_id"] == new_id


def test_the_seats_of_a_rematch_are_kept(world: World) -> None:
    match_id, callers = over(world)
    new_id = world.rematches.ask(match_id, callers[0]).answer["match_id"]
    stranger = agent(world, "stranger")
    assert isinstance(refusal(world.seating.sit, new_id, stranger), NotInvited)
    assert isinstance(refusal(world.rematches.ask, match_id, stranger), NotSeated)
    assert isinstance(refusal(world.rematches.ask, match_id, None), Unauthorized)
    assert world.listing.list()["matches"] == []
    assert world.seating.sit(new_id, callers[1]).created, "the way in does not matter"
    assert isinstance(refusal(world.starting.start, new_id, callers[0]), TooFewPlayers)


def test_a_rematch_comes_after_the_match(world: World) -> None:
    match_id, callers = running(world, 5)
    assert isinstance(refusal(world.rematches.ask, match_id, callers[0]), MatchNotOver)
    assert isinstance(refusal(world.rematches.ask, "a" * 16, callers[0]), NotFound)


def test_a_rematch_that_closed_is_replaced_once(platform: Platform) -> None:
    match_id, callers = over(platform)
    closed = platform.rematches.ask(match_id, callers[0]).answer["match_id"]
    platform.transactions.run(closed, close)
    answers = at_once([lambda one=one: platform.rematches.ask(match_id, one) for one in callers])
    rematches = {answer.answer["match_id"] for answer in answers}  # type: ignore[union-attr]
    assert len(rematches) == 1
    (new_id,) = rematches
    assert new_id != closed
    summary = platform.listing.summary(new_id)
    assert (summary["status"], summary["taken"]) == ("running", len(callers))
    assert platform.listing.summary(match_id)["rematch"] == new_id


def test_house_bots_come_along(world: World) -> None:
    host = agent(world, "Ada")
    match_id = world.opening.open(host, ruleset=RULES, seats=5, fill="house-bots")["match_id"]
    world.seating.sit(match_id, host)
    world.play.leave(match_id, host)
    state = world.state_of(match_id)
    while state.status == "running":
        assert state.deadline is not None
        world.time.now_ms = state.deadline
        world.clock.wake(match_id, state.clock, 0)
        state = world.state_of(match_id)
    answer = world.rematches.ask(match_id, host).answer
    assert answer["status"] == "running"
    players = world.listing.summary(answer["match_id"])["players"]
    assert sum(row.get("bot", False) for row in players) == 4


# ---- a table that nobody fills ------------------------------------------------------------------


def test_a_table_that_nobody_fills_closes(world: World) -> None:
    host, guest, late = agents(world, 3)
    match_id = world.opening.open(host, ruleset=RULES, seats=5)["match_id"]
    world.seating.sit(match_id, guest)
    world.time.now_ms += TWO_HOURS
    until = world.now() + 1_000
    assert world.closing.close_unfilled(until=until) == 0
    world.time.now_ms += 1
    assert world.closing.close_unfilled(until=until) == 1
    assert world.closing.close_unfilled(until=until) == 0
    summary = world.listing.summary(match_id)
    assert (summary["status"], summary["ended_at"]) == ("closed", world.now())
    assert summary["players"][0]["place"] == 0
    for status in ("open", "running", "over"):
        assert world.listing.list(status=status)["matches"] == []
    assert isinstance(refusal(world.seating.sit, match_id, late), MatchNotOpen)
    assert not world.seating.sit(match_id, guest).created
    assert isinstance(refusal(world.starting.start, match_id, host), MatchNotOpen)
    assert isinstance(refusal(world.play.leave, match_id, guest), MatchOver)
    move = refusal(world.play.move, match_id, guest, "1.night_wolves.0", {"action": "kill"})
    assert isinstance(move, MatchNotRunning)
    assert isinstance(refusal(world.replays.replay, match_id), MatchNotOver)
    body = world.states.state(match_id, guest).body
    assert body is not None
    assert (body["status"], body["viewer"], body["visible_state"]) == ("closed", "spectator", None)
    told = world.event_pages.events(match_id, None)["events"]
    assert told[-1]["type"] == "table_closed"


def test_what_has_started_does_not_close(world: World) -> None:
    match_id, callers = running(world, 5)
    world.time.now_ms += 2 * TWO_HOURS
    assert world.closing.close_unfilled(until=world.now() + 1_000) == 0
    for caller in callers:
        if world.state_of(match_id).status == "running":
            world.play.leave(match_id, caller)
        assert world.closing.close_unfilled(until=world.now() + 1_000) == 0
    assert world.state_of(match_id).status == "over"


def test_who_sits_down_at_the_last_moment_has_a_seat_or_a_closed_table(world: World) -> None:
    callers = agents(world, 5)
    match_id = world.opening.open(callers[0], ruleset=RULES, seats=5)["match_id"]
    for caller in callers[:4]:
        world.seating.sit(match_id, caller)
    world.time.now_ms += TWO_HOURS + 1
    world.matches.faults = [lambda: world.seating.sit(match_id, callers[4])]
    assert world.closing.close_unfilled(until=world.now() + 1_000) == 0
    assert world.state_of(match_id).status == "running"


def test_closing_stops_in_time(world: World) -> None:
    host = agent(world, "Ada")
    for _ in range(3):
        world.opening.open(host, ruleset=RULES)
    world.time.now_ms += TWO_HOURS + 1
    assert world.closing.close_unfilled(until=world.now()) == 0


# ---- one's own ----------------------------------------------------------------------------------


def test_own_matches_are_told_current_ones_first(world: World) -> None:
    me, *others = agents(world, 5)
    assert ids(world, me) == []

    def table(*, full: bool) -> str:
        world.time.now_ms += 1_000
        match_id = world.opening.open(others[0], ruleset=RULES, seats=5)["match_id"]
        for caller in (me, *others) if full else (me,):
            world.seating.sit(match_id, caller)
        return match_id

    ended, waiting, left, played = (
        table(full=True),
        table(full=False),
        table(full=False),
        table(full=True),
    )
    stale = table(full=False)
    world.play.leave(left, me)
    assert ids(world, me) == [stale, played, waiting, ended]
    for caller in others:
        if world.state_of(ended).status == "running":
            world.play.leave(ended, caller)
    assert ids(world, me) == [stale, played, waiting, ended]
    world.play.leave(waiting, me)
    world.time.now_ms += 1_000
    world.seating.sit(waiting, me)
    assert ids(world, me) == [waiting, stale, played, ended]
    world.time.now_ms += TWO_HOURS
    world.closing.close_unfilled(until=world.now() + 1_000)
    assert ids(world, me)[0] == played
    assert set(ids(world, others[1])) == {played, ended}


def test_own_matches_come_in_pages(world: World) -> None:
    me = agent(world, "Ada")
    expected = []
    for _ in range(5):
        world.time.now_ms += 1
        expected.insert(0, world.opening.open(me, ruleset=RULES)["match_id"])
        world.seating.sit(expected[0], me)
    page = world.listing.own(me, limit=2)
    found = [row["match_id"] for row in page["matches"]]
    while page["next"]:
        page = world.listing.own(me, limit=2, cursor=page["next"])
        found += [row["match_id"] for row in page["matches"]]
    assert found == expected
    assert isinstance(refusal(world.listing.own, me, cursor="x"), Malformed)
    assert isinstance(refusal(world.listing.own, me, limit=0), Malformed)
    assert isinstance(refusal(world.listing.own, None), Unauthorized)
    open_tables = world.listing.list(limit=2)["next"]
    assert isinstance(refusal(world.listing.own, me, cursor=open_tables), Malformed)


def test_a_move_does_not_touch_the_lists(world: World) -> None:
    match_id, callers = running(world, 5)
    rows = {key: dict(item) for key, item in world.matches.items.items() if "SEAT#" in key[1]}
    assert len(rows) == 5
    match = world.state_of(match_id).engine()
    for caller in callers[:2]:
        world.play.leave(match_id, caller)
        if world.state_of(match_id).status == "over":
            return
    now = {key: item for key, item in world.matches.items.items() if "SEAT#" in key[1]}
    assert match.alive
    assert rows == now
    assert {key for key, _ in rows} == {match_key(match_id)}
