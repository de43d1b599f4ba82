"""Batches on the engine: fair deals, the same results every time, and no agent ends them."""

import asyncio
import json
import math
from collections import Counter
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import werewolf
from lanternwell import AsyncClient, play
from lanternwell.arena import (
    Game,
    cast,
    play_batch,
    play_match,
    schedule,
    summarise,
    summarise_teams,
    team_schedule,
    wilson,
)
from lanternwell.cli import main
from lanternwell.loading import NoAgent
from tests.client.arena_agents import HERE, Witness
from tests.client.service import Service

ARENA = Game("arena-1", 8)


def played(*agents: str, game: Game = ARENA, matches: int = 6, seed: str = "s") -> list[Any]:
    """The records of a batch, without other processes; agents of this folder by class name."""
    specs = [agent if agent in ("random", "heuristic") else f"{HERE}:{agent}" for agent in agents]
    contestants = cast(specs)
    pairings = schedule(seed, matches, contestants=len(contestants), seats=game.seats)
    return [play_match(game, contestants, pairing) for pairing in pairings]


def seats_of(records: list[Any], agent: str) -> list[Any]:
    return [seat for record in records for seat in record["seats"] if seat["agent"].endswith(agent)]


# ---- who sits where -----------------------------------------------------------------------------


@given(st.integers(1, 12), st.integers(5, 10), st.integers(1, 40), st.text(max_size=5))
def test_for_every_deal_every_contestant_has_every_seat_once(
    contestants: int, seats: int, matches: int, seed: str
) -> None:
    pairings = list(schedule(seed, matches, contestants=contestants, seats=seats))
    assert matches <= len(pairings) < matches + contestants
    assert [pairing.number for pairing in pairings] == list(range(len(pairings)))
    by_seed: dict[str, Counter[tuple[int, int]]] = {}
    for pairing in pairings:
        by_seed.setdefault(pairing.seed, Counter()).update(enumerate(pairing.seats))
        if contestants <= seats:
            counts = Counter(pairing.seats)
            assert max(counts.values()) - min(counts.values()) <= 1
            assert len(counts) == contestants
    once = Counter((seat, one) for seat in range(seats) for one in range(contestants))
    assert all(taken == once for taken in by_seed.values())


def test_every_agent_has_every_role_as_often() -> None:
    records = played("random", "heuristic", "Mute", matches=9)
    roles = [Counter(s["role"] for s in seats_of(records, a)) for a in ("random", "heuristic")]
    assert roles[0] == roles[1] == Counter(s["role"] for s in seats_of(records, "Mute"))
    assert roles[0]["werewolf"] == 2 * 3


# ---- what agents may do -------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", sorted(werewolf.RULESETS))
@pytest.mark.parametrize(
    "odd", ["Mute", "Raising", "Unmakable", "Nonsense", "Cheat", "Vandal", "Restless", "Witness"]
)
def test_whatever_agents_do_the_match_comes_to_its_end(odd: str, ruleset: str) -> None:
    options = {"day_minutes": 2} if ruleset == "traditional-1" else {}
    game = Game(ruleset, werewolf.RULESETS[ruleset].seats.default, options)
    records = played(odd, "random", game=game, matches=2)
    assert all(record["winner"] in ("werewolves", "villagers", "draw") for record in records)
    for seat in seats_of(records, "random"):
        assert (seat["errors"], seat["timeouts"], seat["forfeit"]) == (0, 0, False)
    for seat in seats_of(records, odd):
        fails = odd in ("Raising", "Unmakable", "Nonsense") or (
            odd == "Cheat" and ruleset != "arena-1"
        )
        assert fails or not seat["errors"]


def test_an_unknown_action_is_a_forfeit_where_the_rules_say_so() -> None:
    records = played("Cheat", "random")
    for seat in seats_of(records, "Cheat"):
        assert (seat["score"], seat["timeouts"]) == (0, 0) or not seat["forfeit"]
    assert sum(seat["forfeit"] for seat in seats_of(records, "Cheat")) > 6


