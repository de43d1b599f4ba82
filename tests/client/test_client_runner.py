"""The runner: asks the agent, moves, and lives with refusals."""

import asyncio
import threading
from contextlib import AsyncExitStack
from typing import Any

import pytest

from lanternwell import Agent, AsyncClient, Move, Refused, Turn, View, every_move, play
from lanternwell.agents import RandomAgent
from lanternwell.runner import join_and_play, run, take_seat
from tests.client.playing import IMPATIENT, Played, play_a_match, random_agents
from tests.client.service import Service

SHORT = {"max_days": 2, "turn_deadline_ms": 60_000}


def played(*agents: Agent, options: dict[str, Any] | None = None) -> Played:
    async def main() -> Played:
        async with Service().running() as service, asyncio.timeout(60):
            return await play_a_match(service, agents, options=options or SHORT)

    return asyncio.run(main())


class Stubborn(Agent):
    """Always names itself, which is never legal, and counts the refusals."""

    def __init__(self) -> None:
        self.refusals: list[str] = []

    def on_turn(self, turn: Turn, view: View) -> Move:
        return {"action": turn.legal_actions[0]["action"], "target": view["your_seat"]}

    def on_refused(self, turn: Turn, view: View, move: Move, refusal: Refused) -> Move | None:
        self.refusals.append(refusal.code)
        return super().on_refused(turn, view, move, refusal)


def test_an_illegal_move_is_followed_by_a_quiet_one() -> None:
    stubborn = [Stubborn() for _ in range(5)]
    match = played(*stubborn)
    assert match.table.match is not None
    assert match.table.match.over
    codes = {code for agent in stubborn for code in agent.refusals}
    assert codes <= {"illegal_target", "malformed", "message_required"}
    assert sum(len(agent.refusals) for agent in stubborn) == len(match.table.moves)


class Silent(Agent):
    def on_turn(self, turn: Turn, view: View) -> Move | None:
        return None


def test_who_makes_no_move_is_struck_out_by_the_clock() -> None:
    agents = [*random_agents(4), Silent()]
    match = played(*agents, options={"turn_deadline_ms": 1000, "max_consecutive_timeouts": 1})
    silent = next(n for n, p in enumerate(match.table.players) if p.name == "agent 4")
    fate = {seat: cause for seat, _, cause in match.table.match.eliminated}
    assert fate.get(silent) in {"left", "werewolves", None}
    assert {m["by"] for m in match.table.moves if m["seat"] == silent} <= {"timeout"}


class Threaded(Agent):
    def __init__(self, seen: set[int]) -> None:
        self._inner = RandomAgent(1)
        self._seen = seen

    def on_turn(self, turn: Turn, view: View) -> Move | None:
        self._seen.add(threading.get_ident())
        return self._inner.on_turn(turn, view)


def test_a_plain_on_turn_does_not_hold_up_the_event_loop() -> None:
    seen: set[int] = set()

    async def main() -> None:
        async with Service().running() as service:
            clients = [
                AsyncClient(service.http_url, ws=service.ws_url, backoff=IMPATIENT)
                for _ in range(5)
            ]
            for number, client in enumerate(clients):
                await client.register(f"agent {number}")
            table = await clients[0].open_table("werewolf-0.2", seats=5, options=SHORT)
            for client in clients:
                await client.sit(table.match_id)
            await asyncio.gather(
                *(play(Threaded(seen), client, table.match_id) for client in clients)
            )
            for client in clients:
                await client.aclose()

    asyncio.run(main())
    assert seen
    assert threading.get_ident() not in seen


def test_joining_takes_the_open_table_and_else_opens_one() -> None:
    async def main() -> set[str]:
        async with Service().running() as service, AsyncExitStack() as stack:
            clients = [
                await stack.enter_async_context(AsyncClient(service.http_url, ws=service.ws_url))
                for _ in range(5)
            ]
            await clients[0].register("host")
            table = await clients[0].open_table("werewolf-0.2", seats=5, options=SHORT)
            summaries = await asyncio.gather(
                *(
                    join_and_play(agent, client, name=f"agent {number}")
                    for number, (agent, client) in enumerate(
                        zip(random_agents(5), clients, strict=True)
                    )
                )
            )
            assert {summary.match_id for summary in summaries} == {table.match_id}
            another = await take_seat(clients[0])
            assert another != table.match_id
            assert service.matches[another].status == "open"
            return {summary.status for summary in summaries}

    assert asyncio.run(main()) == {"over"}


class Mine(Agent):
    """The shortest agent that the documents show."""

    def on_turn(self, turn: Turn, view: View) -> Move:
        return next(every_move(turn, say="I am new here."))


def test_the_ten_line_agent(capsys: pytest.CaptureFixture[str]) -> None:
    async def main() -> None:
        async with Service().running() as service, asyncio.timeout(60):
            async with AsyncClient(service.http_url) as host:
                await host.register("host")
                await host.open_table("werewolf-0.2", seats=5, options=SHORT)
            await asyncio.gather(
                *(
                    asyncio.to_thread(
                        run, Mine(), http=service.http_url, ws=service.ws_url, name=f"mine {n}"
                    )
                    for n in range(5)
                )
            )

    asyncio.run(main())
    assert capsys.readouterr().out.count("is over: the") == 5


def test_a_program_ends_with_one_clear_line_when_nothing_listens() -> None:
    with pytest.raises(SystemExit, match=r"lanternwell: POST http://127.0.0.1:9/agents: "):
        run(Mine(), http="http://127.0.0.1:9")


def test_a_program_ends_with_one_clear_line_when_it_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def refused(*_: Any, **__: Any) -> str:
        raise Refused(401, "unauthorized", "nobody has\nthis token")

    monkeypatch.setattr("lanternwell.runner.take_seat", refused)
    with pytest.raises(SystemExit, match=r"^lanternwell: unauthorized: nobody has this token$"):
        run(Mine(), http="http://127.0.0.1:9", token="a.b")
