"""Werewolf: the rules, and nothing but the rules.

A pure engine. `start` deals a match, `act`, `expire` and `leave` turn one match into the next with
the events that happened on the way; so do `pause`, `resume` and `put_out` when the table waits for
somebody, and `void` when nobody plays it any more. `apply` is all of these in one, for inputs that
are kept. `turn` says what a seat may do, and `view` what
a viewer may know. There is no I/O here, no clock, and no randomness but the seed.
"""

from werewolf.dice import commitment, mix_seed, seating
from werewolf.errors import (
    MOVE_CODES,
    IllegalMove,
    InvalidOptions,
    UnknownRuleset,
    WerewolfError,
)
from werewolf.events import Event, Viewer, visible_to
from werewolf.inputs import Input, Setup, apply
from werewolf.kernel import (
    act,
    check_options,
    expire,
    leave,
    pause,
    put_out,
    resume,
    start,
    turn,
    view,
    void,
)
from werewolf.match import Match, Transition, Turn
from werewolf.rulesets import RULESETS

__all__ = [
    "MOVE_CODES",
    "RULESETS",
    "Event",
    "IllegalMove",
    "Input",
    "InvalidOptions",
    "Match",
    "Setup",
    "Transition",
    "Turn",
    "UnknownRuleset",
    "Viewer",
    "WerewolfError",
    "act",
    "apply",
    "check_options",
    "commitment",
    "expire",
    "leave",
    "mix_seed",
    "pause",
    "put_out",
    "resume",
    "seating",
    "start",
    "turn",
    "view",
    "visible_to",
    "void",
]
