"""Viewing modes: who may know everything, when that is fixed, and what it then looks like."""

import json
from random import Random
from typing import Any

import pytest

import werewolf
from hosting.model import Caller
from hosting.views.limits import THINKING_LIMIT
from hosting.views.sequences import THINKING, seen_by
from protocol.terms import Mode
from tests.hosting.test_races import at_once, platform
from tests.hosting.world import (
    World,
    agent,
    agents,
    awaited,
    events_sent,
    frames_of,
    refusal,
    running,
    stored_bytes,
)

__all__ = ["platform"]

RULES = "house-9"
ALLOWED = {"omniscient": True}


class Show:
    """A house-9 match whose host does not play."""

    def __init__(self, world: Any, options: Any = None, seats: int = 6) -> None:
        self.world = world
        self.host = agent(world, "host")
        chosen = ALLOWED if options is None else options
        opened = world.opening.open(self.host, ruleset=RULES, seats=seats, options=chosen)
        self.match_id: str = opened["match_id"]
        self.callers: list[Caller] = []

    def begin(self) -> "Show":
        seats = self.world.listing.summary(self.match_id)["seats"]
        crowd = agents(self.world, seats)
        for caller in crowd:
            self.world.seating.sit(self.match_id, caller)
        players = self.world.listing.summary(self.match_id)["players"]
        by_id = {caller.agent_id: caller for caller in crowd}
        self.callers = [by_id[player["agent_id"]] for player in players]
        return self

    def look(self, caller: Caller | None, mode: Mode = "omniscient", **more: Any) -> Any:
        return self.world.states.state(self.match_id, caller, mode=mode, **more).body

    def events(self, mode: Mode = "omniscient", **more: Any) -> Any:
        caller = self.host if mode == "omniscient" else None
        return self.world.event_pages.events(self.match_id, caller, limit=500, mode=mode, **more)

    def play(self, moves: int, thought: str = "I think {number}.") -> None:
        """So many moves, each of which is thought about."""
        rng = Random(moves)
        for number in range(moves):
            if self.world.state_of(self.match_id).status != "running":
                return
            self.world.time.now_ms += 1
            seat, turn = awaited(self.world, self.match_id)
            move = plain(turn, rng) | {"thinking": thought.format(number=number)}
            self.world.play.move(self.match_id, self.callers[seat], turn["turn_id"], move)


def plain(turn: Any, rng: Random) -> dict[str, Any]:
    """Some legal move."""
    offer = turn["legal_actions"][0]
    move = {"action": offer["action"]}
    if offer["action"] in ("introduce", "say"):
        move["message"] = f"The moon saw {rng.randrange(1000)} of us."
    elif "targets" in offer:
        move["target"] = rng.choice(offer["targets"])
    return move


def test_the_host_may_know_everything_where_the_options_allow_it(world: World) -> None:
    show = Show(world).begin()
    show.play(30)
    body = show.look(show.host)
    assert (body["viewer"], body["your_turn"]) == ("omniscient", None)
    assert all("role" in player for player in body["visible_state"]["players"])
    state = world.state_of(show.match_id)
    assert body["seq"] == seen_by(state.seen, "omniscient")
    public = show.look(None, "mystery")
    assert public["viewer"] == "spectator"
    assert not any("role" in player for player in public["visible_state"]["players"])


@pytest.mark.parametrize("mode", ["mystery", "omniscient"])
@pytest.mark.parametrize("begun", [True, False])
@pytest.mark.parametrize("how", ["state", "events", "subscribe"])
def test_the_first_view_fixes_the_mode(world: World, mode: Mode, begun: bool, how: str) -> None:
    show = Show(world)
    if begun:
        show.begin()
    other: Mode = "omniscient" if mode == "mystery" else "mystery"
    if how == "subscribe":
        world.subscriptions.connect("c", show.host)
        world.subscriptions.subscribe("c", show.match_id, mode=mode)
    else:
        look = world.states.state if how == "state" else world.event_pages.events
        look(show.match_id, show.host, mode=mode)
    assert refusal(show.look, show.host, other).code == "mode_fixed"
    assert refusal(show.world.event_pages.events, show.match_id, show.host, mode=other).code == (
        "mode_fixed"
    )
    world.subscriptions.connect("d", show.host)
    refused = refusal(world.subscriptions.subscribe, "d", show.match_id, mode=other)
    assert refused.code == "mode_fixed"
    assert show.look(show.host, mode)["viewer"] == (
        "omniscient" if mode == "omniscient" else "spectator"
    )


