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
