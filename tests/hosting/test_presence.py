"""The table waits for a player whose last socket closed, and for nobody else."""

import itertools
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import werewolf
from hosting.errors import NotHost, Paused
from hosting.items import log_entry
from hosting.model import Caller
from hosting.ports import Gone
from tests.examples import examples
from tests.hosting.fakes import NOW
from tests.hosting.test_clock import StepFunctions
from tests.hosting.test_crashes import Fate, Killed, Process
from tests.hosting.world import World, agent, agents, events_sent, frames_of, refusal, running
from werewolf.checking.moves import legal_move
from werewolf.replay import canonical, first_difference

RULES = "traditional-1"
S = 1_000


def table(world: World, seats: int = 6, **options: Any) -> tuple[str, list[Caller]]:
    """A running match of the rules that wait."""
    return running(world, seats, options, RULES)


def follow(world: World, connection_id: str, match_id: str, caller: Caller | None) -> None:
    world.subscriptions.connect(connection_id, caller)
    world.subscriptions.subscribe(connection_id, match_id)


def waiting_for(world: World, match_id: str) -> tuple[int, ...]:
    return world.state_of(match_id).engine().waiting_for


def told(world: World, match_id: str, kind: str) -> list[dict[str, Any]]:
    """The data of all public events of a kind."""
    events = world.event_pages.events(match_id, None, limit=500)["events"]
    return [dict(event["data"]) for event in events if event["type"] == kind]


def turn_id(world: World, match_id: str, seat: int) -> str:
    turn = werewolf.turn(world.state_of(match_id).engine(), seat)
    assert turn is not None
    return turn.turn_id


# ---- what pauses ---------------------------------------------------------------------------------


def test_the_last_socket_closes_and_everybody_waits(world: World) -> None:
    match_id, callers = table(world)
    follow(world, "a", match_id, callers[2])
    follow(world, "b", match_id, callers[2])
    follow(world, "window", match_id, None)
    machine = StepFunctions(world)
    machine.run_until(NOW + 5 * S)
    world.subscriptions.disconnect("a")
    assert waiting_for(world, match_id) == ()
    world.subscriptions.disconnect("b")
    assert waiting_for(world, match_id) == (2,)
    state = world.state_of(match_id)
    assert (state.deadline, state.clock) == (None, 1)
    world.drain()
    (paused,) = told(world, match_id, "paused")
    assert paused["waiting_for"] == [2]
    assert [e["data"] for e in events_sent(world, "window") if e["type"] == "paused"] == [paused]
    body = world.states.state(match_id, callers[0]).body
    assert body is not None
    assert body["your_turn"] is None
    assert body["visible_state"]["waiting_for"] == [2]  # type: ignore[index]
    move = {"action": "lock"}
    assert refusal(world.play.move, match_id, callers[0], "1.night.0", move).code == "paused"
    machine.run_until(NOW + 3_600 * S)
    assert machine.asleep() == [], "the clock ends when it wakes"
    assert world.state_of(match_id).version == state.version


def test_whoever_follows_again_is_back_and_the_clock_goes_on_with_what_was_left(
    world: World,
) -> None:
    match_id, callers = table(world)
    follow(world, "a", match_id, callers[2])
    machine = StepFunctions(world)
    machine.run_until(NOW + 5 * S)
    world.subscriptions.disconnect("a")
    machine.run_until(NOW + 100 * S)
    follow(world, "b", match_id, callers[2])
    state = world.state_of(match_id)
    assert (waiting_for(world, match_id), state.deadline, state.clock) == ((), NOW + 155 * S, 2)
    world.drain()
    assert len(told(world, match_id, "resumed")) == 1
    turns = [f for f in frames_of(world, "b") if f["type"] == "your_turn"]
    assert turns[-1]["turn"]["deadline_ms"] == NOW + 155 * S
    assert machine.asleep() == [f"{match_id}-2"], "one clock, and the old one has ended"
    machine.run_until(NOW + 155 * S)
    assert world.state_of(match_id).engine().phase == "day"


def test_a_short_drop_ends_the_old_clock_quietly(world: World) -> None:
    match_id, callers = table(world)
    follow(world, "a", match_id, callers[2])
    machine = StepFunctions(world)
    machine.run_until(NOW + 5 * S)
    world.subscriptions.disconnect("a")
    machine.run_until(NOW + 6 * S)
    follow(world, "b", match_id, callers[2])
    assert machine.asleep() == [f"{match_id}-1", f"{match_id}-2"]
    version = world.state_of(match_id).version
    machine.run_until(NOW + 60 * S)
    assert machine.asleep() == [f"{match_id}-2"]
    assert world.state_of(match_id).version == version
    machine.run_until(NOW + 61 * S)
    assert world.state_of(match_id).engine().phase == "day"


