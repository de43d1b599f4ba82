"""What a house bot does with a turn: simple, sound habits for every role.

Werewolves pick together, and the seer who came out first. The seer looks at whom it suspects most
and comes out once it has found a werewolf. The doctor guards who came out as seer. By day everybody
follows the weight of what was said and of how it turned out.
"""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final

from bots import phrases
from bots.reading import WEREWOLF, Reading, read

Move = dict[str, Any]
Offer = Mapping[str, Any]
Habit = Callable[[Reading, Offer, Random], Move | None]

CONVINCED: Final = 0.5
"""Suspicion from which on a bot votes for somebody."""

TALKS_A_DAY: Final = 2
"""After that a bot listens, so that talk without rounds comes to an end."""

_QUIET: Final = ("pass", "skip", "abstain", "no_lynch")


def choose(turn: Mapping[str, Any], view: Mapping[str, Any], dice: Random) -> Move:
    """The move for this turn: `action` and what belongs to it, without the `turn_id`.

    `turn` is `your_turn` and `view` the `visible_state` of the same seat. The same turn, view and
    dice give the same move, and it is one of the legal ones.
    """
    reading = read(view)
    offers = {offer["action"]: offer for offer in turn["legal_actions"]}
    for action, habit in _HABITS.items():
        move = habit(reading, offers[action], dice) if action in offers else None
        if move is not None:
            return move
    return _quietest(turn["legal_actions"], dice)


def _quietest(offers: list[Offer], dice: Random) -> Move:
    """What says least."""
    for offer in offers:
        if offer["action"] in _QUIET:
            return {"action": offer["action"]}
    return _at(offers[0], dice.choice(offers[0]["targets"]))


def _at(offer: Offer, target: int) -> Move:
    return {"action": offer["action"], "target": target}


def _at_if_named(offer: Offer, target: int | None) -> Move | None:
    """Nothing where that seat may not be named."""
    return _at(offer, target) if target is not None and target in offer["targets"] else None


# ---- the night ----------------------------------------------------------------------------------


def _kill(reading: Reading, offer: Offer, dice: Random) -> Move:
    agreed = [pick for pick in reading.picks if pick in offer["targets"]]
    seers = [seat for seat in reading.seers if seat in offer["targets"]]
    if agreed or seers:
        return _at(offer, (agreed or seers)[0])
    shuffled = dice.sample(offer["targets"], len(offer["targets"]))
    return _at(offer, min(shuffled, key=lambda seat: reading.suspicion.get(seat, 0.0)))


def _look(reading: Reading, offer: Offer, dice: Random) -> Move | None:
    unknown = [seat for seat in offer["targets"] if seat not in reading.found]
    return _at(offer, _most_suspected(reading, unknown, dice)) if unknown else None


def _guard(reading: Reading, offer: Offer, dice: Random) -> Move:
    seers = [seat for seat in reading.seers if seat in offer["targets"]]
    return _at(offer, seers[0] if seers else dice.choice(offer["targets"]))


# ---- the day ------------------------------------------------------------------------------------


def _introduce(_reading: Reading, offer: Offer, dice: Random) -> Move:
    return {"action": offer["action"], "message": dice.choice(phrases.INTRODUCE)}


def _claim(reading: Reading, offer: Offer, _dice: Random) -> Move | None:
    """The seer comes out with what it found, where claims are actions of their own."""
    found = _found(reading)
    if found is None or reading.seat in reading.seers or "seer" not in offer["roles"]:
        return None
    return {"action": offer["action"], "role": "seer"}


def _accuse(reading: Reading, offer: Offer, dice: Random) -> Move | None:
    suspect = _suspect(reading, dice)
    if suspect is None and dice.random() < 0.5:
        suspect = _hunch(reading, dice)
    return _at_if_named(offer, suspect)


def _say(reading: Reading, offer: Offer, dice: Random) -> Move | None:
    if reading.spoken >= TALKS_A_DAY:
        return None
    return {"action": offer["action"], "message": _speech(reading, dice)}


def _speech(reading: Reading, dice: Random) -> str:
    found = _found(reading)
    if found is not None:
        return dice.choice(phrases.CLAIM).format(who=f"seat {found}")
    against_me = [w.by for w in reading.words if w.about == reading.seat and w.weight > 0]
    accusers = [seat for seat in against_me if seat in reading.others]
    if accusers and dice.random() < 0.6:
        return dice.choice(phrases.DENY).format(by=f"seat {accusers[-1]}")
    suspect = _suspect(reading, dice)
    if suspect is None and dice.random() < 0.4:
        suspect = _hunch(reading, dice)
    if suspect is not None:
        return dice.choice(phrases.ACCUSE).format(who=f"seat {suspect}")
    return dice.choice(phrases.MUSE)


def _vote(reading: Reading, offer: Offer, dice: Random) -> Move | None:
    suspect = _suspect(reading, dice)
    return _at_if_named(offer, suspect)


def _found(reading: Reading) -> int | None:
    """A living werewolf that this seer has found."""
    return next((seat for seat in reading.others if reading.found.get(seat)), None)


def _suspect(reading: Reading, dice: Random) -> int | None:
    """Whom this bot wants to see go, if anybody."""
    found = _found(reading)
    if found is not None:
        return found
    open_to_doubt = _open_to_doubt(reading)
    if not open_to_doubt:
        return None
    suspect = _most_suspected(reading, open_to_doubt, dice)
    if reading.suspicion.get(suspect, 0.0) >= CONVINCED:
        return suspect
    # A werewolf needs no reason, but does not stick out on the first day.
    return suspect if reading.role == WEREWOLF and reading.day > 1 else None


def _hunch(reading: Reading, dice: Random) -> int | None:
    open_to_doubt = _open_to_doubt(reading)
    return dice.choice(open_to_doubt) if open_to_doubt else None


def _open_to_doubt(reading: Reading) -> list[int]:
    return [
        seat
        for seat in reading.others
        if seat not in reading.pack and reading.found.get(seat) is not False
    ]


def _most_suspected(reading: Reading, among: list[int], dice: Random) -> int:
    return max(among, key=lambda seat: (reading.suspicion.get(seat, 0.0), dice.random()))


_HABITS: Final[Mapping[str, Habit]] = {
    "kill": _kill,
    "wolf_vote": _kill,
    "propose": _kill,
    "inspect": _look,
    "seer_check": _look,
    "investigate": _look,
    "protect": _guard,
    "doctor_save": _guard,
    "introduce": _introduce,
    "claim": _claim,
    "accuse": _accuse,
    "say": _say,
    "vote": _vote,
}
"""What a bot does with an action that is offered; the first habit that has an answer decides."""
