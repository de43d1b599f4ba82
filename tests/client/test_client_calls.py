"""Every call of the service, awaited and waited for, and answers that need not come again."""

import asyncio
import inspect
import json
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import httpx
import pytest

from lanternwell import (
    Archetype,
    AsyncClient,
    BadAnswer,
    Character,
    Client,
    MatchStream,
    Refused,
    State,
    Summary,
    Unreachable,
    calls,
    quiet_move,
)
from tests.client.playing import IMPATIENT
from tests.client.service import Faults, Service
from tests.client.service import running_in_a_thread as running

CALLS = {
    name
    for name, call in inspect.getmembers(calls, inspect.isfunction)
    if call.__module__ == calls.__name__ and not name.startswith("_")
}


@pytest.mark.parametrize("kind", [Client, AsyncClient])
def test_a_client_has_every_call(kind: type) -> None:
    assert {name for name in CALLS if not callable(getattr(kind, name, None))} == set()


def test_the_calls_are_those_of_the_service() -> None:
    asked = {
        (call.method, call.path)
        for call in (
            calls.register("n"),
            calls.open_table("r"),
            calls.tables(),
            calls.own_matches(),
            calls.match("<match_id>"),
            calls.sit("<match_id>"),
            calls.leave("<match_id>"),
            calls.start("<match_id>"),
            calls.rematch("<match_id>"),
            calls.state("<match_id>"),
            calls.events("<match_id>"),
            calls.move("<match_id>", "t", {}),
            calls.replay("<match_id>"),
            calls.put_out("<match_id>", 0),
            calls.create_character({}),
            calls.characters(),
            calls.character("<character_id>"),
            calls.update_character("<character_id>", {}),
            calls.delete_character("<character_id>"),
            calls.archetypes(),
            calls.rulesets(),
        )
    }
    routes = Path(__file__).parents[2] / "functions" / "api" / "routes"
    served = {
        (method.upper(), path.replace("<seat>", "0"))
        for file in routes.glob("*.py")
        for method, path in re.findall(r'@router\.(\w+)\(\s*"([^"]+)"', file.read_text())
        if path.startswith(("/agents", "/archetypes", "/characters", "/matches"))
        or path == "/rules"  # the others are documents, which have one call
    }
    assert {(method, unquote(path)) for method, path in asked} == served


def test_a_program_that_waits_plays_a_practice_match() -> None:
    with (
        running(Faults(poll_after="0.05")) as service,
        Client(service.http_url, backoff=IMPATIENT) as client,
    ):
        client.register("patient")
        assert {ruleset.id for ruleset in client.rulesets()} >= {"werewolf-0.2", "arena-1"}
        assert client.document("/rules/arena-1").startswith("# Arena")
        table = client.open_table("arena-1", fill="house-bots", title="Practice")
        assert (table.fill, table.private, table.invite) == ("house-bots", False, None)
        assert client.sit(table.match_id).status == "running"
        state = client.state(table.match_id)
        while state.status == "running":
            if state.turn is not None:
                move = quiet_move(state.turn)
                assert move is not None
                tried = client.dry_run(table.match_id, state.turn.turn_id, move)
                assert tried.would_be == "accepted"
                receipt = client.move(
                    table.match_id, state.turn.turn_id, move, deadline_ms=state.turn.deadline_ms
                )
                assert receipt.outcome == "accepted"
                state = client.state(table.match_id)
            else:
                state = client.wait(table.match_id, state)
        summary = client.match(table.match_id)
        assert summary.over
        assert sum(player.bot is True for player in summary.players) == 7
        assert client.replay(table.match_id)["winner"] == summary.winner
        page = client.events(table.match_id, limit=3)
        assert [event.seq for event in page.events] == [1, 2, 3]
        again = client.rematch(table.match_id)
        assert again == client.rematch(table.match_id)
        assert again.match_id != table.match_id
        mine = client.own_matches().matches
        assert {match.match_id for match in mine} == {table.match_id, again.match_id}


def test_a_private_table() -> None:
    with running() as service, Client(service.http_url) as host, Client(service.http_url) as guest:
        host.register("host")
        guest.register("guest")
        table = host.open_table("werewolf-0.2", private=True)
        assert table.private
        assert guest.tables().matches == []
        with pytest.raises(Refused, match="not_invited"):
            guest.sit(table.match_id)
        assert guest.sit(table.match_id, invite=table.invite).place == 0
        guest.leave(table.match_id)
        assert guest.match(table.match_id).invite is None


SHEET: dict[str, Any] = {
    "name": "Mother Hulda",
    "archetype": "shepherd",
    "strategy": {"house-9": "Listen."},
}


def test_characters() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        one = Character(
            character_id="c1", backstory="", personality="", created_at=1, updated_at=1, **SHEET
        )
        shepherd = Archetype(id="shepherd", name="Shepherd", about="?", werewolf="!", strategy={})
        match request.method, request.url.path:
            case "POST" | "PUT", _:
                assert json.loads(request.content) == SHEET
                return httpx.Response(200, json=one)
            case "GET", "/characters":
                return httpx.Response(200, json={"characters": [one]})
            case "GET", "/archetypes":
                return httpx.Response(200, json={"archetypes": [shepherd]})
            case "GET", _:
                return httpx.Response(200, json=one)
        return httpx.Response(200, json={"deleted": True, "left": True})

    with Client("http://x", transport=httpx.MockTransport(answer)) as client:
        made = client.create_character(SHEET)
        assert (made.name, made.strategy["house-9"]) == ("Mother Hulda", "Listen.")
        assert client.update_character("c1", SHEET) == made
        assert client.character("c1") == made
        assert client.characters() == [made]
        assert client.archetypes()[0].werewolf == "!"
        client.delete_character("c1")
        client.put_out("m", 3)


