"""Matches between agents in this process: no service, no network, on all cores.

The agents are the same that play on a service. `schedule` says who sits where in which match,
`play_batch` plays them, `summarise` counts.
"""

from lanternwell.arena.batch import play_batch
from lanternwell.arena.casting import Contestant, cast
from lanternwell.arena.figures import Tally, summarise, summarise_teams, wilson
from lanternwell.arena.lineup import Pairing, schedule, team_schedule
from lanternwell.arena.table import Game, Record, play_match

__all__ = [
    "Contestant",
    "Game",
    "Pairing",
    "Record",
    "Tally",
    "cast",
    "play_batch",
    "play_match",
    "schedule",
    "summarise",
    "summarise_teams",
    "team_schedule",
    "wilson",
]
