"""Who has the floor in a discussion, and to whom it goes next. Pure, and it knows of no match.

The floor is offered to whoever has waited for it longest. A speaker may hand it to somebody
instead, which counts as an offer; after three such handoffs in a row the next speaker may not hand
it back.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

LONGEST_CHAIN: Final = 3
"""After so many directed handoffs in a row, the next speaker must turn elsewhere."""


class Floor(NamedTuple):
    """The floor at one moment.

    `queue` has every seat that takes part: the one that has waited longest is first, and the one
    that has the floor, or had it last, is last. `silent` are those who have passed since somebody
    spoke. `chain` counts the directed handoffs in a row, and `handed_by` made the last of them.
    """

    queue: tuple[int, ...]
    silent: tuple[int, ...] = ()
    chain: int = 0
    handed_by: int | None = None

    @property
    def swept(self) -> bool:
        """Whether everybody has passed in a row."""
        return set(self.queue) <= set(self.silent)

    @property
    def barred(self) -> int | None:
        """Whom the present speaker may not name."""
        return self.handed_by if self.chain >= LONGEST_CHAIN else None

    def addressees(self, speaker: int) -> tuple[int, ...]:
        """To whom the speaker may hand the floor, in seat order."""
        return tuple([seat for seat in sorted(self.queue) if seat not in (speaker, self.barred)])

    def offered(self) -> tuple[int, "Floor"]:
        """Who has the floor next, and the floor with that seat at the end of the queue."""
        holder, *others = self.queue
        return holder, self._replace(queue=(*others, holder))

    def passed(self, speaker: int) -> "Floor":
        """The speaker said nothing."""
        silent = (*[seat for seat in self.silent if seat != speaker], speaker)
        return Floor(self.queue, silent)

    def spoke(self, speaker: int, to: int | None) -> "Floor":
        """The speaker said something, to the room or to the seat that has the floor next.

        The speaker at the end of a full chain who names another seat ends the chain by that.
        """
        if to is None:
            return Floor(self.queue)
        queue = (to, *[seat for seat in self.queue if seat != to])
        if self.chain >= LONGEST_CHAIN:
            return Floor(queue)
        return Floor(queue, chain=self.chain + 1, handed_by=speaker)

    def without(self, gone: int) -> "Floor":
        """A seat takes part no more. If it had the floor, the chain ends with it."""
        queue = tuple([seat for seat in self.queue if seat != gone])
        silent = tuple([seat for seat in self.silent if seat != gone])
        if self.queue[-1] == gone:
            return Floor(queue, silent)
        return self._replace(queue=queue, silent=silent)

    def to_note(self) -> list[Any]:
        """The floor as JSON has it."""
        return [list(self.queue), list(self.silent), self.chain, self.handed_by]

    @classmethod
    def from_note(cls, note: Sequence[Any]) -> "Floor":
        """The floor that `to_note` wrote."""
        queue, silent, chain, handed_by = note
        return cls(tuple(queue), tuple(silent), chain, handed_by)
