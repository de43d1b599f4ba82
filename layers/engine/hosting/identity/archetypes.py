"""Archetypes: kinds of characters, with strategy notes for those who bring none of their own.

They come as data (`archetypes.json`). Each has notes for Werewolf as such; rule sets may
have better ones for their game (`RuleSet.strategies`).
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from werewolf import RULESETS


@dataclass(frozen=True, slots=True)
class Archetype:
    """A kind of character. `strategy` is by rule set, `werewolf` for those that it leaves out."""

    id: str
    name: str
    about: str
    werewolf: str
    strategy: Mapping[str, str]

    def notes(self, ruleset: str) -> str:
        """The default strategy notes for a rule set."""
        return self.strategy.get(ruleset, self.werewolf)


@cache
def archetypes() -> Mapping[str, Archetype]:
    """All archetypes by id, in the order in which they are shown."""
    text = resources.files("hosting.identity").joinpath("archetypes.json").read_text("utf-8")
    own = {rules.id: rules.strategies for rules in RULESETS.values()}
    return {
        row["id"]: Archetype(
            **row, strategy={rules: notes[row["id"]] for rules, notes in own.items() if notes}
        )
        for row in json.loads(text)
    }
