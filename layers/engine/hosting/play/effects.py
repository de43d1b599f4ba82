"""From a log entry to what must follow from it, beside the pushes.

An entry names its effects; each has one handler, which may be called again for the same entry.
"""

from collections.abc import Callable, Mapping

from hosting.model import LogEntry


class EffectDispatcher:
    """Carries effects out."""

    def __init__(self, handlers: Mapping[str, Callable[[LogEntry], None]]) -> None:
        self._handlers = handlers

    def dispatch(self, entry: LogEntry) -> None:
        """Carry out all effects of an entry, in the order of the handlers. Raises what a handler
        raises: the entry then comes again. An effect that nobody handles is a `KeyError`, and no
        entry is lost unseen."""
        unknown = entry.effects - self._handlers.keys()
        if unknown:
            raise KeyError(*sorted(unknown))
        for effect, handle in self._handlers.items():
            if effect in entry.effects:
                handle(entry)
