"""Counting votes. A vote against somebody who has gone is void and counts for nobody."""

from collections.abc import Iterable, Sequence
from typing import Any

Choice = int | str | None
Counts = dict[int | str, int]
"""Votes for each target, most first."""


def is_void(target: Choice, alive: Sequence[int]) -> bool:
    """Whether a vote names somebody who has gone."""
    return target not in alive and isinstance(target, int)


def tally(choices: Iterable[tuple[int, Choice]], alive: Sequence[int]) -> Counts:
    """Votes for each living target, and for each word that was voted for, most first."""
    counts: Counts = {}
    for _, target in choices:
        if isinstance(target, str) or (target is not None and target in alive):
            counts[target] = counts.get(target, 0) + 1
    return dict(sorted(counts.items(), key=lambda item: (-item[1], str(item[0]))))


def leaders(counts: Counts) -> tuple[int | str, ...]:
    """Those with the most votes, which come first."""
    most = next(iter(counts.values()), 0)
    return tuple([target for target, votes in counts.items() if votes == most])


def plurality(counts: Counts) -> int | str | None:
    """The one with strictly the most votes."""
    first = leaders(counts)
    return first[0] if len(first) == 1 else None


def majority(counts: Counts, *, of: int) -> int | str | None:
    """The one with more than half of so many votes."""
    leader = plurality(counts)
    return leader if leader is not None and 2 * counts[leader] > of else None


def ballot_data(
    ballots: Iterable[tuple[int, Choice]], alive: Sequence[int]
) -> list[dict[str, Any]]:
    """Every ballot as event data; `void` marks a vote for somebody who has gone."""
    return [
        {"seat": seat, "target": target, "void": True}
        if is_void(target, alive)
        else {"seat": seat, "target": target}
        for seat, target in ballots
    ]


def tally_data(counts: Counts) -> list[dict[str, Any]]:
    """The tally as event data."""
    return [{"target": target, "votes": votes} for target, votes in counts.items()]
