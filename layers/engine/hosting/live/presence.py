"""Who is at the table through a socket, where the rules let the table wait.

While a match runs, a living player that has been following it through sockets is missed once the
last of them is closed: the match is paused. It goes on when the player follows it again or moves.
Who never followed it through a socket is never missed.

A process may die between any two steps, so they are taken in this order:

1. The socket is marked as closed. It can follow nothing more, and whoever asks finds it closed.
2. In each match that it followed: if no other open socket of its agent follows it, the match is
   paused, through the one door.
3. The socket is taken from that match, and at the very end it is forgotten.

So a closed socket that still stands at a match is what is left to do, and doing it again changes
nothing. The next push finds it, since it is gone, and so does the sweep.

Two sockets of one agent that close at once: each is marked before it looks for others, so whichever
looks last finds none. One that closes while another opens: the one pauses and then looks for others
once more, the other stands at the match before it looks whether it is waited for. Whichever comes
last sees the other, and resumes.
"""

from hosting.errors import NotFound
from hosting.model import State, Watcher
from hosting.play.change import MatchChange
from hosting.play.transaction import Transactions
from hosting.ports import ConnectionStore, MatchStore
from werewolf import RULESETS


class Presence:
    """Misses players, and welcomes them back."""

    def __init__(
        self, transactions: Transactions, matches: MatchStore, connections: ConnectionStore
    ) -> None:
        self._transactions = transactions
        self._matches = matches
        self._connections = connections

    def close(self, connection_id: str) -> bool:
        """A socket is closed: all that follows from it. False when nothing was known of it.

        Raises `Busy` when it could not be done to the end; doing it again is safe.
        """
        connection = self._connections.close(connection_id)
        if connection is None:
            return False
        agent_id = None if connection.caller is None else connection.caller.agent_id
        for match_id in sorted(connection.matches):
            self._take_away(match_id, connection_id, agent_id)
        self._connections.remove(connection_id)
        return True

    def gone(self, match_id: str, watcher: Watcher) -> None:
        """A socket that stands at a match was found closed: the same as `close`."""
        if not self.close(watcher.connection_id):
            self._take_away(match_id, watcher.connection_id, watcher.agent_id)

    def here(self, state: State, viewer: object) -> None:
        """A socket of this viewer follows the match, which was last seen in this state."""
        if isinstance(viewer, int) and viewer in _waited_for(state):
            self._transactions.run(state.match_id, lambda change: _welcome(change, viewer))

    def reconcile(self, state: State) -> int:
        """Do what was left undone at a match; for how many players."""
        if not _may_wait(state):
            return 0
        watchers = [w for w in self._connections.watchers(state.match_id) if w.agent_id is not None]
        still_open = self._connections.open_among([w.connection_id for w in watchers])
        closed = [w for w in watchers if w.connection_id not in still_open]
        for watcher in closed:
            self.gone(state.match_id, watcher)
        here = {w.agent_id for w in watchers if w.connection_id in still_open}
        missed = _waited_for(state)
        back = [self._back(state, agent_id) for agent_id in here if missed and agent_id]
        return len(closed) + sum(back)

    def _take_away(self, match_id: str, connection_id: str, agent_id: str | None) -> None:
        if agent_id is not None:
            self._miss(match_id, agent_id)
        self._connections.unwatch(connection_id, match_id)

    def _miss(self, match_id: str, agent_id: str) -> None:
        """Pause the match, unless the agent is there, or is nobody to wait for."""

        def decide(change: MatchChange) -> State | None:
            if not _may_wait(change.state):
                return None
            seat = self._seat(match_id, agent_id)
            change.acting_seat = seat
            if seat is None or self._follows(match_id, agent_id) or not change.apply("pause", seat):
                return None
            return change.written()

        try:
            paused = self._transactions.run(match_id, decide)
        except NotFound:
            return
        if paused is not None and self._follows(match_id, agent_id):
            self._back(paused, agent_id)

    def _back(self, state: State, agent_id: str) -> bool:
        seat = self._seat(state.match_id, agent_id)
        return seat is not None and self._transactions.run(
            state.match_id, lambda change: _welcome(change, seat)
        )

    def _follows(self, match_id: str, agent_id: str) -> bool:
        """Whether an open socket of the agent follows the match."""
        own = [
            watcher.connection_id
            for watcher in self._connections.watchers(match_id)
            if watcher.agent_id == agent_id
        ]
        return bool(self._connections.open_among(own))

    def _seat(self, match_id: str, agent_id: str) -> int | None:
        """The agent's seat in a match that has started; that never changes."""
        table = self._matches.table(match_id)
        players = () if table is None else table.players
        return next((s for s, player in enumerate(players) if player.agent_id == agent_id), None)


def _may_wait(state: State) -> bool:
    return state.status == "running" and RULESETS[state.ruleset].waits


def _waited_for(state: State) -> tuple[int, ...]:
    return state.engine().waiting_for if _may_wait(state) else ()


def _welcome(change: MatchChange, seat: int) -> bool:
    return _may_wait(change.state) and change.apply("resume", seat)
