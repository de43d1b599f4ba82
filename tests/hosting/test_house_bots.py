"""House bots: tables that start at once, and bots that play through the same door."""

import json
from dataclasses import replace
from random import Random
from typing import Any

import pytest

import werewolf
from hosting.errors import Busy, NameTaken, NoHouseBots, NotHost, TableFull, TooFewPlayers
from hosting.items import log_item, read_log, state_item
from hosting.model import BOT_MARK, DIGEST_BYTES, Caller
from hosting.tables.house_seats import NAMES
from tests.hosting.world import RULES, World, agent, refusal, stored_bytes
from werewolf.checking.moves import legal_move

PRACTICE = [("werewolf-0.2", 5), ("werewolf-0.2", 10), ("arena-1", 8), ("house-9", 7)]


def practice(
    world: World, ruleset: str = RULES, seats: int | None = None, name: str = "Ada"
) -> tuple[str, Caller]:
    """A match of one agent among bots."""
    caller = agent(world, name)
    opened = world.opening.open(caller, ruleset=ruleset, seats=seats, fill="house-bots")
    world.seating.sit(opened["match_id"], caller)
    return opened["match_id"], caller


def turns_in_queue(world: World) -> list[dict[str, Any]]:
    """The messages that were sent since the last time."""
    messages, world.bots_queue.messages = world.bots_queue.messages, []
    return [json.loads(body) for body, _ in messages]


def bots_play(world: World, *, twice: bool = False) -> int:
    """What is in the stream is followed, and what is in the queue played; how many moves."""
    moves = 0
    while world.matches.images:
        world.drain(twice=twice)
        for turn in turns_in_queue(world):
            moves += world.house_bots.take_turn(**turn)
    return moves


def a_bots_turn(world: World) -> tuple[str, dict[str, Any]]:
    """A match in which it is a bot's turn, and the message that tells of it."""
    match_id, caller = practice(world, seats=5)
    while True:
        world.drain()
        for turn in turns_in_queue(world):
            return match_id, turn
        state = world.state_of(match_id)
        seat = world.identity.seat(state, caller)
        mine = werewolf.turn(state.engine(), seat)
        assert mine is not None
        world.play.move(match_id, caller, mine.turn_id, legal_move(state.engine(), seat, Random(1)))


def play_on(world: World, match_id: str, caller: Caller, rng: Random, **how: bool) -> int:
    """To the end: the agent makes legal moves, the bots theirs. How many moves the bots made."""
    moves = bots_play(world, **how)
    while (state := world.state_of(match_id)).status == "running":
        seat = world.identity.seat(state, caller)
        turn = werewolf.turn(state.engine(), seat)
        assert turn is not None, "nobody is on turn but bots, and they have played"
        move = legal_move(state.engine(), seat, rng)
        world.play.move(match_id, caller, turn.turn_id, move)
        moves += bots_play(world, **how)
    return moves


@pytest.mark.parametrize(("ruleset", "seats"), PRACTICE)
def test_one_agent_alone_plays_a_whole_match(world: World, ruleset: str, seats: int) -> None:
    match_id, caller = practice(world, ruleset, seats)
    summary = world.listing.summary(match_id)
    assert (summary["status"], summary["taken"], summary["fill"]) == (
        "running",
        seats,
        "house-bots",
    )
    assert [row["name"] for row in summary["players"] if not row.get("bot")] == ["Ada"]
    assert len({row["name"] for row in summary["players"]}) == seats
    assert sum(row.get("bot", False) for row in summary["players"]) == seats - 1
    assert play_on(world, match_id, caller, Random(seats)) > seats
    log = list(world.matches.entries(match_id, 1, world.state_of(match_id).version))
    assert {move.by for entry in log for move in entry.moves} == {"start", "player"}
    assert stored_bytes(state_item(world.state_of(match_id))) < 2_000


def test_every_bot_has_words_of_its_own_and_others_in_another_match(world: World) -> None:
    def introductions(name: str) -> list[str]:
        match_id, caller = practice(world, "house-9", 8, name)
        play_on(world, match_id, caller, Random(1))
        state = world.state_of(match_id)
        return [
            event.data["text"]
            for entry in world.matches.entries(match_id, 1, state.version)
            for event in entry.events
            if event.type == "message"
            and event.data["phase"] == "introductions"
            and state.is_bot(event.data["seat"])
        ]

    here, there = introductions("Ada"), introductions("Bea")
    assert len(set(here)) == len(set(there)) == 7
    assert set(here) != set(there)


