"""The registry: every rule set under its id. A new version is one module and one line here."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import Final

from werewolf.moves import Action
from werewolf.phases import Together
from werewolf.ruleset import RuleSet
from werewolf.rulesets.arena_1 import Arena1
from werewolf.rulesets.house_9 import House9
from werewolf.rulesets.traditional_1 import Traditional1
from werewolf.rulesets.werewolf_0_2 import Werewolf02

_registry: Final[dict[str, RuleSet]] = {
    rules.id: rules for rules in (Werewolf02(), Arena1(), House9(), Traditional1())
}
RULESETS: Final[Mapping[str, RuleSet]] = MappingProxyType(_registry)


def all_actions() -> Iterator[Action]:
    """The actions of all rule sets. Where everybody plays at once comes first: what is quiet there
    ends one's turns."""
    phases = [phase for rules in RULESETS.values() for phase in rules.phases.values()]
    for phase in sorted(phases, key=lambda phase: phase.kind != Together.kind):
        yield from (action for _, action in phase.menu)


def quiet_actions() -> tuple[str, ...]:
    """The actions that commit to nothing, the quietest first."""
    return tuple(dict.fromkeys(action.name for action in all_actions() if action.quiet))


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
