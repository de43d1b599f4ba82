"""In words: who may know of an event. `RuleSet.events` is made of these."""

from typing import Final

ALL: Final = "everyone"
ITS_SEAT: Final = "the seat that it concerns"
PACK: Final = "the werewolves"
ACTOR_OR_PACK: Final = "the seat that acts; if it is a werewolf, the werewolves"
ROLE: Final = "those who have the role that acts"
THE_SEER: Final = "the seer"
SEALED: Final = "nobody until the match is over"
