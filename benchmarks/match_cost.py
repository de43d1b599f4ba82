"""What a move costs: requests to AWS, write units, bytes of state, transitions of the clock.

Whole matches are played through the real services on stores in memory, with messages of full
length. Sizes are those that DynamoDB counts; a transactional write costs two units per kilobyte and
item. The clock is run by the rules of statemachines/clock.asl.json: a wake costs three transitions
(wait, invoke, choose), an execution two more (wind up, stop).
"""

from collections import Counter
from random import Random
from statistics import mean

from tests.hosting.world import World, awaited, running, simple_move, stored_bytes

MESSAGE = "\N{WOLF FACE}" * 280
TRANSITIONS_PER_WAKE = 3
TRANSITIONS_PER_EXECUTION = 2


def main() -> None:
    """Print the table of figures."""
    print("werewolf-0.2 through the services; messages of 280 astral code points")
    print(f"{'':>36}{'5 seats':>12}{'7 seats':>12}{'10 seats':>12}")
    rows: dict[str, list[str]] = {}
    for seats in (5, 7, 10):
        for name, value in measure(seats).items():
            rows.setdefault(name, []).append(value)
    for name, values in rows.items():
        print(f"{name:<36}" + "".join(f"{value:>12}" for value in values))


def measure(seats: int, pace_ms: int = 3_000) -> dict[str, str]:
    """Play one match in which nobody is late; a move comes every `pace_ms`."""
    world = World()
    rng = Random(seats)
    match_id, callers = running(world, seats)
    world.drain()
    clocks = {1: world.state_of(match_id).deadline}
    wakes = moves = 0
    calls: Counter[str] = Counter()
    state_sizes: list[int] = []
    units: list[int] = []
    while world.state_of(match_id).status == "running":
        world.time.now_ms += pace_ms
        for generation, at in list(clocks.items()):
            if at is not None and at <= world.time.now_ms:
                answer = world.clock.wake(match_id, generation, 0)
                clocks[generation] = world.state_of(match_id).deadline
                wakes += 1
                if answer["done"]:
                    del clocks[generation]
        seat, turn = awaited(world, match_id)
        move = simple_move(turn)
        if "message" in move:
            move["message"] = MESSAGE
        if "target" in move:
            targets = turn["legal_actions"][0]["targets"]
            move["target"] = rng.choice(targets)
        before = set(world.matches.items)
        world.matches.calls.clear()
        world.play.move(match_id, callers[seat], turn["turn_id"], move)
        calls.update(world.matches.calls)
        moves += 1
        state = world.matches.items[f"MATCH#{match_id}", "STATE"]
        state_sizes.append(stored_bytes(state))
        written = [state, *(world.matches.items[key] for key in set(world.matches.items) - before)]
        units.append(sum(2 * -(-stored_bytes(item) // 1024) for item in written))
    others = calls.total() - calls["state"] - calls["commit"]
    return {
        "moves": str(moves),
        "GetItem per move": f"{calls['state'] / moves:.2f}",
        "TransactWriteItems per move": f"{calls['commit'] / moves:.2f}",
        "other requests per move": f"{others / moves:.2f}",
        "write units per move, mean": f"{mean(units):.1f}",
        "write units per move, most": str(max(units)),
        "bytes of STATE, first move": str(state_sizes[0]),
        "bytes of STATE, most": str(max(state_sizes)),
        "bytes of STATE, last move": str(state_sizes[-1]),
        "clock transitions per move": (
            f"{(wakes * TRANSITIONS_PER_WAKE + TRANSITIONS_PER_EXECUTION) / moves:.2f}"
        ),
    }


if __name__ == "__main__":
    main()
