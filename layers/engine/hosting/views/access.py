"""In which mode somebody looks on.

A seat sees what its player may know, and everybody else what the village hears: `mystery`. Only the
host may be `omniscient`, if the match's options allow it and the host has no seat. So the host is
the one viewer who has a choice, and it is fixed by its first look, whichever mode that is in.

The choice lies in STATE beside the seats, and goes through the one door: a host that sits down and
looks on at the same time gets the one or the other. Everybody else's look costs nothing for it.
"""

import hmac
from dataclasses import replace

from hosting.errors import Malformed, ModeFixed, NotFound, OmniscientNotAllowed
from hosting.identity.agents import Identity, seat_of
from hosting.ids import known_match_id
from hosting.model import Caller, State
from hosting.play.change import MatchChange
from hosting.play.transaction import Transactions
from hosting.ports import MatchStore
from protocol.terms import Mode
from werewolf import Viewer


class Viewing:
    """Tells as whom somebody looks at a match."""

    def __init__(self, store: MatchStore, transactions: Transactions, identity: Identity) -> None:
        self._store = store
        self._transactions = transactions
        self._identity = identity

    def read(self, match_id: str) -> State:
        """The hot item. Raises `NotFound`."""
        state = self._store.state(known_match_id(match_id))
        if state is None:
            raise NotFound("there is no such match")
        return state

    def look(
        self,
        match_id: str,
        caller: Caller | None,
        *,
        mode: Mode = "mystery",
        thinking: bool = False,
    ) -> tuple[State, Viewer]:
        """The hot item, and as whom the caller sees it.

        One read. The first look of a host that could be omniscient is written down before it is
        granted. Raises `NotFound`, `Unauthorized`, `OmniscientNotAllowed`, `ModeFixed`,
        `Malformed` (field `thinking`, which asks for omniscience).
        """
        if thinking and mode != "omniscient":
            raise Malformed("only the omniscient are told what was thought", field="thinking")
        state = self.read(match_id)
        viewer = self.viewer(state, caller, mode)
        if _must_fix(state, caller, viewer):
            self._transactions.run(match_id, lambda change: self._fix(change, caller, mode))
            state = self.read(match_id)
            viewer = self.viewer(state, caller, mode)
        return state, viewer

    def viewer(self, state: State, caller: Caller | None, mode: Mode) -> Viewer:
        """As whom the caller sees this match in this mode. Raises as `look` does."""
        if not is_host(state, caller):
            viewer = self._identity.viewer(state, caller)
            if mode == "omniscient":
                raise OmniscientNotAllowed("that is for the host, where the options allow it")
            return viewer
        seat = None if caller is None else seat_of(state, caller)
        if mode == "omniscient" and seat is not None:
            raise OmniscientNotAllowed("who has a seat may not know everything")
        if state.mode not in (None, mode):
            raise ModeFixed(f"you look at this match in mode {state.mode}")
        if mode == "omniscient":
            return "omniscient"
        return "spectator" if seat is None or not state.started else seat

    def _fix(self, change: MatchChange, caller: Caller | None, mode: Mode) -> None:
        viewer = self.viewer(change.state, caller, mode)
        if _must_fix(change.state, caller, viewer):
            change.state = replace(change.state, mode=mode)


def is_host(state: State, caller: Caller | None) -> bool:
    """Whether this is the host of a match whose options allow omniscient viewing."""
    return caller is not None and hmac.compare_digest(state.host, caller.digest)


def _must_fix(state: State, caller: Caller | None, viewer: Viewer) -> bool:
    """Whether this look fixes a mode: it is the first of the host, and not through a seat's eyes
    (before the start nobody looks through those)."""
    return state.mode is None and is_host(state, caller) and not isinstance(viewer, int)
