"""House bots: how the house plays a seat, out of what that seat may see and nothing else.

Pure: a turn and a `visible_state` in, a legal move out, and no randomness but the dice that are
handed in. Nothing here knows the platform or the rules; a bot knows a rule set only through the
actions that it offers and the few words that rule sets share.
"""

from bots.habits import choose
from werewolf import RULESETS as _ALL

__all__ = ["RULESETS", "choose"]

RULESETS = frozenset(rules.id for rules in _ALL.values() if rules.house_bots)
"""The rule sets that house bots play."""
