"""The same seed and the same moves give the same events, whatever the order of hashes is."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from werewolf import RULESETS

ROOT = Path(__file__).parents[2]
PROGRAM = """
import hashlib, json, sys
from werewolf.checking.matches import Script, Table, play

rules = sys.argv[1]
told = hashlib.sha256()
for number in range(25):
    table = Table(rules, 8, f"{number:064x}", {})
    script = Script(table, number, steps=600, silences=50, leaves=3, illegal=3, out_of_turn=20)
    for step in play(script):
        told.update(repr(step.did).encode())
        told.update(json.dumps([event.to_json_value() for event in step.events]).encode())
        told.update(step.after.to_json().encode())
        told.update(repr(step.refusal and (step.refusal.code, step.refusal.detail)).encode())
print(told.hexdigest())
"""


@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_events_are_the_same_under_every_hash_seed(ruleset: str) -> None:
    told = set()
    for hash_seed in ("0", "1", "4242"):
        run = subprocess.run(
            [sys.executable, "-c", PROGRAM, ruleset],
            cwd=ROOT,
            env={
                **os.environ,
                "PYTHONHASHSEED": hash_seed,
                "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "layers" / "engine")]),
            },
            capture_output=True,
            text=True,
            check=True,
        )
        told.add(run.stdout)
    assert len(told) == 1
    assert len(told.pop().strip()) == 64
