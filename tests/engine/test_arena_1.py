"""What arena-1 promises, in random matches: places, forfeits, short forms, sealed reasoning."""

import json
from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import werewolf
from tests.engine.random_play import scripts
from werewolf import Event, InvalidOptions
from werewolf.checking.matches import NOW, Script, Step, Table, play
from werewolf.checking.moves import unlisted_moves
from werewolf.roles import team_of

STANDARD = ["werewolf", "werewolf", "seer", "doctor", *["villager"] * 4]
NAMES = [f"p{seat}" for seat in range(8)]
unhurried = settings(deadline=None)


def short(move: dict[str, Any]) -> dict[str, Any]:
    """The move in the short form of the rule text."""
    rest = {key: value for key, value in move.items() if key not in ("action", "target", "role")}
    if move["action"] == "no_lynch":
        return {"action": "vote:no_lynch", **rest}
    for field in ("target", "role"):
        if field in move:
            return {"action": f"{move['action']}:{move[field]}", **rest}
    return {"action": move["action"], **rest}


@unhurried
@given(scripts("arena-1"))
def test_places_from_one_to_eight(script: Script) -> None:
    last: Step | None = None
    for step in play(script):
        last = step
    assert last is not None
    match = last.after
    assert match.over
    if match.void:
        return
    assert match.winner in ("werewolves", "villagers")
    places = match.ranking
    assert [place["rank"] for place in places] == list(range(1, 9))
    out = [seat for seat, _, cause in match.eliminated if cause in ("forfeit", "left")]
    order = [place["seat"] for place in places]
    assert order[8 - len(out) :] == out[::-1], "the latest forfeit is placed best"
    stayed = order[: 8 - len(out)]
    won = [seat for seat in stayed if team_of(match.roles[seat]) == match.winner]
    assert stayed == sorted(won) + sorted(set(stayed) - set(won))
    assert {place["seat"] for place in places if place["score"]} == set(won)
    win = next(event for event in last.events if event.type == "faction_win")
    assert win.data["seats"] == won


@unhurried
@given(scripts("arena-1"))
def test_the_short_form_is_the_long_form(script: Script) -> None:
    for step in play(script):
        if step.did.by == "player" and step.refusal is None and "action" in step.did.move:
            move = short(step.did.move)
            said = werewolf.act(step.before, step.did.seat, move, now=step.did.at)
            assert said == (step.after, step.events)


@unhurried
@given(scripts("arena-1"))
def test_reasoning_is_sealed_and_changes_nothing(script: Script) -> None:
    for step in play(script):
        sealed = [event for event in step.events if event.type == "reasoning"]
        assert all(event.audience == () for event in sealed)
        assert step.refusal or bool(sealed) == ("reasoning" in (step.did.move or {}))
        if sealed:
            bare = {key: value for key, value in step.did.move.items() if key != "reasoning"}
            said = werewolf.act(step.before, step.did.seat, bare, now=step.did.at)
            assert said.match == step.after
            assert said.events == tuple(e for e in step.events if e.type != "reasoning")


@unhurried
@given(scripts("arena-1"), st.integers(0, 2**32 - 1))
def test_a_forfeit_takes_the_seat_out_and_does_nothing_else(script: Script, number: int) -> None:
    rng = Random(number)
    for step in play(script):
        match = step.after
        if match.over or rng.random() < 0.8:
            continue
        (seat,) = match.awaiting
        turn = werewolf.turn(match, seat)
        move = rng.choice(list(unlisted_moves(match, seat)))
        after, events = werewolf.act(match, seat, move, now=step.did.at)
        assert events[0].type == "elimination"
        assert events[0].data["seat"] == seat
        assert events[0].data["cause"] == "forfeit"
        assert not any(event.type in ("action", "action_private", "timeout") for event in events)
        assert seat not in dict((*after.picks, *after.ballots))
        if not after.over:
            following = werewolf.turn(after, after.awaiting[0])
            assert turn is not None
            assert following is not None
            assert following.turn_id != turn.turn_id
            assert following.deadline == step.did.at + int(match.options["turn_deadline_ms"])


@unhurried
@given(scripts("arena-1"))
def test_three_silent_turns_in_a_row_forfeit(script: Script) -> None:
    silent: Counter[int] = Counter()
    for step in play(script):
        if step.refusal is not None or step.before.over:
            continue
        (seat,) = step.before.awaiting
        if step.did.by == "timeout":
            silent[seat] += 1
            forfeited = any(
                event.type == "elimination" and event.data["cause"] == "forfeit"
                for event in step.events
            )
            assert forfeited == (silent[seat] == 3)
        elif step.did.by == "player":
            silent[seat] = 0


