"""Writes a set of golden files: matches as this version of the platform stores and replays them.

    PYTHONPATH=.:layers/engine .venv/bin/python -m tests.golden.make NAME

makes the folder `tests/golden/NAME`. It only ever adds a set: one that exists is never written
again, for it says what an earlier version wrote. Make a new one when stored items, states or
replays change their shape. `tests/golden/test_golden.py` says what must hold for every set.

A set has, for each match, `<match>.json.gz`:

    {"log": [item, ...], "positions": [{"name", "version", "state": item, "table": item}, ...]}

and `<match>.replay.gz`, the file that the service gives out. Items are those of the table, with
bytes as `{"b": base64}` and sets as `{"s": [...]}`. A position is the store after its version: its
two items, and the log up to that version. What comes after it in the log are the inputs that went
on from there (`moves`), and the events that followed.
"""

import base64
import gzip
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import werewolf
from hosting.items import state_item, table_item
from hosting.model import Caller
from hosting.tables.house_seats import is_bot_id
from tests.hosting.world import World, agents
from werewolf import Match
from werewolf.checking.moves import legal_move
from werewolf.replay import canonical, first_difference
from werewolf.rulesets.traditional_1 import MAX_CHANGES, MAX_MESSAGES

HERE = Path(__file__).parent
TEXTS = ("message", "cue", "reasoning", "thinking")
QUICK: dict[str, dict[str, Any]] = {"werewolf-0.2": {"talk_rounds": 1}, "house-9": {"max_days": 2}}


@dataclass
class Recording:
    """A match under way, and its positions so far by name."""

    name: str
    world: World
    match_id: str
    rng: Random
    callers: dict[str, Caller]
    positions: dict[str, dict[str, Any]] = field(default_factory=dict)

    @property
    def match(self) -> Match:
        return self.world.state_of(self.match_id).engine()

    @property
    def running(self) -> bool:
        return self.world.state_of(self.match_id).status == "running"

    def seat(self, number: int) -> Caller:
        """Who plays a seat; the digest of its token is its key."""
        table = self.world.matches.table(self.match_id)
        assert table is not None
        return Caller(
            table.players[number].agent_id, self.world.state_of(self.match_id).key(number)
        )

    def keep(self, *names: str) -> None:
        """The position as it is now, under those of the names that are new."""
        state = self.world.state_of(self.match_id)
        table = self.world.matches.table(self.match_id)
        assert table is not None
        for name in names:
            if name not in self.positions:
                self.positions[name] = {
                    "name": name,
                    "version": state.version,
                    "state": plain(state_item(state)),
                    "table": plain(table_item(table)),
                }

    def look(self) -> None:
        """Keep the position under what it is an example of."""
        match = self.match
        if match.over:
            self.keep("over")
        elif match.pause is not None:
            self.keep("paused")
        else:
            when = "first" if match.day == 1 else "later"
            taken = sum(match.moves)
            if taken in (0, 2):
                self.keep(f"{when} {match.phase}, {taken} moves")
            if any(match.strikes):
                self.keep("strikes")

    def move(self, seat: int, move: dict[str, Any]) -> None:
        turn = werewolf.turn(self.match, seat)
        assert turn is not None
        self.world.play.move(self.match_id, self.seat(seat), turn.turn_id, move)
        self.look()

    def any_move(self, seat: int) -> None:
        self.move(seat, short(self.match, legal_move(self.match, seat, self.rng)))

    def sleep(self) -> None:
        """The deadline passes."""
        state = self.world.state_of(self.match_id)
        assert state.deadline is not None
        self.world.time.now_ms = state.deadline + self.rng.choice([0, 1, 700])
        self.world.clock.wake(self.match_id, state.clock, 0)
        self.look()

    def leave(self, seat: int) -> None:
        self.world.play.leave(self.match_id, self.seat(seat))
        self.keep("somebody left")
        self.look()

    def go_on(self, *, silences: float = 0.0, while_: Callable[[Match], bool] = bool) -> None:
        """Play at random until the match is over, or as long as it is like this."""
        while self.running and while_(match := self.match):
            self.world.time.now_ms += self.rng.randrange(1, 900)
            if not match.awaiting or self.rng.random() < silences:
                self.sleep()
            else:
                self.any_move(self.rng.choice(match.awaiting))


def plain(item: dict[str, Any]) -> dict[str, Any]:
    """An item as JSON has it."""

    def value(of: Any) -> Any:
        if isinstance(of, bytes):
            return {"b": base64.b64encode(of).decode()}
        return {"s": sorted(of)} if isinstance(of, frozenset) else of

    return {name: value(of) for name, of in item.items()}


