"""A second version of a rule set is one module and one registry line, and changes no match.

`house-10` here is a toy: a shorter talk, more days, everything else as in house-9. It arrives while
matches of house-9 are running and finished.
"""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from types import MappingProxyType
from typing import ClassVar

import pytest
from hypothesis import given, settings

import werewolf
from tests.engine.random_play import scripts
from tests.examples import examples
from werewolf import RULESETS, Input, Match
from werewolf.checking.matches import NOW, Script, Table, play, replay
from werewolf.match import REVISION
from werewolf.options import Whole
from werewolf.phases import Phase
from werewolf.rulesets import registered
from werewolf.rulesets.house_9 import DayTalk, House9

# ---- the new module -----------------------------------------------------------------------------


class ShortTalk(DayTalk):
    """Half the allowance."""

    share = 200


class House10(House9):
    """The rule set `house-10`."""

    id = "house-10"
    options = MappingProxyType(
        {**House9.options, "max_days": Whole(1, 40, 12, "The match ends after so many days.")}
    )
    phases: ClassVar[Mapping[str, Phase]] = MappingProxyType(
        {**House9.phases, ShortTalk.name: ShortTalk()}
    )


# ---- and its line in the registry ---------------------------------------------------------------


def house_10_arrives() -> AbstractContextManager[None]:
    return registered(House10())


def inputs_of(script: Script) -> list[Input]:
    steps = [step for step in play(script) if step.refusal is None]
    return [step.did for step in steps if step.did.by != "start"]


def to_the_first_talk(ruleset: str) -> Match:
    roles = ["werewolf", "villager", "seer", "doctor", "villager", "villager", "villager"]
    match = Table(ruleset, 7, "0f" * 32, {}).start(roles).match
    while match.phase != "day_talk":
        match = werewolf.expire(match, now=match.deadline or NOW).match
    return match


def test_the_new_version_plays_by_its_own_rules() -> None:
    with house_10_arrives():
        new, old = to_the_first_talk("house-10"), to_the_first_talk("house-9")
        assert (new.ruleset, old.ruleset) == ("house-10", "house-9")
        assert werewolf.view(new, [], "spectator")["discussion"]["allowance"] == 200 * 7
        assert werewolf.view(old, [], "spectator")["discussion"]["allowance"] == 400 * 7
        assert new.options["max_days"] == 12
        assert old.options["max_days"] == 6
        assert werewolf.view(new, [], "spectator")["rules_version"] == "house-10"


@settings(deadline=None, max_examples=examples(50))
@given(scripts("house-9"))
def test_a_match_that_began_before_goes_on_by_its_own_rules(script: Script) -> None:
    """Half the inputs before the new version is there, and half with it: the same events."""
    inputs = inputs_of(script)
    half = len(inputs) // 2
    events = replay(script.table, inputs)
    before = replay(script.table, inputs[:half])
    stored = _play_on(script.table.start().match, inputs[:half])
    with house_10_arrives():
        match = Match.from_json(stored.to_json())
        after = []
        for did in inputs[half:]:
            transition = werewolf.apply(match, did)
            after += transition.events
            match = transition.match
    assert before + after == events
    assert match.ruleset == "house-9"


@settings(deadline=None, max_examples=examples(50))
@given(scripts("house-9"))
def test_a_finished_match_is_judged_by_its_own_rules(script: Script) -> None:
    inputs = inputs_of(script)
    events = replay(script.table, inputs)
    with house_10_arrives():
        assert replay(script.table, inputs) == events


def test_without_its_line_it_is_unknown() -> None:
    assert House10.id not in RULESETS
    with house_10_arrives():
        match = to_the_first_talk("house-10")
        assert Match.from_json(match.to_json()) == match


def _play_on(match: Match, inputs: list[Input]) -> Match:
    for did in inputs:
        match = werewolf.apply(match, did).match
    return match


# ---- an option that comes later ------------------------------------------------------------------


class LaterOption(House9):
    """house-9 with an option that the present revision of the rules brought."""

    options = MappingProxyType(
        {**House9.options, "later": Whole(0, 9, 3, "Later.", since=REVISION)}
    )


def test_matches_of_before_do_not_have_an_option_that_came_later() -> None:
    names = [f"p{seat}" for seat in range(6)]
    with registered(LaterOption()):
        now = werewolf.start("house-9", names, seed="0f" * 32, now=NOW).match
        assert now.options["later"] == 3
        before = werewolf.start("house-9", names, seed="0f" * 32, now=NOW, revision=1).match
        assert "later" not in before.options
        with pytest.raises(werewolf.InvalidOptions):
            werewolf.check_options("house-9", {"later": 3}, revision=1)
