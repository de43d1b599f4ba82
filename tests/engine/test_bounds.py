"""Nothing is ended by goodwill alone: the most stubborn players that the rules allow meet bounds.

Each seat has a manner of its own, and keeps to it: it says as much as it can, changes its mind as
often as it can, chooses again what it has chosen, does nothing, or does what changes nothing.
"""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import werewolf
from tests.engine.random_play import tables
from tests.examples import examples
from werewolf import Event, IllegalMove, Match
from werewolf.checking.invariants import MOST_BYTES, check_match, refused
from werewolf.checking.matches import NOW, Table
from werewolf.checking.moves import legal_move, listed_moves
from werewolf.match import REVISION
from werewolf.moves import Move
from werewolf.rulesets.house_9 import OFFERS_PER_PLAYER
from werewolf.rulesets.traditional_1 import MAX_CHANGES, MAX_MESSAGES
from werewolf.view import DAYS_SHOWN, TALK_SHOWN

RULESETS = sorted(werewolf.RULESETS)
MANNERS = ("talks", "wavers", "repeats", "sleeps", "spares", "anything")
IDLE = ("pass", "skip", "abstain", "no_lynch", "lock")
TURNS = {
    "werewolf-0.2": 3 + 1 + 5 * 10 + 10,
    "arena-1": 4 + 8 + 8,
    "house-9": 8 + 6 + 2 + OFFERS_PER_PLAYER * 8 + 8,
    "traditional-1": 8 * (1 + MAX_CHANGES + 1) + 8 * (MAX_MESSAGES + 1 + MAX_CHANGES + 1),
}
"""How many moves and silences that tell something a day with its night has at most."""
VIEW_BYTES = 300_000
STEPS = 4_000


@dataclass(frozen=True)
class Crowd:
    """A table and how each of its seats plays."""

    table: Table
    manners: tuple[str, ...]
    choices: int


@st.composite
def crowds(draw: st.DrawFn, ruleset: str) -> Crowd:
    table = draw(tables(ruleset))
    alike = draw(st.sampled_from([*MANNERS, None]))
    manners = [alike or draw(st.sampled_from(MANNERS)) for _ in range(table.seats)]
    return Crowd(table, tuple(manners), draw(st.integers(0, 2**32)))


def longest(match: Match, seat: int, move: Move) -> Move:
    """The move with as much text as the offer allows."""
    turn = werewolf.turn(match, seat)
    assert turn is not None
    offer = next(o for o in turn.legal_actions if o["action"] == move["action"])
    for unit, letter in (("chars", "🐺"), ("bytes", "x")):
        limit = offer.get(f"max_message_{unit}")
        if limit:
            move = move | {"message": letter * limit}
    for aside in werewolf.RULESETS[match.ruleset].asides:
        move = move | {aside.name: "x" * aside.limit}
    return move


def choose(match: Match, seat: int, manner: str, rng: Random) -> Move | None:
    """What a seat of this manner does now; None: nothing."""
    moves = list(listed_moves(match, seat))
    if manner == "anything":
        return legal_move(match, seat, rng)
    if manner == "sleeps":
        return None
    now = dict(match.ballots if "day" in match.phase else match.picks)
    if manner == "talks":
        preferred = [m for m in moves if m["action"] == "say" and "to" not in m]
        move = rng.choice(preferred or moves)
        return longest(match, seat, move)
    if manner == "wavers":
        preferred = [m for m in moves if "target" in m and m["target"] != now.get(seat)]
    elif manner == "repeats":
        preferred = [m for m in moves if m.get("target", -1) == now.get(seat, -2)]
        if rng.random() < 0.05:
            preferred = [m for m in moves if m["action"] == "lock"]
    else:
        preferred = [m for m in moves if m["action"] in IDLE]
    return rng.choice(preferred or moves)


