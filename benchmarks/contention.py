"""How often those who move in the same instant have to try, and how long that takes them.

Eight players speak at once, over and over, through the real door, in simulated time: what a request
takes is drawn from the latencies of a table in the same region (`tests/hosting/crowd.py`), and
transactions that meet are turned away as DynamoDB does. "Twice" and "thrice" are slower tables; a
spread means that all begin within so many milliseconds. An attempt is one read and one transaction.
"""

from collections import Counter

from tests.hosting.crowd import TYPICAL, everybody_speaks

SEEDS = range(8)
ROUNDS = 50
CASES = [(8, 0, 1), (8, 0, 2), (8, 0, 3), (8, 50, 1), (8, 250, 1), (4, 0, 1), (2, 0, 1), (1, 0, 1)]


def main() -> None:
    """Print the distributions."""
    print(f"{len(SEEDS) * ROUNDS} rounds each; share of moves by attempts, wait in milliseconds")
    print(
        f"{'hands':>5} {'spread':>7} {'latency':>8} "
        + "".join(f"{n:>8}" for n in ("1", "2", "3", "4", "more"))
        + f"{'p99':>6}{'most':>6}{'wait p50':>10}{'p99':>7}"
    )
    for hands, spread_ms, factor in CASES:
        attempts: list[int] = []
        waits: list[float] = []
        for seed in SEEDS:
            told = everybody_speaks(
                seed,
                hands=hands,
                rounds=ROUNDS,
                spread_ms=spread_ms,
                latencies=TYPICAL.times(factor),
            )
            attempts += told.attempts
            waits += told.waits
        counts = Counter(min(5, number) for number in attempts)
        shares = "".join(f"{counts[number] / len(attempts):>8.2%}" for number in range(1, 6))
        print(
            f"{hands:>5} {spread_ms:>5}ms {factor:>7}x {shares}"
            f"{percentile(attempts, 99):>6.0f}{max(attempts):>6}"
            f"{percentile(waits, 50):>10.0f}{percentile(waits, 99):>7.0f}"
        )


def percentile(values: list[int] | list[float], percent: int) -> float:
    """The value that so many of a hundred do not exceed."""
    return sorted(values)[min(len(values) - 1, len(values) * percent // 100)]


if __name__ == "__main__":
    main()
