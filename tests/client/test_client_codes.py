"""What the client does about every refusal, as the protocol's table of codes says."""

import asyncio
from collections import deque
from collections.abc import Iterator
from typing import Final, Literal, get_args

import pytest

from lanternwell import Refused, play, take_seat
from lanternwell.agents import RandomAgent
from protocol.codes import CODES, Reaction, reaction_to
from tests.client.simulated import Service, Wire, all_play, seated, simulate
from tests.client.test_client_turns import Quiet

UNKNOWN: Final = tuple(f"http_{status}" for status in (400, 401, 403, 404, 408, 409, 418, 429, 502))
"""Refusals by a status alone: of a code that this client does not know, or of none."""

Outcome = Literal["goes on", "ends"]

LOOKING: Final[dict[Reaction, Outcome]] = {
    "fix_move": "ends",
    "turn_gone": "ends",
    "wait": "goes on",
    "retry": "goes on",
    "give_up": "ends",
}

OUTCOMES: Final[dict[str, dict[Reaction, Outcome]]] = {
    "/moves": {
        "fix_move": "goes on",
        "turn_gone": "goes on",
        "wait": "goes on",
        "retry": "goes on",
        "give_up": "ends",
    },
    "/state": LOOKING,
    "/events": LOOKING,
    "": LOOKING,
    "subscribe": dict.fromkeys(get_args(Reaction), "goes on"),
}
"""By where it is refused: the end of the request's path, or the subscription of a socket."""


def reaction(code: str) -> Reaction:
    status = CODES[code].status if code in CODES else int(code.removeprefix("http_"))
    return reaction_to(code, status)


def codes(place: str, outcome: Outcome) -> list[str]:
    return [c for c in (*CODES, *UNKNOWN) if OUTCOMES[place][reaction(c)] == outcome]


def test_every_code_has_a_reaction_and_every_reaction_an_outcome() -> None:
    assert {row.reaction for row in CODES.values()} == set(get_args(Reaction))
    for place, outcomes in OUTCOMES.items():
        assert set(outcomes) == set(get_args(Reaction)), place


def test_what_to_do_about_a_code_that_is_not_known() -> None:
    told = {status: reaction_to("new_code", status) for status in (400, 401, 404, 409, 429, 503)}
    assert told == {
        400: "fix_move",
        401: "give_up",
        404: "give_up",
        409: "fix_move",
        429: "retry",
        503: "retry",
    }


def refusing(wire: Wire, place: str, refused: Iterator[str | None]) -> None:
    """Refuse what the wire asks for at that place as the iterator says."""
    if place == "subscribe":
        wire.refuse_frame = lambda: next(refused, None)
    else:

        def refuse(method: str, path: str) -> str | None:
            end = path.removeprefix("/matches/").partition("/")[1:]
            return next(refused, None) if "".join(end) == place else None

        wire.refuse = refuse


@pytest.mark.parametrize("place", OUTCOMES)
def test_what_does_not_end_the_program(place: str) -> None:
    """Each such refusal once, and each so often that it outlasts the client's own tries."""

    async def main(service: Service) -> None:
        left = deque((code, times) for code in codes(place, "goes on") for times in (1, 7))
        refused: list[str] = []

        def each() -> Iterator[str | None]:
            while left:
                code, times = left.popleft()
                for _ in range(times):
                    refused.append(code)
                    yield code
                yield None

        while left:
            before = len(left)
            match_id, wires, clients = await seated(
                service, 5, "werewolf-0.2", {"max_days": 3}, called=f"{before} left"
            )
            for wire in wires:
                refusing(wire, place, each())
                if place in ("subscribe", "/events"):
                    wire.cut_every(5.0)
            agents = [Quiet(1.0, like=RandomAgent(f"{before} {n}")) for n in range(5)]
            await all_play(agents, clients, match_id)
            assert len(left) < before, "nothing was refused"
        assert set(refused) == set(codes(place, "goes on"))

    simulate(main)


@pytest.mark.parametrize("place", [place for place in OUTCOMES if codes(place, "ends")])
def test_what_ends_the_program(place: str) -> None:
    async def main(service: Service) -> None:
        match_id, wires, clients = await seated(service, 5, "werewolf-0.2")
        states = [await client.state(match_id) for client in clients]
        number = next(n for n, state in enumerate(states) if state.turn is not None)
        for code in codes(place, "ends"):
            refusing(wires[number], place, iter([code]))
            client = wires[number].client(token=clients[number].token)
            with pytest.raises(Refused) as caught:
                async with asyncio.timeout(100):
                    await play(Quiet(), client, match_id)
            assert caught.value.code == code

    simulate(main)


def test_what_becomes_of_a_refused_seat() -> None:
    """Somebody else was quicker, or may: then there are other tables. All else ends it."""

    async def main(service: Service) -> None:
        host, guest = Wire(service, 0), Wire(service, 1)
        opener, client = host.client(), guest.client()
        await opener.register("host")
        await client.register("guest")
        for code in (*CODES, *UNKNOWN):
            table = await opener.open_table("werewolf-0.2")
            refused = iter([code])

            def refuse(method: str, path: str, refused: Iterator[str] = refused) -> str | None:
                return next(refused, None) if path.endswith("/seats") else None

            guest.refuse = refuse
            what = reaction(code)
            if what == "retry" or (what == "give_up" and code not in ("unauthorized", "http_401")):
                taken = await take_seat(client)
                assert (taken == table.match_id) == (what == "retry"), code
                await opener.sit(taken)
                await client.leave(taken)
            else:
                with pytest.raises(Refused, match=code):
                    await take_seat(client)
        assert len((await opener.tables(limit=100)).matches) >= len(CODES)

    simulate(main)
