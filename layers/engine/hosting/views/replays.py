"""The replay of a match that has ended, whole or in parts."""

from typing import Literal

import werewolf
from hosting.answers import ReplayPart
from hosting.errors import MatchNotOver, NotFound, ReplayInParts
from hosting.ids import known_match_id
from hosting.model import LogEntry, Table
from hosting.ports import MatchStore
from hosting.tables.events import TABLE_EVENTS
from hosting.views.access import Viewing
from hosting.views.limits import ANSWER_BYTES, PART_BYTES
from protocol.replay import Replay, ReplayEvent, ReplayMove, ReplayPlayer
from protocol.tables import Rank
from protocol.terms import ENDED
from werewolf.inputs import revision_of
from werewolf.replay import FORMAT, canonical, digest_of


class Replays:
    """Tells everything, once a match has ended."""

    def __init__(self, store: MatchStore, viewing: Viewing) -> None:
        self._store = store
        self._viewing = viewing
        self._file: tuple[str, bytes] | None = None

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
