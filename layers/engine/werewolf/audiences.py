"""In words: who may know of an event. `RuleSet.events` is made of these."""

from typing import Final

ALL: Final = "everyone"
ITS_SEAT: Final = "the seat that it concerns"
PACK: Final = "the werewolves"
ACTOR_OR_PACK: Final = "the seat that acts; if it is a werewolf, the werewolves"
ROLE: Final = "those who have the role that acts"
THE_SEER: Final = "the seer"
SEALED: Final = "nobody until the match is over"

COMMON: Final = {
    "roles_dealt": ALL,
    "role_private": ITS_SEAT,
    "night_start": ALL,
    "day_start": ALL,
    "dawn": ALL,
    "elimination": ALL,
    "no_elimination": ALL,
    "votes_revealed": ALL,
    "reveal": ALL,
    "faction_win": ALL,
}
"""What happens under every rule set."""
