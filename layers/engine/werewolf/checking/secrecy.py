"""Pairs of matches that differ only in what one viewer may not know look the same to that viewer.

Two deals are made that the viewer cannot tell apart. One match is played at random; the other
follows: what the viewer sees happen there happens here, too, and what it does not see is made up
anew. Wherever both have shown the viewer the same events, everything else that it can find out must
be the same: its visible state, its turn, and how its moves are refused. Beside that, what the
viewer does not see must change nothing for it, unless it sees whose turn it is. Which phase it is
may be told without an event: only matches that show the viewer the same phase are compared.

Times are the same in both, and so are the dice. A pair ends where the second match finds no way to
follow.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any

from werewolf import kernel
from werewolf.checking.invariants import must
from werewolf.checking.matches import NOW, Table, random_table, sooner_than_the_deadline
from werewolf.checking.moves import is_listed, legal_move
from werewolf.errors import IllegalMove
from werewolf.events import Event, Viewer, visible_to
from werewolf.inputs import Input, apply
from werewolf.match import Match, Transition
from werewolf.phases import Turns
from werewolf.ruleset import RuleSet
from werewolf.rulesets import RULESETS

_ROUNDS = 150
_TRIES = 40
"""So often the second match tries to follow one step of the first, and that tries another step."""
_HIDDEN = 30
"""So many things at most happen one after another without the viewer's seeing any of them."""


@dataclass(frozen=True)
class Side:
    """One of the two matches, as its viewer has seen it so far."""

    viewer: Viewer
    match: Match
    log: tuple[Event, ...] = ()
    seen: tuple[Any, ...] = ()

    def grown(self, transition: Transition) -> "Side":
        """The match after a change."""
        match, events = transition
        shown = [[e.type, e.data] for e in events if visible_to(e, self.viewer)]
        return Side(self.viewer, match, (*self.log, *events), (*self.seen, *shown))

    def after(self, did: Input) -> "Side":
        """The match after one more input. Raises `IllegalMove`, and `Broken` when that changes
        something for a viewer that has not seen it."""
        grown = self.grown(apply(self.match, did))
        if did.seat != self.viewer and not self._watches_turns() and _alike(self, grown):
            _must_look_the_same(self, grown, f"{did} changes what {self.viewer} finds out")
        return grown

    def _watches_turns(self) -> bool:
        """Whether the viewer sees whose turn it is, and so that turns pass."""
        rules = RULESETS[self.match.ruleset]
        in_turns = isinstance(rules.phases[self.match.phase], Turns)
        return in_turns and rules.turn_shown(self.match, self.viewer)

    @cached_property
    def phase(self) -> tuple[Any, bool]:
        """In which phase it is as far as the viewer knows, and whether the viewer has a turn."""
        shown = kernel.view(self.match, (), self.viewer)["phase"]
        return shown, self.viewer in self.match.awaiting

    def findings(self) -> dict[str, Any]:
        """Everything that the viewer can find out beside events, by name."""
        found = {**kernel.view(self.match, self.log, self.viewer)}
        if isinstance(self.viewer, int):
            turn = kernel.turn(self.match, self.viewer)
            found["your_turn"] = turn and turn.as_dict()
            found["refusals"] = None if turn else [*self._refusals(self.viewer)]
        return found

    def _refusals(self, seat: int) -> Iterator[list[Any]]:
        menus = (phase.menu for phase in RULESETS[self.match.ruleset].phases.values())
        for action in dict.fromkeys(action.name for menu in menus for _, action in menu):
            try:
                kernel.act(self.match, seat, {"action": action, "target": 0}, now=NOW)
            except IllegalMove as refusal:
                yield [refusal.code, refusal.detail, *refusal.legal_actions]


