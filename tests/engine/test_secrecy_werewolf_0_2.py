"""Two matches that differ only in what a viewer may not know look the same to that viewer."""

import json
from itertools import zip_longest
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import werewolf
from tests.engine.twins import PROBES, Story, Teller, stories, tell
from werewolf import IllegalMove, Match

NOW = 1_800_000_000_000


class InEngine(Teller):
    """A telling on the engine alone."""

    def __init__(self, story: Story, seed: str, data: st.DataObject) -> None:
        super().__init__(story, data)
        self.now = NOW
        self.log: list[werewolf.Event] = []
        names = [f"p{seat}" for seat in range(len(story.roles))]
        self.keep(
            werewolf.start("werewolf-0.2", names, seed=seed, now=NOW, roles=list(story.roles))
        )

    def keep(self, transition: werewolf.Transition) -> None:
        self._match = transition.match
        self.log.extend(transition.events)

    @property
    def match(self) -> Match:
        return self._match

    def move(self, **move: Any) -> None:
        self.now += 1
        self.keep(werewolf.act(self.match, self.match.awaiting[0], move, now=self.now))

    def silence(self) -> None:
        assert self.match.deadline is not None
        self.now = self.match.deadline
        self.keep(werewolf.expire(self.match, now=self.now))

    def leave(self, seat: int) -> None:
        self.now += 1
        self.keep(werewolf.leave(self.match, seat, now=self.now))

    def sight(self, viewer: Any) -> str:
        """Everything that the viewer can find out, as the bytes that it would get."""
        events = [
            [event.type, event.data] for event in self.log if werewolf.visible_to(event, viewer)
        ]
        waiting = isinstance(viewer, int) and viewer not in self.match.awaiting
        return json.dumps(
            [
                werewolf.view(self.match, self.log, viewer),
                events,
                refusals(self.match, viewer) if waiting else None,
            ]
        )


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


@given(stories(), st.data(), st.integers(0, 2**64))
def test_twins_look_the_same(story: Story, data: st.DataObject, number: int) -> None:
    telling = InEngine(story, f"{number:064x}", data)
    twin = InEngine(story.twin, f"{number + 1:064x}", data)
    for where, twin_where in zip_longest(tell(telling), tell(twin)):
        assert where == twin_where
        assert telling.sight(story.viewer) == twin.sight(story.viewer), where


@given(stories(), st.data())
def test_the_twins_do_differ_to_somebody(story: Story, data: st.DataObject) -> None:
    """The comparison can fail: what is equal to the viewer is not equal to the omniscient."""
    if story.roles != story.twin_roles:
        telling, twin = (InEngine(one, "ab" * 32, data) for one in (story, story.twin))
        assert telling.sight("omniscient") != twin.sight("omniscient")
