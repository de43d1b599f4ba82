"""What goes over the wire, as the protocol declares it, under the names that players have for it.

Every class reads the service's JSON with `read`, which leaves out what it does not know and raises
`ValueError` with the place when something needed is missing or of another type; the client turns
this into `BadAnswer`. An object is also the dictionary that it was read from. What may be absent is
None then. Times are milliseconds since the epoch.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from protocol.agents import Registered as Registration
from protocol.characters import Archetype, ArchetypeList, Character, CharacterList
from protocol.play import DryRun, EventPage, MatchState, Receipt, Turn
from protocol.play import SeenEvent as Event
from protocol.rules import RulesetList
from protocol.rules import RulesetSummary as Ruleset
from protocol.tables import MatchList, MatchSummary, Player
from protocol.tables import Rank as Placing
from protocol.tables import Seated as Place
from protocol.terms import ENDED
from werewolf import Viewer

__all__ = [
    "CLOSED",
    "LIVE",
    "VOID",
    "Archetype",
    "ArchetypeList",
    "Character",
    "CharacterList",
    "DryRun",
    "Event",
    "EventPage",
    "MatchPage",
    "Move",
    "Offer",
    "Place",
    "Placing",
    "Player",
    "Receipt",
    "Registration",
    "Ruleset",
    "RulesetList",
    "State",
    "Summary",
    "Turn",
    "View",
    "Viewer",
]

Move = dict[str, Any]
"""What an agent does: `{"action": ...}` and what that action needs, such as `target`, `message`."""

View = Mapping[str, Any]
"""The `visible_state`: all that one viewer may know, in the form that the rule set documents."""

Offer = Mapping[str, Any]
"""One entry of `legal_actions`, such as `{"action": "vote", "targets": [0, 2]}`."""

VOID: Final = "void"
"""The status of a match that nobody played any more: it has ended, and does not count."""
CLOSED: Final = "closed"
"""The status of a table that nobody filled."""

LIVE: Final = frozenset({"open", "running"})
"""The statuses in which something may still happen; no other one is left again."""


class Summary(MatchSummary):
    """What everybody may know of a match."""

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.status in ENDED

    @property
    def verdict(self) -> str:
        """How it ended, as words that go on after a colon."""
        if self.status == CLOSED:
            return "the table closed, since too few players came"
        if self.status == VOID:
            return "void, since nobody played any more: it does not count"
        words = {None: "no result", "draw": "a draw, nobody wins"}
        return words.get(self.winner, f"the {self.winner} win")


class MatchPage(MatchList):
    """A page of the list of matches. `next` is the cursor of the page after it, or None."""

    matches: Sequence[Summary]


class State(MatchState):
    """A match as one viewer sees it.

    `server_now` is when it was found to be so; an answer that has not changed keeps its time.
    """

    @property
    def view(self) -> View | None:
        """What is to be seen; None before the start."""
        return self.visible_state

    @property
    def turn(self) -> Turn | None:
        """The viewer's turn, if it has one."""
        return self.your_turn

    @property
    def done(self) -> bool:
        """Whether nothing happens any more."""
        return self.status not in LIVE

    @property
    def news(self) -> tuple[object, ...]:
        """What is the same only while nothing has changed for this viewer."""
        return self.status, self.viewer, self.visible_state, self.your_turn, self.seq
