"""From a log entry to the sockets of everybody who watches.

Each event is rendered once for every kind of viewer (each seat, the spectators, and the omniscient
with and without thinking). A connection gets its frames in order; connections are served side by
side, players first, so that none waits for another. A log entry that comes twice sends the same
frames with the same numbers again.

A connection to which a frame could not be sent, after a few tries, is closed, also when it is said
to be gone: that may be a mistake. So nobody listens to one that has fallen silent: its client
connects again and catches up, with its turn if it has one.
"""

import logging
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import Final, Literal

from hosting.answers import Delivery
from hosting.live.presence import Presence
from hosting.live.sending import Sender
from hosting.model import LogEntry, Watcher
from hosting.ports import ConnectionStore, Gone, MatchStore
from hosting.views.sequences import seen_events
from protocol.frames import OneEvent, YourTurn
from protocol.play import Turn
from werewolf import Viewer

SIDE_BY_SIDE: Final = 16
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

    def deliver(self, entry: LogEntry) -> Delivery:
        """Send an entry's frames to all who watch its match; returns when everybody was served.

        A connection that is gone, or fails, is closed and taken off the match. Raises only when the
        stores cannot be read; delivering the entry again is harmless.
        """
        if not entry.events and not entry.turns:
            return Delivery(0, 0, 0)
        watching = [
            (watcher, (self._viewer(entry, watcher), watcher.thinking))
            for watcher in self._connections.watchers(entry.match_id)
            if watcher.version < entry.version  # or it was told all this when it subscribed
        ]
        watching.sort(key=lambda one: not isinstance(one[1][0], int))  # seats before spectators
        watching.sort(key=lambda one: not isinstance(one[1][0], int))  # seats before spectators
        rendered = {kind: self._render(entry, *kind) for kind in {kind for _, kind in watching}}
        jobs = [(watcher, rendered[kind]) for watcher, kind in watching if rendered[kind]]
        pending = [
            self._pool.submit(self._serve, entry.match_id, watcher, frames)
            for watcher, frames in jobs
        ]
        told = Counter(served.result() for served in pending)
        return Delivery(told["served"], told["gone"], told["failed"])

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(SIDE_BY_SIDE, thread_name_prefix="push")

    def _serve(self, match_id: str, watcher: Watcher, frames: Frames) -> Result:
        """Send to one connection what it has not been sent yet; take it away when that fails.

        What goes wrong beside is told to the log alone, and found again with the next entry.
        """
        result: Result = "served"
        try:
            try:
                for seq, frame in frames:
                    if seq is None or seq > watcher.after:
                        self._sender.send(watcher.connection_id, frame)
            except Gone:
                result = "gone"
            except Exception:  # noqa: BLE001 - whatever it was, the connection is of no use
                _log.warning("a connection could not be served and is closed", exc_info=True)
                result = "failed"
            if result != "served":
                self._sender.close(watcher.connection_id)
                self._presence.gone(match_id, watcher)
        except Exception:  # noqa: BLE001 - one connection must not hold up the others
            _log.warning("a connection could not be taken away", exc_info=True)
            result = "failed"
        return result

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
            (event.seq, OneEvent(match_id=entry.match_id, event=event).encoded())
            for event in seen_events(entry, viewer, thinking=thinking)
        ]
        for seat, turn in entry.turns:
            if seat == viewer:
                told = YourTurn(match_id=entry.match_id, turn=Turn.of(turn), server_now=self._now())
                frames.append((None, told.encoded()))
        return frames
