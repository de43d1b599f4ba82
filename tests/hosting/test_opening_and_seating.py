"""Tables: who may do what, and that the last seat and the start are given once."""

import base64
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import werewolf
from hosting.errors import Malformed
from hosting.tables.cursors import read_cursor
from tests.hosting.world import World, agent, agents, refusal, running

RULES = "werewolf-0.2"


def test_opening_a_table(world: World) -> None:
    host = agent(world, "Ada")
    opened = world.opening.open(host, ruleset=RULES, options={"max_days": 3}, title=" Friday ")
    assert opened == {
        "match_id": opened["match_id"],
        "title": "Friday",
        "ruleset": RULES,
        "status": "open",
        "seats": 7,
        "taken": 0,
        "options": {**werewolf.check_options(RULES, None), "max_days": 3},
        "host": host.agent_id,
        "players": [],
        "commitment": werewolf.commitment(f"{1:064x}"),
        "opened_at": world.now(),
        "started_at": None,
        "ended_at": None,
        "winner": None,
        "ranking": None,
        "private": False,
        "fill": None,
        "rematch": None,
    }
    assert world.listing.summary(opened["match_id"]) == opened
    assert world.opening.open(host, ruleset=RULES)["title"] == "Ada's table"


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"ruleset": "chess"}, "ruleset"),
        ({"seats": 4}, "seats"),
        ({"seats": 11}, "seats"),
        ({"options": {"max_days": 0}}, "options.max_days"),
        ({"options": {"max_days": True}}, "options.max_days"),
        ({"options": {"moon": 1}}, "options.moon"),
        ({"title": "  "}, "title"),
        ({"title": "x" * 81}, "title"),
        ({"title": "a\nb"}, "title"),
        ({"title": "a\u202eb"}, "title"),
    ],
)
def test_a_table_that_cannot_be(world: World, asked: dict[str, Any], field: str) -> None:
    host = agent(world, "Ada")
    refused = refusal(world.opening.open, host, **({"ruleset": RULES} | asked))
    assert (refused.code, refused.field) == ("malformed", field)
    assert world.matches.items == {}


def test_opening_needs_a_token_and_patience() -> None:
    world = World({"OPEN_LIMIT_PER_MINUTE": "2"})
    host, other = agents(world, 2)
    assert refusal(world.opening.open, None, ruleset=RULES).code == "unauthorized"
    world.opening.open(host, ruleset=RULES)
    world.opening.open(host, ruleset=RULES)
    refused = refusal(world.opening.open, host, ruleset=RULES)
    assert refused.code == "too_many_requests"
    assert refused.retry_after is not None
    assert 1 <= refused.retry_after <= 60
    world.opening.open(other, ruleset=RULES)
    world.time.now_ms += refused.retry_after * 1000
    world.opening.open(host, ruleset=RULES)


def test_sitting_down_and_standing_up(world: World) -> None:
    host, ada, bob, eve = agents(world, 4)
    match_id = world.opening.open(host, ruleset=RULES)["match_id"]
    for place, caller in enumerate((ada, bob, eve)):
        sat = world.seating.sit(match_id, caller, entropy=f"tea {place}")
        assert sat.created
        assert sat.answer["place"] == place
    again = world.seating.sit(match_id, bob, entropy="other")
    assert not again.created
    assert again.answer == {
        "match_id": match_id,
        "agent_id": bob.agent_id,
        "place": 1,
        "status": "open",
    }
    world.play.leave(match_id, ada)
    assert refusal(world.play.leave, match_id, ada).code == "not_seated"
    players = world.listing.summary(match_id)["players"]
    assert [(row["agent_id"], row["place"]) for row in players] == [
        (bob.agent_id, 0),
        (eve.agent_id, 1),
    ]
    assert world.state_of(match_id).keys == bob.digest + eve.digest
    table = world.matches.table(match_id)
    assert table is not None
    assert table.entropies == ("tea 1", "tea 2")
    page = world.event_pages.events(match_id, None)
    assert [(event["seq"], event["type"], event["data"]) for event in page["events"]] == [
        (1, "seat_taken", {"place": 0, "name": "p1"}),
        (2, "seat_taken", {"place": 1, "name": "p2"}),
        (3, "seat_taken", {"place": 2, "name": "p3"}),
        (4, "seat_freed", {"place": 0, "name": "p1"}),
    ]
    state = world.states.state(match_id, bob).body
    assert state is not None
    assert (state["viewer"], state["visible_state"], state["seq"]) == ("spectator", None, 4)


