"""A match as a stream: nothing missed, nothing twice, whatever happens to socket and requests."""

import asyncio
import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lanternwell import AsyncClient, Event, MatchStream, Refused
from tests.client.playing import IMPATIENT, RULESET, Played, play_a_match, random_agents
from tests.client.service import Faults, Service
from tests.examples import examples

SHORT = {"max_days": 2, "turn_deadline_ms": 60_000}


def played_with(faults: Faults, *, seed: object = 0, **how: Any) -> tuple[Played, Service]:
    async def main() -> tuple[Played, Service]:
        async with Service(faults).running() as service:
            async with asyncio.timeout(60):
                agents = random_agents(5, seed)
                return await play_a_match(service, agents, options=SHORT, **how), service

    return asyncio.run(main())


def check_complete(played: Played) -> None:
    """Every agent was handed its own events, each once and in order, and every turn once."""
    assert played.table.match.over
    assert {move["by"] for move in played.table.moves} == {"player"}
    for seat, agent in enumerate(played.agents):
        theirs = played.table.events_for(seat)
        assert [event.seq for event in agent.events] == list(range(1, len(theirs) + 1))
        assert [event.type for event in agent.events] == [event["type"] for event in theirs]
        assert [dict(event.data) for event in agent.events] == [event["data"] for event in theirs]
        assert len(set(agent.turns)) == len(agent.turns)
        assert len(agent.turns) == sum(move["seat"] == seat for move in played.table.moves)
        assert agent.summary is not None
        assert agent.summary.over


def test_a_match_with_working_sockets() -> None:
    played, service = played_with(Faults())
    check_complete(played)
    assert service.subscriptions == 5


def test_a_match_without_any_socket_is_played_by_polling() -> None:
    played, service = played_with(Faults(refuse_socket=lambda: True, poll_after="0.05"))
    check_complete(played)
    assert service.subscriptions == 0


@settings(max_examples=examples(15), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    seed=st.integers(0, 2**32),
    cut=st.floats(0, 0.4),
    lose=st.floats(0, 0.3),
    repeat=st.floats(0, 0.3),
    answers=st.floats(0, 0.2),
    behind=st.floats(0, 0.3),
)
def test_random_cuts_lose_nothing_and_repeat_nothing(
    seed: int, cut: float, lose: float, repeat: float, answers: float, behind: float
) -> None:
    dice = random.Random(seed)
    faults = Faults(
        cut=lambda: dice.random() < cut,
        lose_frame=lambda _: dice.random() < lose,
        repeat_frame=lambda _: dice.random() < repeat,
        fall_behind=lambda: dice.random() < behind,
        lose_answer=lambda method, path: (
            dice.random() < answers and path != "/agents" and (method, path) != ("POST", "/matches")
        ),
    )
    played, _ = played_with(faults, seed=seed, idle_s=0.05)
    check_complete(played)


def test_a_lost_event_is_fetched_before_later_ones() -> None:
    def lose(frame: dict[str, Any]) -> bool:
        return frame["type"] == "event" and frame["event"]["type"] == "vote_start"

    played, service = played_with(Faults(lose_frame=lose))
    check_complete(played)
    assert any(path.endswith("/events") for _, path in service.requests)


def test_a_lost_turn_is_found_by_looking() -> None:
    def lose(frame: dict[str, Any]) -> bool:
        return frame["type"] == "your_turn" and frame["turn"]["phase"] == "day_vote"

    played, _ = played_with(Faults(lose_frame=lose), idle_s=0.05)
    check_complete(played)


def test_a_spectator_resumes_after_what_it_knows() -> None:
    async def main() -> tuple[list[Event], list[dict[str, Any]]]:
        async with Service().running() as service:
            played = await play_a_match(service, random_agents(5), options=SHORT)
            async with AsyncClient(
                service.http_url, ws=service.ws_url, backoff=IMPATIENT
            ) as client:
                stream = MatchStream(client, played.table.match_id, after=7)
                heard = [signal async for signal in stream]
            assert all(isinstance(signal, Event) for signal in heard)
            return [s for s in heard if isinstance(s, Event)], played.table.events_for("spectator")

    heard, events = asyncio.run(main())
    assert [(event.seq, event.type) for event in heard] == [
        (event["seq"], event["type"]) for event in events[7:]
    ]


def test_a_spectator_who_is_far_behind_is_sent_all_in_several_goes() -> None:
    async def main() -> None:
        async with Service().running() as service:
            played = await play_a_match(service, random_agents(5), options=SHORT)
            goes = service.subscriptions
            service.faults = Faults(
                fall_behind=lambda: True,
                answer_instead=lambda _, path: (503, {}) if path.endswith("/events") else None,
            )
            async with AsyncClient(
                service.http_url, ws=service.ws_url, backoff=IMPATIENT
            ) as client:
                stream = MatchStream(client, played.table.match_id)
                async with asyncio.timeout(30):
                    heard = [signal async for signal in stream]
            told = played.table.events_for("spectator")
            assert [event.seq for event in heard] == [event["seq"] for event in told]
            assert service.subscriptions - goes >= len(told) - 1

    asyncio.run(main())


def test_a_match_that_does_not_exist() -> None:
    async def main() -> None:
        async with (
            Service().running() as service,
            AsyncClient(service.http_url, ws=service.ws_url) as client,
        ):
            with pytest.raises(Refused, match="not_found"):
                async for _ in MatchStream(client, "nowhere"):
                    pass

    asyncio.run(main())


def test_a_token_that_the_service_does_not_know() -> None:
    async def main() -> None:
        async with (
            Service().running() as service,
            AsyncClient(service.http_url, ws=service.ws_url) as client,
        ):
            await client.register("host")
            table = await client.open_table(RULESET)
            client.token = "somebody.else"
            with pytest.raises(Refused, match="unauthorized"):
                async for _ in MatchStream(client, table.match_id):
                    pass

    asyncio.run(main())
