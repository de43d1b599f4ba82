"""Stories of werewolf-0.2 that are told twice, with differences that a viewer may not know.

A story says what everybody learns: who dies each night, who is voted out or leaves, what is said.
It is told for two deals that the viewer cannot tell apart; picks, chats, inspections, ballots under
seal and silent night turns are made up by each telling wherever the viewer may not know them. The
telling stops wherever the two must look the same to the viewer.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from hypothesis import strategies as st

from werewolf import Match

SMALL = ("werewolf",) * 2 + ("seer",) + ("villager",) * 4
LARGE = ("werewolf",) * 3 + ("seer",) + ("villager",) * 6

PROBES: list[dict[str, Any]] = [
    {"action": "kill", "target": 1},
    {"action": "inspect", "target": 0},
    {"action": "vote", "target": 2},
    {"action": "say", "message": "Hm."},
    {"action": "abstain", "target": 3},
]
"""What a viewer that is not on turn tries, to see how it is refused."""


@dataclass(frozen=True)
class Story:
    """`roles` and `twin_roles` agree on all that the viewer knows and on all who go.

    `victims` die in the first and the second night; the viewer may be one of them. `goes` is out on
    day 1, in the way that `how` says.
    """

    viewer: int | Literal["spectator"]
    roles: tuple[str, ...]
    twin_roles: tuple[str, ...]
    victims: tuple[int, int]
    goes: int | None
    how: Literal["voted out", "leaves by day", "leaves by night"]

    @property
    def twin(self) -> "Story":
        """The same story with the other deal."""
        return Story(self.viewer, self.twin_roles, self.roles, self.victims, self.goes, self.how)


@st.composite
def stories(draw: st.DrawFn) -> Story:
    """A story that nobody wins before it is told."""
    deal = draw(st.sampled_from([SMALL, LARGE]).flatmap(st.permutations))
    who = draw(st.sampled_from(["spectator", "villager", "werewolf", "seer"]))
    viewer: Any = "spectator" if who == "spectator" else deal.index(who)
    known = {seat for seat, role in enumerate(deal) if role == who == "werewolf"} | {viewer}
    mortal = draw(st.permutations([s for s, role in enumerate(deal) if role == "villager"]))
    first, second, third = mortal[:3]
    goes = third if len(deal) == len(LARGE) and third != viewer and draw(st.booleans()) else None
    open_seats = [s for s in range(len(deal)) if s not in {*known, *mortal[:3]}]
    twin = list(deal)
    for seat, other in zip(open_seats, draw(st.permutations(open_seats)), strict=True):
        twin[seat] = deal[other]
    how = draw(st.sampled_from(["voted out", "leaves by day", "leaves by night"]))
    return Story(viewer, tuple(deal), tuple(twin), (first, second), goes, how)


class Teller(ABC):
    """One of the two matches."""

    def __init__(self, story: Story, data: st.DataObject) -> None:
        self.story = story
        self.data = data

    @property
    @abstractmethod
    def match(self) -> Match:
        """The match as it is by now."""

    @abstractmethod
    def move(self, **move: Any) -> None:
        """Whoever is on turn makes this move."""

    @abstractmethod
    def silence(self) -> None:
        """Whoever is on turn lets its time pass."""

    @abstractmethod
    def leave(self, seat: int) -> None:
        """A player leaves."""

    def made_up(self, *of: Any) -> Any:
        """Something that the viewer may not know."""
        return self.data.draw(st.sampled_from(of))


def tell(teller: Teller) -> Iterator[str]:
    """Tell the story to its end, and stop wherever the twins must look the same."""
    story = teller.story
    for day, victim in enumerate(story.victims, 1):
        yield from _pack(teller, day, victim)
        if day == 1 and story.goes is not None and story.how == "leaves by night":
            teller.leave(story.goes)
            yield "somebody left by night"
        yield f"night {day}, the seer"
        _seer(teller)
        yield from _talk(teller, day)
        yield from _vote(teller, last=victim == story.victims[-1])


def _pack(teller: Teller, day: int, victim: int) -> Iterator[str]:
    story, dissent = teller.story, True
    told = story.viewer != "spectator" and story.roles[story.viewer] == "werewolf"
    pack = [s for s, role in enumerate(story.roles) if role == "werewolf"]
    while teller.match.phase == "night_wolves":
        yield f"night {day}, the pack {len(teller.match.picks) if told else ''}"
        others = [s for s in teller.match.alive if s not in pack]
        if told:
            teller.move(action="kill", target=victim, message="now")
        elif dissent and len(pack) == 3 and teller.match.picks and teller.made_up(True, False):
            dissent = False  # one of three may pick another: two votes are still the most
            teller.move(action="kill", target=teller.made_up(*others))
        elif teller.match.picks and teller.match.picks[0][1] == victim and teller.made_up(0, 1):
            teller.silence()
        else:
            chat = teller.made_up(None, "him", "so be it")
            teller.move(action="kill", target=victim, message=chat)


def _seer(teller: Teller) -> None:
    story = teller.story
    seer = teller.match.awaiting[0]
    others = [seat for seat in teller.match.alive if seat != seer]
    if seer == story.viewer:
        same = [seat for seat in others if story.roles[seat] == story.twin_roles[seat]]
        teller.move(action="inspect", target=same[0])
        return
    match teller.made_up("inspect", "skip", "sleep"):
        case "inspect":
            teller.move(action="inspect", target=teller.made_up(*others))
        case "skip":
            teller.move(action="skip")
        case _:
            teller.silence()


def _talk(teller: Teller, day: int) -> Iterator[str]:
    story = teller.story
    leaves = story.goes if day == 1 and story.how == "leaves by day" else None
    while teller.match.phase == "day_talk":
        yield f"day {day}, the talk"
        speaker = teller.match.awaiting[0]
        if leaves in teller.match.alive and speaker == teller.match.alive[2]:
            assert leaves is not None
            teller.leave(leaves)
        elif speaker == teller.match.alive[-1] and teller.match.notes["talk_round"] == 1:
            teller.silence()
        else:
            teller.move(action="say", message=f"I am {speaker}.")


def _vote(teller: Teller, *, last: bool) -> Iterator[str]:
    """The last vote is told up to its last ballot: before it, each telling has its own ballots."""
    story = teller.story
    out = story.goes if not last and story.how == "voted out" else None
    while teller.match.phase == "day_vote":
        yield "the vote"
        voter = teller.match.awaiting[0]
        if last and voter == teller.match.alive[-1]:
            return
        if last and voter != story.viewer:
            others: Sequence[int] = [s for s in teller.match.alive if s != voter]
            teller.move(action="vote", target=teller.made_up(*others))
        elif out is not None and voter != out:
            teller.move(action="vote", target=out)
        else:
            teller.move(action="abstain")
