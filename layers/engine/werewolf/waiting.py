"""The table waits: the clock stands still until those who are missing are back, or out."""

from collections.abc import Collection
from typing import Any

from werewolf.draft import Draft


def wait_for(draft: Draft, seats: Collection[int]) -> None:
    """These seats are missing, on top of those that are already; only the living are missed."""
    missing = [] if draft.pause is None else draft.pause["for"]
    known = {seat for seat, _ in missing}
    gone = [seat for seat in draft.alive if seat in seats and seat not in known]
    if not gone:
        return
    stopped = draft.pause or _stop(draft)
    since = max(0, draft.now - stopped["at"])
    draft.pause = {**stopped, "for": sorted([*missing, *([seat, since] for seat in gone)])}
    _tell_missing(draft)


def wait_no_more(draft: Draft, seats: Collection[int]) -> None:
    """These seats are back; those who are out are not missed either.

    Once nobody is missing, the clock goes on with the time that was left.
    """
    if draft.pause is None:
        return
    if draft.over:
        draft.pause = None
        return
    missing = [
        [seat, since]
        for seat, since in draft.pause["for"]
        if seat in draft.alive and seat not in seats
    ]
    if not missing:
        _go_on(draft)
    elif missing != draft.pause["for"]:
        draft.pause = {**draft.pause, "for": missing}
        _tell_missing(draft)


def _stop(draft: Draft) -> dict[str, Any]:
    left = None if draft.deadline is None else max(0, draft.deadline - draft.now)
    stopped = {"at": draft.now, "left": left, "awaiting": list(draft.awaiting)}
    draft.awaiting = ()
    draft.deadline = None
    return stopped


def _go_on(draft: Draft) -> None:
    assert draft.pause is not None
    at, left, awaiting = (draft.pause[name] for name in ("at", "left", "awaiting"))
    draft.pause = None
    draft.awaiting = tuple(seat for seat in awaiting if seat in draft.alive)
    draft.deadline = None if left is None else draft.now + left
    phase = draft.rules.phases[draft.phase]
    stood = max(0, draft.now - at)
    draft.note(**{name: draft.notes[name] + stood for name in phase.moments})
    draft.emit("resumed", {"day": draft.day, "phase": draft.phase, **phase.clock(draft)})


def _tell_missing(draft: Draft) -> None:
    assert draft.pause is not None
    missing = [seat for seat, _ in draft.pause["for"]]
    draft.emit("paused", {"day": draft.day, "phase": draft.phase, "waiting_for": missing})
