"""What the page for contributors shows works as it stands."""

import gzip
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import lanternwell
import werewolf
from werewolf.checking import check_ruleset
from werewolf.replay import first_difference

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "contributing.md").read_text("utf-8")
ENGINE = "layers/engine/werewolf"
GOLDEN = ROOT / "tests" / "golden" / "first" / "arena-1-slow.replay.gz"


def shown(fence: str) -> str:
    """The one block of code behind this fence."""
    (code,) = re.findall(rf"^```{re.escape(fence)}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    return str(code)


def module(name: str) -> Any:
    """A module that the page shows."""
    made = ModuleType(name)
    exec(compile(shown(f"python {name}.py"), f"{name}.py", "exec"), made.__dict__)
    return made


def test_a_whole_small_rule_set_is_sound() -> None:
    assert lanternwell.check_ruleset is check_ruleset
    check_ruleset(module("silent_1").Silent1())
    lines = [line for line in shown("python silent_1.py").splitlines() if line.strip()]
    assert len(lines) <= 70


def test_an_action_comes_with_a_new_version() -> None:
    rules = module("arena_2").Arena2()
    check_ruleset(rules, matches=5)
    talk = rules.phases["day_talk"].manifest()
    assert "shrug" in {action["action"] for action in talk["actions"]}
    assert rules.id not in werewolf.RULESETS


PROGRAM = """
import gzip, sys
import werewolf
from werewolf.checking import check_ruleset
from werewolf.replay import first_difference

rules = werewolf.RULESETS["arena-1"]
check_ruleset(rules, matches=3)
assert "voters" in rules.schemas()["events"]["vote_start"]["properties"]
assert "`voters`? (number): How many may vote" in rules.page
match = werewolf.start("arena-1", list("abcdefgh"), seed="00" * 32, now=0).match
events = []
while "vote_start" not in [event.type for event in events]:
    match, more = werewolf.expire(match, now=match.deadline)
    events += more
assert [event.data for event in events if event.type == "vote_start"][0]["voters"] > 1
assert first_difference(gzip.decompress(open(sys.argv[1], "rb").read())) is None
print("as it should be")
"""


def test_a_field_of_an_event_is_three_files(tmp_path: Path) -> None:
    """The difference that is shown, on a copy: it is told and declared, and old replays verify."""
    assert first_difference(gzip.decompress(GOLDEN.read_bytes())) is None
    shutil.copytree(ROOT / ENGINE, tmp_path / ENGINE)
    change = shown("diff")
    assert change.count("--- a/") <= 4
    apply(change, tmp_path)
    run(PROGRAM, tmp_path, str(GOLDEN))


ROUTE = """
import json
from documents.build import built
from lanternwell import Client
from local.server import LocalServer

described = json.loads(built()["openapi.json"])
assert described["paths"]["/agents/me"]["get"]["operationId"] == "readOwnAgent"
with LocalServer() as server, Client(server.http_url) as client:
    ada = client.register("Ada")
    assert client.own_agent() == {"agent_id": ada.agent_id, "name": "Ada"}
print("as it should be")
"""


def test_a_rest_route_is_six_files(tmp_path: Path) -> None:
    """The difference that is shown, on a copy: it is served, described, and called."""
    for folder in ("layers", "functions", "documents", "client", "local"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    (tmp_path / "docs").mkdir()
    for file in ("template.yaml", "docs/fairness.md"):
        shutil.copy(ROOT / file, tmp_path / file)
    change = shown("diff route")
    assert change.count("--- a/") + 1 <= 7  # and the sample event
    apply(change, tmp_path)
    run(ROUTE, tmp_path)


def apply(change: str, copy: Path) -> None:
    done = subprocess.run(
        ["git", "apply", "--recount", "-"],
        cwd=copy,
        input=change,
        env={"GIT_CEILING_DIRECTORIES": str(copy), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def run(program: str, copy: Path, *arguments: str) -> None:
    folders = (copy, copy / "layers" / "engine", copy / "client")
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        cwd=copy,
        env={"PYTHONPATH": ":".join(map(str, folders))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.endswith("as it should be\n"), done.stderr
