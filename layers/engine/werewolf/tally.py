"""Counting votes. A vote against somebody who has gone is void and counts for nobody."""

from collections.abc import Iterable, Sequence
from typing import Any

Choice = int | str | None
Counts = dict[int | str, int]
"""Votes for each target, most first."""


def tally(choices: Iterable[tuple[int, Choice]], alive: Sequence[int]) -> Counts:
    """Votes for each living target, and for each word that was voted for, most first."""
    counts: Counts = {}
    for _, target in choices:
        if target is not None and (target in alive or isinstance(target, str)):
            counts[target] = counts.get(target, 0) + 1
    if len(counts) < 2:
        return counts
    order = sorted(counts, key=str)
    order.sort(key=counts.__getitem__, reverse=True)
    return {target: counts[target] for target in order}


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
        {"seat": seat, "target": target}
        if target in alive or not isinstance(target, int)
        else {"seat": seat, "target": target, "void": True}
        for seat, target in ballots
    ]


def tally_data(counts: Counts) -> list[dict[str, Any]]:
    """The tally as event data."""
    return [{"target": target, "votes": votes} for target, votes in counts.items()]
