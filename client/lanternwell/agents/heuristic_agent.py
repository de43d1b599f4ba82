"""Plays every role sensibly, out of what its seat may see and nothing else."""

import random
from collections.abc import Callable, Iterable

from lanternwell.agent import Agent
from lanternwell.agents import phrases
from lanternwell.agents.reading import DOCTOR, SEER, WEREWOLF, Table, read_table
from lanternwell.model import Move, Offer, Turn, View
from lanternwell.moves import make, offered, quiet_move

CONVINCED = 0.4
"""Suspicion from which on a player votes for somebody."""

FOLLOWED = 0.3
"""How much each vote that is open already adds to suspicion: a vote counts where others go, too."""

Decide = Callable[["HeuristicAgent", Table, Offer], Move | None]


class HeuristicAgent(Agent):
    """A player with simple, sound habits; a `seed` makes it predictable.

    Werewolves follow the first pick of the night and pick the seer who came out, else whoever
    speaks against the pack, and leave alone whom the doctor seems to guard; by day they reason like
    villagers about everybody but the pack. The seer looks at the most suspected, says what it found
    when that is a werewolf, and stays hidden else, unless claims are all that can be said. The
    doctor guards the seer who came out. Everybody follows accusations by their weight: a seer's
    claim most of all, then what revealed cards say about who accused and voted for whom.
    It knows rule sets only through the actions that they offer.
    """

    def __init__(self, seed: int | str | None = None) -> None:
        self._dice = random.Random(seed)  # noqa: S311 - a game, not a secret
        self._taken: set[tuple[int, str, str]] = set()
        self._prey: int | None = None
        self._guarded: set[int] = set()

    def on_turn(self, turn: Turn, view: View) -> Move | None:
        """The move that its habits suggest; the quietest legal one where they suggest none."""
        table = read_table(view)
        lock = offered(turn, "lock")
        for actions, decide in _HABITS:
            entry = offered(turn, *actions)
            if entry is None or (lock and (turn.day, turn.phase, entry["action"]) in self._taken):
                continue
            move = decide(self, table, entry)
            if move is not None:
                self._taken.add((turn.day, turn.phase, move["action"]))
                return move
        return make(lock) if lock else quiet_move(turn)

    # ---- the night -----------------------------------------------------------------------------

    def _kill(self, table: Table, entry: Offer) -> Move | None:
        prey = [seat for seat in _targets(entry) if seat not in table.pack]
        if not prey:
            return None
        agreed = [pick for pick in table.picks if pick in prey]
        if table.quiet_night and self._prey is not None and DOCTOR not in table.roles.values():
            self._guarded.add(self._prey)  # a doctor has an eye on this one
        elif not table.quiet_night:
            self._guarded.clear()
        prey = [seat for seat in prey if seat not in self._guarded] or prey
        danger = {seat: (self._danger(table, seat), self._dice.random()) for seat in prey}
        target = agreed[0] if agreed else max(prey, key=danger.__getitem__)
        self._prey = target
        say = self._dice.choice(phrases.PACK)
        return make(entry, say=say, target=target)

    def _danger(self, table: Table, seat: int) -> float:
        """How much the pack has to fear from a seat."""
        against = {s.about for s in table.statements if s.by == seat and s.bad}
        claimed = 10.0 if table.claims_seer(seat) else 0.0
        return claimed + 2.0 * len(against & table.pack) - table.suspicion.get(seat, 0.0)

    def _look(self, table: Table, entry: Offer) -> Move | None:
        unknown = [s for s in _targets(entry) if s not in table.seen and s not in table.roles]
        return make(entry, target=self._most_suspected(table, unknown)) if unknown else None

    def _guard(self, table: Table, entry: Offer) -> Move | None:
        targets = _targets(entry)
        seers = [seat for seat in targets if table.claims_seer(seat)]
        quiet = sorted(targets, key=lambda seat: table.suspicion.get(seat, 0.0))
        among = seers or quiet[: max(1, len(quiet) // 2)]
        return make(entry, target=self._dice.choice(among)) if among else None

    def _choose(self, table: Table, entry: Offer) -> Move | None:
        """Where all choose at once, under one name."""
        by_role = {WEREWOLF: self._kill, "seer": self._look, "doctor": self._guard}
        decide = by_role.get(table.role or "")
        return decide(table, entry) if decide else None

    # ---- the day -------------------------------------------------------------------------------

    def _talk(self, table: Table, entry: Offer) -> Move | None:
        return make(entry, say=self._words(table))

    def _words(self, table: Table) -> str:
        named = self._as_seer(table)
        if named is not None:
            again = table.seat is not None and table.claims_seer(table.seat)
            return self._say(table, phrases.CLAIM_AGAIN if again else phrases.CLAIM, who=named)
        suspect = self._suspect(table)
        by = table.accusers(table.seat) if table.seat is not None else []
        cleared = [seat for seat in table.others if table.seen.get(seat) is False]
        if cleared and (by or table.suspicion.get(cleared[0], 0.0) >= 2 * CONVINCED):
            return self._say(table, phrases.CLEARED, who=cleared[0])
        if by and self._dice.random() < 0.7:
            return self._say(table, phrases.DENY, by=by[0])
        if suspect is not None:
            with_me = [seat for seat in table.accusers(suspect) if seat not in table.pack]
            if with_me and self._dice.random() < 0.6:
                return self._say(table, phrases.JOIN, who=suspect, by=with_me[0])
            return self._say(table, phrases.ACCUSE, who=suspect)
        hunch = self._hunch(table)
        if hunch is not None and self._dice.random() < 0.45:
            return self._say(table, phrases.ACCUSE, who=hunch)
        if table.victim is not None:
            return self._say(table, phrases.MUSE + phrases.MOURN, who=table.victim)
        return self._say(table, phrases.MUSE)

    def _as_seer(self, table: Table) -> int | None:
        """Whom this player names as a seer. A werewolf whom the seer has named says the same."""
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

    def _introduce(self, table: Table, entry: Offer) -> Move | None:
        return make(entry, say=phrases.pick(self._dice, phrases.INTRODUCE, table.texts))

    def _accuse(self, table: Table, entry: Offer) -> Move | None:
        suspect = self._suspect(table)
        if suspect is None or suspect not in _targets(entry):
            return None
        return make(entry, target=suspect)

    def _claim(self, table: Table, entry: Offer) -> Move | None:
        """A seer with nothing to tell comes out, so that it is believed later."""
        told = table.seat is not None and table.claims_seer(table.seat)
        found = any(table.seen.get(seat) for seat in table.others)
        if table.role != SEER or told or found or SEER not in entry.get("roles", ()):
            return None
        return make(entry, role=SEER)

    def _vote(self, table: Table, entry: Offer) -> Move | None:
        targets = _targets(entry)
        found = [seat for seat in targets if table.seen.get(seat)]
        if found:
            return make(entry, target=found[0])
        among = [s for s in targets if s not in table.pack and table.seen.get(s) is not False]
        if not among:
            return None
        weight = {
            seat: table.suspicion.get(seat, 0.0) + FOLLOWED * table.ballots.get(seat, 0)
            for seat in among
        }
        target = max(among, key=lambda seat: (weight[seat], -seat))
        return make(entry, target=target) if weight[target] >= CONVINCED else None

    def _suspect(self, table: Table) -> int | None:
        """Whom this player is out to eliminate, if anybody."""
        found = [seat for seat in table.others if table.seen.get(seat)]
        if found:
            return found[0]
        among = [s for s in table.others if s not in table.pack and table.seen.get(s) is not False]
        if not among:
            return None
        suspect = self._most_suspected(table, among)
        if table.suspicion.get(suspect, 0.0) >= CONVINCED:
            return suspect
        return None

    def _hunch(self, table: Table) -> int | None:
        among = [s for s in table.others if s not in table.pack and table.seen.get(s) is not False]
        return self._dice.choice(among) if among else None

    def _most_suspected(self, table: Table, among: Iterable[int]) -> int:
        """Ties go to the lower seat, so that those who think alike vote alike."""
        return max(among, key=lambda seat: (table.suspicion.get(seat, 0.0), -seat))

    def _say(self, table: Table, words: tuple[str, ...], **seats: int) -> str:
        named = {role: table.who(seat) for role, seat in seats.items()}
        return phrases.pick(self._dice, words, table.texts, **named)


def _targets(entry: Offer) -> list[int]:
    return list(entry.get("targets") or ())


_HABITS: tuple[tuple[tuple[str, ...], Decide], ...] = (
    (("kill", "wolf_vote", "propose"), HeuristicAgent._kill),
    (("inspect", "seer_check", "investigate"), HeuristicAgent._look),
    (("protect", "doctor_save"), HeuristicAgent._guard),
    (("choose",), HeuristicAgent._choose),
    (("introduce",), HeuristicAgent._introduce),
    (("say",), HeuristicAgent._talk),
    (("claim",), HeuristicAgent._claim),
    (("accuse",), HeuristicAgent._accuse),
    (("vote",), HeuristicAgent._vote),
)
"""What is done where one of these actions is offered; the first that has an answer is done."""
