"""Whole matches of every rule set through the platform: what holds whatever the rules are."""

import json
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator

import werewolf
from hosting.tables.events import TABLE_EVENTS
from tests.hosting.world import World, events_sent, play_out, running, stored_bytes
from werewolf.replay import canonical, first_difference
from werewolf.shapes import fault

OPENAPI: Any = json.loads(
    (Path(__file__).parents[2] / "functions/api/documents/openapi.json").read_text("utf-8")
)


@cache
def documented(name: str) -> Draft202012Validator:
    """What the documents say of an answer."""
    return Draft202012Validator({**OPENAPI, "$ref": f"#/components/schemas/{name}"})


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("ruleset", sorted(werewolf.RULESETS))
def test_a_whole_match(ruleset: str, seed: int) -> None:
    world = World()
    seats = werewolf.RULESETS[ruleset].seats
    count = Random(seed).choice([seats.min, seats.max])
    match_id, callers = running(world, count, ruleset=ruleset)
    eyes = {"spectator": None, "first": callers[0], "last": callers[-1]}
    for name, caller in eyes.items():
        world.subscriptions.connect(name, caller)
        world.subscriptions.subscribe(name, match_id)
    summary = world.listing.summary(match_id)
    assert {"day", "phase", "alive"} <= summary.keys()
    for caller in (None, *callers):
        documented("MatchState").validate(world.states.state(match_id, caller).body)
    play_out(world, match_id, callers, Random(seed), silences=0.1, leaves=0.005)
    world.drain(twice=True)
    state = world.state_of(match_id)
    schemas = werewolf.RULESETS[ruleset].schemas()["events"]
    schemas |= {name: event.schema({}) for name, event in TABLE_EVENTS.items()}
    assert stored_bytes(world.matches.items[f"MATCH#{match_id}", "STATE"]) < 2_000
    for name, caller in eyes.items():
        told = world.event_pages.events(match_id, caller, limit=500)["events"]
        sent = {event["seq"]: event for event in events_sent(world, name)}
        assert [sent[event["seq"]] for event in told] == told
        for event in told:
            assert fault(event["data"], schemas[event["type"]], event["type"]) is None
            documented("SeenEvent").validate(event)
        seen = state.seen[-2] if caller is None else state.seen[callers.index(caller)]
        assert max(sent) == seen
        body = world.states.state(match_id, caller).body
        assert body is not None
        documented("MatchState").validate(body)
        assert body["visible_state"]["phase"] == "over"  # type: ignore[index]
    document = json.loads(json.dumps(world.replays.replay(match_id)))
    documented("Replay").validate(document)
    assert first_difference(canonical(document).encode()) is None
