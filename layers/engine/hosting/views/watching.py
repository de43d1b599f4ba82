"""Looking at a match: its state, its events, and the replay once it is over."""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, Literal

import werewolf
from hosting.answers import ReadOn, ReplayPart, Watched
from hosting.errors import Malformed, MatchNotOver, NotFound, ReplayInParts
from hosting.identity.characters import seated_characters
from hosting.ids import known_match_id
from hosting.model import Caller, LogEntry, State, Table
from hosting.ports import MatchStore
from hosting.tables.events import TABLE_EVENTS
from hosting.views.access import Viewing
from hosting.views.polling import poll_after
from hosting.views.sequences import THINKING, seen_by, seen_events
from protocol import limits
from protocol.play import EventPage, MatchState, SeenEvent, Turn
from protocol.replay import Replay, ReplayEvent, ReplayMove, ReplayPlayer
from protocol.tables import Rank
from protocol.terms import ENDED, Mode
from werewolf import Event, Viewer
from werewolf.inputs import revision_of
from werewolf.lookback import Lookback
from werewolf.replay import FORMAT, canonical, digest_of

THINKING_LIMIT: Final = 200_000
"""How many code points of thinking one answer holds, so that Lambda can give it."""

PART_BYTES: Final = 4_000_000
ANSWER_BYTES: Final = 4_000_000
"""Lambda's answers hold 6 MB: bytes in base64, or text as JSON."""

WHOLE_LOG: Final = 200
"""A log of so many entries is read whole: that is one query."""
KEPT_READ: Final = 200
"""As many entries with lasting events as there can be in the days that a view shows."""

_NEAR: Final = 50


class Watching:
    """Reads for everybody who looks on."""

    def __init__(self, store: MatchStore, viewing: Viewing, *, now: Callable[[], int]) -> None:
        self._store = store
        self._viewing = viewing
        self._file: tuple[str, bytes] | None = None
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
        log = self._shown(state, told=not thinking) if started else []
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

    def events(
        self,
        match_id: str,
        caller: Caller | None,
        *,
        after: int = 0,
        limit: int = 200,
        mode: Mode = "mystery",
        thinking: bool = False,
    ) -> EventPage:
        """The page of `read_on`, for callers who keep no tags."""
        read = self.read_on(
            match_id, caller, after=after, limit=limit, mode=mode, thinking=thinking
        )
        assert read.body is not None  # there was no tag that could hold
        return read.body

    def read_on(
        self,
        match_id: str,
        caller: Caller | None,
        *,
        after: int = 0,
        limit: int = 200,
        etag: str | None = None,
        mode: Mode = "mystery",
        thinking: bool = False,
    ) -> ReadOn:
        """The caller's events with a `seq` above `after`, at most `limit` (1 to 500).

        When `etag`, which the caller has, still holds, or when there is nothing after `after`, this
        costs one read. With `thinking` a page may be shorter, also before the last. Raises as
        `Viewing.look` does, and `Malformed` (fields `after`, `limit`).
        """
        if after < 0:
            raise Malformed("not negative", field="after")
        if not 1 <= limit <= limits.EVENTS_IN_A_PAGE:
            raise Malformed(f"1 to {limits.EVENTS_IN_A_PAGE}", field="limit")
        state, viewer = self._viewing.look(match_id, caller, mode=mode, thinking=thinking)
        seen = seen_by(state.seen, viewer)
        tag = _hashed([match_id, viewer, after, limit, thinking, seen])  # what was seen stays so
        again = poll_after(state, viewer, now=self._now())
        if tag == etag:
            return ReadOn(tag, None, again)
        events: list[SeenEvent] = []
        room = THINKING_LIMIT
        for event in self.events_after(state, viewer, after, thinking=thinking):
            room -= len(event.thinking or "")
            if len(events) == limit or room < 0:
                break
            events.append(event)
        last = events[-1].seq if events else after
        page = EventPage(events=events, next=last, more=last < seen, server_now=self._now())
        return ReadOn(tag, page, 0 if page.more else again)

    def replay(self, match_id: str) -> Replay:
        """Everything, once the match is over.

        Raises `NotFound`, `MatchNotOver`, and `ReplayInParts` when one answer cannot hold it.
        """
        replay = self._replay(match_id)
        text = canonical(replay)
        answer_bytes = len(text.encode()) + text.count('"') + text.count("\\")  # JSON in JSON
        if answer_bytes > ANSWER_BYTES:
            raise ReplayInParts("this replay is told in parts: ask for part=1 and read on")
        return replay

    def replay_part(self, match_id: str, part: int) -> ReplayPart:
        """So many of `PART_BYTES` bytes each of the replay's file, counted from 1.

        Joined they are the canonical form of `replay`. Raises `NotFound` (also when there are
        fewer parts), `MatchNotOver`.
        """
        if self._file is None or self._file[0] != match_id:
            self._file = (match_id, canonical(self._replay(match_id)).encode())
        _, file = self._file
        first, last = (part - 1) * PART_BYTES, part * PART_BYTES
        if part < 1 or first >= len(file):
            raise NotFound("the replay has fewer parts")
        return ReplayPart(file[first:last], last < len(file))

    def _replay(self, match_id: str) -> Replay:
        table = self._store.table(known_match_id(match_id))
        if table is None:
            raise NotFound("there is no such match")
        if table.status not in ENDED:
            raise MatchNotOver("the replay is told once the match is over")
        state = self._viewing.read(match_id)
        return replay_of(table, list(self._store.entries(match_id, 1, state.version)))

    def events_after(
        self, state: State, viewer: Viewer, after: int, *, thinking: bool = False
    ) -> Iterator[SeenEvent]:
        """The viewer's events above `after`, up to those in `state`, in order.

        Who is only a little behind is served from the end of the log; who is far behind, from the
        place in the log where its events go on. So the cost follows what is read, not the length
        of the match.
        """
        behind = seen_by(state.seen, viewer) - after
        if behind <= 0:
            return
        told = not thinking
        for entry in (
            self._near(state, viewer, after, told=told)
            if behind <= _NEAR
            else self._far(state, viewer, after, told=told)
        ):
            for event in seen_events(entry, viewer, thinking=thinking):
                if event.seq > after:
                    yield event

    def _near(self, state: State, viewer: Viewer, after: int, *, told: bool) -> Iterator[LogEntry]:
        found = []
        for entry in self._store.entries(
            state.match_id, 1, state.version, newest_first=True, told=told
        ):
            found.append(entry)
            if seen_by(entry.before, viewer) <= after:
                break
        return reversed(found)

    def _far(self, state: State, viewer: Viewer, after: int, *, told: bool) -> Iterator[LogEntry]:
        """From the last entry before which the viewer had seen at most `after`: by halving."""
        low, high = 1, state.version
        while low < high and after > 0:
            middle = (low + high + 1) // 2
            entry = self._store.entry(state.match_id, middle)
            if entry is not None and seen_by(entry.before, viewer) <= after:
                low = middle
            else:
                high = middle - 1
        return self._store.entries(state.match_id, low, state.version, told=told)

    def _shown(self, state: State, *, told: bool) -> list[Event]:
        """The events that a view needs: of a long match, the newest and those that last."""
        match_id, last = state.match_id, state.version
        kept = self._store.kept(match_id, newest=KEPT_READ) if last > WHOLE_LOG else []
        if not kept:
            log = self._store.entries(match_id, 1, last, told=told)
            return [event for entry in log for event in entry.events]
        lookback, newest = Lookback(state.engine()), list[LogEntry]()
        for entry in self._store.entries(match_id, 1, last, newest_first=True, told=told):
            newest.append(entry)
            if lookback.is_enough(entry.events):
                break
        first = newest[-1].version
        before = [event for past in kept if past.version < first for event in past.events]
        return before + [event for entry in reversed(newest) for event in entry.events]


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
    return _hashed(shown)