def played(crowd: Crowd) -> Iterator[tuple[Match, Match, tuple[Event, ...]]]:
    """The match step by step: before, after, and what happened."""
    rng = Random(crowd.choices)
    match, events = crowd.table.start()
    yield match, match, events
    now = NOW
    for _ in range(STEPS):
        if match.over:
            return
        awake = [s for s in match.awaiting if crowd.manners[s] != "sleeps"]
        before = match
        late = match.deadline is not None and now + 40 >= match.deadline
        if not awake or late:
            assert match.deadline is not None
            now = max(now, match.deadline)
            match, events = werewolf.expire(match, now=now)
        else:
            now += 40
            seat = rng.choice(awake)
            move = choose(match, seat, crowd.manners[seat], rng)
            assert move is not None
            match, events = werewolf.act(match, seat, move, now=now)
        yield before, match, events


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_most_stubborn_players_meet_the_bounds(ruleset: str) -> None:
    @settings(deadline=None, max_examples=examples(60))
    @given(crowds(ruleset))
    def bounded(crowd: Crowd) -> None:
        told: Counter[int] = Counter()
        count: Counter[int] = Counter()
        log: list[Event] = []
        for before, match, events in played(crowd):
            told[before.day] += bool(events)
            count[before.day] += len(events)
            log += events
            assert told[before.day] <= TURNS[ruleset] + 1
            assert count[before.day] <= 4 * TURNS[ruleset] + 40
            if match.day != before.day or match.over:
                check_match(match)
                assert len(match.to_json().encode()) <= MOST_BYTES
                check_views(match, log)
        if ruleset != "traditional-1" or set(crowd.manners) == {"sleeps"}:
            assert match.over, "it does not end"
        assert match.void or match.day <= match.options.get("max_days", match.day)

    bounded()


def check_views(match: Match, log: list[Event]) -> None:
    for viewer in (0, "spectator", "omniscient"):
        shown = werewolf.view(match, log, viewer)  # type: ignore[arg-type]
        assert len(shown["talk"]) <= TALK_SHOWN
        assert len(shown["days"]) <= DAYS_SHOWN
        assert len(json.dumps(shown, ensure_ascii=False).encode()) <= VIEW_BYTES


# ---- traditional-1 ------------------------------------------------------------------------------


def by_day(revision: int = REVISION) -> Match:
    """A day at traditional-1, with the wolves in seats 0 and 1."""
    roles = ["werewolf", "werewolf", "seer", "doctor", "villager", "villager"]
    names = [f"p{seat}" for seat in range(6)]
    start = werewolf.start(
        "traditional-1", names, seed="5e" * 32, now=NOW, roles=roles, revision=revision
    )
    return werewolf.expire(start.match, now=NOW + 60_000).match


def doing(match: Match, seat: int, *moves: Move) -> tuple[Match, list[Event]]:
    events: list[Event] = []
    for move in moves:
        match, more = werewolf.act(match, seat, move, now=NOW + 61_000)
        events += more
    return match, events


def offered(match: Match, seat: int) -> list[str]:
    turn = werewolf.turn(match, seat)
    assert turn is not None
    return [offer["action"] for offer in turn.legal_actions]


def test_a_seat_says_sixty_things_a_day() -> None:
    say = {"action": "say", "message": "x"}
    match, _ = doing(by_day(), 4, *[say] * MAX_MESSAGES)
    refusal = refused(match, 4, say, now=NOW + 61_000)
    assert refusal.code == "too_many_messages"
    assert [offer["action"] for offer in refusal.legal_actions] == offered(match, 4)
    assert offered(match, 4) == ["vote", "abstain", "lock"]
    assert "say" in offered(match, 5)
    malformed = refused(match, 4, {"action": "say"}, now=NOW + 61_000)
    assert malformed.code == "message_required"
    match, _ = doing(match, 4, {"action": "vote", "target": 0})
    for _ in range(2):
        match, _ = werewolf.expire(match, now=match.deadline or 0)
    assert (match.day, match.phase) == (2, "day")
    assert "say" in offered(match, 4)


def test_a_choice_changes_twenty_times_a_phase_and_then_stands() -> None:
    votes = [{"action": "vote", "target": number % 2} for number in range(MAX_CHANGES)]
    match, _ = doing(by_day(), 4, *votes, {"action": "abstain"})
    for move in ({"action": "vote", "target": 0}, {"action": "vote", "target": 1}):
        refusal = refused(match, 4, move, now=NOW + 61_000)
        assert refusal.code == "too_many_changes"
    assert offered(match, 4) == ["say", "lock"]
    assert dict(match.ballots)[4] is None
    again, events = doing(match, 4, {"action": "abstain"})
    assert (events, again.ballots) == ([], match.ballots)
    assert refused(match, 4, {"action": "vote", "target": 4}, now=NOW).code == "illegal_target"


def test_at_night_as_well() -> None:
    match = by_day()
    match, _ = werewolf.expire(match, now=match.deadline or 0)
    assert (match.phase, match.day) == ("night", 2)
    for seat, target in ((0, 2), (3, 3)):
        choices = [
            {"action": "choose", "target": target + number % 2} for number in range(MAX_CHANGES + 1)
        ]
        after, events = doing(match, seat, *choices)
        assert len(events) == MAX_CHANGES + 1
        another = {"action": "choose", "target": target + 1}
        assert refused(after, seat, another, now=NOW).code == "too_many_changes"
        same = {"action": "choose", "target": target}
        assert doing(after, seat, same)[1] == []
        assert offered(after, seat) == ["lock"]


