"""Random matches of any rule set: how they start, what is done in them, and what comes of it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from werewolf import kernel
from werewolf.checking.moves import legal_move, malformed_moves, unlisted_moves
from werewolf.errors import IllegalMove, InvalidOptions
from werewolf.events import Event
from werewolf.inputs import Input, apply
from werewolf.match import Match, Transition
from werewolf.options import OneOf, Option, Switch
from werewolf.ruleset import RuleSet

NOW = 1_800_000_000_000
"""When matches start, in milliseconds since the epoch."""


@dataclass(frozen=True)
class Table:
    """How a match starts."""

    ruleset: str
    seats: int
    seed: str
    options: Mapping[str, Any]

    def start(self, roles: Sequence[str] | None = None) -> Transition:
        """Deal it; `roles` fixes the deal."""
        names = [f"p{seat}" for seat in range(self.seats)]
        return kernel.start(
            self.ruleset, names, seed=self.seed, now=NOW, options=self.options, roles=roles
        )


@dataclass(frozen=True)
class Script:
    """A whole random match: the table, and how often in a thousand steps what is tried."""

    table: Table
    choices: int
    """The seed of every choice that is made along the way."""
    steps: int = 2_000
    silences: int = 0
    leaves: int = 0
    illegal: int = 0
    malformed: int = 0
    out_of_turn: int = 0


@dataclass(frozen=True)
class Step:
    """One input and what came of it; `refusal` is set when it was refused."""

    before: Match
    did: Input
    after: Match
    events: tuple[Event, ...]
    refusal: IllegalMove | None = None


def random_table(rules: RuleSet, rng: Random) -> Table:
    """A table that the rule set can start."""
    while True:
        seats = rng.randint(rules.seats.min, rules.seats.max)
        options = {
            name: random_value(option, rng)
            for name, option in rules.options.items()
            if rng.random() < 0.3
        }
        table = Table(rules.id, seats, f"{rng.getrandbits(256):064x}", options)
        try:
            table.start()
        except InvalidOptions:
            continue
        return table


def random_value(option: Option, rng: Random) -> Any:
    """A value that the option may have: its default and its bounds most often."""
    if isinstance(option, Switch):
        return rng.random() < 0.5
    if isinstance(option, OneOf):
        return rng.choice(option.values)
    between = rng.randint(option.low, option.high)
    return rng.choice([option.default, option.low, option.high, between])


def random_script(rules: RuleSet, rng: Random) -> Script:
    """A random match of the rule set."""
    seldom = (0, 0, 5, 30)
    return Script(
        random_table(rules, rng),
        choices=rng.getrandbits(32),
        silences=rng.choice([0, 20, 200, 700]),
        leaves=rng.choice(seldom),
        illegal=rng.choice(seldom),
        malformed=rng.choice(seldom),
        out_of_turn=rng.choice(seldom),
    )


def play(script: Script) -> Iterator[Step]:
    """Play the script until the match is over or the steps have run out.

    The first step is the start, with the input `start` and the same match before and after.
    """
    rng = Random(script.choices)
    match, events = script.table.start()
    now = NOW
    yield Step(match, Input("start", now), match, events)
    for _ in range(script.steps):
        if match.over:
            return
        did = _next_input(script, match, rng, now)
        try:
            transition = apply(match, did)
        except IllegalMove as refusal:
            yield Step(match, did, match, (), refusal)
            continue
        yield Step(match, did, transition.match, transition.events)
        match, now = transition.match, did.at


def replay(table: Table, inputs: Sequence[Input], *, through_json: bool = False) -> list[Event]:
    """Every event of a match, from how it starts and what was done; refused inputs left out."""
    match, started = table.start()
    events = list(started)
    for did in inputs:
        if through_json:
            match = Match.from_json(match.to_json())
        match, caused = apply(match, did)
        events += caused
    return events


def sooner_than_the_deadline(match: Match, now: int, rng: Random) -> int:
    """A moment from now on at which the present deadline has not passed yet."""
    later = now + rng.choice([1, 40, 900, 12_000])
    if match.deadline is not None and later >= match.deadline:
        later = max(now, match.deadline - 1)
    return later


def _next_input(script: Script, match: Match, rng: Random, now: int) -> Input:
    later = sooner_than_the_deadline(match, now, rng)
    shares = {
        "leave": script.leaves,
        "illegal": script.illegal,
        "malformed": script.malformed,
        "out_of_turn": script.out_of_turn,
        "silence": script.silences,
    }
    shares["move"] = 1_000 - sum(shares.values())
    (kind,) = rng.choices(list(shares), list(shares.values()))
    if kind == "leave":
        return Input("leave", later, rng.choice(match.alive))
    if match.deadline is not None and (kind == "silence" or not match.awaiting):
        return Input("timeout", match.deadline + rng.choice([0, 0, 1, 5_000]))
    if kind == "out_of_turn":
        strangers = [s for s in range(-1, len(match.roles) + 1) if s not in match.awaiting]
        move = rng.choice([*unlisted_moves(match, match.awaiting[0])])
        return Input("player", later, rng.choice(strangers), move)
    seat = rng.choice(match.awaiting)
    if kind == "illegal":
        return Input("player", later, seat, rng.choice([*unlisted_moves(match, seat)]))
    if kind == "malformed":
        return Input("player", later, seat, rng.choice([*malformed_moves(match, seat)]))
    return Input("player", later, seat, legal_move(match, seat, rng))
