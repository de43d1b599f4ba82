"""Which agents play: `random`, `heuristic`, `llm`, or a class of one's own as `module:Class`."""

import importlib
import inspect
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from lanternwell.agent import Agent
from lanternwell.errors import LanternwellError

BUILT_IN: Final[Mapping[str, str]] = MappingProxyType(
    {
        "heuristic": "lanternwell.agents:HeuristicAgent",
        "llm": "lanternwell.agents:LanguageModelAgent",
        "random": "lanternwell.agents:RandomAgent",
    }
)


class UnknownAgent(LanternwellError):
    """There is no such agent."""


@dataclass(frozen=True, slots=True)
class Contestant:
    """An agent that takes part. `spec` says where it comes from, as `module:Class`."""

    name: str
    spec: str

    def make(self, seed: str) -> Agent:
        """A new one for a seat; with the seed, if its class takes a `seed`.

        Raises `UnknownAgent`, and whatever the class raises.
        """
        kind = self._kind()
        takes_seed = "seed" in inspect.signature(kind).parameters
        agent = kind(seed=seed) if takes_seed else kind()
        if not isinstance(agent, Agent):
            raise UnknownAgent(f"{self.spec} makes a {type(agent).__name__}, which is no Agent")
        return agent

    def _kind(self) -> Any:
        module, _, name = self.spec.partition(":")
        if not module or not name:
            raise UnknownAgent(f"{self.name!r} is neither module:Class nor one of {[*BUILT_IN]}")
        try:
            kind = getattr(importlib.import_module(module), name)
        except (ImportError, AttributeError) as error:
            raise UnknownAgent(f"{self.spec}: {error}") from error
        if not callable(kind):
            raise UnknownAgent(f"{self.spec} cannot be called")
        return kind


def cast(specs: Iterable[str]) -> tuple[Contestant, ...]:
    """The contestants of these names; who takes part twice is told apart by a number."""
    seen: Counter[str] = Counter()
    contestants = []
    for spec in specs:
        seen[spec] += 1
        name = spec if seen[spec] == 1 else f"{spec}#{seen[spec]}"
        contestants.append(Contestant(name, BUILT_IN.get(spec, spec)))
    return tuple(contestants)
