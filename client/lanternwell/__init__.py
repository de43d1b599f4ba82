"""Lanternwell's client: play Werewolf on a Lanternwell service.

`run` plays one match with an `Agent`; `AsyncClient` is the service as typed async methods;
`MatchStream` is a match as a stream of events and turns that no broken socket disturbs.
"""

import logging

from lanternwell.agent import Agent
from lanternwell.client import AsyncClient
from lanternwell.errors import BadAnswer, LanternwellError, Refused, Unreachable
from lanternwell.model import (
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
    State,
    Summary,
    Turn,
    View,
)
from lanternwell.moves import every_move, make, offered, quiet_move
from lanternwell.runner import join_and_play, play, run
from lanternwell.stream import MatchStream, Signal

__all__ = [
    "Agent",
    "AsyncClient",
    "BadAnswer",
    "Event",
    "EventPage",
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
    "Signal",
    "State",
    "Summary",
    "Turn",
    "Unreachable",
    "View",
    "every_move",
    "join_and_play",
    "make",
    "offered",
    "play",
    "quiet_move",
    "run",
]

logging.getLogger(__name__).addHandler(logging.NullHandler())
