"""Who sits where: the same deals for everybody.

Matches come in groups that share one seed, and so one deal. Within a group the contestants change
places by rotation, so that each of them plays every seat, and with it every role, exactly once:
what one had of luck, all had.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from werewolf import dice
from werewolf.roles import WEREWOLF


@dataclass(frozen=True, slots=True)
class Pairing:
    """One match to play: `seats` has the number of the contestant in each seat."""

    number: int
    seed: str
    rotation: int
    seats: tuple[int, ...]


def schedule(seed: str, matches: int, *, contestants: int, seats: int) -> Iterator[Pairing]:
    """At least so many matches: whole groups, of as many matches as there are contestants.

    Group n is dealt from the SHA-256 of `<seed>/<n>`. Who sits beside whom is shuffled for each
    group, by dice of that seed.
    """
    for group in range(-(-matches // contestants)):
        dealt = _deal(seed, group)
        places = [seat % contestants for seat in range(seats)]
        first, _ = dice.shuffled(dealt, "lineup", 0, places)
        for rotation in range(contestants):
            seated = tuple((contestant + rotation) % contestants for contestant in first)
            yield Pairing(group * contestants + rotation, dealt, rotation, seated)


def team_schedule(
    seed: str, matches: int, *, contestants: int, roles: Callable[[str], Sequence[str]]
) -> Iterator[Pairing]:
    """At least so many matches between whole teams, on the same deals as those of `schedule`.

    For each deal every contestant is the whole pack against every one's village, its own too.
    `roles` says which role each seat is dealt from a seed. The rotation is the number of the pack's
    contestant times how many there are, and that of the village's.
    """
    pairs = [(pack, village) for pack in range(contestants) for village in range(contestants)]
    for group in range(-(-matches // len(pairs))):
        dealt = _deal(seed, group)
        cards = roles(dealt)
        for rotation, (pack, village) in enumerate(pairs):
            seats = tuple(pack if role == WEREWOLF else village for role in cards)
            yield Pairing(group * len(pairs) + rotation, dealt, rotation, seats)


def _deal(seed: str, group: int) -> str:
    return hashlib.sha256(f"{seed}/{group}".encode()).hexdigest()
