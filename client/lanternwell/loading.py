"""An agent by its name on a command line: `heuristic`, `mine.py`, `mine.py:Mine`, `module:Mine`."""

import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any, Final

from lanternwell.agent import Agent
from lanternwell.errors import LanternwellError
from lanternwell.failures import one_line

EXAMPLES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "heuristic": "lanternwell.agents:HeuristicAgent",
        "llm": "lanternwell.agents:LanguageModelAgent",
        "random": "lanternwell.agents:RandomAgent",
    }
)
FORMS: Final = (
    f"one of {', '.join(EXAMPLES)}, or a class of yours: mine.py, mine.py:Mine, module:Mine"
)


class NoAgent(LanternwellError):
    """There is no agent of this name, or it cannot be made; the message is one line."""


def load_agent(spec: str, seed: str) -> Agent:
    """A new agent; its class is handed the seed, if it takes a `seed`.

    A file runs as a module, so that what it guards with `if __name__ == "__main__"` does not.
    Raises `NoAgent`, also for whatever the file or the class raises.
    """
    kind = _kind(spec)
    try:
        takes_seed = "seed" in inspect.signature(kind).parameters
        agent = kind(seed=seed) if takes_seed else kind()
    except (Exception, SystemExit) as error:
        raise NoAgent(f"{spec} cannot be made: {one_line(error)}") from error
    if not isinstance(agent, Agent):
        raise NoAgent(f"{spec} makes a {type(agent).__name__}, which is no Agent")
    return agent


def _kind(spec: str) -> Callable[..., Any]:
    """What makes the agents of this name."""
    origin, _, name = EXAMPLES.get(spec, spec).rpartition(":")
    if spec.endswith(".py"):
        return _only_agent(spec)
    if not origin or not name:
        raise NoAgent(f"{spec!r} is no agent: say {FORMS}")
    kind: Callable[..., Any] | None = getattr(_module(origin), name, None)
    if kind is None:
        raise NoAgent(f"there is no {name} in {origin}")
    if not callable(kind):
        raise NoAgent(f"{spec} cannot be called")
    return kind


def _only_agent(file: str) -> Callable[..., Any]:
    module = _module(file)
    classes = [
        kind
        for kind in vars(module).values()
        if inspect.isclass(kind)
        and issubclass(kind, Agent)
        and not inspect.isabstract(kind)
        and kind.__module__ == module.__name__
    ]
    if not classes:
        raise NoAgent(f"there is no Agent in {file}: no class that inherits from it")
    if len(classes) > 1:
        names = " or ".join(f"{file}:{kind.__name__}" for kind in classes)
        raise NoAgent(f"there are several agents in {file}: say {names}")
    return classes[0]


@cache
def _module(origin: str) -> ModuleType:
    """The module of this name, or of this file."""
    if origin.endswith(".py") and not Path(origin).is_file():
        raise NoAgent(f"there is no file {origin}")
    try:
        return _run(Path(origin)) if origin.endswith(".py") else importlib.import_module(origin)
    except (Exception, SystemExit) as error:
        raise NoAgent(f"{origin} cannot be loaded: {one_line(error)}") from error


def _run(file: Path) -> ModuleType:
    name = f"agent_{file.stem}"
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    beside = str(file.parent.resolve())
    if beside not in sys.path:
        sys.path.insert(0, beside)  # for what the file imports from its own folder
    spec.loader.exec_module(module)
    return module