@pytest.mark.parametrize("fits", [True, False])
def test_whoever_moves_is_back_before_the_move_is_judged(world: World, fits: bool) -> None:
    match_id, callers = table(world)
    named = turn_id(world, match_id, 2)
    follow(world, "a", match_id, callers[2])
    world.subscriptions.disconnect("a")
    move = {"action": "lock" if fits else "dance"}
    if fits:
        assert world.play.move(match_id, callers[2], named, move)["turn_id"] == named
    else:
        assert refusal(world.play.move, match_id, callers[2], named, move).code == "illegal_action"
    assert waiting_for(world, match_id) == ()
    entry = world.matches.entry(match_id, world.state_of(match_id).version)
    assert entry is not None
    assert [m.by for m in entry.moves] == (["resume", "player"] if fits else ["resume"])
    assert entry.effects == {"clock"}


def test_two_are_missing_and_one_comes_back(world: World) -> None:
    match_id, callers = table(world)
    for seat in (1, 4):
        follow(world, f"{seat}", match_id, callers[seat])
    for seat in (4, 1):
        world.subscriptions.disconnect(f"{seat}")
    assert waiting_for(world, match_id) == (1, 4)
    refused = refusal(world.play.move, match_id, callers[4], "1.night.0", {"action": "lock"})
    assert refused.code == "paused", "it is back, and the table waits for the other"
    assert waiting_for(world, match_id) == (1,)
    follow(world, "new", match_id, callers[1])
    assert waiting_for(world, match_id) == ()
    assert [data["waiting_for"] for data in told(world, match_id, "paused")] == [[4], [1, 4], [1]]


def test_a_socket_that_died_in_silence_is_found_by_a_push(world: World) -> None:
    match_id, callers = table(world)
    follow(world, "a", match_id, callers[2])
    follow(world, "b", match_id, callers[3])
    world.drain()
    world.sockets.gone.add("a")
    world.play.leave(match_id, callers[5])
    world.drain()
    assert waiting_for(world, match_id) == (2,)
    assert world.connections.get("a") is None
    world.drain(twice=True)
    assert len(told(world, match_id, "paused")) == 1


def test_a_socket_that_was_falsely_said_to_be_gone_is_closed_and_its_client_comes_back(
    world: World,
) -> None:
    match_id, callers = table(world)
    follow(world, "a", match_id, callers[2])
    world.drain()
    world.sockets.faults["a"] = [Gone("a")]
    world.play.leave(match_id, callers[5])
    world.drain()
    assert waiting_for(world, match_id) == (2,)
    assert world.sockets.closed == ["a"], "else its client believes itself connected"
    follow(world, "b", match_id, callers[2])
    assert waiting_for(world, match_id) == ()


def test_a_socket_that_cannot_be_closed_is_not_taken_off_either(world: World) -> None:
    match_id, callers = table(world)
    follow(world, "a", match_id, callers[2])
    world.drain()
    world.sockets.faults["a"] = [Gone("a")]
    world.sockets.cannot_close = RuntimeError("cannot close")
    world.play.leave(match_id, callers[5])
    world.drain()
    assert waiting_for(world, match_id) == ()
    world.sockets.cannot_close = None
    world.sockets.faults["a"] = [Gone("a")]
    world.play.leave(match_id, callers[4])
    world.drain()
    assert (waiting_for(world, match_id), world.sockets.closed) == ((2,), ["a"])


def test_a_socket_that_dies_while_it_is_caught_up_is_missed_if_it_had_followed(
    world: World,
) -> None:
    match_id, callers = table(world)
    world.subscriptions.connect("a", callers[2])
    world.sockets.gone.add("a")
    world.subscriptions.subscribe("a", match_id)
    assert waiting_for(world, match_id) == (), "it never followed"
    follow(world, "b", match_id, callers[2])
    world.sockets.on_post = lambda _: world.sockets.gone.add("b")
    world.subscriptions.subscribe("b", match_id)
    assert waiting_for(world, match_id) == (2,)


