"""Whatever is asked, nothing but the platform's own refusals leaves it, and no match changes."""

import math
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest

from hosting.errors import HostingError
from hosting.wiring import Platform
from tests.engine.test_hostile_input import HUGE, nested, nested_dict
from tests.hosting.aws import ENVIRONMENT, tables
from tests.hosting.world import MANY, RULES, World, agent, awaited, running, simple_move

NUMBERS: list[Any] = [HUGE, -HUGE, 2**63, -1, 64]
TEXTS: list[Any] = ["", "\ud800", "\x00", "#", "a" * 16, "x" * 100_000, "1" * 5_000, "🐺" * 500]
VALUES: list[Any] = [
    *(*NUMBERS, *TEXTS, 1.5, math.nan, math.inf, True, None),
    *([], {}, nested(list), nested_dict()),
]


@pytest.fixture(params=["memory", "dynamo"])
def platform(request: pytest.FixtureRequest) -> Iterator[Platform]:
    if request.param == "memory":
        yield World()
        return
    with tables():
        yield Platform(ENVIRONMENT | MANY)


def only_refused(call: Callable[..., object], *args: Any, **kwargs: Any) -> None:
    with suppress(HostingError):
        call(*args, **kwargs)


def test_odd_moves() -> None:
    world = World()
    match_id, callers = running(world)
    seat, turn = awaited(world, match_id)
    version = world.state_of(match_id).version
    for value in VALUES:
        for name in ("target", "message"):  # some of these are legal
            move = {**simple_move(turn), name: value}
            only_refused(world.play.dry_run, match_id, callers[seat], turn["turn_id"], move)
        for name in ("action", "\ud800", "x" * 1_000):
            move = {**simple_move(turn), name: value}
            with pytest.raises(HostingError):
                world.play.move(match_id, callers[seat], turn["turn_id"], move)
    assert world.state_of(match_id).version == version


def test_odd_sheets_and_options() -> None:
    world = World()
    ada = agent(world, "ada")
    sheet = {"name": "Hulda", "archetype": "watcher"}
    for value in VALUES:
        for name in ("name", "archetype", "backstory", "personality", "strategy", "other"):
            only_refused(world.characters.create, ada, sheet | {name: value})
        only_refused(world.characters.create, ada, sheet | {"strategy": {"house-9": value}})
        for name in ("max_days", "\ud800", "x" * 1_000):
            only_refused(world.opening.open, ada, ruleset=RULES, options={name: value})


def test_odd_numbers(platform: Platform) -> None:
    ada = agent(platform, "ada")
    match_id = platform.opening.open(ada, ruleset=RULES, seats=5)["match_id"]
    for number in NUMBERS:
        only_refused(platform.opening.open, ada, ruleset=RULES, seats=number)
        only_refused(platform.listing.list, limit=number)
        only_refused(platform.listing.own, ada, limit=number)
        only_refused(platform.event_pages.read_on, match_id, ada, after=number)
        only_refused(platform.event_pages.read_on, match_id, ada, limit=number)
        only_refused(platform.replays.replay_part, match_id, number)
        only_refused(platform.play.kick, match_id, ada, number)


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: ascii(text[:3]))
def test_odd_texts(platform: Platform, text: str) -> None:
    ada, bea = agent(platform, "ada"), agent(platform, "bea")
    match_id = platform.opening.open(ada, ruleset=RULES, seats=5, private=True)["match_id"]
    only_refused(platform.identity.register, text, source="198.51.100.9")
    only_refused(platform.identity.caller, text)
    only_refused(platform.opening.open, ada, ruleset=text)
    only_refused(platform.opening.open, ada, ruleset=RULES, title=text)
    only_refused(platform.listing.list, ruleset=text)
    only_refused(platform.listing.list, cursor=text)
    only_refused(platform.listing.list, status=text)
    only_refused(platform.listing.own, ada, cursor=text)
    only_refused(platform.listing.summary, text)
    only_refused(platform.seating.sit, match_id, bea, invite=text)
    only_refused(platform.seating.sit, text, ada)
    only_refused(platform.seating.sit, match_id, ada, entropy=text)
    only_refused(platform.seating.sit, match_id, ada, character_id=text)
    only_refused(platform.starting.start, text, ada)
    only_refused(platform.rematches.ask, text, ada)
    only_refused(platform.play.move, text, ada, "1", {"action": "pass"})
    only_refused(platform.play.move, match_id, ada, text, {"action": "pass"})
    only_refused(platform.play.leave, text, ada)
    only_refused(platform.play.kick, text, ada, 0)
    only_refused(platform.states.state, match_id, ada, etag=text)
    only_refused(platform.states.state, text, ada)
    only_refused(platform.event_pages.read_on, text, ada)
    only_refused(platform.replays.replay, text)
    only_refused(platform.characters.read, ada, text)
    only_refused(platform.characters.delete, ada, text)


def test_odd_subscriptions() -> None:
    world = World()
    match_id, callers = running(world)
    world.subscriptions.connect("c", callers[0])
    for number in NUMBERS:
        only_refused(world.subscriptions.subscribe, "c", match_id, after=number)
    for text in TEXTS:
        only_refused(world.subscriptions.subscribe, "c", text)
        only_refused(world.subscriptions.unsubscribe, "c", text)
