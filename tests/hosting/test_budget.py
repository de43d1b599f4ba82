"""What a match costs on DynamoDB: requests, bytes and write units, counted over a whole match."""

from collections import Counter
from random import Random
from typing import Any

import werewolf
from hosting.adapters.attributes import unpack
from hosting.wiring import Platform
from tests.engine.random_play import legal_move
from tests.hosting.aws import ENVIRONMENT, MATCHES, Calls, tables
from tests.hosting.world import MANY, running, stored_bytes


def test_a_move_is_one_read_and_one_transaction_to_the_end_of_the_match() -> None:
    with tables() as db:
        platform = Platform(ENVIRONMENT | MANY)
        match_id, callers = running(platform, 10)
        calls, rng, sizes = Calls(db), Random(1), []
        moves = 0
        while (state := platform.matches.state(match_id)) and state.status == "running":
            match = state.engine()
            seat = match.awaiting[0]
            turn = werewolf.turn(match, seat)
            assert turn is not None
            request = (match_id, callers[seat], turn.turn_id, legal_move(match, seat, rng))
            calls.made.clear()
            platform.play.move(*request)
            assert calls.made == ["GetItem", "TransactWriteItems"]
            moves += 1
            sizes.append(_size(db, match_id, "STATE"))
        assert moves > 50
        assert max(sizes) < 2_000
        assert max(sizes[len(sizes) // 2 :]) < max(sizes[: len(sizes) // 2]) + 200
        calls.made.clear()
        platform.play.move(*request)
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

        tag = platform.watching.state(match_id, callers[0]).etag
        watching = platform.watching
        assert cost(watching.state, match_id, callers[0], etag=tag) == {"GetItem": 1}
        assert cost(watching.state, match_id, callers[0]) == {"GetItem": 1, "Query": 1}
        assert cost(watching.events, match_id, callers[0]) == {"GetItem": 1, "Query": 1}
        assert cost(watching.events, match_id, None, after=10**6) == {"GetItem": 1}
        page = watching.read_on(match_id, callers[0])
        assert page.body is not None
        assert cost(watching.read_on, match_id, callers[0], etag=page.etag) == {"GetItem": 1}
        caught_up = page.body["next"]
        assert cost(watching.read_on, match_id, callers[0], after=caught_up) == {"GetItem": 1}
        assert cost(platform.lobby.list, status="running") == {"Query": 1, "BatchGetItem": 1}
        assert cost(platform.lobby.own, callers[0]) == {"GetItem": 1, "Query": 1, "BatchGetItem": 1}
        assert cost(platform.lobby.summary, match_id) == {"GetItem": 2}


def _size(db: Any, match_id: str, kind: str) -> int:
    key = {"PK": {"S": f"MATCH#{match_id}"}, "SK": {"S": kind}}
    return stored_bytes(unpack(db.get_item(TableName=MATCHES, Key=key)["Item"]))
