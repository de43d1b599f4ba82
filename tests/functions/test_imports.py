"""SnapStart keeps what a function drew before its handler ran: that must be nothing at all."""

import subprocess
import sys

import pytest

from tests.functions.house import ROOT

FUNCTIONS = ["api", "authorizer", "bots", "deadline", "follow", "push", "socket", "sweep"]

# Runs in a process of its own, so that nothing has been imported before.
PROBE = """
import os, random, secrets, socket, sys, uuid

sys.path[:0] = PATH

def forbidden(*_args, **_more):
    raise AssertionError("before the handler")

os.environ.clear()
os.environ.update(ENVIRONMENT)
for name in ("token_bytes", "token_hex", "token_urlsafe", "randbelow", "choice"):
    setattr(secrets, name, forbidden)
uuid.uuid4 = uuid.uuid1 = forbidden
socket.socket.connect = socket.getaddrinfo = forbidden
sys.addaudithook(
    lambda event, _args: forbidden() if event in {"socket.connect", "socket.getaddrinfo"} else None
)
import app

assert callable(app.handler)
print(*sorted({"boto3", "botocore.session", "openapi", "aws_xray_sdk"} & set(sys.modules)))
"""


def test_every_function_is_checked() -> None:
    assert sorted(path.parent.name for path in ROOT.glob("functions/*/app.py")) == FUNCTIONS


def loaded(name: str, environment: dict[str, str]) -> list[str]:
    """Import a function alone: which of the heavy libraries are there afterwards."""
    path = [str(ROOT / "functions" / name), str(ROOT / "layers" / "engine")]
    probe = PROBE.replace("PATH", repr(path)).replace("ENVIRONMENT", repr(environment))
    done = subprocess.run(
        [sys.executable, "-c", probe], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_importing_a_function_draws_nothing_and_calls_nobody(name: str) -> None:
    assert loaded(name, {}) == []


def test_neither_does_tracing() -> None:
    heavy = loaded("deadline", {"AWS_XRAY_DAEMON_ADDRESS": "127.0.0.1:2000"})
    assert heavy == ["aws_xray_sdk", "botocore.session"]


def test_a_call_is_counted_where_somebody_collects_the_counts() -> None:
    program = """
import json, sys
from types import SimpleNamespace
sys.path[:0] = PATH
import app
context = SimpleNamespace(function_name="api", memory_limit_in_mb=512,
                          invoked_function_arn="arn", aws_request_id="1")
app.handler(json.load(open(EVENT)), context)
"""
    path = [str(ROOT / "functions" / "api"), str(ROOT / "layers" / "engine")]
    event = str(ROOT / "events" / "api" / "list-rules.json")
    program = program.replace("PATH", repr(path)).replace("EVENT", repr(event))
    told = []
    for disabled in ("false", "true"):
        done = subprocess.run(
            [
                sys.executable,
                "-c",
                program.replace("PATH", repr(path)).replace("EVENT", repr(event)),
            ],
            env={"POWERTOOLS_METRICS_DISABLED": disabled},
            capture_output=True,
            text=True,
            check=True,
        )
        told.append([name for name in ("Requests", "ColdStart") if f'"{name}":' in done.stdout])
    assert told == [["Requests", "ColdStart"], []]
