"""Requests: what is sent again, what is not, and how refusals and odd answers arrive."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, TypeVar

import httpx
import pytest

from lanternwell import AsyncClient, BadAnswer, Client, Refused, Unreachable
from lanternwell.backoff import Backoff
from lanternwell.clock import ServiceClock
from tests.client.playing import IMPATIENT, RULESET
from tests.client.service import Faults, Service

T = TypeVar("T")


def with_service(faults: Faults, use: Callable[[Service, AsyncClient], Awaitable[T]]) -> T:
    async def main() -> T:
        async with (
            Service(faults).running() as service,
            AsyncClient(service.http_url, backoff=IMPATIENT) as client,
        ):
            return await use(service, client)

    return asyncio.run(main())


def answering(*answers: httpx.Response) -> httpx.MockTransport:
    left = iter(answers)
    return httpx.MockTransport(lambda _request: next(left))


def times(count: int, method: str, ending: str) -> Callable[[str, str], bool]:
    """True for the first so many requests of this kind."""
    left = [None] * count

    def fault(asked: str, path: str) -> bool:
        if asked == method and path.endswith(ending) and left:
            left.pop()
            return True
        return False

    return fault


async def seated_table(service: Service) -> tuple[list[AsyncClient], str]:
    clients = [AsyncClient(service.http_url, backoff=IMPATIENT) for _ in range(5)]
    for number, client in enumerate(clients):
        await client.register(f"agent {number}")
    table = await clients[0].open_table(RULESET, seats=5)
    for client in clients:
        await client.sit(table.match_id)
    return clients, table.match_id


@pytest.mark.parametrize("fault", ["lose_answer", "lose_request"])
def test_a_move_without_an_answer_is_sent_again_and_counts_once(fault: str) -> None:
    async def use(service: Service, _client: AsyncClient) -> None:
        clients, match_id = await seated_table(service)
        states = [await client.state(match_id) for client in clients]
        client, turn = next(
            (client, state.turn)
            for client, state in zip(clients, states, strict=True)
            if state.turn is not None
        )
        move = {"action": "kill", "target": turn.legal_actions[0]["targets"][0]}
        receipt = await client.move(match_id, turn.turn_id, move, deadline_ms=turn.deadline_ms)
        again = await client.move(match_id, turn.turn_id, move)
        assert receipt == again
        assert receipt.outcome == "accepted"
        assert len(service.matches[match_id].moves) == 1
        sent = [path for method, path in service.requests if path.endswith("/moves")]
        assert len(sent) == 4  # two without an answer, one with, and one more
        for each in clients:
            await each.aclose()

    with_service(Faults(**{fault: times(2, "POST", "/moves")}), use)


def test_sitting_down_without_an_answer_takes_one_seat() -> None:
    async def use(service: Service, client: AsyncClient) -> None:
        await client.register("host")
        table = await client.open_table(RULESET)
        place = await client.sit(table.match_id)
        assert place.place == 0
        assert (await client.match(table.match_id)).taken == 1

    with_service(Faults(lose_answer=times(1, "POST", "/seats")), use)


def test_registering_is_not_repeated_when_it_may_have_happened() -> None:
    async def use(service: Service, client: AsyncClient) -> None:
        with pytest.raises(Unreachable):
            await client.register("once")
        assert service.requests == [("POST", "/agents")]

    with_service(Faults(lose_answer=times(9, "POST", "/agents")), use)


def test_a_service_in_trouble_is_asked_again() -> None:
    trouble = times(2, "GET", "/matches")

    async def use(service: Service, client: AsyncClient) -> None:
        assert (await client.tables()).matches == []
        assert len(service.requests) == 3

    with_service(Faults(answer_instead=lambda *asked: (503, {}) if trouble(*asked) else None), use)


def test_one_request_too_many_waits_as_long_as_it_is_told() -> None:
    many = times(1, "POST", "/agents")

    async def use(service: Service, client: AsyncClient) -> None:
        began = time.monotonic()
        await client.register("patient")
        assert time.monotonic() - began >= 1
        assert len(service.requests) == 2

    with_service(
        Faults(answer_instead=lambda *asked: (429, {"Retry-After": "1"}) if many(*asked) else None),
        use,
    )


def test_a_wait_beyond_patience_is_not_waited() -> None:
    async def use(service: Service, client: AsyncClient) -> None:
        with pytest.raises(Refused) as caught:
            await client.register("hasty")
        assert caught.value.retry_after_s == 3600
        assert caught.value.passing
        assert len(service.requests) == 1

    with_service(Faults(answer_instead=lambda *_: (429, {"Retry-After": "3600"})), use)


def test_no_try_begins_after_the_deadline_of_the_turn() -> None:
    async def use(service: Service, client: AsyncClient) -> None:
        client.token = "any"
        began = time.monotonic()
        with pytest.raises(Unreachable):
            await client.move("m", "1.day_talk.0", {"action": "pass"}, deadline_ms=_soon(client))
        assert time.monotonic() - began < 1

    def _soon(client: AsyncClient) -> int:
        return client.clock.now() + 100

    with_service(Faults(lose_request=lambda *_: True), use)


def test_nobody_listens() -> None:
    async def main() -> None:
        async with AsyncClient("http://127.0.0.1:9", backoff=IMPATIENT, tries=2) as client:
            with pytest.raises(Unreachable, match=r"GET http://127.0.0.1:9/matches: "):
                await client.tables()

    asyncio.run(main())


def test_a_refusal_brings_its_reasons() -> None:
    problem = {
        "type": "about:blank",
        "title": "Illegal target",
        "status": 422,
        "code": "illegal_target",
        "detail": "seat 9 may not be named here",
        "legal_actions": [{"action": "vote", "targets": [1]}],
    }

    async def main() -> Refused:
        transport = answering(httpx.Response(422, json=problem))
        async with AsyncClient("http://x", transport=transport) as client:
            with pytest.raises(Refused) as caught:
                await client.move("m", "1.day_vote.0", {"action": "vote", "target": 9})
            return caught.value

    refusal = asyncio.run(main())
    assert (refusal.status, refusal.code) == (422, "illegal_target")
    assert str(refusal) == "illegal_target: seat 9 may not be named here"
    assert refusal.legal_actions == [{"action": "vote", "targets": [1]}]
    assert not refusal.passing


@pytest.mark.parametrize(
    "answer",
    [
        httpx.Response(200, text="<html>"),
        httpx.Response(200, json=[]),
        httpx.Response(200, json={"matches": [{}]}),
        httpx.Response(200, json={"matches": None}),
    ],
)
def test_an_answer_of_another_form_is_a_typed_error(answer: httpx.Response) -> None:
    async def main() -> None:
        async with AsyncClient("http://x", transport=answering(answer)) as client:
            with pytest.raises(BadAnswer):
                await client.tables()

    asyncio.run(main())


def test_an_answer_that_cannot_be_unpacked_counts_as_none() -> None:
    packed = httpx.Response(200, headers={"Content-Encoding": "gzip"}, stream=_Bytes(b"no gzip"))

    async def main() -> None:
        transport = answering(packed, httpx.Response(200, json={"matches": [], "next": None}))
        async with AsyncClient("http://x", transport=transport, backoff=IMPATIENT) as client:
            assert len((await client.tables()).matches) == 0

    asyncio.run(main())


class _Bytes(httpx.AsyncByteStream):
    def __init__(self, content: bytes) -> None:
        self._content = content

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield self._content


def test_a_refusal_that_is_no_problem_document_still_has_a_code() -> None:
    async def main() -> None:
        transport = answering(httpx.Response(404, text="nothing here"))
        async with AsyncClient("http://x", transport=transport) as client:
            with pytest.raises(Refused, match="http_404"):
                await client.match("../odd id")

    asyncio.run(main())


def test_ids_cannot_leave_their_place_in_the_path() -> None:
    asked: list[Any] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request.url.raw_path)
        return httpx.Response(404, json={"code": "not_found"})

    async def main() -> None:
        async with AsyncClient("http://x", transport=httpx.MockTransport(answer)) as client:
            with pytest.raises(Refused):
                await client.match("../agents?x=1")

    asyncio.run(main())
    assert asked == [b"/matches/..%2Fagents%3Fx%3D1"]


def test_pauses_grow_and_stay_within_their_bound() -> None:
    steady = Backoff(first_s=0.1, factor=2, most_s=1, jitter=lambda: 1.0)
    assert [steady.pause(n) for n in (1, 2, 3, 4, 5, 500)] == [0.1, 0.2, 0.4, 0.8, 1, 1]
    low = Backoff(first_s=0.1, jitter=lambda: 0.0)
    assert low.pause(1) == 0.05


class Ticking:
    """Seconds that are counted by hand."""

    def __init__(self) -> None:
        self.s = 1_000.0

    def __call__(self) -> float:
        return self.s


def heard(
    clock: ServiceClock, ticking: Ticking, there: float, there_s: float, back_s: float
) -> None:
    """An answer that travelled there and back, from a clock that is ahead by `there` ms."""
    sent_s = ticking.s
    ticking.s += there_s
    server_now = int(ticking.s * 1000 + there)
    ticking.s += back_s
    clock.hear(server_now, sent_s=sent_s)


def ahead(clock: ServiceClock, ticking: Ticking) -> float:
    return clock.now() - ticking.s * 1000


def test_the_service_clock_keeps_what_travelled_least() -> None:
    ticking = Ticking()
    clock = ServiceClock(ticking)
    assert abs(clock.now() - time.time() * 1000) < 1000
    heard(clock, ticking, 60_000, 0.01, 0.01)
    heard(clock, ticking, 60_000, 0.5, 2.0)
    heard(clock, ticking, 60_000, 2.0, 0.5)
    assert ahead(clock, ticking) == pytest.approx(60_000, abs=12)
    assert clock.seconds_until(clock.now() + 5000) == pytest.approx(5, abs=0.01)


@pytest.mark.parametrize("when", range(6))
@pytest.mark.parametrize("wrong", [25_000, -25_000, 10**9])
def test_a_time_that_is_wrong_does_not_last(wrong: int, when: int) -> None:
    ticking = Ticking()
    clock = ServiceClock(ticking)
    for number in range(20):
        heard(clock, ticking, 60_000 + (wrong if number == when else 0), 0.04, 0.04)
        if number > 1 and number not in (when, when + 1):
            assert ahead(clock, ticking) == pytest.approx(60_000, abs=50)


def test_a_clock_that_was_set_anew_is_followed() -> None:
    ticking = Ticking()
    clock = ServiceClock(ticking)
    for _ in range(20):
        heard(clock, ticking, 60_000, 0.04, 0.04)
    for _ in range(3):
        heard(clock, ticking, 90_000, 0.04, 0.04)
    assert ahead(clock, ticking) == pytest.approx(90_000, abs=50)


def test_times_that_came_by_themselves_count_as_well() -> None:
    ticking = Ticking()
    clock = ServiceClock(ticking)
    for late_s in (0.3, 0.0, 4.0):
        ticking.s += 1
        clock.hear(int((ticking.s - late_s) * 1000 + 60_000))
    assert ahead(clock, ticking) == pytest.approx(60_000, abs=2)


# ---- files in pieces ----------------------------------------------------------------------------


@pytest.mark.parametrize("piece", [b"", b"x" * 1000])
def test_a_file_that_never_ends_is_given_up(piece: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lanternwell.exchange.FILE_BYTES", 10_000)
    asked: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request.url.query.decode())
        if len(asked) == 1:
            return httpx.Response(409, json={"code": "replay_in_parts"})
        return httpx.Response(200, content=piece, headers={"Link": '</next>; rel="next"'})

    async def main() -> None:
        async with AsyncClient("http://x", transport=httpx.MockTransport(answer)) as client:
            with pytest.raises(BadAnswer, match="without end"):
                await client.replay_file("m")
        asked.clear()
        with (
            Client("http://x", transport=httpx.MockTransport(answer)) as waiting,
            pytest.raises(BadAnswer, match="without end"),
        ):
            waiting.replay_file("m")

    asyncio.run(main())
    assert len(asked) == (2 if piece == b"" else 12)