@pytest.mark.parametrize("move", [{"action": "vote", "target": 0}, {"action": "abstain"}])
def test_a_choice_that_is_what_it_was_tells_nobody_anything(move: Move) -> None:
    match, first = doing(by_day(), 4, move)
    again, events = doing(match, 4, *[move] * 137)
    assert [event.type for event in first] == ["action"]
    assert events == []
    assert again.ballots == match.ballots
    assert again.notes == match.notes
    one, other = werewolf.turn(match, 4), werewolf.turn(again, 4)
    assert one is not None
    assert other is not None
    assert one.turn_id != other.turn_id, "each of them uses up its turn"


def test_the_rules_of_before_count_nothing() -> None:
    moves = [{"action": "say", "message": "x"}, {"action": "vote", "target": 0}] * 70
    _, events = doing(by_day(revision=1), 4, *moves)
    assert len(events) == 140


def test_what_was_said_on_other_days_is_in_the_events_alone() -> None:
    match = by_day()
    log: list[Event] = []
    for day in (1, 2):
        match, events = doing(match, 4, {"action": "say", "message": f"day {day}"})
        log += events
        said = werewolf.view(match, log, 5)["talk"]
        assert [row["text"] for row in said] == [f"day {day}"]
        match, _ = werewolf.expire(match, now=match.deadline or 0)
        assert werewolf.view(match, log, 5)["talk"] == []
        match, _ = werewolf.expire(match, now=match.deadline or 0)


# ---- house-9 ------------------------------------------------------------------------------------


@pytest.mark.parametrize("leaver", [None, 3])
def test_a_discussion_ends_after_so_many_offers(leaver: int | None) -> None:
    roles = ["werewolf", "villager", "seer", "doctor", "villager", "villager"]
    options = {"wolves": 1, "max_consecutive_timeouts": 10}
    match, _ = Table("house-9", 6, "0f" * 32, options).start(roles)
    while match.phase != "day_talk":
        match, _ = werewolf.expire(match, now=match.deadline or 0)
    alive, now, offers = len(match.alive), match.deadline or 0, 0
    speaker = match.alive[0]
    events: tuple[Event, ...] = ()
    while match.phase == "day_talk":
        (seat,) = match.awaiting
        offers += 1
        now -= 1
        if seat == leaver:
            match, events = werewolf.leave(match, seat, now=now)
            continue
        move = {"action": "say", "message": "x"} if seat == speaker else {"action": "pass"}
        match, events = werewolf.act(match, seat, move, now=now)
    assert offers == OFFERS_PER_PLAYER * alive
    (end,) = [event for event in events if event.type == "talk_end"]
    assert end.data["reason"] == "offers"
    assert match.phase == "day_vote"


# ---- thoughts -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("ruleset", "aside"), [("arena-1", "reasoning"), ("house-9", "thinking")])
def test_thoughts_are_counted_in_bytes_and_were_in_code_points(ruleset: str, aside: str) -> None:
    rules = werewolf.RULESETS[ruleset]
    names = [f"p{seat}" for seat in range(rules.seats.default)]
    for revision, fits in ((1, "狼" * 8_000), (REVISION, "狼" * 2_666 + "xx")):
        match = werewolf.start(ruleset, names, seed="5e" * 32, now=NOW, revision=revision).match
        seat = match.awaiting[0]
        move = legal_move(match, seat, Random(1))
        assert werewolf.act(match, seat, move | {aside: fits}, now=NOW).events
        with pytest.raises(IllegalMove) as refusal:
            werewolf.act(match, seat, move | {aside: fits + "x"}, now=NOW)
        assert (refusal.value.code, refusal.value.field) == ("message_too_long", aside)


def test_talk_is_shown_up_to_the_newest_contributions() -> None:
    options: dict[str, Any] = {"talk_rounds": 5}
    match, events = Table("werewolf-0.2", 10, "0f" * 32, options).start()
    log = [*events]
    said = 0
    while said <= TALK_SHOWN and not match.over:
        (seat,) = match.awaiting
        move = next(listed_moves(match, seat))
        if move["action"] == "vote":
            move = {"action": "abstain"}
        if move["action"] == "kill" and match.day > 1:
            match, events = werewolf.expire(match, now=match.deadline or 0)
            log += events
            continue
        if move["action"] == "say":
            said += 1
            move["message"] = f"{said}"
        match, events = werewolf.act(match, seat, move, now=NOW)
        log += events
    talk = [int(row["text"]) for row in werewolf.view(match, log, "spectator")["talk"]]
    everything = [int(e.data["text"]) for e in log if e.type == "message"]
    assert talk == everything[-TALK_SHOWN:]