def test_it_takes_two_transactions_to_start(world: World) -> None:
    caller = agent(world, "Ada")
    opened = world.opening.open(caller, ruleset=RULES, fill="house-bots")
    assert (opened["status"], opened["taken"]) == ("open", 0)
    world.matches.calls.clear()
    answer = world.seating.sit(opened["match_id"], caller, entropy="mine").answer
    assert answer["status"] == "running"
    assert world.matches.calls.count("commit") == 1
    table = world.matches.table(opened["match_id"])
    assert table is not None
    assert table.entropies == ("mine", *[""] * 6)


def test_what_comes_twice_or_late_changes_nothing(world: World) -> None:
    match_id, caller = practice(world, seats=5)
    play_on(world, match_id, caller, Random(3), twice=True)
    match_id, _ = practice(world, seats=6, name="Bea")
    world.drain()
    old = turns_in_queue(world)
    while old and world.state_of(match_id).status == "running":
        played = [world.house_bots.take_turn(**turn) for turn in old * 2]
        assert played.count(True) <= 1
        world.drain()
        assert not [turn for turn in old if world.house_bots.take_turn(**turn)]
        old = turns_in_queue(world)


def test_a_message_that_is_lost_is_a_turn_that_passes(world: World) -> None:
    match_id, _ = practice(world, seats=5)
    world.drain()
    for _ in range(40):
        turns_in_queue(world)  # lost, all of them
        state = world.state_of(match_id)
        if state.status == "over":
            break
        assert state.deadline is not None
        world.time.now_ms = state.deadline
        world.clock.wake(match_id, state.clock, 0)
        world.drain()
    assert world.state_of(match_id).status == "over"


def test_a_bot_only_plays_its_own_seat_and_turn(world: World) -> None:
    match_id, turn = a_bots_turn(world)
    state = world.state_of(match_id)
    mine = next(seat for seat in range(5) if not state.is_bot(seat))
    take = world.house_bots.take_turn
    assert not take(match_id, mine, turn["turn_id"])
    assert not take(match_id, turn["seat"], "9.day_talk.0")
    assert not take("a" * 16, turn["seat"], turn["turn_id"])
    assert world.state_of(match_id) == state


def test_whoever_is_too_busy_is_asked_again(world: World) -> None:
    _, turn = a_bots_turn(world)
    world.matches.faults = ["dropped"] * 4
    assert isinstance(refusal(world.house_bots.take_turn, **turn), Busy)
    assert world.house_bots.take_turn(**turn)


def test_other_matches_carry_nothing_of_it(world: World) -> None:
    caller = agent(world, "Ada")
    match_id = world.opening.open(caller, ruleset=RULES, seats=5)["match_id"]
    for name in "bcdef":
        world.seating.sit(match_id, agent(world, name))
    items = [item for (key, _), item in world.matches.items.items() if key.endswith(match_id)]
    assert not [item for item in items if {"bots", "fill"} & item.keys()]
    world.drain()
    assert world.bots_queue.messages == []


def test_the_clock_is_started_before_bots_are_called(world: World) -> None:
    practice(world, seats=5)
    world.bots_queue.failures = [OSError("no queue")] * 5
    for _ in range(5):
        if not world.matches.images:
            break
        images = list(world.matches.images)
        try:
            world.drain()
        except OSError:
            world.matches.images = images
    assert world.clock_starter.calls


@pytest.mark.parametrize(("pace", "low", "high"), [(0, 0, 0), (3, 1, 3)])
def test_bots_take_their_time(pace: int, low: int, high: int) -> None:
    world = World({"BOT_PACE_SECONDS": str(pace), "MOVE_LIMIT_PER_SECOND": "1000"})
    practice(world, "house-9", 8)
    world.drain()
    delays = [delay for _, delay in world.bots_queue.messages]
    assert delays
    assert all(low <= delay <= high for delay in delays)


def pauses(secrets: list[bytes]) -> list[tuple[int, int]]:
    """The seats and pauses of the bots of one match, in which everybody is silent and everything
    that is public is the same, whichever secrets are in their keys."""
    world = World({"BOT_PACE_SECONDS": "100"})
    caller = agent(world, "Ada")
    options = {"turn_deadline_ms": 3_600_000, "max_consecutive_timeouts": 10}
    opened = world.opening.open(caller, ruleset=RULES, seats=5, options=options, fill="house-bots")
    match_id = opened["match_id"]
    world.seating.sit(match_id, caller)
    state = world.state_of(match_id)
    keys = [secret.rjust(DIGEST_BYTES - len(BOT_MARK)) for secret in secrets]
    bots = [BOT_MARK + keys.pop() if state.is_bot(seat) else state.key(seat) for seat in range(5)]
    item = state_item(replace(state, keys=b"".join(bots)))
    world.matches.items[item["PK"], item["SK"]] = item
    world.matches.images.clear()
    paused = []
    for _ in range(20):
        state = world.state_of(match_id)
        assert state.deadline is not None
        world.time.now_ms = state.deadline
        world.clock.wake(match_id, state.clock, 0)
        world.drain()
        messages, world.bots_queue.messages = world.bots_queue.messages, []
        paused += [(json.loads(body)["seat"], delay) for body, delay in messages]
    return paused


