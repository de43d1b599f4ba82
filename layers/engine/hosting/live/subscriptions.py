"""Following a match through a socket.

A subscriber is first sent the events that it has missed, several to a frame; then it is registered.

A player on turn is registered on the condition that the match is still at the version up to which
it was served. So what was sent and what will be pushed meet exactly: nothing falls between, nothing
comes twice, and all comes in order. When the match moves on in between, what is new is sent and the
registration tried again, a few times.

Everybody else is registered without the condition, which would stand in the way of those who move,
and what came in between is sent after that: then an event may come twice, with the same `seq`.

Catching up takes no longer than `CATCH_UP_MS`. Who is further behind is told so, and subscribes
again from where it has come to.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from hosting.backoff import Backoff
from hosting.errors import Busy, Malformed, TooManyMatches, TooManySpectators
from hosting.identity.agents import is_seated
from hosting.ids import known_match_id
from hosting.live.presence import Presence
from hosting.live.sending import Sender
from hosting.live.spectators import Spectators
from hosting.model import Caller, Connection, State, Watcher
from hosting.ports import ConnectionStore, Contention, Gone, SlowDown, VersionConflict
from hosting.views.access import Viewing
from hosting.views.log import Log
from hosting.views.sequences import seen_by
from hosting.views.states import turn_of
from protocol import limits
from protocol.frames import Behind, Subscribed, YourTurn, events_frame
from protocol.play import SeenEvent
from protocol.terms import Mode
from protocol.wire import Reply
from werewolf import Viewer

ROUNDS: Final = 5
CATCH_UP_MS: Final = 4_000
"""Less than a call has. At least one frame of events is sent, so that everybody gets on."""
FRAME_BYTES: Final = 100_000
"""API Gateway takes messages of 128 KB and cuts them into frames of 32 KB itself."""
LIFETIME_MS: Final = (limits.SOCKET_HOURS + 1) * 60 * 60 * 1000
"""How long a connection is kept that nobody told to be closed."""


@dataclass(frozen=True, slots=True)
class _Served:
    """A viewer and how far it has been served."""

    state: State
    viewer: Viewer
    sent: int
    mode: Mode
    thinking: bool


class _Behind(Exception):
    """There was no time to send more than the events up to `seq`."""

    def __init__(self, seq: int) -> None:
        super().__init__(seq)
        self.seq = seq


class Subscriptions:
    """Open sockets and what they follow."""

    def __init__(
        self,
        log: Log,
        viewing: Viewing,
        connections: ConnectionStore,
        sender: Sender,
        presence: Presence,
        spectators: Spectators,
        *,
        now: Callable[[], int],
        backoff: Backoff,
    ) -> None:
        self._log = log
        self._viewing = viewing
        self._connections = connections
        self._sender = sender
        self._presence = presence
        self._spectators = spectators
        self._now = now
        self._backoff = backoff

    def connect(self, connection_id: str, caller: Caller | None) -> None:
        """A socket was opened by a caller that was authenticated, or by a spectator (None)."""
        connection = Connection(connection_id, caller)
        self._connections.put(connection, expires_at=self._now() + LIFETIME_MS)

    def disconnect(self, connection_id: str) -> None:
        """A socket was closed. Raises `Busy`; doing it again is safe."""
        self._presence.close(connection_id)

    def fence(self, connection_id: str) -> None:
        """Close a socket that is taken for gone, so that its client, if there is one, comes again.

        Raises `Busy`; doing it again is safe.
        """
        try:
            self._sender.close(connection_id)
        except SlowDown:
            raise Busy("the connection could not be closed", retry_after=1) from None
        self._presence.close(connection_id)

    def subscribe(
        self,
        connection_id: str,
        match_id: str,
        *,
        after: int = 0,
        mode: Mode = "mystery",
        thinking: bool = False,
        request_id: str | None = None,
    ) -> None:
        """Send `subscribed`, the viewer's events above `after`, its turn, and all that follows.

        When there is no time to send all the events, `behind` comes after the last that was sent,
        and nothing follows: the client subscribes again from there. The frames go to the socket
        from here. `request_id` is echoed in `subscribed`. Subscribing again is allowed and goes on
        from the new `after`. A socket that was taken for gone is closed. Raises as `Viewing.look`
        does, and `Malformed` (field `after`), `TooManyMatches`, `TooManySpectators`, `Busy`.
        """
        until = self._now() + CATCH_UP_MS
        if not 0 <= after <= limits.LARGEST_INTEGER:
            raise Malformed("not negative, and no larger than a seq can be", field="after")
        connection = self._connections.get(connection_id)
        if connection is None:
            return self.fence(connection_id)
        others = connection.matches - {match_id}
        if len(others) >= limits.MATCHES_PER_SOCKET:
            raise TooManyMatches(
                f"a connection follows at most {limits.MATCHES_PER_SOCKET} matches"
            )
        state, viewer = self._viewing.look(
            match_id, connection.caller, mode=mode, thinking=thinking
        )
        seq = seen_by(state.seen, viewer)
        served = _Served(state, viewer, min(after, seq), mode, thinking)
        try:
            if match_id in connection.matches:
                self._hold_back(connection, served)
            elif viewer == "spectator" and not is_seated(state, connection.caller):
                self._find_room(connection, served)
            told = Subscribed(match_id=match_id, viewer=viewer, seq=seq, request_id=request_id)
            self._sender.send(connection_id, told.encoded())
            self._follow(connection, served, until)
        except Gone:
            self.fence(connection_id)
        except SlowDown:
            raise Busy("this connection takes no more at the moment", retry_after=1) from None

    def unsubscribe(self, connection_id: str, match_id: str) -> None:
        """Send no more of this match. Raises `NotFound` where no match can have this id."""
        self._connections.unwatch(connection_id, known_match_id(match_id))

    def _hold_back(self, connection: Connection, served: _Served) -> None:
        """Push no events, or they would come between those that are caught up with.

        The connection stays at the match all the while: its player is there.
        """
        try:
            self._register(
                connection, replace(served, sent=limits.LARGEST_INTEGER), at_version=None
            )
        except Contention:
            raise Busy("could not subscribe in time", retry_after=1) from None

    def _find_room(self, connection: Connection, served: _Served) -> None:
        """Register a spectator, to be sent nothing yet. Raises `TooManySpectators`."""
        match_id, connection_id = served.state.match_id, connection.connection_id
        self._spectators.check(match_id, connection_id)
        self._hold_back(connection, served)
        try:
            self._spectators.check(match_id, connection_id)
        except TooManySpectators:
            self._connections.unwatch(connection_id, match_id)
            raise

    def _follow(self, connection: Connection, served: _Served, until: int) -> None:
        match_id = served.state.match_id
        try:
            served = self._serve_and_register(connection, served, until)
        except _Behind as behind:
            told: Reply = Behind(match_id=match_id, seq=behind.seq)
        else:
            self._presence.here(served.state, served.viewer)
            turn = turn_of(served.state, served.viewer)
            if turn is None:
                return
            told = YourTurn(match_id=match_id, turn=turn, server_now=self._now())
        self._sender.send(connection.connection_id, told.encoded())

    def _serve_and_register(self, connection: Connection, served: _Served, until: int) -> _Served:
        for attempt in range(ROUNDS):
            served = self._serve(connection, served, until)
            if turn_of(served.state, served.viewer) is None:
                break
            try:
                self._register(connection, served, at_version=served.state.version)
            except (VersionConflict, Contention):
                self._backoff.before(attempt + 1)
                served = self._look_again(connection, served)
            else:
                return served
        try:
            self._register(connection, served, at_version=None)
        except Contention:
            raise Busy("could not subscribe in time", retry_after=1) from None
        return self._serve(connection, self._look_again(connection, served), until)

    def _serve(self, connection: Connection, served: _Served, until: int) -> _Served:
        """Send what the viewer has not been sent yet. Raises `_Behind` when time is up before."""
        state, viewer = served.state, served.viewer
        due: list[SeenEvent] = []
        size = 0
        for event in self._log.events_after(state, viewer, served.sent, thinking=served.thinking):
            more = len(events_frame(state.match_id, [event]).encoded())
            late = self._now() >= until
            if due and (late or size + more > FRAME_BYTES):
                self._send_events(connection, state, due)
                if late:
                    raise _Behind(due[-1].seq)
                due, size = [], 0
            due.append(event)
            size += more
        if due:
            self._send_events(connection, state, due)
        return replace(served, sent=seen_by(state.seen, viewer))

    def _send_events(
        self, connection: Connection, state: State, events: Sequence[SeenEvent]
    ) -> None:
        frame = events_frame(state.match_id, events)
        self._sender.send(connection.connection_id, frame.encoded())

    def _register(self, connection: Connection, served: _Served, *, at_version: int | None) -> None:
        caller = connection.caller
        self._connections.watch(
            Watcher(
                connection.connection_id,
                None if caller is None else caller.agent_id,
                served.sent,
                served.mode,
                served.thinking,
                served.state.version,
            ),
            served.state.match_id,
            expires_at=self._now() + LIFETIME_MS,
            at_version=at_version,
        )

    def _look_again(self, connection: Connection, served: _Served) -> _Served:
        """The match as it is by now; a spectator may have become a seat when it started."""
        state = self._viewing.read(served.state.match_id)
        viewer = self._viewing.viewer(state, connection.caller, served.mode)
        return replace(served, state=state, viewer=viewer)
