"""Whatever happens to a match from outside, as one kind of thing: an `Input`, and one way in.

    setup --apply(start)--> match --apply(player, timeout, leave, ...)--> match ...

A match is a function of its setup and its inputs with their times, which is what a replay holds.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple

from werewolf import kernel
from werewolf.match import REVISION, Match, Transition

InputBy = Literal["start", "player", "timeout", "leave", "pause", "resume", "put_out", "void"]
"""Where an input of a match came from: its start, a seat's own move, a deadline that passed, a seat
that left; a connection that dropped or came back; the host, who put out somebody missing; or the
platform, which found that nobody plays any more."""


class Input(NamedTuple):
    """One thing that happens to a match.

    `at` is in milliseconds since the epoch. `seat` says whose it is: None at the start, when a
    match is void, and for a deadline that met several seats. `move` is what a player sends; at the
    start the revision of the rules (`start_move`).
    """

    by: InputBy
    at: int
    seat: int | None = None
    move: Any = None


class Setup(NamedTuple):
    """A match before its first input. The fields are the arguments of `start`."""

    ruleset: str
    names: Sequence[str]
    seed: str
    options: Mapping[str, object] | None = None
    roles: Sequence[str] | None = None


def start_move(revision: int = REVISION) -> dict[str, int] | None:
    """What the start of a match carries: the revision of the rules, but for the first one."""
    return None if revision == 1 else {"revision": revision}


def revision_of(move: Any) -> Any:
    """The revision of the rules in what the start of a match carries."""
    return 1 if move is None else move["revision"]


def apply(position: Match | Setup, given: Input) -> Transition:
    """What an input makes of a match; the start, of a setup.

    Nothing changes where the input has no effect: a deadline that has not passed, a seat that is
    not missed. Raises as the function does that the input stands for (`start`, `act`, `expire`,
    `leave`, `pause`, `resume`, `put_out`, `void`), and `ValueError` for what is no input here.
    """
    if isinstance(position, Setup):
        if given.by != "start":
            raise ValueError("a match begins with its start")
        ruleset, names, seed, options, roles = position
        return kernel.start(
            ruleset,
            names,
            seed=seed,
            now=given.at,
            options=options,
            roles=roles,
            revision=revision_of(given.move),
        )
    if given.by not in _INPUTS:
        raise ValueError(f"{given.by!r} is no input of a match that has started")
    return _INPUTS[given.by](position, given)


def as_played(position: Match | Setup, given: Input) -> Input:
    """The input in the one form in which it is written down: a timeout names the seat that it meets
    if it meets one alone, and nothing is kept that says nothing."""
    if given.by == "timeout":
        awaiting = () if isinstance(position, Setup) else position.awaiting
        return Input(given.by, given.at, awaiting[0] if len(awaiting) == 1 else None)
    seat = None if given.by in ("start", "void") else given.seat
    return Input(given.by, given.at, seat, given.move if given.by in ("start", "player") else None)


_INPUTS: Final[Mapping[str, Callable[[Match, Any], Transition]]] = {
    "player": lambda match, given: kernel.act(match, given.seat, given.move, now=given.at),
    "timeout": lambda match, given: kernel.expire(match, now=given.at),
    "leave": lambda match, given: kernel.leave(match, given.seat, now=given.at),
    "pause": lambda match, given: kernel.pause(match, [given.seat], now=given.at),
    "resume": lambda match, given: kernel.resume(match, [given.seat], now=given.at),
    "put_out": lambda match, given: kernel.put_out(match, given.seat, now=given.at),
    "void": lambda match, given: kernel.void(match, now=given.at),
}