def test_only_the_host_starts_and_only_enough_players(world: World) -> None:
    host, *others = agents(world, 6)
    match_id = world.opening.open(host, ruleset=RULES, seats=7)["match_id"]
    for caller in others[:4]:
        world.seating.sit(match_id, caller)
    assert refusal(world.starting.start, match_id, host).code == "too_few_players"
    world.seating.sit(match_id, others[4])
    assert refusal(world.starting.start, match_id, others[0]).code == "not_host"
    assert refusal(world.starting.start, match_id, None).code == "unauthorized"
    assert refusal(world.starting.start, "zzzzzzzzzzzzzzzz", host).code == "not_found"
    started = world.starting.start(match_id, host)
    assert (started["status"], started["taken"], started["started_at"]) == (
        "running",
        5,
        world.now(),
    )
    assert (started["day"], started["phase"], started["alive"]) == (
        1,
        "night_wolves",
        [0, 1, 2, 3, 4],
    )
    assert world.listing.summary(match_id) == started
    assert refusal(world.starting.start, match_id, host).code == "match_not_open"
    assert refusal(world.seating.sit, match_id, host).code == "match_not_open"
    seated = world.seating.sit(match_id, others[2])
    assert not seated.created
    assert seated.answer["place"] == 2
    assert seated.answer["status"] == "running"


def test_seats_and_deal_follow_from_seed_and_entropies(world: World) -> None:
    callers = agents(world, 7)
    match_id = world.opening.open(callers[0], ruleset=RULES)["match_id"]
    for place, caller in enumerate(callers):
        world.seating.sit(match_id, caller, entropy="tea" if place == 3 else None)
    mixed = werewolf.mix_seed(f"{1:064x}", ["", "", "", "tea", "", "", ""])
    order = werewolf.seating(mixed, 7)
    state, table = world.state_of(match_id), world.matches.table(match_id)
    assert table is not None
    assert [player.place for player in table.players] == list(order)
    for seat, place in enumerate(order):
        assert table.players[seat].agent_id == callers[place].agent_id
        assert state.key(seat) == callers[place].digest
    assert state.engine().seed == mixed
    assert state.status == table.status == "running"
    entry = world.matches.entry(match_id, state.version)
    assert entry is not None
    assert [event.type for event in entry.events][:2] == ["seat_taken", "roles_dealt"]
    assert [player["name"] for player in entry.events[1].data["players"]] == [
        player.name for player in table.players
    ]
    assert refusal(world.seating.sit, match_id, agent(world, "late")).code == "table_full"


@pytest.mark.parametrize("entropy", ["", "x" * 65, "é", "a\nb", "\x7f"])
def test_entropy_is_printable_ascii(world: World, entropy: str) -> None:
    host = agent(world, "Ada")
    match_id = world.opening.open(host, ruleset=RULES)["match_id"]
    refused = refusal(world.seating.sit, match_id, host, entropy=entropy)
    assert (refused.code, refused.field) == ("malformed", "entropy")


def test_nothing_secret_is_told_before_the_end(world: World) -> None:
    match_id, callers = running(world)
    table = world.matches.table(match_id)
    assert table is not None
    told = json.dumps(
        [
            world.listing.summary(match_id),
            world.listing.list(status="running"),
            world.states.state(match_id, None).body,
            world.states.state(match_id, callers[0]).body,
            world.event_pages.events(match_id, callers[0]),
        ]
    )
    assert table.seed not in told
    assert world.state_of(match_id).engine().seed not in told


def test_the_list_is_paged(world: World) -> None:
    host = agent(world, "Ada")
    opened = []
    for _ in range(7):
        world.time.now_ms += 1
        opened.append(world.opening.open(host, ruleset=RULES)["match_id"])
    found: list[str] = []
    cursor = None
    while True:
        page = world.listing.list(ruleset=RULES, limit=3, cursor=cursor)
        found += [match["match_id"] for match in page["matches"]]
        cursor = page["next"]
        if cursor is None:
            break
    assert found == opened[::-1]
    assert world.listing.list(status="over")["matches"] == []
    for wrong, field in (
        ({"limit": 0}, "limit"),
        ({"limit": 101}, "limit"),
        ({"ruleset": "chess"}, "ruleset"),
        ({"status": "secret"}, "status"),
    ):
        refused = refusal(world.listing.list, **wrong)
        assert (refused.code, refused.field) == ("malformed", field)


def test_a_cursor_belongs_to_its_list(world: World) -> None:
    host = agent(world, "Ada")
    for _ in range(2):
        world.opening.open(host, ruleset=RULES)
    cursor = world.listing.list(limit=1)["next"]
    assert cursor is not None
    assert refusal(world.listing.list, status="over", cursor=cursor).field == "cursor"
    made_up = base64.urlsafe_b64encode(b"open/arena-1#1800000000000#aaaaaaaaaaaaaaaa").decode()
    assert refusal(world.listing.list, ruleset=RULES, cursor=made_up).field == "cursor"
    assert world.listing.list(cursor=made_up.rstrip("="))["matches"] == []


@given(st.text() | st.binary().map(lambda raw: base64.urlsafe_b64encode(raw).decode()))
def test_no_cursor_does_harm(cursor: str) -> None:
    try:
        mark = read_cursor(cursor, "open", None)
    except Malformed:
        return
    assert mark.count("#") == 2
