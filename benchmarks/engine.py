"""Moves per second of the engine on one core, and the bytes of its state.

Random legal self-play of every rule set, once with the match handed on as it is and once with its
state going through JSON between moves. Ratios within one run are what to look at: the seconds of
another machine are another machine's.
"""

from random import Random
from time import process_time

import werewolf
from benchmarks._self_play import play

SEATS = 8
MATCHES = 400
OPTIONS = {"werewolf-0.2": {"talk_rounds": 1}}


def moves_per_second(ruleset: str, *, through_json: bool) -> float:
    """Over the same matches for both ways."""
    rng = Random(2026)
    options = OPTIONS.get(ruleset)
    started = process_time()
    moves = sum(
        play(ruleset, SEATS, rng, options=options, through_json=through_json)
        for _ in range(MATCHES)
    )
    return moves / (process_time() - started)


def main() -> None:
    """Print one row for each rule set."""
    print(f"random legal self-play, {SEATS} seats, {MATCHES} matches, one core")
    print(f"{'rule set':<16}{'moves/s':>10}{'with JSON':>12}{'ratio':>8}")
    for ruleset in werewolf.RULESETS:
        plain = moves_per_second(ruleset, through_json=False)
        json = moves_per_second(ruleset, through_json=True)
        print(f"{ruleset:<16}{plain:>10,.0f}{json:>12,.0f}{json / plain:>8.2f}")


if __name__ == "__main__":
    main()
