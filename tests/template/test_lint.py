"""The template and the state machine, as the linters of their languages see them."""

import json

from cfnlint.api import lint_file
from statelint.linter import Linter

from tests.template.platform import ROOT


def test_cfn_lint_finds_nothing() -> None:
    assert [str(match) for match in lint_file(ROOT / "template.yaml")] == []


def test_no_finding_is_suppressed() -> None:
    text = (ROOT / "template.yaml").read_text()
    assert "ignore_checks" not in text
    assert "cfn-lint" not in text
    assert not list(ROOT.glob(".cfnlintrc*"))


def test_the_state_machine_is_valid() -> None:
    assert Linter.validate(json.loads((ROOT / "statemachines/clock.asl.json").read_text())) == []
