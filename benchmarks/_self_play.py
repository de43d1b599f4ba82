"""Random legal self-play: the work that the speed figures are about.

For every move: `turn` lists what is legal, a choice is drawn from it, and `act` makes of one match
the next, with its events. Matches are dealt from seeds of the generator, and played to their end.
"""

from random import Random
from typing import Any

import werewolf
from werewolf import Match

TEXT = "I think it is you."
FIELDS = (("targets", "target"), ("roles", "role"), ("to", "to"))
"""By the key of an offer: the field of the move that is drawn from it."""
SPOKEN = frozenset({"say", "introduce", "propose"})


def play(
    ruleset: str,
    seats: int,
    rng: Random,
    *,
    options: dict[str, Any] | None = None,
    through_json: bool = False,
) -> int:
    """Play one match; how many moves it took. With `through_json`, the state goes through JSON
    between moves, as it does between two calls of a Lambda function."""
    names = [f"p{seat}" for seat in range(seats)]
    seed = f"{rng.getrandbits(256):064x}"
    match = werewolf.start(ruleset, names, seed=seed, now=0, options=options).match
    moves = now = 0
    while not match.over:
        if match.awaiting:
            seat = match.awaiting[0]
            match = werewolf.act(match, seat, random_move(match, seat, rng), now=now).match
            moves += 1
        else:
            assert match.deadline is not None
            now = match.deadline
            match = werewolf.expire(match, now=now).match
        if through_json:
            match = Match.from_json(match.to_json())
    return moves


def random_move(match: Match, seat: int, rng: Random) -> dict[str, Any]:
    """A legal move, drawn from what the seat is offered."""
    turn = werewolf.turn(match, seat)
    assert turn is not None
    offers = turn.legal_actions
    offer = offers[int(rng.random() * len(offers))]
    move: dict[str, Any] = {"action": offer["action"]}
    for key, field in FIELDS:
        if choices := offer.get(key):
            move[field] = choices[int(rng.random() * len(choices))]
    if offer["action"] in SPOKEN:
        move["message"] = TEXT
    return move
