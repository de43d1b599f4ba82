"""Lanternwell's client: play Werewolf on a Lanternwell service.

`run` plays one match with an `Agent`; `Client` and `AsyncClient` are the service as typed methods;
`MatchStream` is a match as a stream of events and turns that no broken socket disturbs.
"""

import logging

from lanternwell.agent import Agent
from lanternwell.client import AsyncClient, Client
from lanternwell.errors import BadAnswer, LanternwellError, Refused, Unreachable
from lanternwell.model import (
    Archetype,
    Character,
    DryRun,
    Event,
    EventPage,
    MatchPage,
    Move,
    Offer,
    Place,
    Placing,
    Player,
    Receipt,
    Registration,
    Ruleset,
    State,
    Summary,
    Turn,
    View,
)
from lanternwell.moves import every_move, make, offered, quiet_move
from lanternwell.runner import join_and_play, play, run
from lanternwell.seating import take_seat
from lanternwell.stream import MatchStream, Signal
from werewolf.checking import FaultyRuleset, check_ruleset

__all__ = [
    "Agent",
    "Archetype",
    "AsyncClient",
    "BadAnswer",
    "Character",
    "Client",
    "DryRun",
    "Event",
    "EventPage",
    "FaultyRuleset",
    "LanternwellError",
    "MatchPage",
    "MatchStream",
    "Move",
    "Offer",
    "Place",
    "Placing",
    "Player",
    "Receipt",
    "Refused",
    "Registration",
    "Ruleset",
    "Signal",
    "State",
    "Summary",
    "Turn",
    "Unreachable",
    "View",
    "check_ruleset",
    "every_move",
    "join_and_play",
    "make",
    "offered",
    "play",
    "quiet_move",
    "run",
    "take_seat",
]

logging.getLogger(__name__).addHandler(logging.NullHandler())
