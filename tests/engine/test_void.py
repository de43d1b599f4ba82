"""A match that nobody plays any more is void: it ends by itself, and does not count."""

from random import Random
from typing import Any

import pytest

import werewolf
from tests.engine.test_replay import recorded
from werewolf import Match, Transition
from werewolf.checking.invariants import check_match
from werewolf.checking.matches import NOW, Script, Table
from werewolf.checking.moves import legal_move
from werewolf.match import REVISION
from werewolf.replay import canonical, digest_of, first_difference

DAY_MS = 24 * 60 * 60 * 1000
PATIENT = {"max_consecutive_timeouts": 10, "max_days": 20}
SILENT = [
    ("werewolf-0.2", 10, PATIENT | {"talk_rounds": 1}),
    ("house-9", 6, PATIENT | {"wolves": 1}),
    ("traditional-1", 6, {}),
]
"""Tables at which three days and nights can pass in silence."""


def begin(ruleset: str, seats: int, options: Any, revision: int = REVISION) -> Match:
    names = [f"p{seat}" for seat in range(seats)]
    return werewolf.start(
        ruleset, names, seed="5e" * 32, now=NOW, options=options, revision=revision
    ).match


def sleep(match: Match) -> Transition:
    assert match.deadline is not None
    return werewolf.expire(match, now=match.deadline)


def sleep_until(match: Match, day: int) -> Transition:
    transition = Transition(match, ())
    while not transition.match.over and transition.match.day < day:
        transition = sleep(transition.match)
    return transition


@pytest.mark.parametrize(("ruleset", "seats", "options"), SILENT)
def test_three_days_and_nights_without_a_move_are_the_end(
    ruleset: str, seats: int, options: Any
) -> None:
    match, events = sleep_until(begin(ruleset, seats, options), 9)
    check_match(match)
    assert (match.day, match.void, match.over, match.winner, match.ranking) == (
        3,
        True,
        True,
        None,
        [],
    )
    assert [event.type for event in events][-2:] == ["reveal", "match_void"]
    assert events[-1].data == {"day": 3, "reason": "nobody_moved"}
    assert events[-1].audience == "everyone"
    assert Match.from_json(match.to_json()) == match
    assert werewolf.view(match, events, "spectator")["phase"] == "over"


def test_a_move_begins_the_count_anew() -> None:
    match, _ = sleep_until(begin("traditional-1", 6, {}), 2)
    move = legal_move(match, match.awaiting[0], Random(1))
    match, _ = werewolf.act(match, match.awaiting[0], move, now=(match.deadline or 0) - 1)
    match, _ = sleep_until(match, 5)
    assert not match.over
    match, _ = sleep_until(match, 6)
    assert (match.day, match.void) == (5, True)


def test_the_end_of_the_third_day_counts_for_nobody() -> None:
    """Also where the rules would end it on that very day."""
    match, _ = sleep_until(begin("house-9", 6, PATIENT | {"wolves": 1, "max_days": 3}), 9)
    assert (match.day, match.void) == (3, True)


def test_the_rules_of_before_know_nothing_of_it() -> None:
    match = begin("traditional-1", 6, {}, revision=1)
    match, _ = sleep_until(match, 9)
    assert (match.day, match.over) == (9, False)
    ended, events = werewolf.void(match, now=match.deadline or 0)
    assert ended.void
    assert events[-1].type == "match_void"


@pytest.mark.parametrize("ruleset", werewolf.RULESETS)
def test_a_day_without_a_move_is_the_end(ruleset: str) -> None:
    rules = werewolf.RULESETS[ruleset]
    match = begin(ruleset, rules.seats.default, {})
    assert werewolf.void(match, now=NOW + DAY_MS - 1) == Transition(match, ())
    ended, events = werewolf.void(match, now=NOW + DAY_MS)
    assert ended.void
    assert events[-1].data == {"day": 1, "reason": "nobody_moved"}
    assert werewolf.expire(match, now=NOW + DAY_MS) == (ended, events)
    assert werewolf.void(ended, now=NOW + 9 * DAY_MS) == Transition(ended, ())
    seat = match.awaiting[0]

    moved, _ = werewolf.act(match, seat, legal_move(match, seat, Random(1)), now=NOW + 900)
    assert not werewolf.void(moved, now=NOW + 900 + DAY_MS - 1).events
    assert werewolf.void(moved, now=NOW + 900 + DAY_MS).match.void


def test_a_table_that_waited_for_a_day_is_void() -> None:
    match = begin("traditional-1", 6, {})
    match, _ = werewolf.pause(match, [2], now=NOW + 5_000)
    match, _ = werewolf.pause(match, [4], now=NOW + 9_000)
    match, _ = werewolf.resume(match, [2], now=NOW + DAY_MS)
    assert werewolf.void(match, now=NOW + 5_000 + DAY_MS - 1) == Transition(match, ())
    ended, events = werewolf.void(match, now=NOW + 5_000 + DAY_MS)
    check_match(ended)
    assert (ended.void, ended.waiting_for) == (True, ())
    assert events[-1].data == {"day": 1, "reason": "waited_too_long"}


def test_a_state_that_did_not_keep_when_somebody_moved_waits_from_its_next_change_on() -> None:
    match = begin("traditional-1", 6, {}, revision=1)._replace(last_move=None)
    assert not werewolf.void(match, now=NOW + 99 * DAY_MS).events
    match, _ = werewolf.expire(match, now=NOW + 99 * DAY_MS)
    assert not werewolf.void(match, now=NOW + 100 * DAY_MS - 1).events
    assert werewolf.void(match, now=NOW + 100 * DAY_MS).match.void


def test_a_void_match_has_a_true_replay() -> None:
    by_itself = recorded(Script(Table("traditional-1", 6, "", {}), choices=1, silences=1_000))
    assert by_itself["events"][-1]["type"] == "match_void"
    assert (by_itself["winner"], by_itself["ranking"]) == (None, [])
    assert first_difference(canonical(by_itself).encode()) is None


def test_a_replay_of_a_match_that_the_platform_found_void() -> None:
    document = recorded(Script(Table("arena-1", 8, "", {}), choices=3, steps=5))
    voided = {"at": document["moves"][-1]["at"] + DAY_MS, "by": "void", "seat": None, "move": None}
    document["moves"].append(voided)
    day = document["events"][-1]["data"]["day"]
    roles = [dict(e["data"]) for e in document["events"] if e["type"] == "role_private"]
    cards = [{name: card[name] for name in ("seat", "role", "team")} for card in roles]
    for kind, data in (
        ("reveal", {"roles": cards}),
        ("match_void", {"day": day, "reason": "nobody_moved"}),
    ):
        seq = len(document["events"]) + 1
        event = {"seq": seq, "at": voided["at"], "type": kind, "data": data, "audience": "everyone"}
        document["events"].append(event)
    document["digest"] = digest_of(document)
    assert first_difference(canonical(document).encode()) is None
    early = document | {"moves": [*document["moves"][:-1], voided | {"at": voided["at"] - 1}]}
    early["digest"] = digest_of(early)
    found = first_difference(canonical(early).encode())
    assert found is not None
    assert found.told == "it changes nothing"


@pytest.mark.parametrize("revision", [0, REVISION + 1, True, 1.0, "1", None])
def test_there_are_no_other_revisions(revision: Any) -> None:
    with pytest.raises(werewolf.InvalidOptions):
        begin("arena-1", 8, {}, revision=revision)