def short(match: Match, move: dict[str, Any]) -> dict[str, Any]:
    """The move with less to read; in a talk that ends when its bytes are spent, with a lot."""
    texts = {
        name: value[:8] if value[:8].strip() else "x"
        for name, value in move.items()
        if name in TEXTS
    }
    if move["action"] == "say" and "message" in move and match.ruleset == "house-9":
        texts["message"] = "x" * 320
    return move | texts


def begun(
    name: str,
    ruleset: str,
    *,
    seats: int | None = None,
    options: dict[str, Any] | None = None,
    bots: bool = False,
    character: bool = False,
    omniscient: bool = False,
) -> Recording:
    """A match that has just begun; the host looks on, or plays alone with bots."""
    world = World()
    count = seats or werewolf.RULESETS[ruleset].seats.default
    callers = agents(world, 1 if bots else count)
    (host,) = agents(world, 1, "host") if omniscient else callers[:1]
    opened = world.opening.open(
        host,
        ruleset=ruleset,
        seats=count,
        options=QUICK.get(ruleset, {}) | (options or {}),
        fill="house-bots" if bots else None,
        title="A golden table",
    )
    recording = Recording(
        name, world, opened["match_id"], Random(name), {c.agent_id: c for c in callers}
    )
    recording.keep("nobody has come")
    for number, caller in enumerate(callers):
        brought = None
        if character and number % 3 == 0:
            sheet = {
                "name": f"Hulda {number}",
                "archetype": "shepherd",
                "backstory": "It snows.",
                "personality": "Kind.",
                "strategy": {ruleset: "Wait."} if number else {},
            }
            brought = world.characters.create(caller, sheet)["character_id"]
        entropy = "tea leaves" if number == 1 else None
        world.seating.sit(recording.match_id, caller, entropy=entropy, character_id=brought)
        if number == 2:
            recording.keep("some have come")
    if omniscient:
        world.states.state(recording.match_id, host, mode="omniscient")
        recording.keep("the host looks on")
    recording.keep("just dealt")
    recording.look()
    return recording


def with_departures(ruleset: str) -> Recording:
    """People, one of whom brought a character; somebody sleeps and somebody leaves."""
    recording = begun(f"{ruleset} with departures", ruleset, character=True)
    recording.go_on(silences=0.1, while_=lambda match: match.day == 1)
    if recording.running:
        recording.leave(recording.match.alive[-1])
    recording.go_on(silences=0.1)
    return recording


def with_bots(ruleset: str) -> Recording:
    """One agent among house bots."""
    recording = begun(f"{ruleset} with bots", ruleset, bots=True)
    while recording.running:
        recording.world.time.now_ms += 400
        match = recording.match
        (seat,) = match.awaiting
        table = recording.world.matches.table(recording.match_id)
        assert table is not None
        if is_bot_id(table.players[seat].agent_id):
            turn = werewolf.turn(match, seat)
            assert turn is not None
            assert recording.world.house_bots.take_turn(recording.match_id, seat, turn.turn_id)
            recording.look()
        else:
            recording.any_move(seat)
    return recording


def omniscient() -> Recording:
    """A host who may know everything looks on; the moves carry thoughts."""
    recording = begun(
        "house-9 omniscient", "house-9", options={"omniscient": True}, omniscient=True
    )
    while recording.running:
        recording.world.time.now_ms += 400
        match = recording.match
        (seat,) = match.awaiting
        move = short(match, legal_move(match, seat, recording.rng))
        recording.move(seat, {**move, "thinking": f"{match.phase}: 狼?"})
    return recording


def paused() -> Recording:
    """The table waits: for one who comes back, and for one who is put out."""
    recording = begun("traditional-1 paused", "traditional-1", options={"wait_limit_s": 10})
    world, match_id = recording.world, recording.match_id
    table = world.matches.table(match_id)
    assert table is not None
    back, gone = recording.match.alive[1], recording.match.alive[3]
    world.time.now_ms += 2_000
    for seat in (back, gone):
        socket = f"socket{seat}"
        world.subscriptions.connect(socket, recording.seat(seat))
        world.subscriptions.subscribe(socket, match_id)
    recording.any_move(back)
    world.presence.close(f"socket{back}")
    recording.look()
    world.time.now_ms += 3_000
    world.presence.close(f"socket{gone}")
    recording.keep("waiting for two")
    world.transactions.run(match_id, lambda change: change.apply("resume", back))
    world.time.now_ms += 11_000
    host = recording.callers[table.host]
    world.play.kick(match_id, host, gone)
    recording.keep("put out")
    recording.go_on(silences=0.02, while_=lambda match: match.day < 4)
    if recording.running:
        recording.leave(recording.match.alive[0])
    recording.go_on(silences=0.02)
    return recording