def test_nobody_else_may(world: World) -> None:
    show = Show(world).begin()
    for caller in (None, agent(world, "stranger"), *show.callers):
        assert refusal(show.look, caller).code == "omniscient_not_allowed"
    forged = world.identity.caller(f"{show.host.agent_id}.{'A' * 43}")
    assert refusal(show.look, forged).code == "unauthorized"
    assert world.state_of(show.match_id).mode is None


@pytest.mark.parametrize("ruleset", ["house-9", "werewolf-0.2", "arena-1", "traditional-1"])
def test_not_without_the_option(world: World, ruleset: str) -> None:
    host = agent(world, "host")
    match_id = world.opening.open(host, ruleset=ruleset)["match_id"]
    refused = refusal(world.states.state, match_id, host, mode="omniscient")
    assert refused.code == "omniscient_not_allowed"
    for caller in agents(world, werewolf.RULESETS[ruleset].seats.default):
        world.seating.sit(match_id, caller)
    refused = refusal(world.states.state, match_id, host, mode="omniscient")
    assert refused.code == "omniscient_not_allowed"


def test_a_host_who_plays_never_may(world: World) -> None:
    match_id, callers = running(world, 6, ALLOWED, RULES)
    host = world.listing.summary(match_id)["host"]
    seated = next(caller for caller in callers if caller.agent_id == host)
    refused = refusal(world.states.state, match_id, seated, mode="omniscient")
    assert refused.code == "omniscient_not_allowed"
    version = world.state_of(match_id).version
    assert world.states.state(match_id, seated).body["viewer"] == callers.index(seated)  # type: ignore[index]
    assert world.state_of(match_id).version == version, "a seat's look fixes nothing"
    world.play.leave(match_id, seated)
    refused = refusal(world.states.state, match_id, seated, mode="omniscient")
    assert refused.code == "omniscient_not_allowed", "nor does leaving the game help"


def test_a_host_who_knows_everything_never_plays(world: World) -> None:
    show = Show(world)
    world.seating.sit(show.match_id, show.host)
    assert refusal(show.look, show.host).code == "omniscient_not_allowed"
    world.play.leave(show.match_id, show.host)
    show.look(show.host)
    assert refusal(world.seating.sit, show.match_id, show.host).code == "mode_fixed"
    assert world.listing.summary(show.match_id)["taken"] == 0


def test_a_host_who_heard_what_the_village_hears_may_play(world: World) -> None:
    show = Show(world)
    show.look(show.host, "mystery")
    world.seating.sit(show.match_id, show.host)
    assert show.look(show.host, "mystery")["viewer"] == "spectator"


def test_sitting_down_and_looking_at_once_is_one_or_the_other(platform: Any) -> None:
    show = Show(platform)
    sat, looked = at_once(
        [
            lambda: platform.seating.sit(show.match_id, show.host),
            lambda: show.look(show.host),
        ]
    )
    assert (sat == "mode_fixed") != (looked == "omniscient_not_allowed")
    state = platform.matches.state(show.match_id)
    assert (state.mode == "omniscient") == (state.taken == 0)


def test_looking_in_both_modes_at_once_is_one_of_them(platform: Any) -> None:
    show = Show(platform)
    modes: list[Mode] = ["mystery", "omniscient"] * 5
    answers = at_once([lambda mode=mode: show.look(show.host, mode) for mode in modes])  # type: ignore[misc]
    refused = {mode for mode, answer in zip(modes, answers, strict=True) if answer == "mode_fixed"}
    granted = {mode for mode, answer in zip(modes, answers, strict=True) if answer != "mode_fixed"}
    assert len(granted) == 1
    assert refused.isdisjoint(granted)


