"""What happened, and who may know it."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple

Viewer = int | Literal["spectator", "omniscient"]
"""Who looks: a seat number, somebody at the window, or somebody who may know everything."""

EVERYONE: Final = "everyone"
NOBODY: Final[tuple[int, ...]] = ()
"""Sealed until the match is over."""

Audience = Literal["everyone"] | tuple[int, ...]


class Event(NamedTuple):
    """One thing that happened. `data` is JSON-ready; `audience` says who may know it now."""

    type: str
    data: Mapping[str, Any]
    audience: Audience = EVERYONE

    def to_json_value(self) -> list[Any]:
        """`[type, data, audience]`, the form in which events are stored."""
        return [self.type, self.data, self.audience]

    @classmethod
    def from_json_value(cls, value: Sequence[Any]) -> "Event":
        """The event that `to_json_value` wrote."""
        kind, data, audience = value
        return cls(kind, data, EVERYONE if audience == EVERYONE else tuple(audience))


def visible_to(event: Event, viewer: Viewer) -> bool:
    """Whether the viewer may see the event while the match runs."""
    return event.audience == EVERYONE or viewer == "omniscient" or viewer in event.audience