def check_pair(rules: RuleSet, rng: Random) -> int:
    """Play one pair; at how many points it was compared. Raises `Broken`."""
    table = random_table(rules, rng)
    one, two = _deals(table, rng.choice([*range(table.seats), "spectator"]), rng)
    place = f"{table}: the roles {one.match.roles} and {two.match.roles} differ for {one.viewer}"
    now = NOW
    for compared in range(_ROUNDS):
        _must_look_the_same(one, two, f"{place} in day {one.match.day}, {one.match.phase}")
        if one.match.over or two.match.over:
            return compared
        now = min(sooner_than_the_deadline(side.match, now, rng) for side in (one, two))
        kind = rng.choices(["player", "timeout", "leave"], [90, 8, 2])[0]
        if kind == "leave":
            pair = _at_once(one, two, Input("leave", now, rng.choice(one.match.alive)))
        elif kind == "player" and one.match.awaiting:
            pair = _step(one, two, now, rng)
        else:
            now = max(now, *(side.match.deadline or now for side in (one, two)))
            pair = _at_once(one, two, Input("timeout", now))
        if pair is None:
            return compared
        one, two = pair
    return _ROUNDS


def _deals(table: Table, viewer: Viewer, rng: Random) -> tuple[Side, Side]:
    """The match with two deals that look the same to the viewer."""
    roles = [*table.start().match.roles]
    blank = Side(viewer, table.start().match)
    one = two = blank.grown(table.start(roles))
    for _ in range(12):
        a, b = rng.sample(range(table.seats), 2)
        roles[a], roles[b] = roles[b], roles[a]
        swapped = blank.grown(table.start(roles))
        if _alike(one, swapped):
            two = swapped
        else:
            roles[a], roles[b] = roles[b], roles[a]
    return one, two


def _alike(one: Side, two: Side) -> bool:
    """Whether the viewer has seen the same, and both have come to the same phase of it."""
    return len(one.seen) == len(two.seen) and one.phase == two.phase and one.seen == two.seen


def _must_look_the_same(one: Side, two: Side, place: str) -> None:
    left, right = one.findings(), two.findings()
    if json.dumps(left) == json.dumps(right):
        return
    names = {**left, **right}
    apart = {n: (left.get(n), right.get(n)) for n in names if left.get(n) != right.get(n)}
    must(not apart, f"{place}: {apart or 'the order of fields'}")


def _at_once(one: Side, two: Side, did: Input) -> tuple[Side, Side] | None:
    """The same in both; None when it is not the same to the viewer."""
    if did.by == "leave" and did.seat not in two.match.alive:
        return None
    one, two = one.after(did), two.after(did)
    return (one, two) if _alike(one, two) else None


def _step(one: Side, two: Side, now: int, rng: Random) -> tuple[Side, Side] | None:
    """The first goes on until the viewer notices, the second follows; None when it cannot."""
    for _ in range(4):
        ahead, deeds = _go_on(one, now, rng)
        for attempt in range(_TRIES):
            found = _follow(two, ahead, deeds, now, rng, copied=0.6 if attempt else 1.0)
            if found is not None:
                return ahead, found
    return None


def _go_on(side: Side, now: int, rng: Random) -> tuple[Side, list[Input]]:
    """Random moves until the viewer sees something, has made one, or has a turn."""
    deeds: list[Input] = []
    while len(deeds) < _HIDDEN and side.match.awaiting:
        seat = rng.choice(side.match.awaiting)
        deeds.append(Input("player", now, seat, legal_move(side.match, seat, rng)))
        before, side = side, side.after(deeds[-1])
        noticed = len(side.seen) > len(before.seen) or side.phase[1] != before.phase[1]
        if noticed or seat == side.viewer:
            break
    return side, deeds


def _follow(
    side: Side, goal: Side, deeds: Sequence[Input], now: int, rng: Random, *, copied: float
) -> Side | None:
    """Moves after which the viewer has seen the same as in the goal; None when they fail.

    This share of what others do is what somebody did in the first match, where that is possible.
    """
    own = [did for did in deeds if did.seat == side.viewer]
    others = [did for did in deeds if did.seat != side.viewer]
    for number in range(_HIDDEN):
        if not own and _alike(side, goal):
            return side
        strangers = [seat for seat in side.match.awaiting if seat != side.viewer]
        if own and side.phase[1] and (not strangers or number >= len(others)):
            did = own.pop()
        elif strangers:
            seat = rng.choice(strangers)
            moves = [other.move for other in others if is_listed(side.match, seat, other.move)]
            copies = moves and rng.random() < copied
            move = rng.choice(moves) if copies else legal_move(side.match, seat, rng)
            did = Input("player", now, seat, move)
        else:
            return None
        side = side.after(did)
        if side.seen != goal.seen[: len(side.seen)]:
            return None
    return None
