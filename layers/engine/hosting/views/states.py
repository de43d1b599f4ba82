"""A match as one viewer may see it now."""

from collections.abc import Callable, Mapping
from typing import Any

import werewolf
from hosting.answers import Watched
from hosting.identity.characters import seated_characters
from hosting.model import Caller, State
from hosting.tables.events import TABLE_EVENTS
from hosting.views.access import Viewing
from hosting.views.limits import THINKING_LIMIT
from hosting.views.log import Log
from hosting.views.polling import poll_after
from hosting.views.sequences import THINKING, seen_by
from hosting.views.tags import tag_of
from protocol.play import MatchState, Turn
from protocol.terms import Mode
from werewolf import Event, Viewer


class States:
    """Shows matches as they stand."""

    def __init__(self, log: Log, viewing: Viewing, *, now: Callable[[], int]) -> None:
        self._log = log
        self._viewing = viewing
        self._now = now

    def state(
        self,
        match_id: str,
        caller: Caller | None,
        *,
        etag: str | None = None,
        mode: Mode = "mystery",
        thinking: bool = False,
    ) -> Watched:
        """The match as the caller may see it; without a caller, as a spectator.

        `etag` is the one that the caller has; when it still holds, this costs one read. It is made
        of nothing but what this viewer may know. Raises as `Viewing.look` does.
        """
        state, viewer = self._viewing.look(match_id, caller, mode=mode, thinking=thinking)
        tag = etag_of(state, viewer, thinking=thinking)
        again = poll_after(state, viewer, now=self._now())
        if tag == etag:
            return Watched(tag, None, again)
        started = state.started
        log = self._log.shown(state, told=not thinking) if started else []
        body = MatchState(
            match_id=match_id,
            status=state.status,
            viewer=viewer,
            visible_state=_visible_state(state, log, viewer) if started else None,
            your_turn=turn_of(state, viewer),
            seq=seen_by(state.seen, viewer),
            server_now=self._now(),
            characters=seated_characters(log, viewer) or None,
            thinking=newest_thoughts(log) if thinking else None,
        )
        return Watched(tag, body, again)


def newest_thoughts(log: list[Event]) -> list[Mapping[str, Any]]:
    """The thoughts that came last, in order, as many as fit into one answer."""
    found: list[Mapping[str, Any]] = []
    room = THINKING_LIMIT
    for event in reversed(log):
        if event.type == THINKING:
            room -= len(event.data["text"])
            if room < 0:
                break
            found.append(event.data)
    return found[::-1]


def turn_of(state: State, viewer: Viewer) -> Turn | None:
    """The turn that a seat has now, as it goes over the wire; None for all others."""
    if state.status != "running" or not isinstance(viewer, int):
        return None
    turn = werewolf.turn(state.engine(), viewer)
    return None if turn is None else Turn.of(turn.as_dict())


def etag_of(state: State, viewer: Viewer, *, thinking: bool = False) -> str:
    """A tag that changes when this viewer can see a change, and at no other time.

    It is made of what the engine shows this viewer without the events, of the number of events
    that it has seen, and of its turn; never of the version, which counts hidden moves as well.
    Thinking comes with events, so the tag need only tell whether it is wanted.
    """
    shown = [
        state.match_id,
        viewer,
        state.status,
        seen_by(state.seen, viewer),
        turn_of(state, viewer),
        thinking,
        None if not state.started else werewolf.view(state.engine(), (), viewer),
    ]
    return tag_of(shown)


def _visible_state(state: State, log: list[Event], viewer: Viewer) -> dict[str, object]:
    played = [event for event in log if event.type not in TABLE_EVENTS]
    return werewolf.view(state.engine(), played, viewer)
