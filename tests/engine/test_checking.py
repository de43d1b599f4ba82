"""`check_ruleset` passes the rule sets that are played here, and finds what others do wrong."""

import itertools
from collections.abc import Sequence
from types import MappingProxyType
from typing import Any

import pytest

import werewolf
from tests.examples import examples
from werewolf import Event, Match, Viewer, checking
from werewolf.checking import FaultyRuleset, check_ruleset
from werewolf.draft import Draft, Position
from werewolf.moves import Action, Move, Seat
from werewolf.phases import EVERYBODY, Phase
from werewolf.ruleset import RuleSet
from werewolf.rulesets import registered
from werewolf.rulesets.werewolf_0_2 import ABSTAIN, DayTalk, DayVote, NightWolves, Werewolf02


@pytest.mark.parametrize("rules", werewolf.RULESETS.values(), ids=lambda rules: rules.id)
def test_the_rule_sets_are_sound(rules: RuleSet) -> None:
    check_ruleset(rules, matches=examples(50))


# ---- rule sets with one fault each ---------------------------------------------------------------


def with_phase(phase: Phase, **more: Any) -> type[Werewolf02]:
    """The classic rules with another phase in place of that of the same name."""
    phases = MappingProxyType({**Werewolf02.phases, phase.name: phase})
    return type("Faulty", (Werewolf02,), {"id": "faulty", "phases": phases, **more})


class Talkative(DayTalk):
    def play(self, draft: Draft, seat: int, move: Move) -> None:
        super().play(draft, seat, move)
        draft.emit("vote_start", {"day": draft.day, "mood": "merry"})


class Forgetful(Werewolf02):
    id = "faulty"

    def view(self, match: Match, seen: Sequence[Event], viewer: Viewer) -> dict[str, Any]:
        state = super().view(match, seen, viewer)
        del state["turn"]
        return state


class Generous(Werewolf02):
    id = "faulty"

    def view(self, match: Match, seen: Sequence[Event], viewer: Viewer) -> dict[str, Any]:
        return super().view(match, seen, viewer) | {"wolves": [0]}


class Nostalgic(Werewolf02):
    """Its views show something of days past that is not kept."""

    id = "faulty"

    def view(self, match: Match, seen: Sequence[Event], viewer: Viewer) -> dict[str, Any]:
        starts = sum(event.type == "vote_start" for event in seen)
        return super().view(match, seen, viewer) | {"talk_passes": starts}


class Leaky(Werewolf02):
    """The number of picks shows in a field that everybody has."""

    id = "faulty"

    def view(self, match: Match, seen: Sequence[Event], viewer: Viewer) -> dict[str, Any]:
        return super().view(match, seen, viewer) | {"talk_pass": 1 + len(match.picks)}


class Glaring(NightWolves):
    def turn_seat_shown(self, position: Position, viewer: object) -> bool:
        return True


class Loud(NightWolves):
    def play(self, draft: Draft, seat: int, move: Move) -> None:
        draft.pick(seat, move["target"])
        data = {"day": draft.day, "phase": self.name, "seat": seat, "action": "kill"}
        draft.emit("action_private", data)


class Fickle(DayTalk):
    times = itertools.count()

    def play(self, draft: Draft, seat: int, move: Move) -> None:
        super().play(draft, seat, move)
        if next(self.times) % 7 == 0:
            draft.emit("vote_start", {"day": draft.day})


class Careless(DayVote):
    def play(self, draft: Draft, seat: int, move: Move) -> None:
        super().play(draft, seat, move)
        draft.notes.setdefault("voted", []).append(seat)  # type: ignore[attr-defined]

    def close(self, draft: Draft) -> str:
        draft.note(voted=None)
        return super().close(draft)


class Unserialisable(DayTalk):
    def open(self, draft: Draft) -> None:
        super().open(draft)
        draft.note(seats=draft.alive)


class Mean(DayVote):
    """What is offered is not what is accepted."""

    menu = (
        (
            EVERYBODY,
            Action(
                "vote", Seat(lambda p, s: (s,) if p.ballots else p.alive, "anybody"), told="votes"
            ),
        ),
        (EVERYBODY, ABSTAIN),
    )

    def offers(self, position: Position, seat: int) -> list[dict[str, Any]]:
        return [{"action": "vote", "targets": list(position.alive)}, {"action": "abstain"}]


class Endless(DayVote):
    def close(self, draft: Draft) -> str:
        return DayTalk.name


FAULTS: dict[str, tuple[type[Werewolf02], str]] = {
    "a field that is not declared": (with_phase(Talkative()), "mood is not declared"),
    "a field that is missing": (Forgetful, "lacks turn"),
    "a view that needs more of the past": (Nostalgic, "events of the past"),
    "a field for the wrong viewers": (Generous, "has wolves"),
    "a view that tells more than events": (Leaky, "talk_pass"),
    "a turn that is shown": (with_phase(Glaring()), "turn"),
    "an event for the wrong seats": (with_phase(Loud()), "is not for"),
    "chance beside the seed": (with_phase(Fickle()), "other events"),
    "a match that is changed in place": (with_phase(Careless()), ""),
    "a note that JSON does not keep": (with_phase(Unserialisable()), "does not survive"),
    "an offer that is refused": (with_phase(Mean()), "is offered"),
    "no end": (with_phase(Endless()), "no end after 500 inputs"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_found_with_its_place(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "MOST_INPUTS", 500)
    rules, words = FAULTS[name]
    with pytest.raises(FaultyRuleset) as found:
        check_ruleset(rules(), matches=10)
    assert found.value.place.startswith("faulty, ")
    assert words in found.value.fault
    assert "faulty" not in werewolf.RULESETS


def test_a_rule_set_is_registered_for_a_while() -> None:
    with registered(Forgetful()):
        assert "faulty" in werewolf.RULESETS
        match = werewolf.start("faulty", list("abcde"), seed="00" * 32, now=0).match
    assert match.ruleset not in werewolf.RULESETS
