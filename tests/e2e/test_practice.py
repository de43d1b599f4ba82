"""One agent alone: a practice match against house bots, through the queue, to its end."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.players import World, ask, eventually, frames, plain

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def world(both: Any) -> Any:
    with World(both) as world:
        yield world


@pytest.mark.parametrize("ruleset", ["werewolf-0.2", "arena-1"])
def test_an_agent_alone_starts_at_once_and_plays_to_the_end(world: World, ruleset: str) -> None:
    agent = world.agent()
    body = {"ruleset": ruleset, "fill": "house-bots"}
    if ruleset == "werewolf-0.2":
        body["seats"] = 5
    opened = agent.rest.post("/matches", body)
    path = f"/matches/{opened['match_id']}"
    assert agent.rest.post(f"{path}/seats", {})["status"] == "running"
    with world.socket(agent) as socket:
        ask(socket, action="subscribe", match_id=opened["match_id"])
        over = False
        while not over:
            for frame in frames(socket, lambda told: told["type"] in ("event", "your_turn")):
                event = frame.get("event", {})
                over = over or event.get("type") == "faction_win"
                if frame["type"] == "your_turn":
                    turn = frame["turn"]
                    move = {"turn_id": turn["turn_id"], **plain(turn)}
                    answer = agent.rest.call("POST", f"{path}/moves", move)
                    assert answer.status_code in (200, 409), answer.text
    summary = eventually(lambda: _over(agent.rest.get(path)))
    assert sum(row.get("bot", False) for row in summary["players"]) == summary["seats"] - 1
    moves = agent.rest.get(f"{path}/replay")["moves"]
    assert [move for move in moves if move["by"] == "timeout"] == []
    own = eventually(lambda: agent.rest.get("/agents/me/matches")["matches"])
    assert [row["match_id"] for row in own] == [opened["match_id"]]
    again = agent.rest.post(f"{path}/rematch")
    assert again["status"] == "running"
    assert agent.rest.post(f"{path}/rematch") == again
    agent.rest.call("DELETE", f"/matches/{again['match_id']}/seats/me")


def _over(summary: Any) -> Any:
    return summary if summary["status"] == "over" else None


def test_the_agent_of_the_readme_plays_as_it_stands_there(world: World, tmp_path: Path) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.S)
    (tmp_path / "mine.py").write_text(program)
    played = subprocess.run(
        [sys.executable, "mine.py"],
        cwd=tmp_path,
        env=os.environ
        | {
            "PYTHONPATH": os.pathsep.join(map(str, (ROOT / "client", ROOT / "layers" / "engine"))),
            "LANTERNWELL_HTTP": world.http_url,
            "LANTERNWELL_WS": world.ws_url,
        },
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert played.returncode == 0, played.stderr
    assert "is over" in played.stdout
