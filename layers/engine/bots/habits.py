"""What a bot does with a turn: simple, sound habits for every role.

Werewolves follow the first pick of the night and pick the seer who came out, else whoever speaks
against the pack, and leave alone whom the doctor seems to guard; by day they reason like villagers
about everybody but the pack. The seer looks at the most suspected, says what it found when that is
a werewolf, and stays hidden else, unless claims are all that can be said. The doctor guards the
seer who came out. Everybody follows accusations by their weight: a seer's claim most of all, then
what revealed cards say about who accused and voted for whom.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from bots import phrases
from bots.reading import Table, read
from werewolf.roles import DOCTOR, SEER, WEREWOLF
from werewolf.rulesets import quiet_actions

Move = dict[str, Any]
Offer = Mapping[str, Any]

CONVINCED: Final = 0.4
"""Suspicion from which on a bot votes for somebody."""

FOLLOWED: Final = 0.3
"""How much each vote that is open already adds to suspicion: a vote counts where others go, too."""

TALKS_A_DAY: Final = 2
"""After that a bot passes where it can, so that talk without rounds comes to an end."""

_QUIET: Final = quiet_actions()


def choose(turn: Mapping[str, Any], view: Mapping[str, Any], dice: Random, voice: str) -> Move:
    """The move for this turn: `action` and what belongs to it, without the `turn_id`.

    `turn` is `your_turn` and `view` the `visible_state` of the same seat; `voice` is one of
    `VOICES`. The same arguments give the same move, and it is one of the legal ones.
    """
    player = _Player(read(view), dice, voice)
    offers = {offer["action"]: offer for offer in turn["legal_actions"]}
    by_day = [(_HABITS[action], offers[action]) for action in _HABITS if action in offers]
    by_night = [(_Player.at_night, offer) for name, offer in offers.items() if name not in _HABITS]
    for habit, offer in by_day + by_night:
        move = habit(player, offer)
        if move is not None:
            return move
    quiet = next((action for action in _QUIET if action in offers), None)
    return {"action": quiet} if quiet else player.at_random(turn["legal_actions"][0])


@dataclass(frozen=True, slots=True)
class _Player:
    """A bot at a table. Each habit answers one offer with a move, or with None for no answer."""

    table: Table
    dice: Random
    voice: str

    def at_random(self, offer: Offer) -> Move:
        """Any move of this offer."""
        choices = {
            name.removesuffix("s"): self.dice.choice(values)
            for name, values in offer.items()
            if isinstance(values, list)
        }
        return {"action": offer["action"], **choices, **self._aside(offer, "muse")}

    # ---- the night -----------------------------------------------------------------------------

    def at_night(self, offer: Offer) -> Move | None:
        """Whatever the action is called: what it is for follows from the role."""
        habits = {WEREWOLF: self._kill, SEER: self._look, DOCTOR: self._guard}
        habit = habits.get(self.table.role or "") if "targets" in offer else None
        return habit(offer) if habit else None

    def _kill(self, offer: Offer) -> Move | None:
        prey = [seat for seat in offer["targets"] if seat not in self.table.pack]
        if not prey:
            return None
        agreed = [pick for pick in self.table.picks if pick in prey]
        if self.table.quiet_night and DOCTOR not in self.table.roles.values():
            # A doctor has an eye on who came out as seer.
            prey = [seat for seat in prey if not self.table.claims_seer(seat)] or prey
        danger = {seat: (self._danger(seat), self.dice.random()) for seat in prey}
        target = agreed[0] if agreed else max(prey, key=danger.__getitem__)
        return {**_at(offer, target), **self._aside(offer, "pack")}

    def _danger(self, seat: int) -> float:
        """How much the pack has to fear from a seat."""
        against = {s.about for s in self.table.statements if s.by == seat and s.bad}
        claimed = 10.0 if self.table.claims_seer(seat) else 0.0
        return claimed + 2.0 * len(against & self.table.pack) - self.table.suspicion.get(seat, 0.0)

    def _look(self, offer: Offer) -> Move | None:
        known = self.table.seen.keys() | self.table.roles.keys()
        unknown = [seat for seat in offer["targets"] if seat not in known]
        self.dice.shuffle(unknown)
        return _at(offer, self._most_suspected(unknown)) if unknown else None

    def _guard(self, offer: Offer) -> Move | None:
        seers = [seat for seat in offer["targets"] if self.table.claims_seer(seat)]
        quiet = sorted(offer["targets"], key=lambda seat: self.table.suspicion.get(seat, 0.0))
        among = seers or quiet[: max(1, len(quiet) // 2)]
        return _at(offer, self.dice.choice(among)) if among else None

    # ---- the day -------------------------------------------------------------------------------

    def introduce(self, offer: Offer) -> Move | None:
        return self._spoken(offer, "introduce")

    def talk(self, offer: Offer) -> Move | None:
        if self.table.spoken >= TALKS_A_DAY:
            return None
        named = self._as_seer()
        if named is not None:
            again = self.table.seat is not None and self.table.claims_seer(self.table.seat)
            return self._spoken(offer, "again" if again else "claim", who=named)
        suspect = self._suspect()
        by = self.table.accusers(self.table.seat) if self.table.seat is not None else []
        cleared = [seat for seat in self.table.others if self.table.seen.get(seat) is False]
        if cleared and (by or self.table.suspicion.get(cleared[0], 0.0) >= 2 * CONVINCED):
            return self._spoken(offer, "cleared", who=cleared[0])
        if by and self.dice.random() < 0.7:
            return self._spoken(offer, "deny", by=by[0])
        if suspect is not None:
            with_me = [seat for seat in self.table.accusers(suspect) if seat not in self.table.pack]
            if with_me and self.dice.random() < 0.6:
                return self._spoken(offer, "join", who=suspect, by=with_me[0])
            return self._spoken(offer, "accuse", who=suspect)
        hunch = self._hunch()
        if hunch is not None and self.dice.random() < 0.45:
            return self._spoken(offer, "accuse", who=hunch)
        if self.table.victim is not None:
            return self._spoken(offer, "muse", "mourn", who=self.table.victim)
        return self._spoken(offer, "muse")

    def _as_seer(self) -> int | None:
        """Whom this player names as a seer. A werewolf whom the seer has named says the same."""
        table = self.table
        found = [seat for seat in table.others if table.seen.get(seat)]
        if found:
            return found[0]
        rivals = [s for s in table.others if s not in table.pack and table.claims_seer(s)]
        if table.role == WEREWOLF:
            named_me = {s.by for s in table.statements if s.about == table.seat and s.as_seer}
            rivals = [seat for seat in rivals if seat in named_me]
        elif table.role != SEER:
            return None
        return rivals[0] if rivals else None

    def accuse(self, offer: Offer) -> Move | None:
        suspect = self._suspect()
        return _at(offer, suspect) if suspect in offer["targets"] else None

    def claim(self, offer: Offer) -> Move | None:
        """A seer with nothing to tell comes out, so that it is believed later."""
        table = self.table
        told = table.seat is not None and table.claims_seer(table.seat)
        found = any(table.seen.get(seat) for seat in table.others)
        if table.role != SEER or told or found or SEER not in offer["roles"]:
            return None
        return {"action": offer["action"], "role": SEER}

    def vote(self, offer: Offer) -> Move | None:
        found = [seat for seat in offer["targets"] if self.table.seen.get(seat)]
        if found:
            return _at(offer, found[0])
        among = self._open_to_doubt(offer["targets"])
        weight = {
            seat: self.table.suspicion.get(seat, 0.0) + FOLLOWED * self.table.ballots.get(seat, 0)
            for seat in among
        }
        target = max(among, key=lambda seat: (weight[seat], -seat), default=None)
        return _at(offer, target) if target is not None and weight[target] >= CONVINCED else None

    def _suspect(self) -> int | None:
        """Whom this player is out to eliminate, if anybody."""
        found = [seat for seat in self.table.others if self.table.seen.get(seat)]
        if found:
            return found[0]
        # Ties go to the lower seat, so that those who think alike vote alike.
        suspect = self._most_suspected(self._open_to_doubt(self.table.others))
        convinced = self.table.suspicion.get(suspect, 0.0) >= CONVINCED
        return suspect if convinced else None

    def _hunch(self) -> int | None:
        among = self._open_to_doubt(self.table.others)
        return self.dice.choice(among) if among else None

    def _open_to_doubt(self, among: Iterable[int]) -> list[int]:
        table = self.table
        return [s for s in among if s not in table.pack and table.seen.get(s) is not False]

    def _most_suspected(self, among: Iterable[int]) -> int:
        """The first of those who are suspected most."""
        return max(among, key=lambda seat: self.table.suspicion.get(seat, 0.0), default=-1)

    def _spoken(self, offer: Offer, *kinds: str, **seats: int) -> Move | None:
        words = self._aside(offer, *kinds, **seats)
        return {"action": offer["action"], **words} if words else None

    def _aside(self, offer: Offer, *kinds: str, **seats: int) -> Move:
        """The field with words, where some fit in."""
        most = offer.get("max_message_chars", offer.get("max_message_bytes", 0))
        text = phrases.say(kinds, self.voice, self.dice, self.table.said, most, **seats)
        return {} if text is None else {"message": text}


def _at(offer: Offer, target: int | None) -> Move:
    return {"action": offer["action"], "target": target}


_HABITS: Final[Mapping[str, Callable[[_Player, Offer], Move | None]]] = {
    "introduce": _Player.introduce,
    "say": _Player.talk,
    "claim": _Player.claim,
    "accuse": _Player.accuse,
    "defend": lambda *_: None,
    "vote": _Player.vote,
}
"""What a bot does by day where an action is offered; the first habit that has an answer decides."""
