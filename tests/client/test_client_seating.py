"""Finding a seat, over all pages of the list."""

import asyncio
import itertools
import logging

import httpx
import pytest

from lanternwell import Agent, AsyncClient, Move, Turn, View, play, take_seat
from tests.client.simulated import Service, Wire, simulate

NUMBERS = itertools.count()


async def guest(service: Service, name: str = "guest") -> AsyncClient:
    client = Wire(service, next(NUMBERS)).client()
    await client.register(name)
    return client


@pytest.mark.parametrize("newer", [20, 230])
def test_an_open_table_is_found_behind_many_that_wait_for_their_hosts(newer: int) -> None:
    async def main(service: Service) -> None:
        host, waiting = await guest(service, "host"), await guest(service, "waiting")
        table = await waiting.open_table("werewolf-0.2")
        await waiting.sit(table.match_id)
        for _ in range(newer):
            await host.open_table("werewolf-0.2", fill="house-bots")
        for name in ("one", "two"):
            assert await take_seat(await guest(service, name)) == table.match_id

    simulate(main)


def test_where_none_is_to_be_had_one_is_opened() -> None:
    async def main(service: Service) -> None:
        host = await guest(service, "host")
        await host.open_table("werewolf-0.2", fill="house-bots")
        await host.open_table("arena-1")
        private = await host.open_table("werewolf-0.2", private=True)
        client = await guest(service)
        taken = await take_seat(client, seats=5)
        table = await client.match(taken)
        assert (table.taken, table.seats, table.host) == (1, 5, table.players[0].agent_id)
        assert await take_seat(client, match_id=private.match_id, invite=private.invite)
        assert await take_seat(client) == taken, "who sits there already sits there"

    simulate(main)


def test_a_list_that_never_ends_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lanternwell.seating.PAGES_AT_MOST", 30)
    asked: list[str] = []

    async def main(service: Service) -> None:
        client = await guest(service)
        wire = client._http._transport
        assert isinstance(wire, Wire)
        through = wire.handle_async_request

        async def endless(request: httpx.Request) -> httpx.Response:
            if request.method == "GET" and request.url.path == "/matches":
                asked.append(request.url.params.get("cursor", ""))
                return httpx.Response(200, json={"matches": [], "next": str(len(asked))})
            return await through(request)

        monkeypatch.setattr(wire, "handle_async_request", endless)
        assert await take_seat(client)

    simulate(main)
    assert asked == ["", *(str(number) for number in range(1, 30))]


# ---- what is told while one waits ----------------------------------------------------------------


def test_who_waits_is_told_so_and_then_which_card_it_has(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "lanternwell.runner")

    async def main(service: Service) -> None:
        clients = [await guest(service, f"player {number}") for number in range(5)]
        options = {"max_days": 1, "turn_deadline_ms": 1_000}
        table = await clients[0].open_table("werewolf-0.2", seats=5, options=options)
        await clients[0].sit(table.match_id)
        playing = asyncio.create_task(play(Silent(), clients[0], table.match_id))
        await asyncio.sleep(60)
        assert caplog.messages == ["1 of 5 seats are taken; waiting for the others"]
        for client in clients[1:]:
            await client.sit(table.match_id)
        await playing
        view = (await clients[0].state(table.match_id)).view or {}
        card = f"it begins: seat {view['your_seat']}, {view['your_role']}"
        assert caplog.messages[1:] == [card]

    simulate(main)


class Silent(Agent):
    async def on_turn(self, turn: Turn, view: View) -> Move | None:
        return None
