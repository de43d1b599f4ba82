"""Two matches of arena-1 that differ only in what a viewer may not know look the same to it.

A public story is drawn at random: who is found dead, who forfeits at night, what is tagged, who is
lynched. It is told twice, with roles, checks, saves, wolf votes, reasoning and silent turns that
differ wherever the viewer may not know them. What the viewer finds out is written down whenever it
changes: both times the same is written.
"""

import json
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import werewolf
from tests.examples import examples
from werewolf import IllegalMove, Match

NOW = 1_800_000_000_000
ROLES = ["werewolf", "werewolf", "seer", "doctor", *["villager"] * 4]
SEATS = range(8)
PROBES: list[Any] = [
    {"action": "seer_check", "target": 0},
    {"action": "doctor_save:1"},
    {"action": "wolf_vote", "target": 4},
    {"action": "vote", "target": 2, "reasoning": "Hm."},
    {"action": "dance"},
    {"action": 7},
]


@dataclass(frozen=True)
class Day:
    victim: int | None
    forfeits: int | None
    lynched: int | None


@dataclass(frozen=True)
class Story:
    viewer: Any
    deal: tuple[str, ...]
    reveal_roles: bool
    unchanged: tuple[int, ...]
    """The seats that have the same role in both tellings."""
    days: tuple[Day, ...]

    @property
    def viewer_role(self) -> str | None:
        return self.deal[self.viewer] if isinstance(self.viewer, int) else None

    @property
    def can_tell_the_time(self) -> bool:
        """Where roles are hidden, those late in the night can tell from when it is their turn
        whether somebody was before them: a part of the night whose role is dead is skipped."""
        return not self.reveal_roles and self.viewer_role in ("doctor", "werewolf")


@st.composite
def twins(draw: st.DrawFn) -> tuple[Story, Story]:
    """One story with two deals that the viewer cannot tell apart."""
    role = draw(st.sampled_from([None, "villager", "werewolf", "seer", "doctor"]))
    reveal = draw(st.booleans())
    deal = draw(st.permutations(ROLES))
    viewer: Any = "spectator" if role is None else deal.index(role)
    known = {s for s in SEATS if deal[s] == role == "werewolf"} | {viewer}
    villagers = [s for s in SEATS if deal[s] == "villager" and s != viewer]
    special = [s for s in SEATS if deal[s] in ("seer", "doctor") and s != viewer]
    hidden = [] if reveal else special
    mortal = draw(st.permutations([*villagers, *hidden]))
    # Whoever forfeits at night has a turn there in both tellings.
    forfeits = draw(st.none() | st.sampled_from(special)) if special else None
    fates = [s for s in mortal if s != forfeits][:3]
    days = tuple(
        Day(
            victim=draw(st.sampled_from([fates[day], None])),
            forfeits=forfeits if day == 0 else None,
            lynched=fates[2] if day == 1 and draw(st.booleans()) else None,
        )
        for day in range(2)
    )
    gone = {forfeits, *(day.victim for day in days), *(day.lynched for day in days)} - {None}
    fixed = known | (gone if reveal else set())
    other = list(deal)
    free = [s for s in SEATS if s not in fixed]
    wolves_may_sit = [s for s in free if s not in gone]
    for seat in free:
        other[seat] = ""
    rest = draw(st.permutations([deal[s] for s in free]))
    for dealt in sorted(rest, key=lambda role: (role == "villager", role != "werewolf")):
        places = [s for s in free if not other[s]]
        if dealt == "werewolf":
            places = [s for s in places if s in wolves_may_sit]
        elif dealt in ("seer", "doctor") and forfeits in places:
            places = [forfeits]
        other[draw(st.sampled_from(places))] = dealt
    unchanged = tuple(s for s in SEATS if deal[s] == other[s])
    story = Story(viewer, tuple(deal), reveal, unchanged, days)
    return story, replace(story, deal=tuple(other))


