"""The dice can be thrown again from their description alone."""

import hashlib
import hmac

from hypothesis import given
from hypothesis import strategies as st

from werewolf import commitment, dice, mix_seed, seating

SEED = "00" * 31 + "01"
seeds = st.binary(min_size=32, max_size=32).map(bytes.hex)


def test_vectors() -> None:
    """Fixed once and for all: another implementation must get the same."""
    assert commitment(SEED) == hashlib.sha256(bytes(31) + b"\x01").hexdigest()
    assert dice.throw(SEED, "deal", 0, 7) == (
        int.from_bytes(hmac.digest(bytes(31) + b"\x01", b"deal#0", "sha256"), "big") % 7,
        1,
    )
    assert mix_seed(SEED, ["a", "bc"]) == (
        hmac.new(
            bytes(31) + b"\x01", b"\x00\x00\x00\x01a\x00\x00\x00\x02bc", hashlib.sha256
        ).hexdigest()
    )


def test_a_throw_without_bias_skips_what_lies_over_the_last_multiple() -> None:
    sides = (1 << 255) + 1
    counter = 0
    while True:
        raw = hmac.digest(bytes.fromhex(SEED), b"x#%d" % counter, "sha256")
        if int.from_bytes(raw, "big") < sides:
            break
        counter += 1
    assert dice.throw(SEED, "x", 0, sides) == (int.from_bytes(raw, "big"), counter + 1)


@given(seeds, st.integers(1, 1000), st.integers(0, 10_000))
def test_a_throw_is_below_its_sides(seed: str, sides: int, counter: int) -> None:
    value, after = dice.throw(seed, "x", counter, sides)
    assert 0 <= value < sides
    assert after > counter


@given(seeds, st.integers(1, 12))
def test_seating_is_a_permutation(seed: str, seats: int) -> None:
    assert sorted(seating(seed, seats)) == list(range(seats))


@given(seeds, st.lists(st.text(max_size=8), max_size=4), st.lists(st.text(max_size=8), max_size=4))
def test_other_entropies_mix_another_seed(seed: str, one: list[str], other: list[str]) -> None:
    assert (mix_seed(seed, one) == mix_seed(seed, other)) == (one == other)


def test_every_side_comes_up_about_as_often() -> None:
    counts = [0] * 6
    counter = 0
    for _ in range(6_000):
        side, counter = dice.throw(SEED, "fair", counter, 6)
        counts[side] += 1
    assert all(850 < count < 1150 for count in counts), counts
