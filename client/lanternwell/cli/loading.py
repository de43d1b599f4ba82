"""An agent out of a Python file."""

import importlib.util
import inspect
import sys
from pathlib import Path
from types import ModuleType

from lanternwell.agent import Agent
from lanternwell.errors import LanternwellError


class NoAgent(LanternwellError):
    """There is no agent in this file, or too many."""


def load_agent(file: Path, name: str | None = None) -> Agent:
    """The agent in a file: the one of that name, or its `agent`, or its only `Agent` class.

    The file runs as a module, so that what it guards with `if __name__ == "__main__"` does not.
    Raises `NoAgent`, and whatever the file raises.
    """
    module = _module(file)
    if name is not None:
        if not hasattr(module, name):
            raise NoAgent(f"there is no {name} in {file}")
        return _made(getattr(module, name), file, name)
    if hasattr(module, "agent"):
        return _made(module.agent, file, "agent")
    classes = [
        kind
        for kind in vars(module).values()
        if inspect.isclass(kind)
        and issubclass(kind, Agent)
        and not inspect.isabstract(kind)
        and kind.__module__ == module.__name__
    ]
    if not classes:
        raise NoAgent(f"there is no Agent in {file}: neither a class of that kind nor an `agent`")
    if len(classes) > 1:
        names = ", ".join(kind.__name__ for kind in classes)
        raise NoAgent(f"there are several agents in {file} ({names}): say which with --agent")
    return _made(classes[0], file, classes[0].__name__)


def _module(file: Path) -> ModuleType:
    if not file.is_file():
        raise NoAgent(f"there is no file {file}")
    name = f"agent_{file.stem}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise NoAgent(f"{file} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    beside = str(file.parent.resolve())
    if beside not in sys.path:
        sys.path.insert(0, beside)  # for what the file imports from its own folder
    spec.loader.exec_module(module)
    return module


def _made(found: object, file: Path, name: str) -> Agent:
    if inspect.isclass(found):
        needed = [
            parameter.name
            for parameter in inspect.signature(found).parameters.values()
            if parameter.default is parameter.empty
            and parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
        ]
        if needed:
            raise NoAgent(f"{name} in {file} must be possible to make without arguments")
        found = found()
    if not isinstance(found, Agent):
        raise NoAgent(f"{name} in {file} is no Agent")
    return found