def test_following_again_is_no_absence(world: World) -> None:
    match_id, callers = table(world)
    follow(world, "a", match_id, callers[2])
    follow(world, "b", match_id, callers[2])
    world.connections.before_watch = [lambda: None, lambda: world.subscriptions.disconnect("b")]
    world.subscriptions.subscribe("a", match_id)
    assert told(world, match_id, "paused") == []
    assert waiting_for(world, match_id) == ()


# ---- what does not -------------------------------------------------------------------------------


def test_nobody_else_is_missed(world: World) -> None:
    match_id, callers = table(world)
    version = world.state_of(match_id).version
    stranger = agent(world, "stranger")
    for number, caller in enumerate((None, stranger)):
        follow(world, f"{number}", match_id, caller)
        world.subscriptions.disconnect(f"{number}")
    world.subscriptions.connect("not following", callers[0])
    world.subscriptions.disconnect("not following")
    follow(world, "follows no more", match_id, callers[0])
    world.subscriptions.unsubscribe("follows no more", match_id)
    world.subscriptions.disconnect("follows no more")
    world.subscriptions.disconnect("never heard of")
    assert world.state_of(match_id).version == version


def test_the_dead_are_not_missed(world: World) -> None:
    match_id, callers = table(world)
    for seat in range(6):
        follow(world, f"{seat}", match_id, callers[seat])
    world.play.leave(match_id, callers[3])
    world.subscriptions.disconnect("3")
    assert waiting_for(world, match_id) == ()
    for seat in (0, 1, 2, 4, 5):
        if world.state_of(match_id).status == "running":
            world.play.leave(match_id, callers[seat])
    version = world.state_of(match_id).version
    for seat in (0, 1, 2, 4, 5):
        world.subscriptions.disconnect(f"{seat}")
    assert world.state_of(match_id).version == version, "nor is anybody when it is over"


def test_before_the_start_nobody_is_missed(world: World) -> None:
    callers = agents(world, 6)
    match_id = world.opening.open(callers[0], ruleset=RULES, seats=6)["match_id"]
    for caller in callers[:5]:
        world.seating.sit(match_id, caller)
    follow(world, "early", match_id, callers[0])
    follow(world, "stays", match_id, callers[1])
    world.subscriptions.disconnect("early")
    world.seating.sit(match_id, callers[5])
    world.drain()
    assert waiting_for(world, match_id) == ()
    world.subscriptions.disconnect("stays")
    assert len(waiting_for(world, match_id)) == 1, "who followed from before the start counts"


@pytest.mark.parametrize(
    "ruleset", [rules.id for rules in werewolf.RULESETS.values() if not rules.waits]
)
def test_under_other_rules_the_table_waits_for_nobody(world: World, ruleset: str) -> None:
    seats = werewolf.RULESETS[ruleset].seats.default
    match_id, callers = running(world, seats, ruleset=ruleset)
    before = world.state_of(match_id)
    for seat, caller in enumerate(callers):
        follow(world, f"{seat}", match_id, caller)
        world.subscriptions.disconnect(f"{seat}")
    assert world.state_of(match_id) == before
    assert world.sweep.run(until=world.now() + 1)["reconciled"] == 0


# ---- the host ------------------------------------------------------------------------------------


def test_the_host_puts_an_absent_player_out(world: World) -> None:
    match_id, callers = table(world, wait_limit_s=30)
    summary = world.listing.summary(match_id)
    host = next(seat for seat, c in enumerate(callers) if c.agent_id == summary["host"])
    seat, other = [s for s in range(6) if s != host][:2]
    follow(world, "a", match_id, callers[seat])

    def code(caller: Caller | None, seat: int) -> str:
        return refusal(world.play.kick, match_id, caller, seat).code

    assert code(None, seat) == "unauthorized"
    assert code(callers[other], seat) == "not_host"
    assert code(callers[host], seat) == "not_absent"
    assert code(callers[host], 6) == code(callers[host], -1) == "not_found"
    world.subscriptions.disconnect("a")
    assert code(callers[host], other) == "not_absent"
    assert code(callers[host], seat) == "too_early"
    world.time.now_ms += 30 * S - 1
    assert code(callers[host], seat) == "too_early"
    world.time.now_ms += 1
    for _ in range(2):
        answer = world.play.kick(match_id, callers[host], seat)
        assert answer == {"match_id": match_id, "seat": seat, "left": True}
    match = world.state_of(match_id).engine()
    assert (match.waiting_for, match.eliminated) == ((), ((seat, 1, "left"),))
    assert match.deadline == NOW + 30 * S + 60 * S
    (gone,) = told(world, match_id, "elimination")
    assert (gone["seat"], gone["cause"]) == (seat, "left")
    refused = refusal(world.play.move, match_id, callers[seat], "1.night.0", {"action": "lock"})
    assert refused.code == "eliminated"


