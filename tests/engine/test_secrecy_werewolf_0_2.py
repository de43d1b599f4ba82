"""Two matches that differ only in what a viewer may not know look the same to that viewer.

A village story is drawn at random: who dies each night, what is said, who is voted for. It is told
twice, with roles, picks, chats, inspections, ballots under seal and silent night turns that differ
wherever the viewer may not know them, and after every step the two are compared.
"""

import json
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import werewolf
from werewolf import IllegalMove, Match

NOW = 1_800_000_000_000
ROLES = ["werewolf", "werewolf", "seer", "villager", "villager", "villager", "villager"]
PROBES = [
    {"action": "kill", "target": 1},
    {"action": "inspect", "target": 0},
    {"action": "vote", "target": 2},
    {"action": "say", "message": "Hm."},
    {"action": "abstain", "target": 3},
]


class Telling:
    """One of the two matches, driven by its own private choices."""

    def __init__(self, roles: list[str], seed: str, data: st.DataObject) -> None:
        self.data = data
        self.now = NOW
        self.log: list[werewolf.Event] = []
        self.keep(
            werewolf.start(
                "werewolf-0.2",
                [f"p{seat}" for seat in range(7)],
                seed=seed,
                now=self.now,
                roles=roles,
            )
        )

    def keep(self, transition: werewolf.Transition) -> None:
        self.match: Match = transition.match
        self.log.extend(transition.events)

    def move(self, **move: Any) -> None:
        self.now += 1
        self.keep(werewolf.act(self.match, self.match.awaiting[0], move, now=self.now))

    def silence(self) -> None:
        assert self.match.deadline is not None
        self.now = self.match.deadline
        self.keep(werewolf.expire(self.match, now=self.now))

    def pack_turn(self, victim: int, *, as_told: str | None) -> None:
        """A werewolf picks the victim, with a chat of its own unless one is told."""
        chat = self.data.draw(st.sampled_from([None, "him", "so be it"])) if not as_told else None
        if as_told is None and self.match.picks and self.data.draw(st.booleans()):
            self.silence()
        else:
            self.move(action="kill", target=victim, message=as_told or chat)

    def seer_turn(self, *, may_learn: list[int]) -> None:
        """The seer looks at one of these, or skips, or sleeps."""
        target = self.data.draw(st.sampled_from([None, *may_learn]))
        if target is not None and target in self.match.alive:
            self.move(action="inspect", target=target)
        elif self.data.draw(st.booleans()):
            self.move(action="skip")
        else:
            self.silence()


def refusals(match: Match, seat: int) -> list[tuple[str, str, Any]]:
    found = []
    for probe in PROBES:
        try:
            werewolf.act(match, seat, probe, now=NOW)
        except IllegalMove as refusal:
            found.append((refusal.code, refusal.detail, refusal.legal_actions))
        else:
            found.append(("accepted", "", None))
    return found


def sight(telling: Telling, viewer: Any) -> str:
    """Everything that the viewer can find out, as the bytes that it would get."""
    events = [
        [event.type, event.data] for event in telling.log if werewolf.visible_to(event, viewer)
    ]
    waiting = isinstance(viewer, int) and viewer not in telling.match.awaiting
    return json.dumps(
        [
            werewolf.view(telling.match, telling.log, viewer),
            events,
            refusals(telling.match, viewer) if waiting else None,
        ]
    )


@st.composite
def stories(draw: st.DrawFn) -> tuple[Any, list[str], list[str], list[int]]:
    """A viewer, two deals that it cannot tell apart, and who will die in the night."""
    viewer = draw(st.sampled_from(["spectator", "villager", "werewolf", "seer"]))
    deal = draw(st.permutations(ROLES))
    known = set()
    seat: Any = "spectator"
    if viewer != "spectator":
        seat = deal.index(viewer)
        known = {seat} if viewer != "werewolf" else {s for s in range(7) if deal[s] == "werewolf"}
    mortal = [s for s in range(7) if deal[s] == "villager" and s != seat]
    victims = draw(st.permutations(mortal))[:2]
    open_seats = [s for s in range(7) if s not in known and s not in victims]
    other = list(deal)
    for target, role in zip(
        open_seats, draw(st.permutations([deal[s] for s in open_seats])), strict=True
    ):
        other[target] = role
    return seat, list(deal), other, victims


def tell(telling: Telling, viewer: Any, victims: list[int], twin_roles: list[str]) -> Iterator[str]:
    """Tell the story, and stop wherever the twins must look the same to the viewer."""
    roles = telling.match.roles
    same = [s for s in range(7) if roles[s] == twin_roles[s]]
    in_pack = isinstance(viewer, int) and roles[viewer] == "werewolf"
    is_seer = isinstance(viewer, int) and roles[viewer] == "seer"
    for day, victim in enumerate(victims, 1):
        while telling.match.phase == "night_wolves":
            yield f"night {day}, the pack {len(telling.match.picks) if in_pack else ''}"
            telling.pack_turn(victim, as_told="now" if in_pack else None)
        yield f"night {day}, the seer"
        if is_seer:
            others = [s for s in same if s != viewer and s in telling.match.alive]
            telling.move(action="inspect", target=others[0]) if others else telling.silence()
        else:
            me = telling.match.awaiting[0]
            telling.seer_turn(may_learn=[s for s in range(7) if s != me])
        while telling.match.phase == "day_talk":
            yield f"day {day}, the talk"
            speaker = telling.match.awaiting[0]
            if speaker == telling.match.alive[-1] and telling.match.notes["talk_round"] == 1:
                telling.silence()
            else:
                telling.move(action="say", message=f"I am {speaker}.")
        last = day == len(victims)
        while telling.match.phase == "day_vote":
            yield f"day {day}, the vote"
            voter = telling.match.awaiting[0]
            others = [s for s in telling.match.alive if s != voter]
            if last and voter == telling.match.alive[-1]:
                return
            if last and voter != viewer:
                telling.move(action="vote", target=telling.data.draw(st.sampled_from(others)))
            else:
                telling.move(action="abstain")


@given(stories(), st.data(), st.integers(0, 2**64))
def test_twins_look_the_same(
    story: tuple[Any, list[str], list[str], list[int]], data: st.DataObject, number: int
) -> None:
    viewer, roles, twin_roles, victims = story
    seed, twin_seed = f"{number:064x}", f"{number + 1:064x}"
    telling, twin = Telling(roles, seed, data), Telling(twin_roles, twin_seed, data)
    steps = zip_longest(
        tell(telling, viewer, victims, twin_roles), tell(twin, viewer, victims, roles)
    )
    for where, twin_where in steps:
        assert where == twin_where
        assert sight(telling, viewer) == sight(twin, viewer), where


@given(stories(), st.data())
def test_the_twins_do_differ_to_somebody(
    story: tuple[Any, list[str], list[str], list[int]], data: st.DataObject
) -> None:
    """The comparison can fail: what is equal to the viewer is not equal to the omniscient."""
    _, roles, twin_roles, _ = story
    if roles == twin_roles:
        return
    telling, twin = (Telling(deal, "ab" * 32, data) for deal in (roles, twin_roles))
    assert sight(telling, "omniscient") != sight(twin, "omniscient")
