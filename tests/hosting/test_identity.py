"""Names, tokens and seats."""

import hashlib
import hmac
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hosting.errors import HostingError
from hosting.identity.agents import display_name, folded_name, seat_of
from hosting.wiring import Platform
from tests.hosting.aws import ENVIRONMENT, tables
from tests.hosting.world import World, agent, agents, refusal, running


def test_registering(world: World) -> None:
    told = world.identity.register("Ada Lovelace", source="198.51.100.7")
    agent_id, secret = told["token"].split(".")
    assert (told["name"], agent_id) == ("Ada Lovelace", told["agent_id"])
    assert len(secret) == 43
    caller = world.identity.caller(told["token"])
    assert caller.digest == hashlib.sha256(told["token"].encode()).digest()
    assert world.identity.authenticate(caller).name == "Ada Lovelace"
    other = world.identity.register("Bob", source="198.51.100.7")
    assert other["token"].split(".")[1] != secret


@pytest.mark.parametrize(
    ("taken", "asked"), [("Ada", "ada"), ("Straße", "STRASSE"), ("Ａｄａ", "Ada"), ("ﬁn", "FIN")]
)
def test_names_that_differ_in_case_or_form_alone_are_the_same(
    world: World, taken: str, asked: str
) -> None:
    world.identity.register(taken, source="x")
    assert refusal(world.identity.register, asked, source="x").code == "name_taken"


SPACED = ["", " ", " Ada", "Ada ", "a\u00a0"]
HIDDEN = ["a\nb", "a\u200bb", "a\u202eb", "a\ud800", "क\u200d"]
FILLERS = ["\u3164", "\uffa0", "\u115f", "a\u1160", "a\u034fb", "ក\u17b4", "a\ufe0f", "a\U000e0100"]
ODD_MARKS = ["e\u0301\u0301\u0301", "\u0301", "\u093e", "7\u0301", "a \u0301", "a\u0301\u0489"]
STACKED = "a\u0316\u0317\u0318\u0319\u031c"


@pytest.mark.parametrize(
    "name", [*SPACED, *HIDDEN, *FILLERS, *ODD_MARKS, STACKED, "x" * 25, "<b>", "a/b", "🐺"]
)
def test_names_that_are_none(world: World, name: str) -> None:
    refused = refusal(world.identity.register, name, source="x")
    assert (refused.code, refused.field) == ("malformed", "name")
    assert world.agents.items == {}, "a mistake uses nothing up"


@pytest.mark.parametrize(
    "name",
    [
        "x" * 24,
        "Łódź-7",
        "狼",
        "a.b_c-d e",
        "٣",
        "हिन्दी",
        "தமிழ்",
        "ภาษาไทย",
        "Việt",
        "עִבְרִית",
        "한국어",
    ],
)
def test_names_that_are_fine(world: World, name: str) -> None:
    assert world.identity.register(name, source="x")["name"] == name


@given(st.text(max_size=30))
def test_a_name_stays_what_it_is(name: str) -> None:
    try:
        shown = display_name(name)
    except HostingError:
        return
    assert display_name(shown) == shown
    assert folded_name(folded_name(shown)) == folded_name(shown)
    shown.encode()


@given(st.text(max_size=80) | st.from_regex(r"[a-z2-7]{16}\.[A-Za-z0-9_-]{42,44}", fullmatch=True))
def test_no_made_up_token_lets_anybody_in(token: str) -> None:
    world = World()
    agent(world, "ada")

    def enter() -> object:
        return world.identity.authenticate(world.identity.caller(token))

    assert refusal(enter).code == "unauthorized"


def test_a_token_is_all_or_nothing(world: World) -> None:
    told = world.identity.register("Ada", source="x")
    other = world.identity.register("Bob", source="x")
    secret = other["token"].split(".")[1]
    mixed = world.identity.caller(f"{told['agent_id']}.{secret}")
    assert refusal(world.identity.authenticate, mixed).code == "unauthorized"
    assert refusal(world.identity.authenticate, None).code == "unauthorized"
    nobody = world.identity.caller(f"{'z' * 16}.{secret}")
    assert refusal(world.identity.authenticate, nobody).code == "unauthorized"


def test_every_digest_is_compared_in_constant_time(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id, callers = running(world)
    compared: list[Any] = []
    real = hmac.compare_digest

    def counting(one: bytes, other: bytes) -> bool:
        compared.append(one)
        return real(one, other)

    monkeypatch.setattr(hmac, "compare_digest", counting)
    state = world.state_of(match_id)
    for seat, caller in enumerate(callers):
        compared.clear()
        assert seat_of(state, caller) == seat
        assert len(compared) == 7, "whether the first or the last matches"
    compared.clear()
    world.identity.authenticate(callers[0])
    refusal(world.identity.authenticate, world.identity.caller(f"{'z' * 16}.{'A' * 43}"))
    assert len(compared) == 2, "also when there is no such agent"


def test_registering_is_limited_per_source() -> None:
    world = World({"REGISTER_LIMIT_PER_MINUTE": "3"})
    world.time.now_ms += 45_000
    for name in ("a", "b", "c"):
        world.identity.register(name, source="198.51.100.7")
    refused = refusal(world.identity.register, "d", source="198.51.100.7")
    assert (refused.code, refused.retry_after) == ("too_many_requests", 15)
    world.identity.register("d", source="203.0.113.9")
    world.time.now_ms += 15_000
    world.identity.register("e", source="198.51.100.7")


def test_no_token_is_stored_in_clear() -> None:
    with tables() as db:
        platform = Platform(ENVIRONMENT | {"SOCKET_ENDPOINT": "http://127.0.0.1:9"})
        told = platform.identity.register("Ada", source="x")
        caller = platform.identity.caller(told["token"])
        match_id = platform.opening.open(caller, ruleset="werewolf-0.2")["match_id"]
        platform.seating.sit(match_id, caller)
        platform.subscriptions.connect("c", caller)
        found = repr([db.scan(TableName=name)["Items"] for name in ENVIRONMENT.values()])  # type: ignore[attr-defined]
        assert told["agent_id"] in found
        assert told["token"].split(".")[1] not in found


def test_several_agents_have_several_tokens(world: World) -> None:
    assert len({caller.digest for caller in agents(world, 20)}) == 20
