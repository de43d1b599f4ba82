"""Random matches of any rule set, for property tests.

    @given(scripts("werewolf-0.2"))
    def test_nothing_breaks(script: Script) -> None:
        for step in play(script):
            check_step(step)

What a script says, how it is played and what must hold is in `werewolf.checking`.
"""

from typing import Any

from hypothesis import reject
from hypothesis import strategies as st

import werewolf
from werewolf.checking.matches import Script, Table
from werewolf.options import OneOf, Option, Switch, Whole


def option_values(option: Option) -> st.SearchStrategy[Any]:
    """Every value that an option may have, its bounds and its default most often."""
    if isinstance(option, Whole):
        edges = st.sampled_from([option.default, option.low, option.high])
        return edges | st.integers(option.low, option.high)
    if isinstance(option, Switch):
        return st.booleans()
    assert isinstance(option, OneOf)
    return st.sampled_from(option.values)


@st.composite
def tables(draw: st.DrawFn, ruleset: str) -> Table:
    """A table that the rule set can start."""
    rules = werewolf.RULESETS[ruleset]
    seats = draw(st.integers(rules.seats.min, rules.seats.max))
    changed = draw(st.lists(st.sampled_from(sorted(rules.options)), unique=True))
    options = {name: draw(option_values(rules.options[name])) for name in changed}
    table = Table(ruleset, seats, f"{draw(st.integers(0, 2**256 - 1)):064x}", options)
    try:
        table.start()
    except werewolf.InvalidOptions:
        reject()
    return table


@st.composite
def scripts(draw: st.DrawFn, ruleset: str) -> Script:
    """A random match of the rule set; the simplest ones are orderly, with default options."""
    seldom = st.sampled_from([0, 0, 5, 30])
    return Script(
        draw(tables(ruleset)),
        choices=draw(st.integers(0, 2**32 - 1)),
        silences=draw(st.sampled_from([0, 20, 200, 700])),
        leaves=draw(seldom),
        illegal=draw(seldom),
        malformed=draw(seldom),
        out_of_turn=draw(seldom),
    )
