"""Every viewer has a dense sequence of its own.

`seq` counts the events that this viewer may see, from 1, so a gap never tells that something
hidden happened. A log entry keeps how many each viewer had seen `before` it; the numbers of its
events follow from that. While a match is open everybody sees the same.

The thinking that came with a move has no number. Omniscient viewers who ask for it are told it
with the event that follows it in its log entry, which is the move's own, so their numbers are the
same whether they ask or not, and they may ask at one time and not at another.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from hosting.model import LogEntry
from protocol.play import SeenEvent
from werewolf import Event, Viewer, visible_to

THINKING: Final = "thinking"
"""The type of the events that are told with others."""


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
        count + sum(is_numbered(event, viewer) for event in happened)
        for count, viewer in zip(counts, viewers(counts), strict=True)
    )


def numbered(entry: LogEntry, viewer: Viewer) -> Iterator[tuple[int, Event]]:
    """The events of an entry that the viewer may see, with the viewer's numbers."""
    visible = (event for event in entry.events if is_numbered(event, viewer))
    return enumerate(visible, seen_by(entry.before, viewer) + 1)


def is_aside(event: Event) -> bool:
    """Whether the event is none of anybody's sequence, but told with another."""
    return event.type == THINKING


def is_numbered(event: Event, viewer: Viewer) -> bool:
    """Whether the viewer may see the event, as one of its sequence."""
    return not is_aside(event) and visible_to(event, viewer)


def seen_events(entry: LogEntry, viewer: Viewer, *, thinking: bool = False) -> list[SeenEvent]:
    """The viewer's events in an entry, as they go over the wire.

    `thinking` is for omniscient viewers: each move's events begin with what was thought.
    """
    told = [
        SeenEvent(seq=seq, at=entry.at, type=event.type, data=event.data)
        for seq, event in numbered(entry, viewer)
    ]
    if thinking and viewer == "omniscient":
        before = 0
        for event in entry.events:
            if event.type == THINKING and before < len(told):
                told[before]["thinking"] = event.data["text"]
            before += event.type != THINKING
    return told
