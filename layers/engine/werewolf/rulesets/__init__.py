"""The registry: every rule set under its id. A new version is one module and one line here."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import Final

from werewolf.ruleset import RuleSet
from werewolf.rulesets.arena_1 import Arena1
from werewolf.rulesets.house_9 import House9
from werewolf.rulesets.traditional_1 import Traditional1
from werewolf.rulesets.werewolf_0_2 import Werewolf02

_registry: Final[dict[str, RuleSet]] = {
    rules.id: rules for rules in (Werewolf02(), Arena1(), House9(), Traditional1())
}
RULESETS: Final[Mapping[str, RuleSet]] = MappingProxyType(_registry)


@contextmanager
def registered(rules: RuleSet) -> Iterator[None]:
    """Play by this rule set, too, within the block: for those who write or check one.

    It takes the place of one with the same id.
    """
    replaced = _registry.get(rules.id)
    _registry[rules.id] = rules
    try:
        yield
    finally:
        if replaced is None:
            del _registry[rules.id]
        else:
            _registry[rules.id] = replaced
