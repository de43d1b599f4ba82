"""Every viewer has a dense sequence of its own.

`seq` counts the events that this viewer may see, from 1, so a gap never tells that something
hidden happened. A log entry keeps how many each viewer had seen `before` it; the numbers of its
events follow from that. While a match is open everybody sees the same.
"""

from collections.abc import Iterable, Iterator, Sequence

from hosting.model import LogEntry
from werewolf import Event, Viewer, visible_to


def seen_by(counts: Sequence[int], viewer: Viewer) -> int:
    """The viewer's number in `State.seen` or `LogEntry.before`."""
    if viewer == "omniscient":
        return counts[-1]
    if viewer == "spectator" or viewer >= len(counts) - 2:
        return counts[-2]
    return counts[viewer]


def viewers(counts: Sequence[int]) -> list[Viewer]:
    """The viewers that `counts` counts for, in its order."""
    return [*range(len(counts) - 2), "spectator", "omniscient"]


def seated(counts: Sequence[int], seats: int) -> tuple[int, ...]:
    """The counts of an open match, for a match with so many seats: nobody loses a number."""
    return (counts[-2],) * seats + tuple(counts[-2:])


def counted(counts: Sequence[int], events: Iterable[Event]) -> tuple[int, ...]:
    """The counts after these events."""
    happened = list(events)
    return tuple(
        count + sum(visible_to(event, viewer) for event in happened)
        for count, viewer in zip(counts, viewers(counts), strict=True)
    )


def numbered(entry: LogEntry, viewer: Viewer) -> Iterator[tuple[int, Event]]:
    """The events of an entry that the viewer may see, with the viewer's numbers."""
    visible = (event for event in entry.events if visible_to(event, viewer))
    return enumerate(visible, seen_by(entry.before, viewer) + 1)
