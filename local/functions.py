"""The functions of the platform in this process, each loaded from its folder as Lambda does."""

import importlib.util
import sys
import threading
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Final
from uuid import uuid4

from hosting.wiring import Platform, choose

_HERE: Final = Path(__file__).resolve().parent
FOLDER: Final = next(
    folder
    for folder in (_HERE / "functions", _HERE.parent / "functions")
    if folder.exists()  # in the wheel they lie in this package, in the repository beside it
)
_ONE_AT_A_TIME: Final = threading.Lock()
"""A handler runs alone in its process, as on Lambda: Powertools counts on it."""


@dataclass(frozen=True)
class Context:
    """What Lambda tells a function of its call."""

    function_name: str
    memory_limit_in_mb: int = 512
    invoked_function_arn: str = "arn:aws:lambda:local:000000000000:function:local"
    aws_request_id: str = field(default_factory=lambda: str(uuid4()))

    @staticmethod
    def get_remaining_time_in_millis() -> int:
        """Time enough."""
        return 30_000


@cache
def load(name: str) -> ModuleType:
    """The module `app` of a function, which finds the modules in its own folder."""
    folder = FOLDER / name
    spec = importlib.util.spec_from_file_location(f"functions_{name}", folder / "app.py")
    if spec is None or spec.loader is None:
        raise ImportError(f"there is no function {name}")
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(folder))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(folder))
    return module


def call(name: str, event: Mapping[str, Any]) -> Any:
    """What the handler answers to an event. Raises what it raises."""
    with _ONE_AT_A_TIME:
        return load(name).handler(event, Context(name))


class Functions:
    """Calls the handlers on one platform, in the order in which it is asked to."""

    def __init__(self, platform: Platform) -> None:
        self._pool = ThreadPoolExecutor(1, "functions", initializer=choose, initargs=(platform,))

    def submit(self, name: str, event: Mapping[str, Any]) -> Future[Any]:
        """Call a handler soon; what it will have answered."""
        return self._pool.submit(call, name, event)

    def call(self, name: str, event: Mapping[str, Any]) -> Any:
        """Call a handler and wait for its answer. Raises what it raises."""
        return self.submit(name, event).result()

    def close(self) -> None:
        """Finish what was asked for."""
        self._pool.shutdown()