def test_house_bots_do_not_play_everything() -> None:
    with running() as service, Client(service.http_url) as client:
        client.register("host")
        with pytest.raises(Refused, match="no_house_bots"):
            client.open_table("traditional-1", fill="house-bots")


def test_nobody_listens_to_those_who_wait_either() -> None:
    with (
        Client("http://127.0.0.1:9", backoff=IMPATIENT, tries=2) as client,
        pytest.raises(Unreachable, match=r"GET http://127.0.0.1:9/matches: "),
    ):
        client.tables()


def test_trouble_is_tried_again_by_those_who_wait() -> None:
    left = [503, 500]

    def answer(*_: str) -> tuple[int, dict[str, str]] | None:
        return (left.pop(), {}) if left else None

    with (
        running(Faults(answer_instead=answer)) as service,
        Client(service.http_url, backoff=IMPATIENT) as client,
    ):
        assert client.tables().matches == []
        assert len(service.requests) == 3


# ---- answers that need not come again -----------------------------------------------------------


def statuses(service: Service, ending: str) -> list[int]:
    return [status for path, status in service.answers if path.endswith(ending)]


def test_what_has_not_changed_does_not_come_twice() -> None:
    with running() as service, Client(service.http_url) as client:
        client.register("host")
        table = client.open_table("werewolf-0.2")
        first = client.state(table.match_id)
        assert client.state(table.match_id) == first
        client.events(table.match_id)
        client.events(table.match_id)
        assert statuses(service, "/state") == [200, 304]
        assert statuses(service, "/events") == [200, 304]
        client.sit(table.match_id)
        assert client.state(table.match_id).seq == first.seq + 1
        client.events(table.match_id, after=1)  # another question, so a tag of the first is no use
        assert len(client.events(table.match_id).events) == 1
        assert statuses(service, "/state") == [200, 304, 200]
        assert statuses(service, "/events") == [200, 304, 200, 200]


def test_another_agent_is_not_told_what_the_first_one_knew() -> None:
    with running() as service, Client(service.http_url) as client:
        client.register("one")
        table = client.open_table("werewolf-0.2", seats=5)
        client.state(table.match_id)
        client.token = None
        client.state(table.match_id)
        assert statuses(service, "/state") == [200, 200]


def test_nothing_new_about_nothing_known_is_an_odd_answer() -> None:
    transport = httpx.MockTransport(lambda _: httpx.Response(304))
    with Client("http://x", transport=transport) as client, pytest.raises(BadAnswer):
        client.state("m")


def test_only_so_much_is_remembered() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        known = "if-none-match" in request.headers
        body = State(
            match_id="m",
            status="open",
            viewer="spectator",
            visible_state=None,
            your_turn=None,
            seq=0,
            server_now=1,
        )
        return httpx.Response(304) if known else httpx.Response(200, json=body, headers=tag)

    tag = {"ETag": '"t"'}
    asked: list[bool] = []
    transport = httpx.MockTransport(
        lambda request: asked.append("if-none-match" in request.headers) or answer(request)
    )
    with Client("http://x", transport=transport) as client:
        for number in range(100):
            client.state(str(number))
        client.state("99")
        client.state("0")
    assert asked[100:] == [True, False]


def test_who_waits_looks_as_often_as_the_service_asks() -> None:
    def played(poll_after: str) -> tuple[int, Summary]:
        with (
            running(Faults(poll_after=poll_after)) as service,
            Client(service.http_url) as client,
        ):
            client.register("host")
            table = client.open_table("werewolf-0.2")
            known = client.state(table.match_id)
            began = time.monotonic()
            assert client.wait(table.match_id, known, most_s=0.5).news == known.news
            assert time.monotonic() - began > 0.4
            return len(statuses(service, "/state")), client.match(table.match_id)

    assert played("0.05")[0] > played("0.4")[0] >= 2


def looks_of_a_stream(poll_after: str) -> int:
    """How often a stream without a socket looks within 0.6 s."""

    async def main() -> int:
        async with (
            Service(Faults(poll_after=poll_after)).running() as service,
            AsyncClient(service.http_url) as client,
        ):
            await client.register("host")
            table = await client.open_table("werewolf-0.2")

            async def follow() -> None:
                async for _ in MatchStream(client, table.match_id, poll_s=0.05, idle_s=0.5):
                    pass

            with pytest.raises(TimeoutError):
                await asyncio.wait_for(follow(), 0.6)
            assert set(statuses(service, "/state")[1:]) == {304}
            return len(statuses(service, "/state"))

    return asyncio.run(main())


def test_a_stream_without_a_socket_looks_as_often_as_the_service_asks() -> None:
    assert looks_of_a_stream("0.05") > looks_of_a_stream("0.3") >= 2
    assert looks_of_a_stream("3600") >= 2  # however long it asks for, the stream looks when idle


def test_the_methods_say_what_they_do() -> None:
    shown: Callable[..., Any] = Client.sit
    assert (shown.__doc__ or "").startswith("Sit down;")
    assert list(inspect.signature(shown).parameters) == [
        "match_id",
        "entropy",
        "invite",
        "character_id",
    ]
