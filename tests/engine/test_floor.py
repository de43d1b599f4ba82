"""The floor, against a plain telling of its rules.

Random discussions: whoever has the floor passes, speaks to the room or to somebody, and now and
then somebody leaves. What was offered, said and passed is written down, and the rules are read off
that record.
"""

import json
from collections.abc import Iterator
from typing import Literal, NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from werewolf.rulesets.floor import LONGEST_CHAIN, Floor

Act = Literal["pass", "room", "hand over", "leave", "somebody leaves"]
ACTS: tuple[Act, ...] = ("pass", "room", "hand over", "hand over", "leave", "somebody leaves")


class Moment(NamedTuple):
    """Somebody has been offered the floor: by whom, and what was done with it before."""

    holder: int
    handed: bool
    floor: Floor
    living: tuple[int, ...]
    chain: tuple[int, ...]
    """Who made the directed handoffs in a row that led here."""
    passes: tuple[int, ...]
    """Who has passed since somebody last spoke."""


@st.composite
def discussions(draw: st.DrawFn) -> tuple[list[int], list[tuple[Act, int]]]:
    """An order of the seats, and what is done with the floor, one after another."""
    order = draw(st.permutations(range(draw(st.integers(2, 8)))))
    acts = draw(st.lists(st.tuples(st.sampled_from(ACTS), st.integers(0, 7)), max_size=60))
    return list(order), acts


def told(order: list[int], acts: list[tuple[Act, int]]) -> Iterator[Moment]:
    """Every offer of the floor in this discussion."""
    living, chain, passes = list(order), [], []
    holder, floor = Floor(tuple(order)).offered()
    yield Moment(holder, False, floor, tuple(living), (), ())
    for act, number in acts:
        to = None
        if act == "somebody leaves":
            others = [seat for seat in living if seat != holder]
            if others:
                gone = others[number % len(others)]
                living.remove(gone)
                passes = [seat for seat in passes if seat != gone]
                floor = floor.without(gone)
            continue
        addressees = floor.addressees(holder)
        if act == "hand over" and addressees:
            to = addressees[number % len(addressees)]
            chain = [] if len(chain) == LONGEST_CHAIN else [*chain, holder]
            passes = []
            floor = floor.spoke(holder, to)
        elif act == "leave":
            chain = []
            living.remove(holder)
            passes = [seat for seat in passes if seat != holder]
            floor = floor.without(holder)
        elif act == "pass":
            chain = []
            passes = [*passes, holder]
            floor = floor.passed(holder)
        else:
            chain = passes = []
            floor = floor.spoke(holder, None)
        assert floor.swept == (set(living) <= set(passes))
        if floor.swept:
            return
        holder, floor = floor.offered()
        assert to in (None, holder), "a handoff goes to the one who was named"
        yield Moment(holder, to is not None, floor, tuple(living), tuple(chain), tuple(passes))


@given(discussions())
def test_nobody_waits_longer_than_a_sweep_and_the_handoffs(
    discussion: tuple[list[int], list[tuple[Act, int]]],
) -> None:
    """While somebody waits, nobody else is offered the floor twice but by a handoff."""
    moments = list(told(*discussion))
    for seat in discussion[0]:
        offered: list[int] = []
        for moment in moments:
            if seat not in moment.living:
                break
            if moment.holder == seat:
                offered = []
            elif not moment.handed:
                assert moment.holder not in offered
                offered.append(moment.holder)
            assert len(offered) < len(discussion[0])


@given(discussions())
def test_the_longest_waiting_comes_first_and_the_seeded_order_before(
    discussion: tuple[list[int], list[tuple[Act, int]]],
) -> None:
    order, _ = discussion
    last = {seat: number - len(order) for number, seat in enumerate(order)}
    for number, moment in enumerate(told(*discussion)):
        if not moment.handed:
            assert moment.holder == min(moment.living, key=last.__getitem__)
        last[moment.holder] = number


@given(discussions())
def test_a_full_chain_turns_elsewhere(
    discussion: tuple[list[int], list[tuple[Act, int]]],
) -> None:
    for moment in told(*discussion):
        assert len(moment.chain) <= LONGEST_CHAIN
        barred = moment.chain[-1] if len(moment.chain) == LONGEST_CHAIN else None
        others = {seat for seat in moment.living if seat not in (moment.holder, barred)}
        assert moment.floor.addressees(moment.holder) == tuple(sorted(others))


@given(discussions())
def test_a_sweep_asks_everybody_once(
    discussion: tuple[list[int], list[tuple[Act, int]]],
) -> None:
    for moment in told(*discussion):
        assert moment.holder not in moment.passes
        assert len(set(moment.passes)) == len(moment.passes) < len(moment.living)


@given(discussions())
def test_a_floor_is_kept_as_json(discussion: tuple[list[int], list[tuple[Act, int]]]) -> None:
    for moment in told(*discussion):
        note = moment.floor.to_note()
        assert json.loads(json.dumps(note)) == note
        assert Floor.from_note(note) == moment.floor
