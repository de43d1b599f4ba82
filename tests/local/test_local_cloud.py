"""The local cloud as a person or a script meets it: what it says, and what it leaves behind."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from local.cloud import LocalCloud
from local.errors import LocalCloudError, PortTakenError
from local.tools import ROOT

pytestmark = pytest.mark.e2e

Starter = Callable[..., subprocess.Popen[str]]


@pytest.fixture
def local(tmp_path: Path) -> Iterator[Starter]:
    """Starts `python -m local ... --cloud`, with its temporary files in `tmp_path`."""
    started: list[subprocess.Popen[str]] = []

    def start(*arguments: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-m", "local", *arguments],
            cwd=ROOT,
            env={**os.environ, "TMPDIR": str(tmp_path)},
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


@pytest.fixture
def taken_port() -> Iterator[int]:
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        yield holder.getsockname()[1]


def test_a_program_gets_the_addresses_and_gives_the_exit_code(
    local: Starter, tmp_path: Path
) -> None:
    program = (
        "import sys, urllib.request as r; "
        "assert r.urlopen(sys.argv[1] + '/rules').status == 200; "
        "assert sys.argv[2].startswith('ws://127.0.0.1:'); sys.exit(7)"
    )
    process = local("run", "--cloud", "--", sys.executable, "-c", program, "{http}", "{ws}")
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 7, errors
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "numbers",
    [(signal.SIGTERM,), (signal.SIGINT,) * 3],
    ids=["terminated", "Ctrl-C pressed again and again"],
)
def test_a_cloud_that_is_stopped_is_gone_with_its_files(
    local: Starter, tmp_path: Path, numbers: tuple[signal.Signals, ...]
) -> None:
    process = local("up", "--cloud")
    address = wait_for_address(process)
    for number in numbers:
        process.send_signal(number)
        time.sleep(0.05)  # so that each is a signal of its own
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 0
    assert "Traceback" not in errors
    assert not answers(address)
    assert list(tmp_path.iterdir()) == []


def test_who_stops_at_once_sees_no_trace(local: Starter, tmp_path: Path) -> None:
    process = local("up", "--cloud")
    assert process.stderr
    assert process.stderr.readline().startswith("lanternwell: starting the local cloud")
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=120)
    assert (process.returncode, output, errors) == (130, "", "")
    assert list(tmp_path.iterdir()) == []


def test_a_cloud_ends_even_when_its_starter_is_killed(local: Starter) -> None:
    process = local("up", "--cloud")
    address = wait_for_address(process)
    process.kill()
    end = time.monotonic() + 10
    while answers(address):
        assert time.monotonic() < end
        time.sleep(0.05)


def test_a_taken_port_is_one_clear_line(local: Starter, taken_port: int, tmp_path: Path) -> None:
    process = local("up", "--cloud", "--port", str(taken_port))
    output, errors = process.communicate(timeout=120)
    assert process.returncode == 1
    assert output == ""
    assert errors.splitlines()[1:] == [
        f"lanternwell: port {taken_port} of 127.0.0.1 is taken; free it or choose another port"
    ]
    assert list(tmp_path.iterdir()) == []


def test_a_missing_tool_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("local.tools.ROOT", tmp_path)
    monkeypatch.setattr("local.tools.STATE", tmp_path / ".local")
    with pytest.raises(LocalCloudError, match=r"^\.local/cloud-venv/bin/python is missing; run"):
        LocalCloud().start()


def test_a_failed_deploy_says_why_and_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with pytest.raises(LocalCloudError, match=r"^deploy failed: .*LogRetentionDays") as refusal:
        LocalCloud(parameters={"LogRetentionDays": "2"}).start()
    assert "\n" not in str(refusal.value)
    assert list(tmp_path.iterdir()) == []


def test_clouds_run_side_by_side_and_know_nothing_of_each_other() -> None:
    with LocalCloud() as one, LocalCloud() as other:
        assert one.endpoint_url != other.endpoint_url
        table = one.outputs["AgentsTableName"]
        key = {"PK": {"S": "AGENT#here"}, "SK": {"S": "PROFILE"}}
        one.client("dynamodb").put_item(TableName=table, Item=key)
        there = other.outputs["AgentsTableName"]
        assert "Item" not in other.client("dynamodb").get_item(TableName=there, Key=key)
        port = int(one.endpoint_url.rpartition(":")[2])
        with pytest.raises(PortTakenError):
            LocalCloud(port=port).start()


def wait_for_address(process: subprocess.Popen[str]) -> str:
    assert process.stdout
    for line in process.stdout:
        if line.startswith("AWS"):
            return line.split()[1]
    raise AssertionError("it never came up")


def answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/_ministack/health", timeout=1):
            return True
    except OSError:
        return False
