"""What the platform needs from outside: stores, sockets, the clock's starter, counters.

`hosting.adapters` implements these twice: on AWS, and on one machine (SQLite, threads). Any method
may raise `errors.Busy` when the service behind it does not answer in time.
"""

from collections.abc import Iterator, Sequence
from typing import Protocol

from hosting.model import (
    Agent,
    Character,
    Commit,
    Connection,
    Kept,
    LogEntry,
    Sheet,
    State,
    Table,
    Watcher,
)
from protocol.terms import Status


class VersionConflict(Exception):
    """The item is no longer what it was when it was read. Nothing was written."""


class Contention(Exception):
    """Somebody else is writing the same items, or writes are throttled. Nothing was written."""


class OutcomeUnknown(Exception):
    """The request was sent and the answer was lost: it may have been written, or still be."""


class Gone(Exception):
    """The connection does not exist any more."""


class SlowDown(Exception):
    """The service takes no more messages for the moment."""


class MatchStore(Protocol):
    """Matches: a hot item, a cold item, and a log. Reads are consistent."""

    def create(
        self,
        state: State,
        table: Table,
        *,
        rematch_of: str | None = None,
        in_place_of: str | None = None,
    ) -> None:
        """Write a new match, all or nothing. Writing the same one again changes nothing.

        With `rematch_of`, it becomes the rematch of that match, if that match has the rematch
        `in_place_of` until then (None: has none). Else nothing is written, and the match's
        `Table.rematch` tells which it has.
        """

    def state(self, match_id: str) -> State | None:
        """The hot item, or None. One read."""

    def table(self, match_id: str) -> Table | None:
        """The cold item, or None. One read."""

    def commit(self, commit: Commit) -> None:
        """Write a change, all or nothing, if the stored version is the one before it, and if the
        characters that it names are unchanged.

        Raises `VersionConflict`, `Contention` or `OutcomeUnknown`.
        """

    def entry(self, match_id: str, version: int) -> LogEntry | None:
        """One log entry."""

    def entries(
        self,
        match_id: str,
        first: int,
        last: int,
        *,
        newest_first: bool = False,
        told: bool = False,
    ) -> Iterator[LogEntry]:
        """The log entries of the versions `first` to `last`, read lazily, page by page.

        With `told`, only what viewers are told: without moves, turns and thoughts.
        """

    def kept(self, match_id: str, *, newest: int) -> list[Kept]:
        """What views show on later days too, in order: of the start, and of the newest so many
        entries after it. None at all for a match that started before these were kept."""

    def listing(
        self, status: Status, ruleset: str | None, *, after: str | None, limit: int
    ) -> tuple[list[str], str | None]:
        """Ids of up to `limit` matches, newest first within a rule set, by an eventual read.

        `after` is the mark that the page before ended with; the second result is this page's mark,
        None on the last page. A mark has the form `<rule set>#<opened at, 13 digits>#<match id>`.
        """

    def opened_before(self, ruleset: str, at: int, *, limit: int) -> list[str]:
        """Ids of up to `limit` open matches of a rule set that were opened before `at`.

        An eventual read.
        """

    def own(self, agent_id: str, *, after: str | None, limit: int) -> tuple[list[str], str | None]:
        """Ids of up to `limit` matches of an agent, by an eventual read: those that are not over
        first, and each kind newest first.

        `after` is the mark that the page before ended with; the second result is this page's mark,
        None on the last page. A mark has the form `<1 or 0>#<13 digits>#<match id>`.
        """

    def tables(self, match_ids: Sequence[str]) -> list[Table]:
        """The cold items of up to 100 matches, in this order, by an eventual read.

        Those that do not exist are left out.
        """

    def states(self, match_ids: Sequence[str]) -> list[State]:
        """The hot items of up to 100 matches, in no order, by an eventual read.

        Those that do not exist are left out.
        """


