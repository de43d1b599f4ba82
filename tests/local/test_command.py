"""The platform on one machine as a person or a script meets it, in the repository and installed."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from local.tools import ROOT
from tests.functions.test_documents import SERVED

Starter = Callable[..., subprocess.Popen[str]]

UP = (sys.executable, "-m", "local", "up")
RUN = (sys.executable, "-m", "local", "run", "--")
SERVE = (sys.executable, "-m", "lanternwell", "serve")
CLIENT = os.pathsep.join([str(ROOT / "client"), str(ROOT / "layers" / "engine")])


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Starter]:
    """Starts a program, with its temporary files in `tmp_path`."""
    started: list[subprocess.Popen[str]] = []

    def start(
        command: Sequence[str], *more: str, cwd: Path = ROOT, path: str = ""
    ) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [*command, *more],
            cwd=cwd,
            env={**os.environ, "TMPDIR": str(tmp_path), "PYTHONPATH": path},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


def addresses(process: subprocess.Popen[str]) -> dict[str, str]:
    """What it prints when it is up."""
    assert process.stdout is not None
    lines = [process.stdout.readline().split() for _ in range(2)]
    assert all(lines), process.communicate()
    return dict(lines)


def ask(url: str, body: Any = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(url, data), timeout=30) as answer:
        return json.load(answer)


def test_a_program_gets_the_addresses_and_gives_the_exit_code(
    start: Starter, tmp_path: Path
) -> None:
    program = (
        "import sys, urllib.request as r; "
        "assert r.urlopen(sys.argv[1] + '/rules').status == 200; "
        "assert sys.argv[2].startswith('ws://127.0.0.1:'); sys.exit(7)"
    )
    process = start(RUN, sys.executable, "-c", program, "{http}", "{ws}")
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 7, errors
    assert [line.split()[0] for line in output.splitlines()] == ["HTTP", "WebSocket"]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "numbers",
    [(signal.SIGTERM,), (signal.SIGINT,) * 3],
    ids=["terminated", "Ctrl-C pressed again and again"],
)
def test_it_ends_when_it_is_stopped(start: Starter, numbers: tuple[signal.Signals, ...]) -> None:
    process = start(UP)
    http = addresses(process)["HTTP"]
    assert ask(f"{http}/rules")["rulesets"]
    for number in numbers:
        process.send_signal(number)
        time.sleep(0.05)  # so that each is a signal of its own
    _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (0, "up; Ctrl-C stops it\n")


def test_a_taken_port_is_one_clear_line(start: Starter) -> None:
    port = addresses(start(UP))["HTTP"].rpartition(":")[2]
    for command, code in ((UP, 1), (SERVE, 2)):
        process = start(command, "--port", port, path=CLIENT)
        output, errors = process.communicate(timeout=60)
        assert (process.returncode, output) == (code, "")
        assert errors.splitlines()[-1].endswith(
            f"port {port} of 127.0.0.1 is taken; free it or choose another port"
        )
        assert "Traceback" not in errors


def test_what_was_served_is_there_after_a_kill(start: Starter, tmp_path: Path) -> None:
    command = (*SERVE, "--database", str(tmp_path / "evening.db"))
    process = start(command, path=CLIENT)
    agent = ask(f"{addresses(process)['HTTP']}/agents", {"name": "Ada"})
    process.kill()
    process.wait()
    again = start(command, path=CLIENT)
    request = urllib.request.Request(
        f"{addresses(again)['HTTP']}/agents/me/matches",
        headers={"authorization": f"Bearer {agent['token']}"},
    )
    with urllib.request.urlopen(request) as answer:
        assert json.load(answer) == {"matches": [], "next": None}


def test_a_database_that_is_served_already_is_one_clear_line(
    start: Starter, tmp_path: Path
) -> None:
    command = (*SERVE, "--database", str(tmp_path / "evening.db"))
    addresses(start(command, path=CLIENT))
    process = start(command, path=CLIENT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 2
    assert errors == (
        f"lanternwell serve: {tmp_path / 'evening.db'}: another process serves this database\n"
    )


def test_without_the_extra_it_says_what_to_install(start: Starter) -> None:
    hidden = "import sys; sys.modules['uvicorn'] = None; import lanternwell.cli as cli; "
    program = hidden + "sys.exit(cli.main(['serve']))"
    process = start((sys.executable, "-c", program), path=CLIENT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 2
    assert errors == (
        "lanternwell serve: uvicorn is missing; install it with: pip install 'lanternwell[serve]'\n"
    )


def test_the_wheel_has_all_that_it_serves_and_needs_no_aws(start: Starter, tmp_path: Path) -> None:
    copy, installed = tmp_path / "copy", tmp_path / "installed"
    for folder in ("client", "layers/engine", "functions", "local"):
        skip = shutil.ignore_patterns("__pycache__", "build", "*.egg-info")
        shutil.copytree(ROOT / folder, copy / folder, ignore=skip)
    options = ["--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    pip = [sys.executable, "-m", "pip", "install", *options, "--target", str(installed)]
    subprocess.run([*pip, str(copy / "client")], check=True)
    shutil.rmtree(copy)
    tops = {path.name for path in installed.iterdir()} - {"bin"}
    assert {name for name in tops if not name.endswith("-info")} == {
        "bots",
        "lanternwell",
        "protocol",
        "werewolf",
    }
    program = (
        "import sys; sys.modules |= dict.fromkeys(('boto3', 'botocore', 'moto', 'yaml')); "
        "import lanternwell.cli as cli; sys.exit(cli.main(['serve']))"
    )
    process = start((sys.executable, "-c", program), cwd=tmp_path, path=str(installed))
    http = addresses(process)["HTTP"]
    for rules in ask(f"{http}/rules")["rulesets"]:
        with urllib.request.urlopen(f"{http}/rules/{rules['id']}") as page:
            assert page.status == 200
    for path in SERVED:
        with urllib.request.urlopen(f"{http}{path}") as page:
            assert page.status == 200
    agent = ask(f"{http}/agents", {"name": "Ada"})
    assert agent["token"]
