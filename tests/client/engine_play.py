"""Matches between agents on the engine alone: no service, no clock but the deadlines."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import werewolf
from lanternwell import Agent, Turn


@dataclass
class Outcome:
    match: werewolf.Match
    moves: list[tuple[int, dict[str, Any]]] = field(default_factory=list)


def play_on_engine(
    ruleset: str,
    seed: object,
    cast: Callable[[int, str], Agent],
    *,
    name: Callable[[int, str], str] = lambda seat, _: f"P{seat}",
    most_moves: int = 4000,
) -> Outcome:
    """Play a match to its end; `cast` makes the agent of a seat with a role, `name` its name."""
    seats = werewolf.RULESETS[ruleset].seats.default
    hidden = random.Random(str(seed)).randbytes(32).hex()
    now = 1_000_000
    dealt = werewolf.start(ruleset, [""] * seats, seed=hidden, now=now).match.roles
    names = [name(seat, role) for seat, role in enumerate(dealt)]
    started = werewolf.start(ruleset, names, seed=hidden, now=now)
    outcome, log = Outcome(started.match), list(started.events)
    agents = [cast(seat, role) for seat, role in enumerate(started.match.roles)]
    while not outcome.match.over:
        assert len(outcome.moves) < most_moves
        for seat in outcome.match.awaiting:
            match = outcome.match
            turn = werewolf.turn(match, seat)
            if turn is None:
                continue  # an earlier move of this round ended the phase
            now += 1
            seen = Turn.read(turn.as_dict())
            move = agents[seat].on_turn(seen, werewolf.view(match, log, seat))
            assert isinstance(move, dict)
            played = werewolf.act(match, seat, move, now=now)
            outcome.moves.append((seat, move))
            outcome.match = played.match
            log += played.events
        if not outcome.match.awaiting and outcome.match.deadline is not None:
            now = max(now, outcome.match.deadline)
            passed = werewolf.expire(outcome.match, now=now)
            outcome.match = passed.match
            log += passed.events
    return outcome
