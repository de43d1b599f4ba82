"""Whether a rule set is sound: `check_ruleset` plays it at random and checks what must hold.

For those who write rule sets; nothing that serves matches imports it.
"""

import json
from dataclasses import replace
from random import Random

from werewolf import kernel
from werewolf.checking.invariants import (
    Broken,
    check_events,
    check_legal_actions,
    check_step,
    check_view,
    must,
)
from werewolf.checking.matches import NOW, Step, Table, play, random_script, random_table
from werewolf.checking.matches import replay as replay_inputs
from werewolf.checking.secrecy import check_pair
from werewolf.errors import WerewolfError
from werewolf.events import Event
from werewolf.inputs import Input
from werewolf.ruleset import RuleSet
from werewolf.rulesets import registered

__all__ = ["FaultyRuleset", "check_ruleset"]

MOST_INPUTS = 10_000
"""After so many inputs a match must have ended."""
MOST_DEADLINES = 1_000
"""After so many deadlines at which nobody has ever moved, too."""


class FaultyRuleset(WerewolfError):
    """A rule set does something that it must not. `place` says where: which match, by which seed,
    and after which input; `fault` says what."""

    def __init__(self, place: str, fault: str) -> None:
        super().__init__(f"{place}: {fault}")
        self.place = place
        self.fault = fault


def check_ruleset(rules: RuleSet, *, matches: int = 20, seed: int = 0) -> None:
    """Play random matches of a rule set, and check at every step what must hold.

    - Every event, visible state and legal action has the shape that is declared, and goes to those
      who are declared; whatever is told survives its own JSON.
    - Whatever is offered is accepted, and nothing else is.
    - Nothing that is handed in is changed. The same inputs give the same events, also when the
      match goes through JSON between them.
    - Two matches that differ only in what a viewer may not know look the same to that viewer.
    - Every match ends, also when nobody ever moves.

    The same seed plays the same matches. The rule set need not be registered. Raises
    `FaultyRuleset` for the first thing that does not hold.
    """
    place = _Place(rules.id)
    with registered(rules), place:
        _check_declarations(rules)
        for number in range(matches):
            rng = Random(f"{seed} {number}")
            place.match = f"{rules.id}, seed {seed}, match {number}"
            _check_match(rules, rng, place)
            place.match, place.step = f"{rules.id}, seed {seed}, pair {number}", ""
            check_pair(rules, rng)
        place.match = f"{rules.id}, a match in which nobody moves"
        _check_silence(random_table(rules, Random(seed)))


class _Place:
    """Where the check has come to; as a context, it gives its place to whatever goes wrong."""

    def __init__(self, match: str) -> None:
        self.match = match
        self.step = ""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, Exception):
            name = "" if isinstance(error, Broken) else f"{type(error).__name__}: "
            raise FaultyRuleset(self.match + self.step, f"{name}{error}") from error


def _check_declarations(rules: RuleSet) -> None:
    manifest = rules.manifest()
    must(json.loads(json.dumps(manifest)) == manifest, "the manifest does not survive its own JSON")
    must(all(name == phase.name for name, phase in rules.phases.items()), "a phase has two names")
    for seats in range(rules.seats.min, rules.seats.max + 1):
        roles = rules.deal(seats, rules.settle({}))
        must(len(roles) == seats, f"{len(roles)} roles are dealt to {seats} seats")
        must(set(roles) <= {*rules.roles}, f"{set(roles)} are dealt, and {rules.roles} declared")


def _check_match(rules: RuleSet, rng: Random, place: _Place) -> None:
    """One random match, step by step, and once more from its inputs."""
    script = replace(random_script(rules, rng), steps=MOST_INPUTS)
    schemas = rules.schemas()
    log: list[Event] = []
    inputs: list[Input] = []
    last: Step | None = None
    for number, step in enumerate(play(script)):
        place.step = f", step {number}, after {step.did}"
        check_step(step)
        check_events(step.events, schemas)
        log += step.events
        inputs += [step.did] if step.refusal is None and number else []
        if step.after.over or rng.random() < 0.05:
            for viewer in (*range(len(step.after.roles)), "spectator", "omniscient"):
                check_view(step.after, log, viewer, schemas)
            check_legal_actions(step.after, now=step.did.at)
        last = step
    place.step = ""
    must(last is not None and last.after.over, f"no end after {MOST_INPUTS} inputs")
    again = replay_inputs(script.table, inputs, through_json=True)
    must(again == log, "the same inputs have led to other events")


def _check_silence(table: Table) -> None:
    match = table.start().match
    for _ in range(MOST_DEADLINES):
        if match.over:
            return
        match = kernel.expire(match, now=match.deadline or NOW).match
    must(match.over, f"no end after {MOST_DEADLINES} deadlines")
