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

SECONDS = 25
CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_schema_conformance",
    "response_headers_conformance",
)


@pytest.fixture(scope="module")
def world(cloud: Any) -> Any:
    with World(cloud) as world:
        yield world


def test_no_undocumented_answer(world: World, tmp_path: Path) -> None:
    agent = world.agent()
    body = {
        "ruleset": "werewolf-0.2",
        "fill": "house-bots",
        "options": {"turn_deadline_ms": 3_600_000},
    }
    match_id = agent.rest.post("/matches", body)["match_id"]
    agent.rest.post(f"/matches/{match_id}/seats", {})
    # Half of the requests meet a match that is there, with its player's token.
    (tmp_path / "schemathesis.toml").write_text(f'[parameters]\n"match_id" = "{match_id}"\n')
    done = subprocess.run(
        [
            Path(sys.executable).with_name("st"),
            "run",
            f"{world.http_url}/openapi.json",
            *("--url", world.http_url),
            *("--header", f"Authorization: Bearer {agent.token}"),
            *("--phases", "examples,coverage,fuzzing"),
            *("--max-examples", "3"),
            *("--max-time", str(SECONDS)),
            *("--workers", "2"),
            *("--checks", ",".join(CHECKS)),
            "--continue-on-failure",
            "--generation-deterministic",
            *("--suppress-health-check", "all"),
            *("--warnings", "off"),
            *("--report-json-path", "report.json"),
            "--no-color",
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=150,
    )
    assert done.returncode == 0, done.stdout[-8_000:] + done.stderr[-2_000:]
    report = json.loads((tmp_path / "report.json").read_text())
    operations = report["operations"]
    assert operations["tested"] == operations["total"] > 20
    assert report["test_cases"]["generated"] > 100
    for call in ("GET /matches/{match_id}/state", "GET /agents/me/matches", "POST /matches"):
        phases = report["valid_rates"][call].values()
        assert sum(phase["accepted"] for phase in phases) > 0, f"never accepted: {call}"
