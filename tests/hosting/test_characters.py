"""Characters: kept by their agents, frozen at the start, and told to whom they concern."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

import werewolf
from hosting.adapters.dynamo_agents import DynamoAgents
from hosting.adapters.dynamo_characters import DynamoCharacters
from hosting.adapters.sqlite import Database
from hosting.adapters.sqlite_agents import SqliteAgents, SqliteCharacters
from hosting.identity.archetypes import archetypes
from hosting.identity.characters import strategy_for
from hosting.model import Agent, Caller, Character, Sheet
from hosting.ports import AgentStore, CharacterStore
from hosting.views.sequences import seen_by
from protocol import limits
from tests.hosting.aws import AGENTS, ENVIRONMENT, Calls, tables
from tests.hosting.fakes import NOW
from tests.hosting.test_aws import URL, ConnectionClosedError, Faults, ReadTimeoutError, canceled
from tests.hosting.test_races import at_once, platform
from tests.hosting.world import MANY, World, agent, agents, refusal, stored_bytes

__all__ = ["platform"]

SHEET: dict[str, Any] = {
    "name": "Mother Hulda",
    "archetype": "shepherd",
    "backstory": "Shakes out the pillows.\nIt snows.",
    "personality": "Kind, but she counts.",
    "strategy": {"house-9": "Hand the floor to the silent.", "arena-1": " \n"},
}
RULESETS = sorted(werewolf.RULESETS)


def sheet(**changes: Any) -> dict[str, Any]:
    return SHEET | changes


# ---- the stores ------------------------------------------------------------------------------


@pytest.fixture(params=["sqlite", "dynamo"])
def stores(request: pytest.FixtureRequest) -> Iterator[tuple[CharacterStore, AgentStore]]:
    if request.param == "sqlite":
        database = Database()
        yield SqliteCharacters(database), SqliteAgents(database)
        database.close()
        return
    with tables():
        yield DynamoCharacters(AGENTS), DynamoAgents(AGENTS)


def a_character(number: int = 0, agent_id: str = "a" * 16) -> Character:
    kept = Sheet("Hulda 🌨", "jester", "", "line\nline", {"house-9": "\U0001f43a"})
    return Character(agent_id, f"{number:016d}", 1, kept, NOW, NOW)


def test_a_character_is_kept_as_it_was_written(
    stores: tuple[CharacterStore, AgentStore],
) -> None:
    characters, registry = stores
    for letter in "ab":
        registry.create(Agent(letter * 16, letter, b"1" * 32), letter, NOW)
    one, two = a_character(1), a_character(2)
    other = a_character(1, "b" * 16)
    for character in (one, two, other):
        assert characters.add(character, most=2)
    assert not characters.add(a_character(3), most=2)
    assert characters.character("a" * 16, one.character_id) == one
    assert characters.character("c" * 16, one.character_id) is None
    found = characters.characters("a" * 16)
    assert sorted(found, key=lambda c: c.character_id) == [one, two]
    nobody = ("a" * 16, "9" * 16)
    wanted = [("b" * 16, one.character_id), nobody, ("a" * 16, two.character_id)]
    assert characters.brought(wanted) == [other, None, two]
    new = Sheet("Hulda", "watcher", "x", "", {})
    written = characters.rewrite("a" * 16, one.character_id, new, NOW + 5)
    assert written == replace(one, sheet=new, version=2, updated_at=NOW + 5)
    assert characters.character("a" * 16, one.character_id) == written
    assert characters.rewrite(*nobody, new, NOW) is None
    assert characters.character(*nobody) is None, "nothing is made by writing over it"
    assert characters.remove("a" * 16, one.character_id)
    assert not characters.remove("a" * 16, one.character_id)
    assert characters.add(a_character(4), most=2), "there is room again"
    assert not characters.add(a_character(5), most=2)


@pytest.mark.parametrize("sent", [True, False])
def test_adding_and_removing_survive_a_lost_answer(sent: bool) -> None:
    with tables() as db:
        faults = Faults(db)
        DynamoAgents(AGENTS).create(Agent("a" * 16, "a", b"1" * 32), "a", NOW)
        characters = DynamoCharacters(AGENTS)
        faults.add(ConnectionClosedError(endpoint_url=URL), sent=sent)
        assert characters.add(a_character(), most=1)
        assert not characters.add(a_character(2), most=1), "it was counted once"
        faults.add(canceled("TransactionConflict"))
        faults.add(ReadTimeoutError(endpoint_url=URL), sent=sent)
        assert characters.remove("a" * 16, a_character().character_id)
        assert characters.add(a_character(3), most=1)
        assert len(characters.characters("a" * 16)) == 1


# ---- one's own -------------------------------------------------------------------------------


def test_characters_come_and_go(world: World) -> None:
    ada, bob = agents(world, 2)
    made = world.characters.create(ada, SHEET)
    assert {name: made[name] for name in SHEET} == SHEET  # type: ignore[literal-required]
    assert world.characters.read(ada, made["character_id"]) == made
    world.time.now_ms += 7
    other = world.characters.create(ada, sheet(name="Iron Hans", archetype="ledger"))
    assert world.characters.list(ada) == {"characters": [made, other]}
    assert world.characters.list(bob) == {"characters": []}
    world.time.now_ms += 7
    written = world.characters.update(
        ada, made["character_id"], {"name": "H", "archetype": "jester"}
    )
    assert (written["backstory"], written["strategy"]) == ("", {}), "a sheet is replaced whole"
    assert (written["created_at"], written["updated_at"]) == (NOW, NOW + 14)
    for call in (
        lambda: world.characters.read(bob, made["character_id"]),
        lambda: world.characters.update(bob, made["character_id"], SHEET),
        lambda: world.characters.delete(bob, made["character_id"]),
        lambda: world.characters.read(ada, "../PROFILE"),
        lambda: world.characters.update(ada, "../PROFILE", SHEET),
        lambda: world.characters.delete(ada, "../PROFILE"),
    ):
        assert refusal(call).code == "not_found"
    gone = world.characters.delete(ada, made["character_id"])
    assert gone == {"character_id": made["character_id"], "deleted": True}
    assert refusal(world.characters.delete, ada, made["character_id"]).code == "not_found"
    assert world.characters.list(ada) == {"characters": [other]}


def test_only_with_a_token(world: World) -> None:
    forged = world.identity.caller(f"{agent(world, 'ada').agent_id}.{'A' * 43}")
    for caller in (None, forged):
        for call in (
            lambda c=caller: world.characters.create(c, SHEET),  # type: ignore[misc]
            lambda c=caller: world.characters.list(c),  # type: ignore[misc]
            lambda c=caller: world.characters.read(c, "a" * 16),  # type: ignore[misc]
            lambda c=caller: world.characters.update(c, "a" * 16, SHEET),  # type: ignore[misc]
            lambda c=caller: world.characters.delete(c, "a" * 16),  # type: ignore[misc]
        ):
            assert refusal(call).code == "unauthorized"


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": " \u200b"}, "name"),
        ({"name": " Hulda"}, "name"),
        ({"name": "Mother\nHulda"}, "name"),
        ({"name": "Hulda\u202e"}, "name"),
        ({"name": 7}, "name"),
        ({"name": "x" * (limits.CHARACTER_NAME + 1)}, "name"),
        ({"archetype": "hero"}, "archetype"),
        ({"archetype": None}, "archetype"),
        ({"backstory": "a\x00b"}, "backstory"),
        ({"backstory": "a\r\nb"}, "backstory"),
        ({"backstory": "🐺" * (limits.BACKSTORY // 4) + "x"}, "backstory"),
        ({"personality": "\ud800"}, "personality"),
        ({"personality": "x" * (limits.PERSONALITY + 1)}, "personality"),
        ({"strategy": {"influence": "x"}}, "strategy.influence"),
        ({"strategy": {"y" * 500: "x"}}, ("strategy." + "y" * 500)[:64]),
        ({"strategy": {"house-9": "x" * (limits.STRATEGY + 1)}}, "strategy.house-9"),
        ({"strategy": {"house-9": "\x1b[2J"}}, "strategy.house-9"),
    ],
)
def test_what_is_no_sheet(world: World, changes: Any, field: str) -> None:
    ada = agent(world, "ada")
    made = world.characters.create(ada, SHEET)
    for call in (
        lambda: world.characters.create(ada, sheet(**changes)),
        lambda: world.characters.update(ada, made["character_id"], sheet(**changes)),
    ):
        refused = refusal(call)
        assert (refused.code, refused.field) == ("malformed", field)
    assert world.characters.list(ada) == {"characters": [made]}


def test_nothing_is_cut_and_nothing_changed(world: World) -> None:
    ada = agent(world, "ada")
    full = {
        "name": "ﬁ" * (limits.CHARACTER_NAME // 3),
        "archetype": "watcher",
        "backstory": "e\u0301" * (limits.BACKSTORY // 3),
        "personality": "🐺" * (limits.PERSONALITY // 4),
        "strategy": dict.fromkeys(RULESETS, "\U0001f9d1\u200d\U0001f33e" * (limits.STRATEGY // 11)),
    }
    made = world.characters.create(ada, full)
    assert {name: made[name] for name in full} == full  # type: ignore[literal-required]


def test_an_agent_has_so_many_and_no_more(platform: Any) -> None:
    ada = agent(platform, "ada")
    for number in range(limits.CHARACTERS_PER_AGENT - 1):
        platform.characters.create(ada, sheet(name=f"n{number}"))
    answers = at_once([lambda: platform.characters.create(ada, SHEET)] * 4)
    kept = platform.characters.list(ada)["characters"]
    assert len(kept) == limits.CHARACTERS_PER_AGENT
    assert [a for a in answers if isinstance(a, str)].count("too_many_characters") >= 1
    assert refusal(platform.characters.create, ada, SHEET).code == "too_many_characters"


def test_writing_is_counted() -> None:
    world = World({**MANY, "CHARACTER_LIMIT_PER_MINUTE": "2"})
    ada = agent(world, "ada")
    made = world.characters.create(ada, SHEET)
    world.characters.update(ada, made["character_id"], SHEET)
    refused = refusal(world.characters.update, ada, made["character_id"], SHEET)
    assert refused.code == "too_many_requests"
    assert refused.retry_after


# ---- archetypes ------------------------------------------------------------------------------


def test_archetypes_have_notes_for_every_rule_set() -> None:
    assert 6 <= len(archetypes()) <= 10
    seen: set[str] = set()
    for archetype in archetypes().values():
        assert set(archetype.strategy) == set(RULESETS)
        for text in (archetype.about, archetype.werewolf, *archetype.strategy.values()):
            assert 20 < len(text.encode()) <= limits.STRATEGY
            assert text not in seen
            seen.add(text)


@pytest.mark.parametrize("blank", [{}, {"house-9": ""}, {"house-9": " \n\u200b"}])
def test_blank_notes_are_the_archetypes_and_never_another_games(blank: dict[str, str]) -> None:
    kept = Sheet("H", "ledger", "", "", {"arena-1": "notes for another game", **blank})
    assert strategy_for(kept, "house-9") == archetypes()["ledger"].strategy["house-9"]
    assert strategy_for(kept, "house-10") == archetypes()["ledger"].werewolf
    own = replace(kept, strategy={"house-9": " own "})
    assert strategy_for(own, "house-9") == " own "


# ---- at the table ----------------------------------------------------------------------------


class Party:
    """A table at which some have a character."""

    def __init__(self, world: Any, ruleset: str = "house-9", options: Any = None) -> None:
        self.world = world
        self.ruleset = ruleset
        self.host = agent(world, "host")
        seats = werewolf.RULESETS[ruleset].seats.default
        self.match_id: str = world.opening.open(
            self.host, ruleset=ruleset, seats=seats, options=options
        )["match_id"]
        self.guests = agents(world, seats, "guest")

    def bring(self, guest: int, **changes: Any) -> str:
        caller = self.guests[guest]
        character_id: str = self.world.characters.create(caller, sheet(**changes))["character_id"]
        self.world.seating.sit(self.match_id, caller, character_id=character_id)
        return character_id

    def fill(self) -> None:
        for caller in self.guests:
            self.world.seating.sit(self.match_id, caller)

    def seat(self, guest: int) -> int:
        players = self.world.listing.summary(self.match_id)["players"]
        return next(p["seat"] for p in players if p["agent_id"] == self.guests[guest].agent_id)

    def characters(self, caller: Caller | None, **mode: Any) -> Any:
        return self.world.states.state(self.match_id, caller, **mode).body.get("characters")


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_character_sits_beside_its_player(world: World, ruleset: str) -> None:
    party = Party(world, ruleset)
    party.bring(1, strategy={ruleset: "my own plan"})
    party.bring(3, name="Iron Hans", strategy={})
    assert party.characters(None) is None
    party.fill()
    summary = world.listing.summary(party.match_id)
    public = {name: SHEET[name] for name in ("name", "archetype", "backstory", "personality")}
    shown = {p["seat"]: p["character"] for p in summary["players"] if "character" in p}
    assert shown == {party.seat(1): public, party.seat(3): public | {"name": "Iron Hans"}}
    everybody = [{"seat": seat, **shown[seat]} for seat in sorted(shown)]
    assert party.characters(None) == everybody
    plans = {1: "my own plan", 3: archetypes()["shepherd"].strategy[ruleset]}
    for guest, caller in enumerate(party.guests):
        own = {"strategy": plans[guest]} if guest in plans else {}
        mine = party.seat(guest)
        assert party.characters(caller) == [
            row | (own if row["seat"] == mine else {}) for row in everybody
        ]
        told = world.event_pages.events(party.match_id, caller, limit=500)["events"]
        assert [e["seq"] for e in told] == [*range(1, len(told) + 1)]
        private = [e["data"] for e in told if e["type"] == "strategy_private"]
        assert private == ([{"seat": mine, "text": own["strategy"]}] if own else [])
    told = world.event_pages.events(party.match_id, None, limit=500)["events"]
    types = [event["type"] for event in told]
    assert types.count("character") == 2
    assert types.index("character") < types.index("roles_dealt")
    state = world.state_of(party.match_id)
    assert len(told) == seen_by(state.seen, "spectator")
    assert stored_bytes(world.matches.items[f"MATCH#{party.match_id}", "STATE"]) < 2_000
    listed = world.listing.list(status="running")["matches"][0]
    assert not any("character" in player for player in listed["players"])


def test_the_omniscient_know_every_plan(world: World) -> None:
    party = Party(world, options={"omniscient": True})
    party.bring(0)
    party.fill()
    (row,) = party.characters(party.host, mode="omniscient")
    assert row["strategy"] == SHEET["strategy"]["house-9"]


def test_a_replay_keeps_the_plans_to_itself(world: World) -> None:
    party = Party(world, "werewolf-0.2")
    party.bring(0, strategy={"werewolf-0.2": "the secret plan"})
    party.fill()
    for caller in party.guests:
        if world.state_of(party.match_id).status == "running":
            world.play.leave(party.match_id, caller)
    replay = json.dumps(world.replays.replay(party.match_id))
    assert "the secret plan" not in replay
    public = json.dumps([world.listing.summary(party.match_id), party.characters(None)])
    assert "Mother Hulda" in public
    assert "the secret plan" not in public
    (row,) = party.characters(party.guests[0])
    assert row["strategy"] == "the secret plan"


def test_it_is_frozen_at_the_start(world: World) -> None:
    party = Party(world)
    one, two = party.bring(0), party.bring(1)
    world.characters.update(party.guests[0], one, sheet(name="Before"))
    world.characters.delete(party.guests[1], two)
    party.fill()
    world.characters.update(party.guests[0], one, sheet(name="After"))
    assert [row["name"] for row in party.characters(None)] == ["Before"]
    world.characters.delete(party.guests[0], one)
    assert [row["name"] for row in party.characters(None)] == ["Before"]


def test_standing_up_takes_the_character_along(world: World) -> None:
    party = Party(world)
    party.bring(0, name="Zero")
    party.bring(1, name="One")
    world.play.leave(party.match_id, party.guests[0])
    party.fill()
    assert [row["name"] for row in party.characters(None)] == ["One"]
    assert party.characters(None)[0]["seat"] == party.seat(1)


def test_only_ones_own_character(world: World) -> None:
    party = Party(world)
    theirs = world.characters.create(party.guests[1], SHEET)["character_id"]
    for character_id in (theirs, "a" * 16, "../PROFILE"):
        refused = refusal(
            world.seating.sit, party.match_id, party.guests[0], character_id=character_id
        )
        assert (refused.code, refused.field) == ("not_found", "character_id")
    assert world.listing.summary(party.match_id)["taken"] == 0


def test_a_change_while_the_match_starts_counts_or_comes_after(world: World) -> None:
    party = Party(world)
    mine = party.bring(0)
    for caller in party.guests[1:-1]:
        world.seating.sit(party.match_id, caller)
    world.matches.faults = [
        lambda: world.characters.update(party.guests[0], mine, sheet(name="Just in time"))
    ]
    before = world.state_of(party.match_id).version
    world.seating.sit(party.match_id, party.guests[-1])
    assert world.state_of(party.match_id).version == before + 1
    assert [row["name"] for row in party.characters(None)] == ["Just in time"]


@pytest.mark.parametrize("fault", ["lost", "late", "dropped", "conflict"])
def test_a_start_whose_answer_was_lost_freezes_once(world: World, fault: str) -> None:
    party = Party(world)
    party.bring(0)
    for caller in party.guests[1:-1]:
        world.seating.sit(party.match_id, caller)
    before = world.state_of(party.match_id).version
    world.matches.faults = [fault]
    world.seating.sit(party.match_id, party.guests[-1])
    assert world.state_of(party.match_id).version == before + 1
    assert len(party.characters(None)) == 1


def test_changes_race_with_the_start(platform: Any) -> None:
    party = Party(platform)
    mine = party.bring(0)
    for caller in party.guests[1:-1]:
        platform.seating.sit(party.match_id, caller)
    calls: list[Any] = [
        lambda: platform.seating.sit(party.match_id, party.guests[-1]),
        lambda: platform.characters.update(party.guests[0], mine, sheet(name="new")),
        lambda: platform.characters.delete(party.guests[0], mine),
    ]
    answers = at_once(calls)
    assert not isinstance(answers[0], str)
    found = party.characters(None) or []
    assert len(found) <= 1
    assert platform.listing.summary(party.match_id)["status"] == "running"


def test_a_start_is_one_transaction() -> None:
    with tables() as db:
        from hosting.wiring import Platform

        platform = Platform(ENVIRONMENT | MANY)
        party = Party(platform)
        for guest in range(len(party.guests) - 1):
            party.bring(guest, backstory="🐺" * (limits.BACKSTORY // 4))
        last = party.guests[-1]
        made = platform.characters.create(last, SHEET)["character_id"]
        calls = Calls(db)
        platform.seating.sit(party.match_id, last, character_id=made)
        assert calls.made == [
            *["GetItem"] * 4,  # the agent, its character, the state, the table
            "BatchGetItem",
            "TransactWriteItems",
        ]
        assert len(party.characters(None)) == len(party.guests)
        calls.made.clear()
        platform.listing.summary(party.match_id)
        assert calls.made == ["GetItem"] * 3
        calls.made.clear()
        platform.states.state(party.match_id, last)
        assert calls.made == ["GetItem", "Query"], "the characters are in the log that is read"


def test_the_characters_of_a_start_must_be_what_was_read() -> None:
    with tables():
        from hosting.wiring import Platform

        platform = Platform(ENVIRONMENT | MANY)
        party = Party(platform)
        mine = party.bring(0)
        for caller in party.guests[1:-1]:
            platform.seating.sit(party.match_id, caller)
        commit = platform.matches.commit
        tries: list[int] = []

        def somebody_is_faster(change: Any) -> None:
            tries.append(len(change.unchanged))
            if len(tries) == 1:
                platform.characters.update(party.guests[0], mine, sheet(name="new"))
            if len(tries) == 2:
                platform.characters.delete(party.guests[0], mine)
            commit(change)

        platform.matches.commit = somebody_is_faster  # type: ignore[method-assign]
        platform.seating.sit(party.match_id, party.guests[-1])
        assert tries == [1, 1, 1]
        assert party.characters(None) is None
