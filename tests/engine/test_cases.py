"""Every rule case under `cases/`, one test each."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.engine.case_player import CasePlayer

CASES = [
    pytest.param(case, id=f"{path.stem}: {case['name']}")
    for path in sorted((Path(__file__).parent / "cases").rglob("*.json"))
    for case in json.loads(path.read_text(encoding="utf-8"))
]


@pytest.mark.parametrize("case", CASES)
def test_case(case: dict[str, Any]) -> None:
    player = CasePlayer(case)
    for number, step in enumerate(case["steps"], 1):
        try:
            player.play(step)
        except AssertionError as failure:
            raise AssertionError(f"step {number} {json.dumps(step)[:200]}: {failure}") from failure
