"""Every kind of input that the platform writes down is one that a replay can be played from."""

from random import Random

from hosting.play.change import MatchChange
from tests.hosting.world import World, play_out, running
from werewolf.inputs import InputBy
from werewolf.replay import canonical, first_difference


def test_a_table_that_waited_is_told_with_all_its_waiting() -> None:
    world = World()
    match_id, callers = running(world, 8, {"wait_limit_s": 10}, "traditional-1")

    def do(by: InputBy, seat: int) -> None:
        def decide(change: MatchChange) -> None:
            assert change.apply(by, seat)

        world.time.now_ms += 1_000
        world.transactions.run(match_id, decide)

    do("pause", 3)
    do("pause", 5)
    do("resume", 3)
    world.time.now_ms += 10_000
    do("put_out", 5)
    play_out(world, match_id, callers, Random(3), silences=0.3)
    document = world.replays.replay(match_id)
    inputs = [(move["by"], move["seat"]) for move in document["moves"]]
    waiting = [("pause", 3), ("pause", 5), ("resume", 3), ("put_out", 5)]
    assert inputs[:5] == [("start", None), *waiting]
    assert {"timeout", "player"} <= {by for by, _ in inputs}
    assert first_difference(canonical(document).encode()) is None
