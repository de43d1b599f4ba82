"""How a bot plays a seat, out of what that seat may see and nothing else.

Pure: a turn and a `visible_state` in, a legal move out, and no randomness but the dice that are
handed in. Nothing here knows the platform; a bot knows a rule set only through the actions that it
offers and the few words that rule sets share. House bots and the client's example agent play so.
"""

from bots.habits import choose
from bots.phrases import VOICES
from werewolf import RULESETS as _ALL

__all__ = ["RULESETS", "VOICES", "choose"]

RULESETS = frozenset(rules.id for rules in _ALL.values() if rules.house_bots)
"""The rule sets that house bots play."""
