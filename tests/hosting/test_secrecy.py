"""Two matches that differ only in what a viewer may not know look the same through the platform.

The stories are those of the engine's own secrecy test, told here through moves, receipts and
deadlines. After every step the viewer gets the same bytes: state and tag, events with their
numbers, summary, receipts, refusals and the frames on its socket. Times are left out: how long a
hidden turn took can be seen.
"""

import json
import re
from itertools import zip_longest
from typing import Any

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import werewolf
from hosting.errors import HostingError
from tests.engine.twins import PROBES, Story, Teller, stories, tell
from tests.hosting.world import World, dealt


class Hosted(Teller):
    """A telling that is played through the platform, with a socket for the viewer."""

    def __init__(self, story: Story, seed: str, data: st.DataObject) -> None:
        super().__init__(story, data)
        self.world = World()
        self.match_id, self.callers = dealt(self.world, story.roles, seed=seed)
        self.viewer = story.viewer
        self.caller = self.callers[self.viewer] if isinstance(self.viewer, int) else None
        self.answers: list[Any] = []
        self.tag = ""
        self.world.subscriptions.connect("c", self.caller)
        self.world.subscriptions.subscribe("c", self.match_id)
        self.world.drain()

    @property
    def match(self) -> werewolf.Match:
        return self.world.state_of(self.match_id).engine()

    def move(self, **move: Any) -> None:
        self.world.time.now_ms += 1
        seat = self.match.awaiting[0]
        turn = werewolf.turn(self.match, seat)
        assert turn is not None
        receipt = self.world.play.move(self.match_id, self.callers[seat], turn.turn_id, move)
        if seat == self.viewer:
            self.answers.append(receipt)

    def silence(self) -> None:
        state = self.world.state_of(self.match_id)
        assert state.deadline is not None
        self.world.time.now_ms = state.deadline
        self.world.clock.wake(self.match_id, state.clock, 0)

    def leave(self, seat: int) -> None:
        self.world.time.now_ms += 1
        self.world.play.leave(self.match_id, self.callers[seat])

    def sight(self) -> str:
        """Everything that the viewer is told, as the bytes that it would get."""
        self.world.drain()
        watched = self.world.states.state(self.match_id, self.caller)
        new_tag, self.tag = watched.etag != self.tag, watched.etag  # it is made of times as well
        told = [
            new_tag,
            watched.body,
            watched.poll_after,
            self.world.event_pages.events(self.match_id, self.caller),
            self.world.listing.summary(self.match_id),
            self.answers,
            [frame.decode() for frame in self.world.sockets.frames["c"]],
            self.refusals(),
        ]
        return blurred(json.dumps(told))

    def refusals(self) -> list[Any]:
        """What the viewer is told when it tries what it may not do now."""
        if isinstance(self.viewer, int) and self.viewer in self.match.awaiting:
            return []
        found: list[Any] = []
        probes: list[Any] = PROBES[:3]
        for turn_id in ("1.night_wolves.0", "2.day_vote.1"):
            for probe in probes:
                try:
                    self.world.play.move(self.match_id, self.caller, turn_id, probe)
                except HostingError as error:
                    found.append([error.code, error.detail, error.field, error.legal_actions])
                else:
                    found.append("its own move again")
        return found


def blurred(told: str) -> str:
    """Without the times, which run as each story does, and the commitment, which tells nothing."""
    return re.sub(r"\b1[89]\d{11}\b", "now", re.sub(r"[0-9a-f]{64}", "commitment", told))


@settings(max_examples=12, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(stories(), st.data(), st.integers(0, 2**64))
def test_twins_look_the_same(story: Story, data: st.DataObject, number: int) -> None:
    telling = Hosted(story, f"{number:064x}", data)
    twin = Hosted(story.twin, f"{number + 1:064x}", data)
    for where, twin_where in zip_longest(tell(telling), tell(twin)):
        assert where == twin_where
        assert telling.sight() == twin.sight(), where