def test_a_host_without_a_seat_puts_out_too_and_only_while_the_match_runs(world: World) -> None:
    host = agent(world, "host")
    callers = agents(world, 6)
    match_id = world.opening.open(host, ruleset=RULES, seats=6)["match_id"]
    assert refusal(world.play.kick, match_id, host, 0).code == "match_not_running"
    for caller in callers:
        world.seating.sit(match_id, caller)
    order = [row["agent_id"] for row in world.listing.summary(match_id)["players"]]
    for seat in range(6):
        if world.state_of(match_id).status == "over":
            assert refusal(world.play.kick, match_id, host, seat).code == "match_over"
            break
        caller = next(c for c in callers if c.agent_id == order[seat])
        follow(world, f"{seat}", match_id, caller)
        world.subscriptions.disconnect(f"{seat}")
        world.play.kick(match_id, host, seat)
    assert world.state_of(match_id).status == "over"
    replay = canonical(dict(world.replays.replay(match_id))).encode()
    assert first_difference(replay) is None
    assert refusal(world.play.kick, "z" * 16, host, 0).code == "not_found"


def test_who_stands_in_for_a_host_who_is_missing_or_out(world: World) -> None:
    match_id, callers = table(world, 8)
    summary = world.listing.summary(match_id)
    host = next(seat for seat, c in enumerate(callers) if c.agent_id == summary["host"])
    others = [seat for seat in range(8) if seat != host]
    for seat in (host, *others[:3]):
        follow(world, f"{seat}", match_id, callers[seat])

    def who_may(seat: int) -> set[int]:
        """Who is not told that it is the host's right; tried on a seat that is not missing."""
        codes = {s: refusal(world.play.kick, match_id, callers[s], seat).code for s in range(8)}
        return {s for s, code in codes.items() if code != "not_host"}

    assert who_may(others[-1]) == {host}
    world.subscriptions.disconnect(f"{others[0]}")
    assert who_may(others[-1]) == {host}, "the host is there"
    world.subscriptions.disconnect(f"{host}")
    assert who_may(others[-1]) == {others[1]}, "the lowest seat that is neither out nor missing"
    world.subscriptions.disconnect(f"{others[1]}")
    assert who_may(others[-1]) == {others[2]}
    world.play.kick(match_id, callers[others[2]], host)
    follow(world, "again", match_id, callers[others[1]])
    assert who_may(others[-1]) == {others[1]}, "the host is out for good"
    world.play.kick(match_id, callers[others[1]], others[0])
    assert waiting_for(world, match_id) == ()


# ---- at the same time ----------------------------------------------------------------------------


