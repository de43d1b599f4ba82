"""Who takes part in a batch of matches."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from lanternwell.agent import Agent
from lanternwell.loading import load_agent


@dataclass(frozen=True, slots=True)
class Contestant:
    """An agent that takes part. `spec` says where it comes from, as `load_agent` reads it."""

    name: str
    spec: str

    def make(self, seed: str) -> Agent:
        """A new one for a seat. Raises `NoAgent`."""
        return load_agent(self.spec, seed)


def cast(specs: Iterable[str]) -> tuple[Contestant, ...]:
    """The contestants of these names; who takes part twice is told apart by a number."""
    seen: Counter[str] = Counter()
    contestants = []
    for spec in specs:
        seen[spec] += 1
        name = spec if seen[spec] == 1 else f"{spec}#{seen[spec]}"
        contestants.append(Contestant(name, spec))
    return tuple(contestants)