def test_a_mode_whose_answer_was_lost_is_fixed_once(world: World) -> None:
    show = Show(world).begin()
    before = world.state_of(show.match_id).version
    world.matches.faults = ["lost", "conflict"]
    assert show.look(show.host)["viewer"] == "omniscient"
    assert world.state_of(show.match_id).version == before + 1


def test_a_look_costs_one_read_and_the_first_of_the_host_one_write(world: World) -> None:
    show = Show(world).begin()
    tags = {}

    def cost(caller: Caller | None, mode: Mode) -> list[str]:
        world.matches.calls.clear()
        reads = world.agents.reads
        watched = world.states.state(show.match_id, caller, mode=mode, etag=tags.get(caller))
        tags[caller] = watched.etag
        return [*world.matches.calls, *["agent"] * (world.agents.reads - reads)]

    first = cost(show.host, "omniscient")
    assert [call for call in first if call != "log"] == ["state", "state", "commit", "state"]
    assert cost(show.host, "omniscient") == ["state"]
    for caller in (None, show.callers[0]):
        cost(caller, "mystery")
        assert cost(caller, "mystery") == ["state"]


def test_thinking_comes_with_the_move_and_changes_no_number(world: World) -> None:
    show = Show(world).begin()
    show.play(40)
    bare, full = show.events()["events"], show.events(thinking=True)["events"]
    assert [{**event, "thinking": None} for event in full] == [
        {**event, "thinking": None} for event in bare
    ]
    assert [event["seq"] for event in bare] == [*range(1, len(bare) + 1)]
    thought = [event for event in full if "thinking" in event]
    assert [event["thinking"] for event in thought] == [f"I think {n}." for n in range(40)]
    assert {event["type"] for event in thought} <= {"action", "action_private", "ballot"}
    assert not any("thinking" in event or event["type"] == THINKING for event in bare)
    for after in range(0, len(full), 7):
        assert show.events(after=after, thinking=True)["events"] == full[after:]
    told = show.look(show.host, thinking=True)
    assert [one["text"] for one in told["thinking"]] == [event["thinking"] for event in thought]
    assert "thinking" not in show.look(show.host)


def test_thoughts_are_read_only_by_those_who_are_told_them(world: World) -> None:
    show = Show(world)
    show.begin()
    show.play(20, thought="hm " * 1_000)
    players = [caller for caller in show.callers if caller != show.host]
    for read in (
        lambda: world.states.state(show.match_id, players[0]),
        lambda: world.event_pages.events(show.match_id, None),
        lambda: show.look(show.host),
        show.events,
    ):
        world.matches.log_bytes = 0
        read()
        assert world.matches.log_bytes < 30_000
    show.look(show.host, thinking=True)
    assert world.matches.log_bytes > 60_000


def test_a_tag_knows_whether_thinking_was_asked_for(world: World) -> None:
    show = Show(world).begin()
    look, match_id = world.states.state, show.match_id
    tags = [look(match_id, show.host, mode="omniscient", thinking=on).etag for on in (True, False)]
    assert tags[0] != tags[1]
    assert look(match_id, show.host, mode="omniscient", thinking=True, etag=tags[0]).body is None
    assert look(match_id, show.host, mode="omniscient", thinking=True, etag=tags[1]).body
    show.play(1)
    assert look(match_id, show.host, mode="omniscient", thinking=True, etag=tags[0]).body


def test_thinking_is_for_the_omniscient(world: World) -> None:
    show = Show(world).begin()
    show.play(12, thought="secret {number}")
    for caller in (None, show.host, *show.callers):
        for look in (world.states.state, world.event_pages.events):
            refused = refusal(look, show.match_id, caller, thinking=True)  # type: ignore[arg-type]
            assert (refused.code, refused.field) == ("malformed", "thinking")
        told = json.dumps(
            [show.look(caller, "mystery"), world.event_pages.events(show.match_id, caller)]
        )
        assert "secret" not in told