class Recount:
    """Counts every night and every vote again, from the events alone."""

    def __init__(self) -> None:
        self.alive = set(range(8))
        self.night_start({})

    def night_start(self, data: Mapping[str, Any]) -> None:
        self.picks: dict[int, int] = {}
        self.saves: dict[int, int] = {}
        self.ballots: dict[int, Any] = {}

    def action_private(self, data: Mapping[str, Any]) -> None:
        choices = {"wolf_vote": self.picks, "doctor_save": self.saves}.get(data["action"])
        if choices is not None and data["target"] is not None:
            choices[data["seat"]] = data["target"]

    def action(self, data: Mapping[str, Any]) -> None:
        if data["phase"] == "day_vote":
            self.ballots[data["seat"]] = data.get("target", "no_lynch")

    def elimination(self, data: Mapping[str, Any]) -> None:
        seat, cause = data["seat"], data["cause"]
        assert cause != "vote" or seat == self.most(self.ballots, None)
        self.alive.remove(seat)
        if cause in ("forfeit", "left"):
            for choices in (self.picks, self.saves, self.ballots):
                choices.pop(seat, None)

    def no_elimination(self, data: Mapping[str, Any]) -> None:
        assert self.most(self.ballots, "no_lynch") == "no_lynch"

    def dawn(self, data: Mapping[str, Any]) -> None:
        standing = [self.picks[seat] for seat in sorted(self.picks)]
        lead = next((target for target in standing if target in self.alive), None)
        victim = self.most(self.picks, lead)
        assert data["killed"] == (None if victim in self.saves.values() else victim)

    def most(self, choices: Mapping[int, Any], otherwise: Any) -> Any:
        """The strict most votes among those that are not void, or what holds otherwise."""
        count = Counter(c for c in choices.values() if c in self.alive or c == "no_lynch")
        first, second = (*count.most_common(2), (otherwise, 0), (otherwise, 0))[:2]
        return otherwise if first[1] == second[1] else first[0]


@unhurried
@given(scripts("arena-1"))
def test_nobody_dies_but_by_the_votes_of_those_who_stayed(script: Script) -> None:
    recount = Recount()
    for step in play(script):
        for event in step.events:
            getattr(recount, event.type, lambda data: None)(event.data)
        assert recount.alive == set(step.after.alive)


@given(st.integers(0, 2**256 - 1))
def test_the_deal(number: int) -> None:
    seed = f"{number:064x}"
    first, second = (werewolf.start("arena-1", NAMES, seed=seed, now=NOW) for _ in range(2))
    assert sorted(first.match.roles) == sorted(STANDARD)
    assert first == second


def test_seats_and_options() -> None:
    for count in (0, 7, 9):
        with pytest.raises(InvalidOptions, match="names"):
            werewolf.start("arena-1", ["p"] * count, seed="ab" * 32, now=NOW)
    assert werewolf.check_options("arena-1", None) == {
        "turn_deadline_ms": 60_000,
        "max_days": 8,
        "reveal_roles": True,
        "max_consecutive_timeouts": 3,
    }
    wrongs: dict[str, list[object]] = {
        "turn_deadline_ms": [999, 86_400_001, "60000", True, 1.5, None],
        "max_days": [0, 21, -1],
        "reveal_roles": [0, 1, "true", None],
        "max_consecutive_timeouts": [1, 2, 4],
        "talk_rounds": [1],
    }
    for name, wrong in wrongs.items():
        for value in wrong:
            with pytest.raises(InvalidOptions) as refusal:
                werewolf.check_options("arena-1", {name: value})
            assert refusal.value.field == name


def test_the_state_stays_small_through_the_longest_match() -> None:
    """Twenty days in which nobody dies: as many moves as there can be."""
    table = Table("arena-1", 8, "5eed" * 16, {"max_days": 20})
    match = table.start(STANDARD).match
    idle: dict[str, dict[str, Any]] = {
        "night_seer": {"action": "seer_check", "target": 0},
        "night_doctor": {"action": "doctor_save", "target": 3},
        "night_wolves": {"action": "wolf_vote", "target": 3},
        "day_talk": {"action": "pass", "reasoning": "x" * 8_000},
        "day_vote": {"action": "no_lynch"},
    }
    sizes: dict[int, int] = {}
    moves = 0
    while not match.over:
        (seat,) = match.awaiting
        moves += 1
        sizes[match.day] = max(sizes.get(match.day, 0), len(match.to_json()))
        match = werewolf.act(match, seat, idle[match.phase], now=NOW + moves).match
    assert moves == 20 * (4 + 8 + 8)
    assert max(sizes.values()) <= sizes[1] + 2, "one more digit of the day, twice, and no more"


def test_events_are_json() -> None:
    started = werewolf.start("arena-1", NAMES, seed="5eed" * 16, now=NOW, roles=STANDARD)
    events = [json.loads(json.dumps(event.to_json_value())) for event in started.events]
    assert [Event.from_json_value(event) for event in events] == list(started.events)