class AgentStore(Protocol):
    """Registered agents, and windowed counters."""

    def create(self, agent: Agent, folded_name: str, at: int) -> bool:
        """Write a new agent and its name, both or neither. False when the name is taken."""

    def agent(self, agent_id: str) -> Agent | None:
        """The agent, or None. One consistent read."""

    def count(self, key: str, *, expires_at: int) -> int:
        """Add one to a counter and return it; it may be forgotten after `expires_at` (ms)."""


class CharacterStore(Protocol):
    """Agents' characters. Reads are consistent."""

    def add(self, character: Character, *, most: int) -> bool:
        """Write a new character. False when its agent, which must exist, has `most` of them."""

    def character(self, agent_id: str, character_id: str) -> Character | None:
        """The agent's character, or None."""

    def characters(self, agent_id: str) -> list[Character]:
        """All characters of an agent, in no order."""

    def brought(self, wanted: Sequence[tuple[str, str]]) -> list[Character | None]:
        """The characters of up to 100 pairs of agent and character id, in this order."""

    def rewrite(self, agent_id: str, character_id: str, sheet: Sheet, at: int) -> Character | None:
        """Replace the sheet of a character and move its version on. None when there is none."""

    def remove(self, agent_id: str, character_id: str) -> bool:
        """Delete a character. False when there is none."""


class ConnectionStore(Protocol):
    """Open sockets, and who watches which match."""

    def put(self, connection: Connection, *, expires_at: int) -> None:
        """A socket was opened."""

    def get(self, connection_id: str) -> Connection | None:
        """The socket, or None when it is not open."""

    def open_among(self, connection_ids: Sequence[str]) -> frozenset[str]:
        """Those of these sockets that are open. A consistent read."""

    def watch(
        self, watcher: Watcher, match_id: str, *, expires_at: int, at_version: int | None
    ) -> None:
        """Let an open socket follow a match.

        With `at_version`, only if the match is still at that version: then nothing can fall
        between what the watcher was sent and what will be pushed. Raises `VersionConflict` when
        the match has moved on, `Gone` when the socket is closed, `Contention`.
        """

    def unwatch(self, connection_id: str, match_id: str) -> None:
        """Let the socket follow the match no longer."""

    def watchers(self, match_id: str) -> Iterator[Watcher]:
        """Everyone who follows the match. A consistent read."""

    def close(self, connection_id: str) -> Connection | None:
        """Mark the socket as closed: it can follow nothing more. None when it is not known.

        It stays at the matches that it follows, until it is taken away from each of them.
        """

    def remove(self, connection_id: str) -> None:
        """Forget a socket that follows nothing any more."""


class Sockets(Protocol):
    """Sends frames to open sockets."""

    def post(self, connection_id: str, frame: bytes) -> None:
        """Send one frame. Raises `Gone`, `SlowDown`, or anything else that goes wrong."""

    def close(self, connection_id: str) -> None:
        """Close the connection; one that is gone already is closed. Raises as `post` does."""


class Queue(Protocol):
    """Hands messages to a function, each at least once, unless they are lost for good."""

    def send(self, body: str, *, delay_s: int) -> None:
        """Send a message that is to be received in so many seconds (0 to 900)."""


class ClockStarter(Protocol):
    """Starts executions of the clock's state machine."""

    def start(self, name: str, payload: str) -> None:
        """Start an execution, unless one of that name has been started before."""


class Ports(Protocol):
    """All ports of a platform. Each is made when it is first asked for."""

    @property
    def matches(self) -> MatchStore:
        """Matches."""

    @property
    def agents(self) -> AgentStore:
        """Agents and counters."""

    @property
    def character_store(self) -> CharacterStore:
        """Characters."""

    @property
    def connections(self) -> ConnectionStore:
        """Open sockets and who watches what."""

    @property
    def sockets(self) -> Sockets:
        """Frames to open sockets."""

    @property
    def clock_starter(self) -> ClockStarter:
        """Clocks."""

    @property
    def bots_queue(self) -> Queue:
        """The turns of house bots."""
