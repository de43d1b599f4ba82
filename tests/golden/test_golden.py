"""What earlier versions stored loads, goes on and verifies. `make.py` says what the files are."""

import base64
import gzip
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

import werewolf
from hosting.items import read_log, read_state, read_table
from hosting.model import Agent, Caller, State
from hosting.views.replays import replay_of
from tests.golden.make import HERE
from tests.hosting.world import World, agents, play_out
from werewolf import Input
from werewolf.checking.invariants import check_match
from werewolf.checking.moves import legal_move
from werewolf.replay import canonical, first_difference

MATCHES = sorted(HERE.glob("*/*.json.gz"))
Position = dict[str, Any]


def named(file: Path) -> str:
    return f"{file.parent.name}-{file.name.partition('.json')[0]}"


def stored(item: dict[str, Any]) -> dict[str, Any]:
    """The item as the table holds it."""

    def value(of: Any) -> Any:
        if not isinstance(of, dict):
            return of
        return base64.b64decode(of["b"]) if "b" in of else frozenset(of["s"])

    return {name: value(of) for name, of in item.items()}


@cache
def read(file: Path) -> tuple[list[dict[str, Any]], list[Position]]:
    """The items of the log, and the positions."""
    document = json.loads(gzip.decompress(file.read_bytes()))
    log = [stored(item) for item in document["log"]]
    return log, [
        p | {kind: stored(p[kind]) for kind in ("state", "table")} for p in document["positions"]
    ]


def replay_file(file: Path) -> bytes:
    return gzip.decompress(file.with_name(file.name.replace(".json.gz", ".replay.gz")).read_bytes())


def under_way() -> Iterator[Any]:
    """One position of each kind that is not over, under each rule set."""
    found = set()
    for file in MATCHES:
        for position in read(file)[1]:
            kind = (file.parent, position["table"]["ruleset"], position["name"])
            if position["state"]["status"] != "over" and kind not in found:
                found.add(kind)
                yield pytest.param(file, position, id=f"{named(file)}-{position['name']}")


@pytest.mark.parametrize("file", MATCHES, ids=named)
def test_replays_verify_byte_for_byte(file: Path) -> None:
    assert first_difference(replay_file(file)) is None


@pytest.mark.parametrize("file", MATCHES, ids=named)
def test_stored_items_give_the_replay_that_they_gave(file: Path) -> None:
    log, positions = read(file)
    replay = replay_of(read_table(positions[-1]["table"]), [read_log(item) for item in log])
    assert canonical(replay).encode() == replay_file(file)


@pytest.mark.parametrize("file", MATCHES, ids=named)
def test_the_same_inputs_go_on_to_the_same_events(file: Path) -> None:
    log, positions = read(file)
    entries = [read_log(item) for item in log]
    for position in positions:
        state = read_state(position["state"])
        if not state.started:
            continue
        match = state.engine()
        check_match(match)
        for entry in entries:
            if entry.version <= position["version"]:
                continue
            events = []
            for played in entry.moves:
                given = Input(played.by, entry.at, played.seat, played.move)
                match, more = werewolf.apply(match, given)
                events += more
            assert tuple(events) == entry.events, (position["name"], entry.version)
        assert match.over


@pytest.mark.parametrize("file", MATCHES, ids=named)
def test_every_position_can_be_looked_at_and_played_to_its_end(file: Path) -> None:
    log, positions = read(file)
    entries = [read_log(item) for item in log]
    for position in positions:
        state = read_state(position["state"])
        if not state.started:
            continue
        match, rng = state.engine(), Random(position["name"])
        events = [e for entry in entries if entry.version <= state.version for e in entry.events]
        for viewer in (*range(len(match.roles)), "spectator", "omniscient"):
            shown = werewolf.view(match, events, viewer)  # type: ignore[arg-type]
            assert (shown["day"], shown["alive"]) == (match.day, list(match.alive))
            json.dumps(shown)
        now = max(entries[state.version - 1].at, match.pause["at"] if match.pause else 0)
        if match.pause is not None:
            match, _ = werewolf.resume(match, match.waiting_for, now=now)
        while not match.over:
            if not match.awaiting or (match.deadline is not None and rng.random() < 0.05):
                assert match.deadline is not None
                now = match.deadline
                match, _ = werewolf.expire(match, now=now)
            else:
                seat = rng.choice(match.awaiting)
                match, _ = werewolf.act(match, seat, legal_move(match, seat, rng), now=now)
                now += 1
            check_match(match)


@pytest.mark.parametrize(("file", "position"), list(under_way()))
def test_the_platform_goes_on_and_the_replay_verifies(file: Path, position: Position) -> None:
    log, _ = read(file)
    world = World()
    items = [position["state"], position["table"]]
    items += [item for item in log if item["version"] <= position["version"]]
    world.matches.items.update({(item["PK"], item["SK"]): item for item in items})
    world.time.now_ms = max(item["at"] for item in items[2:]) if items[2:] else world.now()
    match_id = position["state"]["PK"].removeprefix("MATCH#")
    if not world.state_of(match_id).started:
        fill(world, match_id)
    state = world.state_of(match_id)
    for seat in state.engine().waiting_for:
        world.transactions.run(match_id, lambda change, seat=seat: change.apply("resume", seat))
    play_out(world, match_id, seated(world, match_id), Random(position["name"]), silences=0.05)
    replay = canonical(world.replays.replay(match_id)).encode()
    assert first_difference(replay) is None


def fill(world: World, match_id: str) -> None:
    """Newcomers take the free seats, so that the match starts."""
    for _ in range(64):  # the stored match and its players have the first ids
        world.new_id()
    table = read_table(world.matches.items[f"MATCH#{match_id}", "TABLE"])
    for caller in agents(world, table.seats - len(table.players), "newcomer"):
        if table.fill:  # the bots wait for the host
            world.agents.create(Agent(table.host, "Host", caller.digest), "host", world.now())
            caller = Caller(table.host, caller.digest)
        if world.state_of(match_id).status == "open":
            world.seating.sit(match_id, caller)


def seated(world: World, match_id: str) -> list[Caller]:
    """The players in seat order: the digest of a token is the key of its seat."""
    state: State = world.state_of(match_id)
    players = world.listing.summary(match_id)["players"]
    return [Caller(player["agent_id"], state.key(seat)) for seat, player in enumerate(players)]
