"""Token buckets; the windowed counters are tested where they are used."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hosting.errors import TooManyRequests
from hosting.identity.rate_limits import TokenBuckets
from tests.hosting.fakes import FakeTime


def allowed(buckets: TokenBuckets, who: str) -> bool:
    try:
        buckets.take(who)
    except TooManyRequests:
        return False
    return True


@given(st.integers(1, 50), st.lists(st.integers(0, 3_000), max_size=200))
def test_never_more_than_the_burst_and_the_rate(per_second: int, pauses: list[int]) -> None:
    time = FakeTime()
    buckets = TokenBuckets(per_second, now=time.now)
    passed = 0
    for pause in pauses:
        time.now_ms += pause
        passed += allowed(buckets, "ada")
        assert passed <= 2 * per_second + sum(pauses) * per_second / 1000 + 1


def test_who_keeps_to_the_rate_is_never_stopped() -> None:
    time = FakeTime()
    buckets = TokenBuckets(10, now=time.now)
    for _ in range(200):
        time.now_ms += 100
        assert allowed(buckets, "ada")


def test_everybody_has_a_bucket_and_the_oldest_are_forgotten() -> None:
    time = FakeTime()
    buckets = TokenBuckets(1, now=time.now)
    assert [allowed(buckets, "ada") for _ in range(3)] == [True, True, False]
    assert allowed(buckets, "bob")
    for number in range(10_000):
        allowed(buckets, str(number))
    assert allowed(buckets, "ada"), "forgotten, and so full again"


def test_retry_after_is_when_there_is_one_again() -> None:
    time = FakeTime()
    buckets = TokenBuckets(0.1, now=time.now)
    assert allowed(buckets, "ada")
    with pytest.raises(TooManyRequests) as refused:
        buckets.take("ada")
    assert refused.value.retry_after == 10
    time.now_ms += 10_000
    assert allowed(buckets, "ada")
