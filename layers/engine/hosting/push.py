"""From a log entry to the sockets of everybody who watches.

Each event is rendered once for every kind of viewer (each seat, the spectators, and the omniscient
with and without thinking). A connection
gets its frames in order; connections are served side by side, so that none waits for another. A log
entry that comes twice sends the same frames with the same numbers again.

A connection that fails is left alone for a while, so that one which hangs costs the others its wait
once and not with every entry. Its viewer sees the gap in the numbers and asks for what it missed.
"""

import logging
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cached_property
from typing import Final, Literal

from hosting.answers import Delivery
from hosting.frames import event_frame, turn_frame
from hosting.model import LogEntry, Watcher
from hosting.ports import ConnectionStore, Gone, MatchStore
from hosting.presence import Presence
from hosting.sending import Sender
from hosting.sequences import seen_events
from werewolf import Viewer

SIDE_BY_SIDE: Final = 16
REST_MS: Final = 10_000
_MATCHES_REMEMBERED: Final = 500

_log = logging.getLogger(__name__)

Result = Literal["served", "gone", "failed"]
Frames = Sequence[tuple[int | None, bytes]]
"""Frames with the `seq` of the event in each; a turn has none."""


class Push:
    """Sends what happened to those who watch."""

    def __init__(
        self,
        matches: MatchStore,
        connections: ConnectionStore,
        sender: Sender,
        presence: Presence,
        *,
        now: Callable[[], int],
    ) -> None:
        self._matches = matches
        self._connections = connections
        self._sender = sender
        self._presence = presence
        self._now = now
        self._seats: OrderedDict[str, Mapping[str, int]] = OrderedDict()
        self._resting: dict[str, int] = {}

    def deliver(self, entry: LogEntry) -> Delivery:
        """Send an entry's frames to all who watch its match; returns when everybody was served.

        A connection that is gone is forgotten; one that fails otherwise rests for `REST_MS`. Raises
        only when the stores cannot be read; delivering the entry again is harmless.
        """
        if not entry.events and not entry.turns:
            return Delivery(0, 0, 0)
        watching = [
            (watcher, (self._viewer(entry, watcher), watcher.thinking))
            for watcher in self._connections.watchers(entry.match_id)
            if watcher.version < entry.version  # or it was told all this when it subscribed
        ]
        rendered = {kind: self._render(entry, *kind) for kind in {kind for _, kind in watching}}
        jobs = [(watcher, rendered[kind]) for watcher, kind in watching if rendered[kind]]
        pending = {
            watcher.connection_id: self._pool.submit(self._serve, entry.match_id, watcher, frames)
            for watcher, frames in jobs
            if self._resting.get(watcher.connection_id, 0) <= self._now()
        }
        results = {connection_id: _result(served) for connection_id, served in pending.items()}
        self._rest(connection_id for connection_id, told in results.items() if told == "failed")
        told = Counter(results.values())
        return Delivery(told["served"], told["gone"], len(jobs) - told["served"] - told["gone"])

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(SIDE_BY_SIDE, thread_name_prefix="push")

    def _serve(self, match_id: str, watcher: Watcher, frames: Frames) -> Result:
        """Send to one connection what it has not been sent yet; take it away when it is gone."""
        try:
            for seq, frame in frames:
                if seq is None or seq > watcher.after:
                    self._sender.send(watcher.connection_id, frame)
        except Gone:
            self._presence.gone(match_id, watcher)
            return "gone"
        return "served"

    def _rest(self, failed: Iterable[str]) -> None:
        now = self._now()
        self._resting = {one: until for one, until in self._resting.items() if until > now}
        self._resting |= dict.fromkeys(failed, now + REST_MS)

    def _viewer(self, entry: LogEntry, watcher: Watcher) -> Viewer:
        if watcher.mode == "omniscient":
            return "omniscient"
        if watcher.agent_id is None or len(entry.before) == 2:
            return "spectator"
        return self._seats_of(entry.match_id).get(watcher.agent_id, "spectator")

    def _seats_of(self, match_id: str) -> Mapping[str, int]:
        """Who sits where in a match that has started; that never changes, so it is remembered."""
        seats = self._seats.get(match_id)
        if seats is None:
            table = self._matches.table(match_id)
            players = table.players if table is not None else ()
            seats = {player.agent_id: seat for seat, player in enumerate(players)}
            self._seats[match_id] = seats
            if len(self._seats) > _MATCHES_REMEMBERED:
                self._seats.popitem(last=False)
        return seats

    def _render(self, entry: LogEntry, viewer: Viewer, thinking: bool) -> Frames:
        frames: list[tuple[int | None, bytes]] = [
            (event["seq"], event_frame(entry.match_id, event))
            for event in seen_events(entry, viewer, thinking=thinking)
        ]
        frames += [
            (None, turn_frame(entry.match_id, turn, self._now()))
            for seat, turn in entry.turns
            if seat == viewer
        ]
        return frames


def _result(served: "Future[Result]") -> Result:
    """What became of one connection; whatever went wrong there is told to the log alone."""
    error = served.exception()
    if error is None:
        return served.result()
    _log.warning("a connection could not be served", exc_info=error)
    return "failed"
