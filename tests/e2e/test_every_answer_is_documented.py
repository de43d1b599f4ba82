"""Whatever is sent to a documented call: no 5xx, and no answer that the document does not tell.

Schemathesis makes the requests out of /openapi.json, good ones and bad ones. It is run as the
command that it is, in a process of its own.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.players import World

SECONDS = 12
"""For the requests that are made up: how many there are depends on how busy the machine is."""

CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_schema_conformance",
    "response_headers_conformance",
)


@pytest.fixture(scope="module")
def world(here: Any) -> Any:
    with World(here) as world:
        yield world


@pytest.fixture
def run(world: World, tmp_path: Path) -> Any:
    """Runs schemathesis with an agent's token and a match in which it plays; gives its report."""
    agent = world.agent()
    body = {
        "ruleset": "werewolf-0.2",
        "fill": "house-bots",
        "options": {"turn_deadline_ms": 3_600_000},
    }
    match_id = agent.rest.post("/matches", body)["match_id"]
    agent.rest.post(f"/matches/{match_id}/seats", {})
    (tmp_path / "schemathesis.toml").write_text(f'[parameters]\n"match_id" = "{match_id}"\n')

    def schemathesis(*options: str) -> Any:
        done = subprocess.run(
            [
                Path(sys.executable).with_name("st"),
                "run",
                f"{world.http_url}/openapi.json",
                *("--url", world.http_url),
                *("--header", f"Authorization: Bearer {agent.token}"),
                *("--checks", ",".join(CHECKS)),
                *("--workers", "1"),  # on Python 3.11, ast.parse breaks when threads share it
                *("--suppress-health-check", "all"),
                *("--warnings", "off"),
                *("--report-json-path", "report.json"),
                "--continue-on-failure",
                "--generation-deterministic",
                "--no-color",
                *options,
            ],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
            timeout=200,
        )
        assert done.returncode == 0, done.stdout[-8_000:] + done.stderr[-2_000:]
        return json.loads((tmp_path / "report.json").read_text())

    return schemathesis


def test_the_documented_examples_are_answered_as_documented(run: Any) -> None:
    report = run("--phases", "examples")
    with_examples = report["valid_rates"]
    for call in ("GET /matches/{match_id}/state", "GET /agents/me/matches", "POST /matches"):
        assert with_examples[call]["examples"]["accepted"] > 0, f"never accepted: {call}"


def test_whatever_else_is_sent_is_answered_as_documented(run: Any) -> None:
    report = run(
        *("--phases", "coverage,fuzzing"), *("--max-examples", "3"), *("--max-time", str(SECONDS))
    )
    assert report["test_cases"]["generated"] > 0