def test_silence_is_a_timeout_and_the_third_a_forfeit() -> None:
    seats = seats_of(played("Mute", "random"), "Mute")
    assert {seat["timeouts"] for seat in seats if seat["forfeit"]} == {3}
    assert all(seat["timeouts"] < 3 for seat in seats if not seat["forfeit"])
    assert any(seat["forfeit"] for seat in seats)
    left = seats_of(played("Mute", "random", game=Game("werewolf-0.2", 7)), "Mute")
    assert any(seat["left"] for seat in left)
    assert not any(seat["forfeit"] for seat in left)


def test_a_match_that_nobody_plays_counts_for_nobody() -> None:
    records = played("Mute", game=Game("traditional-1", 6), matches=2)
    assert [(record["winner"], record["ranking"], record["days"]) for record in records] == [
        ("void", [], 3),
        ("void", [], 3),
    ]
    assert {(seat["rank"], seat["score"]) for seat in records[0]["seats"]} == {(None, 0)}
    summary = summarise(records, [f"{HERE}:Mute"])
    assert summary["winners"]["void"]["matches"] == 2
    assert summary["agents"][f"{HERE}:Mute"]["games"] == 0
    assert summarise_teams(records)["matches"] == 0


def test_what_raises_is_counted_and_times_out() -> None:
    for agent in ("Raising", "Nonsense"):
        for seat in seats_of(played(agent, "random"), agent):
            assert seat["errors"] >= seat["timeouts"]
    assert sum(seat["timeouts"] for seat in seats_of(played("Raising", "random"), "Raising")) > 0


def test_no_agent_reaches_into_a_match() -> None:
    def results(agent: str) -> list[Any]:
        records = played(agent, "heuristic")
        for seat in seats_of(records, agent):
            seat["agent"] = "it"
        return records

    assert results("Vandal") == results("random")


# ---- batches ------------------------------------------------------------------------------------


def batch(folder: Path, *arguments: str) -> tuple[bytes, bytes]:
    """The two files of a batch."""
    out = folder / "results.jsonl"
    assert main(["arena", "-o", str(out), *arguments]) == 0
    return out.read_bytes(), out.with_name("results.jsonl.summary.json").read_bytes()


