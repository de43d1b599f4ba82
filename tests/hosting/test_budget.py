"""What a match costs on DynamoDB: requests, bytes and write units, counted over a whole match."""

from collections import Counter
from random import Random
from typing import Any, Final

import pytest

import werewolf
from hosting.adapters.attributes import unpack
from hosting.wiring import Platform
from tests.hosting.aws import ENVIRONMENT, MATCHES, Calls, tables
from tests.hosting.world import MANY, running, stored_bytes
from werewolf.checking.moves import legal_move

OPTIONS: Final = {"house-9": {"max_days": 2}, "arena-1": {"max_days": 3}}
MOST_CHANGES: Final = 1_000


class Timed(Platform):
    """A platform whose time goes on when it is told to."""

    ahead_ms = 0

    def now(self) -> int:
        return super().now() + self.ahead_ms


@pytest.mark.parametrize("ruleset", sorted(werewolf.RULESETS))
def test_a_move_is_one_read_and_one_transaction_to_the_end_of_the_match(ruleset: str) -> None:
    """A match with the most seats, in which somebody is silent now and then."""
    with tables() as db:
        platform = Timed(ENVIRONMENT | MANY)
        match_id, callers = running(
            platform, werewolf.RULESETS[ruleset].seats.max, OPTIONS.get(ruleset), ruleset
        )
        calls, rng = Calls(db), Random(1)
        sizes = [_size(db, match_id, "STATE")]
        one_change = ["GetItem", "TransactWriteItems"]
        last: tuple[Any, ...] | None = None
        while (state := platform.matches.state(match_id)) and state.status == "running":
            assert len(sizes) < MOST_CHANGES
            match = state.engine()
            calls.made.clear()
            if not match.awaiting or rng.random() < 0.15:
                assert state.deadline is not None
                platform.ahead_ms += max(0, state.deadline - platform.now()) + 1
                platform.clock.wake(match_id, state.clock, 0)
                assert calls.made == one_change
                last = None
            else:
                seat = rng.choice(match.awaiting)
                turn = werewolf.turn(match, seat)
                assert turn is not None
                last = (match_id, callers[seat], turn.turn_id, legal_move(match, seat, rng))
                platform.play.move(*last)
                assert calls.made == one_change
            sizes.append(_size(db, match_id, "STATE"))
        assert len(sizes) > 10
        assert max(sizes) < 2_000
        assert max(sizes[len(sizes) // 2 :]) < max(sizes[: len(sizes) // 2]) + 200
        if last is not None:
            calls.made.clear()
            platform.play.move(*last)
            assert calls.made == ["GetItem"], "a repeat only reads"


def test_what_a_look_costs() -> None:
    with tables() as db:
        platform = Platform(ENVIRONMENT | MANY)
        match_id, callers = running(platform)
        calls = Calls(db)

        def cost(look: Any, *args: Any, **kwargs: Any) -> dict[str, int]:
            calls.made.clear()
            look(*args, **kwargs)
            return dict(Counter(calls.made))

        tag = platform.states.state(match_id, callers[0]).etag
        assert cost(platform.states.state, match_id, callers[0], etag=tag) == {"GetItem": 1}
        assert cost(platform.states.state, match_id, callers[0]) == {"GetItem": 1, "Query": 1}
        assert cost(platform.event_pages.events, match_id, callers[0]) == {"GetItem": 1, "Query": 1}
        assert cost(platform.event_pages.events, match_id, None, after=10**6) == {"GetItem": 1}
        pages = platform.event_pages
        page = pages.read_on(match_id, callers[0])
        assert page.body is not None
        assert cost(pages.read_on, match_id, callers[0], etag=page.etag) == {"GetItem": 1}
        caught_up = page.body["next"]
        assert cost(pages.read_on, match_id, callers[0], after=caught_up) == {"GetItem": 1}
        assert cost(platform.listing.list, status="running") == {"Query": 1, "BatchGetItem": 1}
        assert cost(platform.listing.own, callers[0]) == {
            "GetItem": 1,
            "Query": 1,
            "BatchGetItem": 1,
        }
        assert cost(platform.listing.summary, match_id) == {"GetItem": 2}


def _size(db: Any, match_id: str, kind: str) -> int:
    key = {"PK": {"S": f"MATCH#{match_id}"}, "SK": {"S": kind}}
    return stored_bytes(unpack(db.get_item(TableName=MATCHES, Key=key)["Item"]))
