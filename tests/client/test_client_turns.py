"""A turn is the agent's until it is answered, whatever happens to wires and sockets meanwhile."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from lanternwell import (
    Agent,
    AsyncClient,
    Event,
    MatchStream,
    Move,
    Turn,
    Unreachable,
    View,
    play,
    quiet_move,
)
from lanternwell.agents import HeuristicAgent, RandomAgent
from tests.client.simulated import Service, Wire, all_play, seated, simulate

DAY_MS = 86_400_000
TRADITIONAL = "traditional-1"


def now() -> float:
    return asyncio.get_running_loop().time()


class Quiet(Agent):
    """Makes quiet moves, or those of another agent, after a while; keeps what it was handed."""

    def __init__(self, thinks_s: float = 0.0, *, like: Agent | None = None) -> None:
        self.thinks_s = thinks_s
        self._like = like
        self.turns: list[str] = []
        self.events: list[Event] = []
        self.moves: list[Move | None] = []

    async def on_turn(self, turn: Turn, view: View) -> Move | None:
        self.turns.append(turn.turn_id)
        await asyncio.sleep(self.thinks_s)
        move = quiet_move(turn) if self._like is None else self._like.on_turn(turn, view)
        assert move is None or isinstance(move, dict)
        self.moves.append(move)
        return move

    def on_event(self, event: Event) -> None:
        self.events.append(event)

    def told(self, kind: str) -> list[Event]:
        return [event for event in self.events if event.type == kind]


class Interrupted(Quiet):
    """Something happens while it thinks about its first turn."""

    def __init__(
        self, happens: Callable[[], Awaitable[Any]], thinks_s: float = 0.0, **more: Any
    ) -> None:
        super().__init__(thinks_s, **more)
        self._happens: Callable[[], Awaitable[Any]] | None = happens

    async def on_turn(self, turn: Turn, view: View) -> Move | None:
        happens, self._happens = self._happens, None
        if happens is not None:
            await happens()
        return await super().on_turn(turn, view)


@pytest.mark.parametrize("sockets", [True, False])
@pytest.mark.parametrize("thinks_s", [0.0, 5.0, 39.0, 60.0])
def test_the_service_is_gone_for_a_while_during_a_turn_of_a_day(
    thinks_s: float, sockets: bool
) -> None:
    async def main(service: Service) -> None:
        options = {"turn_deadline_ms": DAY_MS, "max_days": 1}
        match_id, wires, clients = await seated(service, 5, "werewolf-0.2", options)
        clients = [
            wire.client(token=client.token, sockets=sockets)
            for wire, client in zip(wires, clients, strict=True)
        ]

        def interrupted(wire: Wire) -> Quiet:
            async def gone() -> None:
                wire.down = True
                wire.cut()
                asyncio.get_running_loop().call_later(40, setattr, wire, "down", False)

            return Interrupted(gone, thinks_s=thinks_s)

        agents = [interrupted(wire) for wire in wires]
        await all_play(agents, clients, match_id)
        moves = (await clients[0].replay(match_id))["moves"]
        assert {move["by"] for move in moves} == {"start", "player"}
        assert all(len(agent.turns) == len(set(agent.turns)) for agent in agents)
        assert now() < 5 * 3 * 100

    simulate(main)


@pytest.mark.parametrize("sockets", [True, False])
def test_a_turn_found_while_the_service_was_gone_is_asked_for_afterwards(sockets: bool) -> None:
    """The wire breaks after the turn was handed out, and before it could be looked at."""

    async def main(service: Service) -> None:
        options = {"turn_deadline_ms": DAY_MS}
        match_id, wires, clients = await seated(service, 5, "werewolf-0.2", options)
        views = [await client.state(match_id) for client in clients]
        number = next(n for n, state in enumerate(views) if state.turn is not None)
        wire = wires[number]
        client = wire.client(token=clients[number].token, sockets=sockets)
        agent = Quiet()
        stream = MatchStream(client, match_id)
        signals = stream.signals()
        turn = next(s for s in [s async for s in _until_a_turn(signals)] if isinstance(s, Turn))
        wire.down = True
        wire.cut()
        asyncio.get_running_loop().call_later(40, setattr, wire, "down", False)
        began = now()
        again = await anext(signals)
        assert again == turn
        assert 40 <= now() - began < 90
        await signals.aclose()
        playing = asyncio.create_task(play(agent, client, match_id))
        while not agent.turns:
            await asyncio.sleep(1)
        playing.cancel()

    simulate(main)


async def _until_a_turn(signals: Any) -> Any:
    async for signal in signals:
        yield signal
        if isinstance(signal, Turn):
            return


def test_a_turn_is_not_handed_out_again_while_it_is_worked_on_nor_after_it_was_answered() -> None:
    async def main(service: Service) -> None:
        options = {"turn_deadline_ms": DAY_MS, "max_days": 1}
        match_id, _, clients = await seated(service, 5, "werewolf-0.2", options)
        agents = [Quiet(thinks_s=100) for _ in clients]
        await all_play(agents, clients, match_id)
        for agent in agents:
            assert len(agent.turns) == len(set(agent.turns))

    simulate(main)


def test_who_lets_a_turn_pass_is_not_asked_again() -> None:
    class Silent(Quiet):
        async def on_turn(self, turn: Turn, view: View) -> Move | None:
            self.turns.append(turn.turn_id)

    async def main(service: Service) -> None:
        options = {"turn_deadline_ms": 30_000, "max_days": 1, "max_consecutive_timeouts": 10}
        match_id, _, clients = await seated(service, 5, "werewolf-0.2", options)
        agents = [Silent() for _ in clients]
        await all_play(agents, clients, match_id)
        assert sum(len(agent.turns) for agent in agents) > 5
        for agent in agents:
            assert len(agent.turns) == len(set(agent.turns))

    simulate(main)


# ---- the table waits -----------------------------------------------------------------------------


def people(first: Agent) -> list[Agent]:
    """Players of `traditional-1`, whose matches end."""
    return [first, *(Quiet(1.0, like=HeuristicAgent(number)) for number in range(5))]


def sand_clock(first: Callable[[Service, Wire], Agent]) -> list[Agent]:
    """Those who have played a match together, the first of them as given."""

    async def main(service: Service) -> list[Agent]:
        match_id, wires, clients = await seated(service, 6, TRADITIONAL, {"day_minutes": 2})
        agents = people(first(service, wires[0]))
        await all_play(agents, clients, match_id)
        return agents

    return simulate(main)


def waited(agents: list[Agent]) -> list[int]:
    """How long the table waited, each time, in milliseconds."""
    onlooker = agents[1]
    assert isinstance(onlooker, Quiet)
    paused, resumed = (onlooker.told(kind) for kind in ("paused", "resumed"))
    return [last.at - first.at for first, last in zip(paused, resumed, strict=True)]


def test_a_move_while_the_table_waits_is_made_when_it_goes_on() -> None:
    """One thinks for 15 s; meanwhile another's socket closes, and stays away for a minute."""

    async def main(service: Service) -> None:
        match_id, wires, clients = await seated(service, 6, TRADITIONAL, {"day_minutes": 2})

        async def leaves() -> None:
            await asyncio.sleep(6)
            wires[1].down = True
            wires[1].cut()
            asyncio.get_running_loop().call_later(60, setattr, wires[1], "down", False)
            await asyncio.sleep(9)

        slow = Interrupted(leaves, like=RandomAgent("slow"))
        agents = people(slow)
        summary = await all_play(agents, clients, match_id)
        assert waited(agents) == [pytest.approx(60_000, abs=15_000)]
        replay = await clients[0].replay(match_id)
        seat = next(p.seat for p in summary.players if p.name == "agent 0")
        made = [m for m in replay["moves"] if (m["seat"], m["by"]) == (seat, "player")]
        assert [move["move"] for move in made] == slow.moves
        assert made[0]["at"] - replay["moves"][0]["at"] >= 60_000
        assert len(slow.turns) == len(set(slow.turns))

    simulate(main)