def test_results_do_not_depend_on_the_workers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor on the hash seed, nor on dice that agents share."""
    monkeypatch.delenv("PYTHONHASHSEED", raising=False)
    agents = ["heuristic", "random", f"{HERE}:Restless", f"{HERE}:Orderly"]
    one = batch(tmp_path, *agents, "-n", "12", "--seed", "x", "--workers", "1")
    shown = capsys.readouterr().out
    assert batch(tmp_path, *agents, "-n", "12", "--seed", "x", "--workers", "3") == one
    assert capsys.readouterr().out == shown
    assert batch(tmp_path, *agents, "-n", "12", "--seed", "y", "--workers", "2") != one
    records = [json.loads(line) for line in one[0].splitlines()]
    assert [record["match"] for record in records] == list(range(12))
    summary = json.loads(one[1])
    assert summary["matches"] == 12
    assert sum(agent["games"] for agent in summary["agents"].values()) == 12 * 8
    assert "12 matches of arena-1, seed x: " in shown
    assert f"{HERE}:Orderly" in shown


def test_a_record_can_be_dealt_again() -> None:
    (record, *_) = played("random", game=Game("werewolf-0.2", 6, {"talk_rounds": 1}), matches=1)
    started = werewolf.start(
        record["ruleset"], ["x"] * 6, seed=record["seed"], now=0, options=record["options"]
    )
    assert [seat["role"] for seat in record["seats"]] == list(started.match.roles)
    assert {place["seat"] for place in record["ranking"]} == set(range(6))


@pytest.mark.parametrize(
    "arguments",
    [
        ["nobody"],
        ["no_such_file.py"],
        ["no.such.module:Agent"],
        [f"{HERE}:NoSuchAgent"],
        [f"{HERE}:not_an_agent"],
        [f"{HERE}:nothing"],
        ["--seats", "7"],
        ["--option", "max_days=0"],
        ["--option", "zeal=1"],
    ],
)
def test_what_cannot_be_played_is_told_at_once(
    arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "results.jsonl"
    assert main(["arena", "-o", str(out), *arguments]) == 2
    told = capsys.readouterr().err
    assert told.startswith("lanternwell arena: ")
    assert told.count("\n") == 1
    assert not out.exists()


def test_a_worker_that_dies_ends_the_batch_with_one_line() -> None:
    contestants = cast(["random", "os:abort"])
    pairings = list(schedule("s", 2, contestants=2, seats=8))
    with pytest.raises(Exception, match="a worker process died"):
        list(play_batch(ARENA, contestants, pairings, workers=1))


def test_contestants_are_told_apart() -> None:
    assert [c.name for c in cast(["random", "random", "a:B"])] == ["random", "random#2", "a:B"]
    with pytest.raises(NoAgent, match="no Agent"):
        cast([f"{HERE}:not_an_agent"])[0].make("s")


def test_the_first_error_of_each_agent_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    agents = [f"{HERE}:{name}" for name in ("Raising", "Nonsense", "Unmakable")]
    for teams in ([], ["--teams"]):
        _, summary = batch(tmp_path, *agents, "heuristic", "-n", "16", *teams)
        shown = capsys.readouterr().out
        errors = json.loads(summary)["first_errors"]
        assert set(errors) == set(agents)
        for agent in agents:
            assert f"The first error of {agent}, in match " in shown
            assert errors[agent].splitlines()[-1] in shown
        raised = errors[agents[0]].splitlines()
        assert raised[1].startswith('  File "')
        assert "arena_agents.py" in raised[1]
        assert raised[-1].startswith("KeyError: ")
        assert "cannot be made: " in errors[agents[2]]
        assert "RuntimeError: " in errors[agents[2]]


# ---- whole teams --------------------------------------------------------------------------------


def test_every_pack_meets_every_village_on_the_same_deals(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    records_text, summary_text = batch(tmp_path, "heuristic", "random", "-n", "7", "--teams")
    records = [json.loads(line) for line in records_text.splitlines()]
    assert len(records) == 8  # whole groups
    pairs = Counter()
    for record in records:
        agents = {seat["team"]: set() for seat in record["seats"]}
        for seat in record["seats"]:
            agents[seat["team"]].add(seat["agent"])
        (pack,), (village,) = agents["werewolves"], agents["villagers"]
        pairs[pack, village] += 1
    assert set(pairs.values()) == {2}
    assert len(pairs) == 4
    assert len({record["seed"] for record in records}) == 2
    summary = json.loads(summary_text)
    assert summary["matches"] == 8
    for told in summary["teams"]:
        wins = sum(
            record["winner"] == "werewolves"
            for record in records
            if {seat["agent"] for seat in record["seats"] if seat["team"] == "werewolves"}
            == {told["pack"]}
            and {seat["agent"] for seat in record["seats"] if seat["team"] == "villagers"}
            == {told["village"]}
        )
        assert told["pack_wins"] == wins
        assert told["matches"] == 2
    assert "the pack wins, 95 % interval" in capsys.readouterr().out


def test_the_heuristic_agent_beats_the_random_one_on_both_sides() -> None:
    """With 95 % confidence, on few deals; docs/agents.md has the figures of many."""
    contestants = cast(["heuristic", "random"])

    def roles(seed: str) -> tuple[str, ...]:
        names = [f"seat {seat}" for seat in range(7)]
        return tuple(werewolf.start("werewolf-0.2", names, seed=seed, now=0).match.roles)

    game = Game("werewolf-0.2", 7)
    pairings = team_schedule("sides", 480, contestants=2, roles=roles)
    records = [play_match(game, contestants, pairing) for pairing in pairings]
    told = {(t["pack"], t["village"]): t for t in summarise_teams(records)["teams"]}
    pack_low = told["heuristic", "random"]["interval_95"][0]
    pack_high = told["random", "heuristic"]["interval_95"][1]
    assert pack_low > pack_high  # the same wins more as werewolves than it lets the other win
    village_high = told["random", "random"]["interval_95"][0]
    assert told["random", "heuristic"]["interval_95"][1] < village_high


# ---- figures ------------------------------------------------------------------------------------


@given(st.integers(0, 300), st.integers(0, 300))
def test_an_interval_holds_what_the_test_would_not_reject(wins: int, losses: int) -> None:
    """Wilson's bounds are the rates from which the observed one is 1.96 deviations away."""
    games = wins + losses
    low, high = wilson(wins, games)
    assert 0 <= low <= high <= 1
    if games == 0:
        return
    assert low <= wins / games <= high
    for bound in (low, high):
        if 0 < bound < 1:
            deviation = math.sqrt(bound * (1 - bound) / games)
            assert abs(wins / games - bound) / deviation == pytest.approx(1.959964, rel=1e-4)