def test_no_answer_holds_more_thinking_than_it_can(world: World) -> None:
    show = Show(world, {**ALLOWED, "max_days": 20}).begin()
    show.play(60, thought="{number}" + "x" * 7_900)
    state = show.look(show.host, thinking=True)
    fit = THINKING_LIMIT // 7_910
    assert len(state["thinking"]) >= fit
    assert sum(len(one["text"]) for one in state["thinking"]) <= THINKING_LIMIT
    assert state["thinking"][-1]["text"].startswith("59")
    events, page = [], show.events(thinking=True)
    while page["events"]:
        assert sum(len(e.get("thinking", "")) for e in page["events"]) <= THINKING_LIMIT
        assert page["more"] == (page["next"] < state["seq"])
        events += page["events"]
        page = show.events(after=page["next"], thinking=True)
    assert not page["more"]
    assert [event["seq"] for event in events] == [*range(1, state["seq"] + 1)]
    assert len([event for event in events if "thinking" in event]) == 60


def test_sockets_are_told_as_they_asked(world: World) -> None:
    show = Show(world)
    for name, caller in (("all", show.host), ("bare", show.host), ("window", None)):
        world.subscriptions.connect(name, caller)
    follow = world.subscriptions.subscribe
    follow("all", show.match_id, mode="omniscient", thinking=True)
    follow("bare", show.match_id, mode="omniscient")
    follow("window", show.match_id)
    show.begin()
    world.drain()
    show.play(20)
    world.drain(twice=True)
    show.play(20)
    follow("bare", show.match_id, after=10, mode="omniscient")
    world.drain()
    seen = {
        name: {event["seq"]: event for event in events_sent(world, name)}
        for name in ("all", "bare", "window")
    }
    assert list(seen["all"].values()) == show.events(thinking=True)["events"]
    assert list(seen["bare"].values()) == show.events()["events"]
    assert list(seen["window"].values()) == show.events("mystery")["events"]
    assert frames_of(world, "all")[0]["viewer"] == "omniscient"
    assert frames_of(world, "window")[0]["viewer"] == "spectator"


def test_after_the_end_the_modes_stay(world: World) -> None:
    show = Show(world, {**ALLOWED, "max_days": 1}).begin()
    show.play(1_000)
    assert world.state_of(show.match_id).status == "over"
    assert show.look(show.host, thinking=True)["thinking"]
    assert refusal(show.look, show.host, "mystery").code == "mode_fixed"
    assert THINKING not in json.dumps(show.events("mystery"))


def test_eight_talk_long_and_the_hot_item_stays_small(world: World) -> None:
    show = Show(world, {**ALLOWED, "max_days": 20}, seats=8).begin()
    show.look(show.host)
    rng, sizes = Random(8), []
    while world.state_of(show.match_id).status == "running" and len(sizes) < 700:
        seat, turn = awaited(world, show.match_id)
        offers = {offer["action"]: offer for offer in turn["legal_actions"]}
        move = {"action": "abstain"} if "abstain" in offers else plain(turn, rng)
        if "say" in offers:
            move = {"action": "say", "message": "Ö" * rng.randrange(1, 20)}
            move |= {"to": rng.choice(offers["say"]["to"]), "intent": "accuse", "cue": "x" * 120}
        move["thinking"] = "y" * 2_000
        world.matches.calls.clear()
        world.play.move(show.match_id, show.callers[seat], turn["turn_id"], move)
        assert world.matches.calls == ["state", "commit"]
        sizes.append(stored_bytes(world.matches.items[f"MATCH#{show.match_id}", "STATE"]))
    assert len(sizes) > 300
    assert max(sizes) < 2_000
    assert max(sizes[len(sizes) // 2 :]) < max(sizes[: len(sizes) // 2]) + 150
