"""How much of a match's past a view needs, so that a look costs no more however long it goes.

A view shows the present day, the newest contributions to the talk, and of the days before only
events of the types that `RuleSet.lasting` names. So who reads the log from its end may stop where
`Lookback` says, and take from before that only those.
"""

from collections.abc import Iterable

from werewolf.events import Event
from werewolf.match import Match
from werewolf.rulesets import RULESETS
from werewolf.view import TALK_SHOWN


class Lookback:
    """Reads the events of a match from the end, one log entry after another."""

    def __init__(self, match: Match) -> None:
        self._day = match.day
        self._rules = RULESETS[match.ruleset]
        self._talk = TALK_SHOWN if self._rules.shows_past_talk else 0

    def is_enough(self, events: Iterable[Event]) -> bool:
        """Take in the events of the entry before. Whether views need no earlier ones, but for the
        lasting ones."""
        of_the_past = False
        for event in events:
            self._talk -= self._rules.is_talk(event)
            of_the_past = of_the_past or event.data.get("day", self._day) < self._day
        return of_the_past and self._talk <= 0