def test_known_intervals() -> None:
    assert wilson(8, 10) == pytest.approx((0.4902, 0.9433), abs=1e-4)
    assert wilson(0, 10) == pytest.approx((0, 0.2775), abs=1e-4)


def test_the_summary_adds_up() -> None:
    records = played("random", "Mute", matches=8)
    summary = summarise(records, ["random", f"{HERE}:Mute"])
    assert sum(told["matches"] for told in summary["winners"].values()) == 8
    for name in ("random", f"{HERE}:Mute"):
        agent = summary["agents"][name]
        seats = seats_of(records, name)
        assert agent["games"] == len(seats) == 32
        assert agent["wins"] == sum(seat["score"] for seat in seats)
        assert agent["forfeits"] == sum(seat["forfeit"] for seat in seats)
        assert agent["timeouts"] == sum(seat["timeouts"] for seat in seats)
        for kind in ("by_side", "by_role"):
            parts = agent[kind].values()
            assert sum(part["games"] for part in parts) == 32
            assert sum(part["wins"] for part in parts) == agent["wins"]
        assert agent["interval_95"][0] <= agent["win_rate"] <= agent["interval_95"][1]
    assert summary["agents"][f"{HERE}:Mute"]["forfeits"] > 0


# ---- here and there -----------------------------------------------------------------------------


def test_the_same_class_plays_in_the_arena_and_on_a_service() -> None:
    records = played("Witness", game=Game("werewolf-0.2", 5))
    assert all(seat["errors"] == seat["timeouts"] == 0 for seat in seats_of(records, "Witness"))

    async def seated(agent: Witness, client: AsyncClient, match_id: str) -> None:
        await client.sit(match_id)
        await play(agent, client, match_id)

    async def hosted() -> list[Witness]:
        agents = [Witness(f"s/{seat}") for seat in range(5)]
        async with Service().running() as service, AsyncExitStack() as stack:
            clients = [
                await stack.enter_async_context(AsyncClient(service.http_url, ws=service.ws_url))
                for _ in agents
            ]
            for number, client in enumerate(clients):
                await client.register(f"witness {number}")
            match_id = (await clients[0].open_table("werewolf-0.2", seats=5)).match_id
            async with asyncio.TaskGroup() as group:
                for agent, client in zip(agents, clients, strict=True):
                    group.create_task(seated(agent, client, match_id))
        return agents

    for agent in asyncio.run(hosted()):
        assert agent.over is not None
        assert agent.over.winner in ("werewolves", "villagers")
