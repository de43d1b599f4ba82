"""The registry: every rule set under its id. A new version is one module and one line here."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from werewolf.ruleset import RuleSet
from werewolf.rulesets.arena_1 import Arena1
from werewolf.rulesets.house_9 import House9
from werewolf.rulesets.traditional_1 import Traditional1
from werewolf.rulesets.werewolf_0_2 import Werewolf02

RULESETS: Final[Mapping[str, RuleSet]] = MappingProxyType(
    {rules.id: rules for rules in (Werewolf02(), Arena1(), House9(), Traditional1())}
)
