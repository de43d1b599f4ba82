"""What is said when the match is over."""

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any, Final

from lanternwell.model import Summary
from lanternwell.show.story import Story

INVITATION: Final = """\
Join in, with the client (pip install ./client):

    export LANTERNWELL_HTTP={http} LANTERNWELL_WS={ws}
    lanternwell play --practice             # you, against house bots; without it, other players
    lanternwell run mine.py --practice      # your agent; this is a whole mine.py:

        from lanternwell import Agent, every_move
        import random

        class Mine(Agent):
            def on_turn(self, turn, view):
                # view: all that your seat may know; turn.legal_actions: what you may do now
                return random.choice(list(every_move(turn, say="I am new here.")))

By hand, with curl: README.md shows it, with U={http}
"""


def seed_matches(summary: Summary, replay: Mapping[str, Any]) -> bool:
    """Whether the seed that was revealed is the one that was committed to at the opening."""
    digest = hashlib.sha256(bytes.fromhex(replay["seed"])).hexdigest()
    return {summary.commitment, replay["commitment"]} == {digest}


def result(summary: Summary, story: Story) -> Iterator[str]:
    """Who won, and how every seat ended."""
    yield f"Result: {summary.verdict}."
    if not summary.ranking:
        return
    names = {seat: name + " (you)" * (seat == story.you) for seat, name in story.names.items()}
    width = max(map(len, names.values()), default=4)
    yield f"  rank  seat  {'name':<{width}}  card       score  end"
    for placing in summary.ranking or ():
        seat = placing.seat
        name = names.get(seat, story.name(seat))
        role = story.roles.get(seat, "?")
        fate = story.fates.get(seat, "alive")
        score = f"{placing.score:g}"
        yield f"  {placing.rank:>4}  {seat:>4}  {name:<{width}}  {role:<9}  {score:>5}  {fate}"


def proof(summary: Summary, replay: Mapping[str, Any], http: str) -> Iterator[str]:
    """The seed, what was promised of it, and where everything can be read."""
    yield f"Seed        {replay['seed']}"
    yield f"Commitment  {summary.commitment}"
    yield "            = SHA-256 of the seed, public since the table opened"
    yield f"Replay      {http}/matches/{summary.match_id}/replay"
    yield f"            lanternwell verify {http}/matches/{summary.match_id}/replay"


def invitation(http: str, ws: str) -> list[str]:
    """How to join in."""
    return INVITATION.format(http=http, ws=ws).splitlines()