class Telling:
    """One match, driven by the story and by private choices of its own."""

    def __init__(self, story: Story, seed: str, private: int) -> None:
        self.story = story
        self.rng = Random(private)
        self.now = NOW
        self.log: list[werewolf.Event] = []
        self.found_out: list[str] = []
        names = [f"p{seat}" for seat in SEATS]
        options = {"reveal_roles": story.reveal_roles}
        self.keep(
            werewolf.start("arena-1", names, seed=seed, now=NOW, options=options, roles=story.deal)
        )

    def keep(self, transition: werewolf.Transition) -> None:
        self.match: Match = transition.match
        self.log.extend(transition.events)
        if self.match.over:
            return  # all is revealed
        if self.story.can_tell_the_time and self.match.phase.startswith("night"):
            return
        sight = look(self.match, self.log, self.story.viewer)
        if [sight] != self.found_out[-1:]:
            self.found_out.append(sight)

    def move(self, move: dict[str, Any]) -> None:
        self.now += 1
        if self.rng.random() < 0.3:
            move["reasoning"] = "Because."
        self.keep(werewolf.act(self.match, self.match.awaiting[0], move, now=self.now))

    def silence(self) -> None:
        assert self.match.deadline is not None
        self.now = self.match.deadline
        self.keep(werewolf.expire(self.match, now=self.now))

    def choose(self, action: str, targets: list[int]) -> None:
        """A private choice out of these targets, or silence."""
        target = self.rng.choice([None, *targets])
        if target is None:
            self.silence()
        else:
            self.move({"action": action, "target": target})

    def night(self, day: Day) -> None:
        while self.match.phase.startswith("night"):
            (seat,) = self.match.awaiting
            others = [s for s in self.match.alive if s != seat]
            if seat == day.forfeits:
                self.move({"action": "dance"})
            elif self.match.phase == "night_seer":
                same = [s for s in others if s in self.story.unchanged]
                if seat != self.story.viewer:
                    self.choose("seer_check", others)
                elif same:
                    self.move({"action": "seer_check", "target": same[0]})
                else:
                    self.silence()
            elif self.match.phase == "night_doctor":
                if seat != self.story.viewer:
                    self.choose("doctor_save", [s for s in self.match.alive if s != day.victim])
                else:
                    self.move({"action": "doctor_save", "target": seat})
            else:
                self.wolf_turn(seat, day.victim)

    def wolf_turn(self, seat: int, victim: int | None) -> None:
        """Dawn finds the victim dead, whatever the pack voted; the lead wolf sees to it."""
        watched = self.story.viewer_role == "werewolf"
        prey = [s for s in self.match.alive if self.match.roles[s] != "werewolf"]
        saved = [target for s, target in self.match.picks if self.match.roles[s] == "doctor"]
        if victim is None:
            spared = [s for s in saved if s in prey] if self.match.picks else []
            self.silence() if watched else self.choose("wolf_vote", spared)
        elif watched or not any(self.match.roles[s] == "werewolf" for s, _ in self.match.picks):
            self.move({"action": "wolf_vote", "target": victim})
        else:
            self.choose("wolf_vote", prey)

    def tell(self) -> None:
        for day in self.story.days:
            self.night(day)
            while self.match.phase == "day_talk":
                self.move({"action": "claim", "role": "seer"})
            while self.match.phase == "day_vote":
                (seat,) = self.match.awaiting
                target = day.lynched
                vote = {"action": "vote", "target": target}
                self.move({"action": "no_lynch"} if target in (None, seat) else vote)


def refusals(match: Match, seat: int) -> list[Any]:
    found = []
    for probe in PROBES:
        try:
            werewolf.act(match, seat, probe, now=NOW)
        except IllegalMove as refusal:
            found.append([refusal.code, refusal.detail, refusal.legal_actions])
    return found


def look(match: Match, log: list[werewolf.Event], viewer: Any) -> str:
    """Everything that the viewer can find out, as the bytes that it would get.

    But for the deadline of its own turn: when others moved by day is no secret, and the tellings
    are told at different speeds.
    """
    turn = werewolf.turn(match, viewer) if isinstance(viewer, int) else None
    waits = isinstance(viewer, int) and turn is None
    return json.dumps(
        [
            werewolf.view(match, log, viewer),
            [[event.type, event.data] for event in log if werewolf.visible_to(event, viewer)],
            None if turn is None else turn._replace(deadline=None),
            refusals(match, viewer) if waits else None,
        ]
    )


numbers = st.integers(0, 2**32 - 1)


@settings(deadline=None, max_examples=examples(300))
@given(twins(), numbers, numbers)
def test_twins_look_the_same(pair: tuple[Story, Story], private: int, own: int) -> None:
    telling, twin = Telling(pair[0], "00" * 32, private), Telling(pair[1], "ff" * 32, own)
    telling.tell()
    twin.tell()
    for number, (one, other) in enumerate(zip(telling.found_out, twin.found_out, strict=True)):
        assert one == other, number


@given(twins(), numbers)
def test_the_twins_do_differ_to_somebody(pair: tuple[Story, Story], private: int) -> None:
    """The comparison can fail: what is equal to the viewer is not equal to the omniscient."""
    if pair[0].deal == pair[1].deal:
        return
    shown = [
        Telling(replace(story, viewer="omniscient"), "00" * 32, private).found_out for story in pair
    ]
    assert shown[0] != shown[1]