def test_pauses_follow_from_each_bots_secret_and_from_nothing_public() -> None:
    here = pauses([b"a", b"b", b"c", b"d"])
    assert pauses([b"a", b"b", b"c", b"d"]) == here
    there = pauses([b"a", b"b", b"c", b"another"])
    assert [seat for seat, _ in there] == [seat for seat, _ in here]
    changed = {seat for (seat, one), (_, other) in zip(here, there, strict=True) if one != other}
    assert len(changed) == 1
    (seat,) = changed
    of_this_seat = [delay for by, delay in here if by == seat]
    assert len(of_this_seat) > 3
    assert len({delay for _, delay in here}) > 10
    assert all(1 <= delay <= 100 for _, delay in here)


def test_a_log_entry_of_before_names_bots_without_pauses(world: World) -> None:
    match_id, _ = practice(world, seats=5)
    item = log_item(next(iter(world.matches.entries(match_id, 1, 1))))
    entry = read_log({**item, "bots": "[1,3]"})
    assert entry.bots == {1: 1.0, 3: 1.0}
    assert read_log(log_item(entry)) == entry


def test_bots_never_dawdle_their_time_away() -> None:
    world = World({"BOT_PACE_SECONDS": "60"})
    caller = agent(world, "Ada")
    options = {"turn_deadline_ms": 5_000}
    opened = world.opening.open(caller, ruleset="house-9", options=options, fill="house-bots")
    world.seating.sit(opened["match_id"], caller)
    world.drain()
    assert world.bots_queue.messages
    assert all(delay <= 1 for _, delay in world.bots_queue.messages)


def test_never_where_people_wait_for_each_other(world: World) -> None:
    caller = agent(world, "Ada")
    asked = refusal(world.opening.open, caller, ruleset="traditional-1", fill="house-bots")
    assert isinstance(asked, NoHouseBots)
    assert not world.matches.items


def test_friends_may_sit_down_first_and_one_seat_is_kept_for_the_host(world: World) -> None:
    host = agent(world, "Ada")
    match_id = world.opening.open(host, ruleset=RULES, seats=5, fill="house-bots")["match_id"]
    for name in "bcde":
        assert world.seating.sit(match_id, agent(world, name)).answer["status"] == "open"
    assert isinstance(refusal(world.seating.sit, match_id, agent(world, "f")), TableFull)
    assert world.seating.sit(match_id, host).answer["status"] == "running"
    assert not [row for row in world.listing.summary(match_id)["players"] if row.get("bot")]


def test_a_host_who_does_not_play_starts_with_bots_in_the_free_seats(world: World) -> None:
    host = agent(world, "Ada")
    match_id = world.opening.open(host, ruleset=RULES, seats=5, fill="house-bots")["match_id"]
    assert isinstance(refusal(world.starting.start, match_id, host), TooFewPlayers)
    guest = agent(world, "Bea")
    world.seating.sit(match_id, guest)
    assert isinstance(refusal(world.starting.start, match_id, guest), NotHost)
    summary = world.starting.start(match_id, host)
    assert sum(row.get("bot", False) for row in summary["players"]) == 4


@pytest.mark.parametrize("name", [NAMES[0], NAMES[3].upper()])
def test_nobody_passes_for_a_bot(world: World, name: str) -> None:
    asked = refusal(world.identity.register, name, source="198.51.100.7")
    assert isinstance(asked, NameTaken)


def test_a_bot_sees_what_its_seat_sees(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    match_id, turn = a_bots_turn(world)
    given = []
    monkeypatch.setattr(
        "bots.choose", lambda turn, view, dice, voice: given.append(view) or {"action": "x"}
    )
    assert not world.house_bots.take_turn(**turn)
    state = world.state_of(match_id)
    log = [
        event
        for entry in world.matches.entries(match_id, 1, state.version)
        for event in entry.events
        if event.type != "seat_taken" and werewolf.visible_to(event, turn["seat"])
    ]
    assert given == [werewolf.view(state.engine(), log, turn["seat"])]
