"""What the documents show, done as it stands there."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from lanternwell import Client
from lanternwell.cli import COMMANDS, connection, main
from tests.client.service import running_in_a_thread

ROOT = Path(__file__).parents[2]
README = (ROOT / "client" / "README.md").read_text(encoding="utf-8")
AGENTS = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")


def programs(text: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", text, re.DOTALL)


@pytest.mark.parametrize("text", [README, AGENTS], ids=["README", "agents"])
def test_the_agent_that_is_shown_practises(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    file = tmp_path / "mine.py"
    file.write_text(programs(text)[0])
    with running_in_a_thread() as service:
        monkeypatch.setenv(connection.HTTP, service.http_url)
        monkeypatch.setenv(connection.WS, service.ws_url)
        assert main(["run", str(file), "--practice"]) == 0
        (table,) = service.matches.values()
        assert table.status == "over"


def test_the_program_that_is_shown_plays_a_match(monkeypatch: pytest.MonkeyPatch) -> None:
    program = programs(README)[1]
    monkeypatch.setattr("lanternwell.client.POLL_S", 0.01)
    with running_in_a_thread() as service:
        exec(program.replace("https://...", service.http_url), {})
        (table,) = service.matches.values()
        assert table.status == "over"
        with Client(service.http_url) as client:
            assert client.replay(table.match_id)["winner"] == table.match.winner  # type: ignore[union-attr]


def test_the_walk_by_hand_plays_a_move(tmp_path: Path) -> None:
    """It is legal for whatever card one has."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (walk,) = re.findall(r"```sh\n(T=.*?)```", readme, re.DOTALL)
    *before, look, move = walk.splitlines()
    read = 'import json; print(json.load(open("state"))["your_turn"]["turn_id"])'
    steps = [
        *before,
        f"until {look.partition('#')[0]} > state; grep -q '\"turn_id\"' state; do sleep 0.1; done",
        move.replace("<from your_turn>", f"'$(python3 -c '{read}')'"),
    ]
    with running_in_a_thread() as service:
        done = subprocess.run(
            ["sh", "-ec", "\n".join(steps)],
            cwd=tmp_path,
            env=os.environ | {"U": service.http_url},
            capture_output=True,
            text=True,
            check=True,
        )
    assert '"outcome":"accepted"' in done.stdout


def test_every_command_is_in_the_readme() -> None:
    shown = {
        word
        for row in re.findall(r"^\| (`.*?) \|", README, re.MULTILINE)
        for word in re.findall(r"`(\w+)", row)
    }
    assert shown == set(COMMANDS)
