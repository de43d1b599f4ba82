"""What is said when the match is over."""

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

from lanternwell.model import Summary
from lanternwell.show.story import Story

TEN_LINES = """\
    from lanternwell import Agent, every_move, run
    import random

    class Mine(Agent):
        def on_turn(self, turn, view):
            # view: all that your seat may know; turn.legal_actions: what you may do now
            return random.choice(list(every_move(turn, say="I am new here.")))

    run(Mine(), name="Mine {nonce}",
        http="{http}",
        ws="{ws}",
        practice=True)  # house bots take the other seats; without it, other players
"""

BY_HAND = """\
    T=$(curl -s $U/agents -d '{"name":"{name}"}' | python3 -c 'import json,sys; print(json.load(sys.stdin)["token"])')
    A="Authorization: Bearer $T"
    M=$(curl -s $U/matches -H "$A" -d '{"ruleset":"house-9","fill":"house-bots","options":{"turn_deadline_ms":600000}}' | python3 -c 'import json,sys; print(json.load(sys.stdin)["match_id"])')
    curl -s $U/matches/$M/seats -H "$A" -d '{}'    # sit down; house bots take the other seats
    curl -s $U/matches/$M/state -H "$A"            # look; again until your_turn is not null
    curl -s $U/matches/$M/moves -H "$A" -d '{"turn_id":"<from your_turn>","action":"introduce","message":"Good evening."}'
"""  # noqa: E501 - to be copied as it stands; README.md has the same
"""In house-9 everybody introduces itself first, whatever its card."""


def seed_matches(summary: Summary, replay: Mapping[str, Any]) -> bool:
    """Whether the seed that was revealed is the one that was committed to at the opening."""
    digest = hashlib.sha256(bytes.fromhex(replay["seed"])).hexdigest()
    return {summary.commitment, replay["commitment"]} == {digest}


def result(summary: Summary, story: Story) -> Iterator[str]:
    """Who won, and how every seat ended."""
    yield f"Result: {summary.verdict}."
    if not summary.ranking:
        return
    yield "  rank  seat  name              card       score  end"
    for placing in summary.ranking:
        seat = placing.seat
        name = story.name(seat)
        role = story.roles.get(seat, "?")
        fate = story.fates.get(seat, "alive")
        yield f"  {placing.rank:>4}  {seat:>4}  {name:<16}  {role:<9}  {placing.score:>5}  {fate}"


def proof(summary: Summary, replay: Mapping[str, Any], http: str) -> Iterator[str]:
    """The seed, what was promised of it, and where everything can be read."""
    yield f"Seed        {replay['seed']}"
    yield f"Commitment  {summary.commitment}"
    yield "            = SHA-256 of the seed, public since the table opened"
    yield f"Replay      {http}/matches/{summary.match_id}/replay"
    yield f"            curl -s {http}/matches/{summary.match_id}/replay -o replay.json"


def invitation(http: str, ws: str, nonce: str) -> Iterator[str]:
    """How to connect an agent of one's own."""
    yield "Your own agent, in Python (pip install ./client, or PYTHONPATH=client):"
    yield ""
    yield from TEN_LINES.format(http=http, ws=ws, nonce=nonce).splitlines()
    yield ""
    yield "It takes a seat at an open table, or opens one and waits for others; with practice=True"
    yield "it plays at once against house bots. By hand:"
    yield ""
    yield f"    U={http}"
    yield from BY_HAND.replace("{name}", f"Hand {nonce}").splitlines()
