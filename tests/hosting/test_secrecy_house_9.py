"""house-9 through the platform: who looks on in mystery gets the same bytes in both of two matches
that differ only in what is hidden.

The stories are those of the engine's own secrecy test: roles, bargaining, protections, silent night
turns and thinking differ. Here strategies differ as well, and in one of the two the host looks on
omnisciently, through a socket and by asking. After every step the viewer's bytes are compared:
state and tag, events with their numbers, the summary, receipts, refusals and the frames on its
socket. Times are left out.
"""

import json
from typing import Any

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import werewolf
from hosting.errors import HostingError
from tests.engine.test_secrecy_house_9 import PROBES, SEATS, Story, Twin, plots
from tests.hosting.test_secrecy import blurred
from tests.hosting.world import World, agent, dealt
from werewolf import Event

OPTIONS = {"omniscient": True, "max_consecutive_timeouts": 10}


class HostedTwin(Twin):
    """One of the two matches, played through the platform."""

    def __init__(
        self, roles: list[str], seed: str, viewer: Any, data: st.DataObject, *, watched: bool
    ) -> None:
        self.data = data
        self.viewer = viewer
        self.world = World()
        host = agent(self.world, "host")
        self.match_id, self.callers = dealt(
            self.world,
            roles,
            seed=seed,
            ruleset="house-9",
            options=OPTIONS,
            watched_by=host,
            cast=[event for seat in SEATS for event in self.character(seat)],
        )
        self.caller = self.callers[viewer] if isinstance(viewer, int) else None
        self.answers: list[Any] = []
        self.tags: list[str] = []
        self.host = host if watched else None
        if watched:
            self.world.subscriptions.connect("all", host)
            subscribe = self.world.subscriptions.subscribe
            subscribe("all", self.match_id, mode="omniscient", thinking=True)
        self.world.subscriptions.connect("c", self.caller)
        self.world.subscriptions.subscribe("c", self.match_id)

    def character(self, seat: int) -> list[Event]:
        plan = "stay calm" if seat == self.viewer else self.draw("lie", "tell the truth", "")
        public = {"seat": seat, "name": f"c{seat}", "archetype": "jester"}
        public |= {"backstory": "", "personality": ""}
        own = Event("strategy_private", {"seat": seat, "text": plan}, (seat,))
        return [Event("character", public), own]

    @property
    def match(self) -> werewolf.Match:  # type: ignore[override]
        return self.world.state_of(self.match_id).engine()

    @property
    def log(self) -> list[Event]:  # type: ignore[override]
        last = self.world.state_of(self.match_id).version
        entries = self.world.matches.entries(self.match_id, 1, last)
        return [event for entry in entries for event in entry.events]

    def move(self, **move: Any) -> None:
        if self.on_turn != self.viewer:
            move["thinking"] = self.draw(None, "I am the wolf.", "I am not the wolf." * 40)
        self.world.time.now_ms += 1
        seat = self.on_turn
        turn = werewolf.turn(self.match, seat)
        assert turn is not None
        receipt = self.world.play.move(self.match_id, self.callers[seat], turn.turn_id, move)
        if seat == self.viewer:
            if ".night_" in receipt["turn_id"]:  # it tells what followed at once, which depends on
                receipt = receipt | {"seq": None}  # whether anybody acts later in the night
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
        if self.host is not None:
            known = self.world.states.state(
                self.match_id, self.host, mode="omniscient", thinking=True
            )
            assert known.body is not None
        watched = self.world.states.state(self.match_id, self.caller)
        if watched.etag not in self.tags[-1:]:
            self.tags.append(watched.etag)
        told = [
            watched.body,
            self.world.event_pages.events(self.match_id, self.caller, limit=500),
            self.world.listing.summary(self.match_id),
            self.answers,
            [frame.decode() for frame in self.world.sockets.frames["c"]],
            self.refused(),
        ]
        return blurred(json.dumps(told))

    def refused(self) -> list[Any]:
        """What the viewer is told when it tries what it may not do now."""
        found: list[Any] = []
        looks: list[dict[str, Any]] = [
            {"mode": "omniscient"},
            {"mode": "omniscient", "thinking": True},
            {"thinking": True},
        ]
        for look in looks:
            try:
                self.world.states.state(self.match_id, self.caller, **look)
            except HostingError as error:
                found.append([error.code, error.detail, error.field])
            else:
                raise AssertionError(look)
        if not isinstance(self.viewer, int) or self.viewer in self.match.awaiting:
            return found
        for probe in PROBES[:4]:
            try:
                self.world.play.move(self.match_id, self.caller, "1.night_wolves.9", probe)
            except HostingError as error:
                found.append([error.code, error.detail, error.field, error.legal_actions])
            else:
                raise AssertionError(probe)
        return found


class HostedStory(Story):
    """The plan, played through the platform; the host looks on in the second match."""

    def __init__(self, plot: tuple[Any, list[str], list[str]], seed: str, data: st.DataObject):
        self.viewer, *self.deals = plot
        self.data = data
        self.twins = [
            HostedTwin(deal, seed, self.viewer, data, watched=watched)
            for deal, watched in zip(self.deals, (False, True), strict=True)
        ]


@settings(deadline=None, max_examples=5, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(plots(), st.integers(0, 2**64), st.data())
def test_twins_look_the_same_in_mystery(
    plot: tuple[Any, list[str], list[str]], number: int, data: st.DataObject
) -> None:
    story = HostedStory(plot, f"{number:064x}", data)
    story.play()
    one, other = story.twins
    assert isinstance(one, HostedTwin)
    assert isinstance(other, HostedTwin)
    assert len(one.tags) == len(other.tags)
    seen = b"".join(one.world.sockets.frames["c"] + other.world.sockets.frames["c"])
    assert b"the wolf." not in seen
    if isinstance(story.viewer, str):
        assert b"propose" not in seen
        assert b"strategy" not in seen
