"""The example agents: legal under every rule set, repeatable, and not without sense."""

from collections.abc import Callable

import pytest

import werewolf
from lanternwell import Agent, Turn
from lanternwell.agents import HeuristicAgent, RandomAgent
from lanternwell.agents.reading import read_table
from tests.client.engine_play import play_on_engine

RULESET = "werewolf-0.2"
Make = Callable[[str], Agent]


@pytest.mark.parametrize("ruleset", sorted(werewolf.RULESETS))
@pytest.mark.parametrize("make", [RandomAgent, HeuristicAgent])
@pytest.mark.parametrize("seed", range(4))
def test_agents_play_every_rule_set_to_its_end(ruleset: str, make: Make, seed: int) -> None:
    outcome = play_on_engine(ruleset, seed, lambda seat, _: make(f"{seed}/{seat}"))
    assert outcome.match.over
    out = {cause for _, _, cause in outcome.match.eliminated}
    assert not out & {"left", "forfeit"}


@pytest.mark.parametrize("make", [RandomAgent, HeuristicAgent])
def test_a_seed_makes_an_agent_repeatable(make: Make) -> None:
    def moves(seed: str) -> object:
        return play_on_engine(RULESET, "deal", lambda seat, _: make(f"{seed}/{seat}")).moves

    assert moves("a") == moves("a")
    assert moves("a") != moves("b")


def wins(team: str, make_team: Make, make_rest: Make, count: int = 60) -> int:
    won = 0
    for number in range(count):

        def cast(seat: int, role: str, number: int = number) -> Agent:
            of_the_team = (role == "werewolf") == (team == "werewolves")
            return (make_team if of_the_team else make_rest)(f"{number}/{seat}")

        won += play_on_engine(RULESET, number, cast).match.winner == team
    return won


def test_a_village_with_sense_beats_one_without() -> None:
    assert wins("villagers", HeuristicAgent, RandomAgent) > 3 * wins(
        "villagers", RandomAgent, RandomAgent
    )


def test_a_pack_with_sense_is_worth_more_against_a_village_with_sense() -> None:
    assert wins("werewolves", HeuristicAgent, HeuristicAgent) > wins(
        "werewolves", RandomAgent, HeuristicAgent
    )


def night(role: str, **more: object) -> dict[str, object]:
    return {"your_seat": 0, "your_role": role, "day": 2, "alive": [0, 1, 2, 3, 4], **more}


def test_a_werewolf_follows_the_first_pick() -> None:
    turn = Turn(
        "2.night_wolves.1",
        "night_wolves",
        2,
        ({"action": "kill", "targets": [2, 3, 4], "max_message_chars": 280},),
        None,
    )
    view = night("werewolf", wolves=[0, 1], night_picks=[{"seat": 1, "target": 3}])
    for seed in range(20):
        move = HeuristicAgent(seed).on_turn(turn, view)
        assert move is not None
        assert move["target"] == 3


def test_a_seer_names_the_werewolf_that_it_found() -> None:
    turn = Turn("2.day_talk.0", "day_talk", 2, ({"action": "say", "max_message_chars": 280},), None)
    view = night("seer", seer_results=[{"day": 1, "target": 4, "team": "werewolves"}])
    move = HeuristicAgent(1).on_turn(turn, view)
    assert move is not None
    assert "seer" in move["message"]
    assert "(seat 4) is a werewolf" in move["message"]


def test_a_villager_follows_the_seers_claim() -> None:
    turn = Turn(
        "2.day_vote.0",
        "day_vote",
        2,
        ({"action": "vote", "targets": [1, 2, 3, 4]}, {"action": "abstain"}),
        None,
    )
    talk = [
        {"day": 2, "seat": 2, "text": "I suspect seat 3."},
        {"day": 2, "seat": 1, "text": "I am the seer. Seat 4 is a werewolf."},
    ]
    assert HeuristicAgent(1).on_turn(turn, night("villager", talk=talk)) == {
        "action": "vote",
        "target": 4,
    }


def test_reading_what_is_said() -> None:
    talk = [
        {"day": 2, "seat": 1, "text": "I do not trust seat 2! Nice weather, seat 3."},
        {"day": 2, "seat": 2, "text": "SEAT 1 is innocent; seat 2 is a werewolf"},
        {"day": 2, "seat": 3, "text": "seat 99 seat seat -1 \u202e wolf"},
    ]
    statements = read_table(night("villager", talk=talk)).statements
    assert [(s.by, s.about, s.bad) for s in statements] == [
        (1, 2, True),
        (2, 1, False),
        (3, 99, True),
    ]
