"""The wiring: lazy, and free of anything that a snapshot must not hold."""

import subprocess
import sys
import time

import pytest

from hosting.identity.agents import Identity
from hosting.live.push import Push
from hosting.play.effects import EffectDispatcher
from hosting.wiring import Platform

EVERYTHING = {
    "MATCHES_TABLE": "matches",
    "AGENTS_TABLE": "agents",
    "CONNECTIONS_TABLE": "connections",
    "SOCKET_ENDPOINT": "http://127.0.0.1:9",
    "CLOCK_ARN": "arn:aws:states:eu-central-1:123456789012:stateMachine:clock",
}
SERVICES = (
    "identity",
    "opening",
    "listing",
    "seating",
    "play",
    "states",
    "event_pages",
    "replays",
    "subscriptions",
    "push",
    "effects",
    "clock",
)


def test_every_service_can_be_made_from_the_environment() -> None:
    platform = Platform(EVERYTHING)
    for name in SERVICES:
        assert getattr(platform, name) is getattr(platform, name)
    assert abs(platform.now() - time.time() * 1000) < 5_000
    assert platform.new_seed() != platform.new_seed()
    assert platform.new_id() != platform.new_id()


def test_a_function_needs_only_what_it_uses() -> None:
    assert isinstance(Platform({"AGENTS_TABLE": "agents"}).identity, Identity)
    push = {k: v for k, v in EVERYTHING.items() if k != "CLOCK_ARN"}
    assert isinstance(Platform(push).push, Push)
    assert isinstance(
        Platform({"MATCHES_TABLE": "m", "CLOCK_ARN": "arn"}).effects, EffectDispatcher
    )


@pytest.mark.parametrize("limit", ["0", "-1", "many"])
def test_a_limit_that_is_none_is_refused(limit: str) -> None:
    with pytest.raises(ValueError, match=r"REGISTER_LIMIT|invalid literal"):
        _ = Platform(EVERYTHING | {"REGISTER_LIMIT_PER_MINUTE": limit}).identity
    unset = Platform(EVERYTHING | {"REGISTER_LIMIT_PER_MINUTE": ""})
    assert isinstance(unset.identity, Identity)


def test_importing_draws_nothing_and_reaches_nothing() -> None:
    """Neither AWS's library nor randomness before the first request: the process may be a copy."""
    program = (
        "import os, random, socket, sys\n"
        "def no(*_, **__): raise SystemExit('drawn or reached at import')\n"
        "import secrets, uuid\n"
        "os.urandom = socket.socket.connect = no\n"
        "secrets.token_bytes = secrets.token_hex = uuid.uuid4 = no\n"
        "import hosting.wiring\n"
        "hosting.wiring.platform()\n"
        "loaded = [m for m in sys.modules if m.split('.')[0] in ('boto3', 'botocore')]\n"
        "raise SystemExit(str(loaded) if loaded else 0)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={"PYTHONPATH": "layers/engine"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