def _hashed(shown: list[Any]) -> str:
    text = json.dumps(shown, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _visible_state(state: State, log: list[Event], viewer: Viewer) -> dict[str, object]:
    played = [event for event in log if event.type not in TABLE_EVENTS]
    return werewolf.view(state.engine(), played, viewer)


def replay_of(table: Table, log: list[LogEntry]) -> Replay:
    """The replay of a match that is over, out of its cold item and its whole log."""
    mixed = werewolf.mix_seed(table.seed, table.entropies)
    seating = werewolf.seating(mixed, len(table.players))
    events = [
        (entry.at, event)
        for entry in log
        for event in entry.events
        if event.type not in TABLE_EVENTS
    ]
    first = next(played for entry in log for played in entry.moves)
    options = werewolf.check_options(table.ruleset, table.options, revision=revision_of(first.move))
    replay = Replay(
        format=FORMAT,
        match_id=table.match_id,
        ruleset=table.ruleset,
        options=options,
        players=[
            ReplayPlayer(
                seat=seat,
                agent_id=player.agent_id,
                name=player.name,
                entropy=table.entropies[player.place] or None,
            )
            for seat, player in enumerate(table.players)
        ],
        seed=table.seed,
        commitment=table.commitment,
        entropies=list(table.entropies),
        seating=list(seating),
        mixed_seed=mixed,
        started_at=table.started_at or 0,
        moves=[
            ReplayMove(at=entry.at, seat=played.seat, move=played.move, by=played.by)
            for entry in log
            for played in entry.moves
        ],
        events=[_replayed(seq, at, event) for seq, (at, event) in enumerate(events, 1)],
        winner=table.winner,
        ranking=list(map(Rank.of, table.ranking or ())),
        digest="",
    )
    replay["digest"] = digest_of(replay)
    return replay


def _replayed(seq: int, at: int, event: werewolf.Event) -> ReplayEvent:
    audience: Literal["everyone"] | list[int] = (
        "everyone" if event.audience == "everyone" else [*event.audience]
    )
    return ReplayEvent(seq=seq, at=at, type=event.type, data=event.data, audience=audience)
