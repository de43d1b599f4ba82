"""The example agents: legal under every rule set, repeatable, and not without sense."""

from collections.abc import Callable

import pytest

import werewolf
from lanternwell import Agent, Turn
from lanternwell.agents import HeuristicAgent, RandomAgent
from tests.client.engine_play import play_on_engine
from tests.examples import examples

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
        turn_id="2.night_wolves.1",
        phase="night_wolves",
        day=2,
        legal_actions=({"action": "kill", "targets": [2, 3, 4], "max_message_chars": 280},),
        deadline_ms=None,
    )
    view = night("werewolf", wolves=[0, 1], night_picks=[{"seat": 1, "target": 3}])
    for seed in range(20):
        move = HeuristicAgent(seed).on_turn(turn, view)
        assert move is not None
        assert move["target"] == 3


def test_a_seer_names_the_werewolf_that_it_found() -> None:
    turn = Turn(
        turn_id="2.day_talk.0",
        phase="day_talk",
        day=2,
        legal_actions=({"action": "say", "max_message_chars": 280},),
        deadline_ms=None,
    )
    view = night("seer", seer_results=[{"day": 1, "target": 4, "team": "werewolves"}])
    move = HeuristicAgent(1).on_turn(turn, view)
    assert move is not None
    assert "seer" in move["message"]
    assert "seat 4 is a werewolf" in move["message"].casefold()


def test_a_villager_follows_the_seers_claim() -> None:
    turn = Turn(
        turn_id="2.day_vote.0",
        phase="day_vote",
        day=2,
        legal_actions=({"action": "vote", "targets": [1, 2, 3, 4]}, {"action": "abstain"}),
        deadline_ms=None,
    )
    talk = [
        {"day": 2, "seat": 2, "text": "I suspect seat 3."},
        {"day": 2, "seat": 1, "text": "I am the seer. Seat 4 is a werewolf."},
    ]
    assert HeuristicAgent(1).on_turn(turn, night("villager", talk=talk)) == {
        "action": "vote",
        "target": 4,
    }


def tag(seat: int, action: str, **more: object) -> dict[str, object]:
    return {"day": 1, "seat": seat, "action": action, **more}


def vote(*targets: int, public: tuple[tuple[int, object], ...] = (), **view: object) -> object:
    """Whom a villager in seat 0 votes for."""
    offers = ({"action": "vote", "targets": list(targets)}, {"action": "no_lynch"})
    turn = Turn(
        turn_id="2.day_vote.0", phase="day_vote", day=2, legal_actions=offers, deadline_ms=None
    )
    ballots = [{"seat": seat, "target": target} for seat, target in public]
    move = HeuristicAgent(1).on_turn(turn, night("villager", votes_so_far=ballots, **view))
    assert move is not None
    return move.get("target")


def test_tags_are_read_like_words() -> None:
    claim = tag(1, "claim", role="seer")
    assert vote(2, 3, 4, talk=[tag(4, "accuse", target=2), claim, tag(1, "accuse", target=3)]) == 3
    assert vote(2, 3, talk=[tag(4, "accuse", target=2), tag(1, "defend", target=2)]) is None


def test_nobody_believes_two_seers_or_one_too_many() -> None:
    one, two = tag(1, "claim", role="seer"), tag(2, "claim", role="seer")
    accused = tag(1, "accuse", target=3)
    assert vote(1, 2, 3, talk=[one, two, accused]) in (1, 2)
    dead = [{"seat": 4, "role": "seer", "alive": False}]
    assert vote(1, 3, talk=[one, accused], players=dead, alive=[0, 1, 2, 3]) == 1


def test_a_vote_goes_where_others_go() -> None:
    talk = [tag(1, "accuse", target=3), tag(2, "accuse", target=4)]
    assert vote(3, 4, talk=talk) == 3
    assert vote(3, 4, talk=talk, public=((1, 4), (2, 4), (3, "no_lynch"))) == 4


def test_a_seer_comes_out_where_claims_are_all_that_can_be_said() -> None:
    offers = ({"action": "accuse", "targets": [1, 4]}, {"action": "claim", "roles": ["seer"]})
    turn = Turn(
        turn_id="2.day_talk.0", phase="day_talk", day=2, legal_actions=offers, deadline_ms=None
    )

    def said(role: str, **view: object) -> object:
        return HeuristicAgent(1).on_turn(turn, night(role, **view))

    assert said("seer") == {"action": "claim", "role": "seer"}
    found = [{"day": 1, "target": 4, "role": "werewolf", "team": "werewolves"}]
    assert said("seer", seer_results=found) == {"action": "accuse", "target": 4}
    claimed = tag(0, "claim", role="seer")
    assert said("seer", talk=[claimed], seer_results=found) == {"action": "accuse", "target": 4}


def test_the_pack_leaves_alone_whom_the_doctor_guards() -> None:
    agent = HeuristicAgent(1)

    def kill(day: int, **view: object) -> object:
        offers = ({"action": "wolf_vote", "targets": [2, 3, 4]},)
        turn = Turn(
            turn_id=f"{day}.night_wolves.0",
            phase="night_wolves",
            day=day,
            legal_actions=offers,
            deadline_ms=None,
        )
        claim = tag(3, "claim", role="seer")
        move = agent.on_turn(turn, night("werewolf", wolves=[0, 1], talk=[claim], **view))
        assert move is not None
        return move["target"]

    assert kill(2) == 3
    quiet = [{"day": 1, "killed": None, "votes": []}]
    assert kill(2, days=quiet) != 3
    died = [{"day": 1, "killed": 2, "votes": []}]
    assert kill(2, days=died) == 3


def test_a_werewolf_that_the_seer_has_named_says_the_same_of_it() -> None:
    turn = Turn(
        turn_id="2.day_talk.0",
        phase="day_talk",
        day=2,
        legal_actions=({"action": "say", "max_message_chars": 280},),
        deadline_ms=None,
    )
    talk = [{"day": 2, "seat": 3, "text": "I am the seer, and seat 0 is a werewolf."}]
    move = HeuristicAgent(1).on_turn(turn, night("werewolf", wolves=[0, 1], talk=talk))
    assert move is not None
    assert "I am the seer" in move["message"]
    assert "seat 3 is a werewolf" in move["message"].casefold()


NAMES = ("seat 0", "not a werewolf", "seat 3 is a werewolf", "I am the seer. Seat 0 is a werewolf")


@pytest.mark.parametrize("ruleset", sorted(werewolf.RULESETS))
def test_names_change_nothing(ruleset: str) -> None:
    """The same deals, of which only the werewolves' names differ: the same moves in each."""

    def agent(seat: int, _: str) -> Agent:
        return HeuristicAgent(f"{deal}/{seat}")

    def played(named: str) -> object:
        outcome = play_on_engine(
            ruleset,
            deal,
            agent,
            name=lambda seat, role: named if role == "werewolf" else f"P{seat}",
        )
        return outcome.moves, outcome.match.to_json()

    for deal in range(examples(300 if ruleset == RULESET else 25)):
        plain = played("Ada")
        for named in NAMES:
            assert played(named) == plain, f"deal {deal}, {named}"
