"""House bots: players that the house lends to a table, so that nobody has to wait.

Bots play through the same door as everybody. The log entry that gives a bot a turn names it; `call`
puts that turn into a queue, and `take_turn` plays it a little later, if it still stands. A message
that comes twice finds the turn used, one that comes late finds it over, and one that never comes
is a turn that passes like any other.
"""

import json
import logging
from collections.abc import Callable
from typing import Final

import bots
from hosting.errors import Busy, HostingError, TooManyRequests
from hosting.model import Caller, LogEntry
from hosting.play.moves import Play
from hosting.ports import MatchStore, Queue
from hosting.tables.house_seats import IDS, dice_of
from hosting.views.states import States

_SHARE_OF_TIME: Final = 4
"""A bot takes at most this part of its time, however leisurely it is paced."""

_log = logging.getLogger(__name__)


class HouseBots:
    """Tells bots of their turns, and has them play."""

    def __init__(
        self,
        store: MatchStore,
        states: States,
        play: Play,
        queue: Queue,
        *,
        now: Callable[[], int],
        pace_s: int,
    ) -> None:
        self._store = store
        self._states = states
        self._play = play
        self._queue = queue
        self._now = now
        self._pace_s = pace_s

    def call(self, entry: LogEntry) -> None:
        """Put the new turns of bots into the queue; an entry that comes again does it again."""
        for seat, turn in entry.turns:
            if seat in entry.bots:
                message = {
                    "match_id": entry.match_id,
                    "seat": seat,
                    "turn_id": turn["turn_id"],
                }
                delay_s = self._delay(entry.bots[seat], turn["deadline_ms"])
                self._queue.send(json.dumps(message), delay_s=delay_s)

    def take_turn(self, match_id: str, seat: int, turn_id: str) -> bool:
        """Play a bot's turn; False when it is not (any more) there to be played.

        Raises `Busy` and `TooManyRequests`, after which the message may well come again.
        """
        state = self._store.state(match_id)
        if state is None or state.status != "running" or not state.is_bot(seat):
            return False
        caller = Caller(IDS[0], state.key(seat))
        try:
            body = self._states.state(match_id, caller).body
            if body is None or body["your_turn"] is None or body["visible_state"] is None:
                return False
            turn = body["your_turn"]
            if turn["turn_id"] != turn_id:
                return False
            key = state.key(seat)
            voice = dice_of(key, "voice").choice(bots.VOICES)
            move = bots.choose(turn, body["visible_state"], dice_of(key, turn_id), voice)
            self._play.move(match_id, caller, turn_id, move)
        except (Busy, TooManyRequests):
            raise
        except HostingError as refusal:  # the turn is over by now, or somebody else took it
            _log.info("a bot's turn is gone", extra={"match_id": match_id, "why": refusal.code})
            return False
        return True

    def _delay(self, pause: float, deadline: int | None) -> int:
        """Whole seconds, up to the pace."""
        if self._pace_s == 0:
            return 0
        delay = 1 + min(int(pause * self._pace_s), self._pace_s - 1)
        if deadline is None:
            return delay
        left_s = max(0, deadline - self._now()) // 1000
        return min(delay, left_s // _SHARE_OF_TIME)
