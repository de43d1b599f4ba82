"""Random matches of every rule set, with everything that must hold whatever happens: thousands in
`make test-long`, hundreds in any other run.

Each match is checked at every step. One in five is played again from its inputs, with the state
going through JSON between them: the events are the same, byte for byte.
"""

import json
from random import Random

import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from tests.engine.random_play import scripts
from tests.examples import LONG, examples
from werewolf import RULESETS, Event, Input
from werewolf.checking.invariants import check_legal_actions, check_step
from werewolf.checking.matches import Script, play, replay

MATCHES = examples(2_000)
PARTS = 8 if LONG else 1
slow = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


def as_bytes(events: list[Event]) -> bytes:
    return json.dumps([event.to_json_value() for event in events]).encode()


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_no_invariant_breaks(ruleset: str, part: int) -> None:
    @seed(part)
    @settings(slow, max_examples=MATCHES // PARTS)
    @given(scripts(ruleset))
    def holds(script: Script) -> None:
        inputs: list[Input] = []
        events: list[Event] = []
        for step in play(script):
            check_step(step)
            if step.refusal is None:
                events += step.events
                inputs += [step.did] if step.did.by != "start" else []
        if script.choices % 5 == 0:
            assert as_bytes(replay(script.table, inputs, through_json=True)) == as_bytes(events)
        nonlocal matches
        matches += 1

    matches = 0
    holds()
    assert matches >= MATCHES // PARTS


@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_legal_actions_are_complete(ruleset: str) -> None:
    @settings(slow, max_examples=examples(150))
    @given(scripts(ruleset), st.integers(0, 2**32))
    def complete(script: Script, number: int) -> None:
        rng = Random(number)
        for step in play(script):
            if rng.random() < 0.1:
                check_legal_actions(step.after, now=step.did.at)

    complete()