def test_a_slow_agent_is_back_before_it_has_thought() -> None:
    """Its socket breaks while it thinks: the table does not wait until it is done."""

    def slow(_: Service, wire: Wire) -> Agent:
        async def breaks() -> None:
            wire.cut()

        return Interrupted(breaks, 50, like=RandomAgent("slow"))

    (gone,) = waited(sand_clock(slow))
    assert gone < 2_000


def test_a_socket_that_is_dead_without_being_told_is_left() -> None:
    """The platform has taken it off: nothing comes any more, and the player is missed."""

    def forgotten(service: Service, wire: Wire) -> Agent:
        async def dies() -> None:
            assert wire.socket is not None
            service.presence.close(wire.socket.connection_id)
            service.settle()

        return Interrupted(dies, like=RandomAgent("forgotten"))

    (gone,) = waited(sand_clock(forgotten))
    assert gone < 25_000


def test_who_is_missed_and_gets_no_socket_any_more_comes_back_by_a_move() -> None:
    """It has locked, so there is no turn of its own in which it would move."""

    def without(_: Service, wire: Wire) -> Agent:
        def lose_sockets() -> None:
            wire.no_sockets = True
            wire.cut()

        async def later() -> None:
            asyncio.get_running_loop().call_later(5, lose_sockets)

        return Interrupted(later)

    (gone,) = waited(sand_clock(without))
    assert gone < 15_000


def test_who_only_polls_plays_the_sand_clock_to_the_end(caplog: pytest.LogCaptureFixture) -> None:
    async def main(service: Service) -> None:
        match_id, wires, clients = await seated(service, 6, TRADITIONAL, {"day_minutes": 2})
        polling = [
            wire.client(token=client.token, sockets=False)
            for wire, client in zip(wires, clients, strict=True)
        ]
        agents = people(Quiet(1.0, like=RandomAgent("first")))
        await all_play(agents, polling, match_id)
        assert waited(agents) == []

    simulate(main)
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


def test_a_stream_gives_up_when_nothing_answers_for_too_long() -> None:
    async def main(service: Service) -> None:
        match_id, wires, clients = await seated(service, 5, "werewolf-0.2", {})
        wires[0].down = True
        with pytest.raises(Unreachable, match="for too long"):
            async for _ in MatchStream(clients[0], match_id, give_up_s=900):
                pass
        assert 900 <= now() < 1_000

    simulate(main)


def test_only_so_many_events_wait_for_a_slow_consumer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lanternwell.stream.EVENTS_AT_MOST", 20)

    async def main(service: Service) -> None:
        options = {"max_days": 2}
        match_id, _, clients = await seated(service, 5, "werewolf-0.2", options)
        onlooker: AsyncClient = Wire(service, 99).client()
        stream = MatchStream(onlooker, match_id)
        signals = stream.signals()
        heard = [await anext(signals)]
        await all_play([Quiet() for _ in clients], clients, match_id)
        await asyncio.sleep(30)
        assert len(stream._events) == 20
        heard += [signal async for signal in signals]
        page = await onlooker.events(match_id, limit=500)
        assert heard == list(page.events)

    simulate(main)