def talkative() -> Recording:
    """One seat says and changes as much as it may, and votes again for whom it votes already."""
    recording = begun("traditional-1 talkative", "traditional-1", seats=6)
    recording.go_on(while_=lambda match: match.phase == "night")
    seat, *others = recording.match.awaiting
    for number in range(MAX_MESSAGES):
        recording.world.time.now_ms += 1_000
        recording.move(seat, {"action": "say", "message": f"{number}"})
    for number in range(2 * MAX_CHANGES):
        recording.world.time.now_ms += 1_000
        recording.move(seat, {"action": "vote", "target": others[number // 2 % 2]})
    for _ in range(8):
        recording.move(others[0], {"action": "abstain"})
    recording.go_on(silences=0.02)
    return recording


def thoughtful(ruleset: str, aside: str) -> Recording:
    """One thought as long as it may be."""
    recording = begun(f"{ruleset} thoughtful", ruleset)
    match = recording.match
    move = short(match, legal_move(match, match.awaiting[0], recording.rng))
    recording.move(match.awaiting[0], move | {aside: "狼" * 2_666})
    recording.go_on()
    return recording


def endless_floor() -> Recording:
    """One speaks again and again, and all others pass, until the talk ends."""
    recording = begun("house-9 endless floor", "house-9", seats=6)
    recording.go_on(while_=lambda match: match.phase != "day_talk")
    speaker = recording.match.alive[0]
    while recording.match.phase == "day_talk":
        recording.world.time.now_ms += 10
        (seat,) = recording.match.awaiting
        says = seat == speaker
        recording.move(seat, {"action": "say", "message": "x"} if says else {"action": "pass"})
    recording.go_on()
    return recording


def silent(ruleset: str, options: dict[str, Any], *, days: int, seats: int) -> Recording:
    """Nobody moves for so many days and nights, then everybody does again, if it is not void."""
    recording = begun(f"{ruleset} silent", ruleset, options=options, seats=seats)
    while recording.running and recording.match.day <= days:
        recording.sleep()
    recording.go_on()
    return recording


def slow(ruleset: str, options: dict[str, Any]) -> Recording:
    """Turns that may last as long as a day, and do."""
    recording = begun(f"{ruleset} slow", ruleset, options=options)
    recording.sleep()
    recording.go_on(silences=0.1)
    return recording


def forfeits() -> Recording:
    """Illegal moves, among them in the short form."""
    recording = begun("arena-1 forfeits", "arena-1")
    seat = recording.match.awaiting[0]
    recording.move(seat, {"action": f"seer_check:{recording.match.alive[0] or 1}"})
    recording.any_move(recording.match.awaiting[0])
    recording.move(recording.match.awaiting[0], {"action": "wolf_vote:99", "reasoning": "why not"})
    recording.go_on(silences=0.1)
    return recording


def recordings() -> Iterator[Recording]:
    """Every match of a set."""
    for ruleset in werewolf.RULESETS:
        if ruleset != "traditional-1":
            yield with_bots(ruleset)
        yield with_departures(ruleset)
    yield omniscient()
    yield paused()
    yield talkative()
    yield thoughtful("arena-1", "reasoning")
    yield thoughtful("house-9", "thinking")
    yield endless_floor()
    patient = {"max_consecutive_timeouts": 10, "max_days": 5}
    yield silent("werewolf-0.2", patient, days=2, seats=10)
    yield silent("house-9", patient | {"wolves": 1}, days=9, seats=6)
    yield silent("traditional-1", {}, days=2, seats=6)
    yield slow("werewolf-0.2", {"turn_deadline_ms": 36_000_000})
    yield slow("arena-1", {"turn_deadline_ms": 36_000_000})
    yield slow("house-9", {"turn_deadline_ms": 86_400_000})
    yield forfeits()


def written(recording: Recording) -> str:
    """The file of a match: one item a line."""
    log = [
        plain(item)
        for (key, kind), item in sorted(recording.world.matches.items.items())
        if kind.startswith("LOG#") and key == f"MATCH#{recording.match_id}"
    ]
    parts = {"log": log, "positions": list(recording.positions.values())}
    lines = [
        f'"{name}":[\n' + ",\n".join(canonical(item) for item in items) + "\n]"
        for name, items in parts.items()
    ]
    return "{" + ",\n".join(lines) + "}\n"


def main() -> None:
    """Write the set that the command line names."""
    (name,) = sys.argv[1:]
    folder = HERE / name
    folder.mkdir()  # raises where the set is there already
    for recording in recordings():
        file = recording.name.replace(" ", "-")
        text = written(recording)
        assert json.loads(text)
        replay = canonical(recording.world.replays.replay(recording.match_id)).encode()
        assert first_difference(replay) is None, recording.name
        (folder / f"{file}.json.gz").write_bytes(gzip.compress(text.encode(), mtime=0))
        (folder / f"{file}.replay.gz").write_bytes(gzip.compress(replay, mtime=0))
        print(f"{file}: {', '.join(recording.positions)}")


if __name__ == "__main__":
    main()
