"""The replay as the service gives it out is the very file that can be checked, to the last byte."""

import json
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import werewolf
from hosting.views import replays
from hosting.wiring import using
from tests.examples import examples
from tests.functions.house import Answer, invoke, request, sample
from tests.hosting.world import World, agents, awaited, play_out
from werewolf.replay import digest_of, first_difference

RULESETS = sorted(werewolf.RULESETS)
SHORT = {"werewolf-0.2": {"talk_rounds": 1}, "house-9": {"max_days": 2}}


def on(world: World, event: dict[str, Any], *, status: int = 200) -> Answer:
    """What the api function answers when this is its platform."""
    with using(world):
        answer = Answer.of(invoke("api", event))
    assert answer.status == status, answer.text
    return answer


def played(ruleset: str, *, first: dict[str, Any] | None = None) -> tuple[World, str]:
    """A match that is over, with entropy, silences and departures; `first` is its first move."""
    world = World()
    callers = agents(world, werewolf.RULESETS[ruleset].seats.min)
    opened = world.opening.open(
        callers[0], ruleset=ruleset, seats=len(callers), options=SHORT.get(ruleset)
    )
    match_id = opened["match_id"]
    for caller, entropy in zip(callers, ("tea leaves", " ", *[None] * len(callers)), strict=False):
        world.seating.sit(match_id, caller, entropy=entropy)
    players = world.listing.summary(match_id)["players"]
    by_id = {caller.agent_id: caller for caller in callers}
    seated = [by_id[player["agent_id"]] for player in players]
    if first is not None:
        seat, turn = awaited(world, match_id)
        world.play.move(match_id, seated[seat], turn["turn_id"], first)
    play_out(world, match_id, seated, Random(ruleset), silences=0.1, leaves=0.01)
    return world, match_id


@cache
def served(ruleset: str) -> bytes:
    """What the service gives out for such a match, with and without compression."""
    world, match_id = played(ruleset)
    packed = on(world, sample("api/read-replay", match_id=match_id))
    plain = on(
        world, request("GET", f"/matches/{match_id}/replay", headers={"accept-encoding": ""})
    )
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert packed.text == plain.text
    return plain.text.encode()


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_body_is_a_true_replay(ruleset: str) -> None:
    assert first_difference(served(ruleset)) is None
    document = json.loads(served(ruleset))
    assert document["digest"] == digest_of(document)
    assert document["entropies"][:3] == ["tea leaves", " ", ""]
    assert document["winner"] in ("werewolves", "villagers", "draw")


@pytest.mark.parametrize("packed", [True, False])
def test_a_replay_that_is_too_long_is_had_in_parts(
    packed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = served("house-9")
    monkeypatch.setattr(replays, "ANSWER_BYTES", 9_999)
    monkeypatch.setattr(replays, "PART_BYTES", 10_000)
    world, match_id = played("house-9")
    path = f"/matches/{match_id}/replay"
    refused = on(world, request("GET", path), status=409)
    assert refused.body["code"] == "replay_in_parts"
    headers = {"accept-encoding": "gzip" if packed else ""}
    whole, reads, part = b"", 0, 1
    while part:
        query = {"part": str(part)}
        answer = on(world, request("GET", path, query=query, headers=headers))
        assert answer.headers["content-type"] == "application/octet-stream"
        assert ("content-encoding" in answer.headers) == packed
        whole += answer.content
        following = f'<?part={part + 1}>; rel="next"'
        assert answer.headers.get("link") in (None, following)
        reads = reads or world.matches.calls.count("log")
        part = part + 1 if "link" in answer.headers else 0
    assert whole == file
    assert world.matches.calls.count("log") == reads, "it is read from the table once"
    beyond = request("GET", path, query={"part": "999"})
    assert on(world, beyond, status=404).body["code"] == "not_found"
    for odd in ("0", "-1", "x", "1.5", ""):
        odd_part = request("GET", path, query={"part": odd})
        assert on(world, odd_part, status=400).body["field"] == "part"


def test_what_is_long_only_as_json_in_json_is_had_in_parts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world, match_id = played("werewolf-0.2")
    size = len(served("werewolf-0.2"))
    for room, status in ((size, 409), (2 * size, 200)):
        monkeypatch.setattr(replays, "ANSWER_BYTES", room)
        on(world, request("GET", f"/matches/{match_id}/replay"), status=status)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_any_byte_changed_is_refused(ruleset: str) -> None:
    body = served(ruleset)

    @settings(max_examples=examples(60))
    @given(st.integers(0, len(body) - 1), st.integers(1, 255))
    def refused(at: int, change: int) -> None:
        byte = bytes([body[at] ^ change])
        assert first_difference(body[:at] + byte + body[at + 1 :]) is not None
        assert first_difference(body[:at]) is not None
        assert first_difference(body[:at] + byte + body[at:]) is not None

    refused()


def test_an_odd_move_that_was_a_forfeit_is_told_as_it_came() -> None:
    odd = {"action": "dance", "steps": [1.50, 1e3, 1e-7, -0.0, 2**53, None, True, {"é": "🐺\n"}]}
    world, match_id = played("arena-1", first=odd)
    body = on(world, request("GET", f"/matches/{match_id}/replay")).text.encode()
    document = json.loads(body)
    assert document["moves"][1]["move"] == odd
    assert any(event["data"].get("cause") == "forfeit" for event in document["events"])
    assert first_difference(body) is None