class TurnTaking:
    """Runs calls side by side in threads, of which one goes on at a time: at each call to the
    outside, `choose` says who is next."""

    def __init__(self, choose: Callable[[int], int]) -> None:
        self._choose = choose
        self._turn = threading.Condition()
        self._ready: list[int] = []
        self._active: int | None = None
        self._number = threading.local()

    def run(self, calls: Sequence[Callable[[], Any]]) -> None:
        errors: list[BaseException] = []

        def one(number: int, call: Callable[[], Any]) -> None:
            self._number.value = number
            self.step()
            try:
                call()
            except BaseException as error:  # noqa: BLE001 - told below
                errors.append(error)
            with self._turn:
                self._running -= 1
                self._next()

        self._running = len(calls)
        threads = [threading.Thread(target=one, args=pair) for pair in enumerate(calls)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(20)
            assert not thread.is_alive()
        if errors:
            raise errors[0]

    def step(self) -> None:
        """Another may go on from here."""
        number = getattr(self._number, "value", None)
        if number is None:
            return
        with self._turn:
            self._ready.append(number)
            self._active = None
            self._next()
            self._turn.wait_for(lambda: self._active == number, timeout=20)

    def _next(self) -> None:
        if self._ready and len(self._ready) == self._running:
            self._ready.sort()
            self._active = self._ready.pop(self._choose(len(self._ready)))
            self._turn.notify_all()


class Stepping:
    """A port at whose every call another thread may go on."""

    def __init__(self, port: Any, turns: TurnTaking) -> None:
        self._port = port
        self._turns = turns

    def __getattr__(self, name: str) -> Any:
        held = getattr(self._port, name)
        if not callable(held):
            return held

        def call(*args: Any, **kwargs: Any) -> Any:
            self._turns.step()
            answer = held(*args, **kwargs)
            return list(answer) if name in ("watchers", "entries") else answer

        return call


@settings(max_examples=examples(120))
@given(
    st.integers(0, 2**32),
    st.sampled_from(["close, open", "close, close", "close, close, open", "gone, open, move"]),
)
def test_whoever_comes_last_decides(seed: int, story: str) -> None:
    """One player's sockets close and open at the same moment, in any order of their steps: in the
    end the table waits for it exactly if none of them is open."""
    turns = TurnTaking(Random(seed).randrange)
    world = World()
    match_id, callers = table(world)
    player = callers[2]
    follow(world, "a", match_id, player)
    follow(world, "b", match_id, player)
    if "close, close" not in story:
        world.subscriptions.disconnect("b")
    world.subscriptions.connect("c", player)
    watcher = next(w for w in world.connections.watchers(match_id) if w.connection_id == "a")
    named = turn_id(world, match_id, 2)
    calls: dict[str, Callable[[], Any]] = {
        "close": lambda: world.subscriptions.disconnect("a"),
        "gone": lambda: world.presence.gone(match_id, watcher),
        "open": lambda: world.subscriptions.subscribe("c", match_id),
        "move": lambda: world.play.move(match_id, callers[1], named, {"action": "lock"}),
    }
    closing = iter(["a", "b"])

    def call(word: str) -> Callable[[], Any]:
        if word == "close":
            connection_id = next(closing)
            return lambda: world.subscriptions.disconnect(connection_id)
        if word == "move":
            return lambda: accepted_or_paused(calls["move"])
        return calls[word]

    work = [call(word) for word in story.split(", ")]
    world.matches = Stepping(world.matches, turns)
    world.connections = Stepping(world.connections, turns)
    for service in (
        "transactions",
        "presence",
        "subscriptions",
        "viewing",
        "log",
        "states",
        "event_pages",
        "play",
        "seating",
    ):
        world.__dict__.pop(service, None)
    turns.run(work)
    there = "open" in story
    assert waiting_for(world, match_id) == (() if there else (2,))
    paused, resumed = (told(world, match_id, kind) for kind in ("paused", "resumed"))
    assert len(paused) - len(resumed) == (not there)
    assert len(paused) <= 2


def accepted_or_paused(move: Callable[[], Any]) -> None:
    with suppress(Paused):
        move()


# ---- a process that dies -------------------------------------------------------------------------


def after_each_death(
    set_up: Callable[[World, str, list[Caller]], Any],
    story: Callable[[World, str, list[Caller]], Any],
) -> Iterator[tuple[World, str, list[Caller]]]:
    """Tells the story in a process that is killed at one of its calls to the outside, over and
    over until each of them was the one; gives the world as it is left."""

    def told_in(fate: Fate) -> tuple[World, str, list[Caller]]:
        world = World()
        match_id, callers = table(world)
        set_up(world, match_id, callers)
        with suppress(Killed):
            story(Process(world, fate), match_id, callers)
        return world, match_id, callers

    whole = Fate(0, after=False)
    told_in(whole)
    assert whole.calls >= 3
    for after in (False, True):
        for kill_at in range(1, whole.calls + 1):
            fate = Fate(kill_at, after=after)
            yield told_in(fate)
            assert fate.dead


def two_follow(world: World, match_id: str, callers: list[Caller]) -> None:
    follow(world, "a", match_id, callers[2])
    follow(world, "b", match_id, callers[3])
    world.drain()


def sweep(world: World) -> int:
    return world.sweep.run(until=world.now() + 1)["reconciled"]


def test_killed_while_a_socket_closes_the_sweep_makes_up_for_it() -> None:
    def close(process: World, match_id: str, callers: list[Caller]) -> None:
        process.subscriptions.disconnect("a")

    for number, (world, match_id, _) in enumerate(after_each_death(two_follow, close)):
        sweep(world)
        unheard_of = number == 0
        assert waiting_for(world, match_id) == (() if unheard_of else (2,))
        assert len(told(world, match_id, "paused")) == (not unheard_of)
        assert len(list(world.connections.watchers(match_id))) == 1 + unheard_of
        assert sweep(world) == 0, "there is nothing left to do"


def test_killed_while_a_push_finds_a_socket_gone_the_record_comes_again() -> None:
    def set_up(world: World, match_id: str, callers: list[Caller]) -> None:
        two_follow(world, match_id, callers)
        world.sockets.gone.add("a")
        world.play.leave(match_id, callers[5])
        set_up.entry = log_entry(world.matches.images[-1])  # type: ignore[attr-defined]

    def push(process: World, match_id: str, callers: list[Caller]) -> None:
        process.push.deliver(set_up.entry)  # type: ignore[attr-defined]
        if process._fate.dead:  # type: ignore[attr-defined]
            raise Killed  # it died in a thread

    for world, match_id, _ in after_each_death(set_up, push):
        world.push.deliver(set_up.entry)  # type: ignore[attr-defined]
        assert waiting_for(world, match_id) == (2,)
        assert len(told(world, match_id, "paused")) == 1
        assert [w.connection_id for w in world.connections.watchers(match_id)] == ["b"]
        assert sweep(world) == 0


def test_killed_while_somebody_comes_back_the_sweep_or_the_next_try_makes_up_for_it() -> None:
    def set_up(world: World, match_id: str, callers: list[Caller]) -> None:
        two_follow(world, match_id, callers)
        world.subscriptions.disconnect("a")
        world.subscriptions.connect("c", callers[2])

    def come_back(process: World, match_id: str, callers: list[Caller]) -> None:
        process.subscriptions.subscribe("c", match_id)

    by_sweep = 0
    for world, match_id, _ in after_each_death(set_up, come_back):
        follows = any(w.connection_id == "c" for w in world.connections.watchers(match_id))
        was_missed = waiting_for(world, match_id) == (2,)
        assert sweep(world) == (follows and was_missed)
        by_sweep += follows and was_missed
        assert waiting_for(world, match_id) == (() if follows else (2,))
        world.subscriptions.subscribe("c", match_id)
        assert waiting_for(world, match_id) == ()
        assert len(told(world, match_id, "resumed")) == 1
    assert by_sweep > 0


def put_out(world: World, match_id: str, callers: list[Caller], seat: int) -> None:
    """By whoever has the right."""
    for caller in callers:
        with suppress(NotHost):
            world.play.kick(match_id, caller, seat)


def test_whole_matches_with_sockets_that_drop_and_return() -> None:
    """At random, also in silence, with a stream that is late and comes twice: in the end exactly
    the living who followed and have no socket are missed, and the replay is true."""
    pauses = 0
    for seed in range(6):
        rng = Random(seed)
        world = World()
        match_id, callers = table(world, rng.choice([6, 8]))
        machine = StepFunctions(world)
        numbers = itertools.count()
        sockets: dict[str, int] = {}
        followed: set[int] = set()
        for _ in range(600):
            state = world.state_of(match_id)
            if state.status == "over":
                break
            match = state.engine()
            overdue = state.deadline is not None and world.now() >= state.deadline
            what = rng.random()
            seat = rng.choice(match.alive)
            if what < 0.03 or (seat in match.waiting_for and what < 0.5):
                connection_id = f"c{next(numbers)}"
                follow(world, connection_id, match_id, callers[seat])
                sockets[connection_id] = seat
                followed.add(seat)
            elif what < 0.06 and sockets:
                connection_id = rng.choice(sorted(sockets))
                del sockets[connection_id]
                if rng.random() < 0.5:
                    world.subscriptions.disconnect(connection_id)
                else:
                    world.sockets.gone.add(connection_id)
            elif what < 0.07 and match.waiting_for:
                put_out(world, match_id, callers, match.waiting_for[0])
            elif what < 0.9 and seat in match.awaiting and not overdue:
                move = legal_move(match, seat, rng)
                world.play.move(match_id, callers[seat], turn_id(world, match_id, seat), move)
                followed.discard(seat) if seat not in sockets.values() else None
            else:
                machine.run_until(world.now() + rng.choice([1, 3_000, 30_000]))
            if rng.random() < 0.3:
                world.drain(twice=rng.random() < 0.3)
            pauses += bool(world.state_of(match_id).engine().waiting_for)
        state = world.state_of(match_id)
        if state.status == "running":
            match = state.engine()
            for connection_id in world.sockets.gone:
                world.subscriptions.disconnect(connection_id)
            sweep(world)
            missed = set(waiting_for(world, match_id))
            assert missed <= set(match.alive) - set(sockets.values())
        else:
            replay = canonical(dict(world.replays.replay(match_id))).encode()
            assert first_difference(replay) is None
    assert pauses > 20
