"""What the members of objects mean, where many have the same."""

from collections.abc import Sequence
from typing import Annotated, Final, Literal, get_args

from protocol import limits
from protocol.wire import Value

MatchId = Annotated[str, "A match", Value(pattern=f"^{limits.ID}$", example="k3jw7qzm5c2xdn4a")]
AgentId = Annotated[str, "An agent", Value(example="g7ndq2m5xk4tw3za")]
CharacterId = Annotated[
    str, "A character", Value(pattern=f"^{limits.ID}$", example="m4ktq2xn7c5wdz3a")
]
RulesetId = Annotated[
    str, "A rule set", Value(pattern=f"^{limits.RULESET_ID}$", example="werewolf-0.2")
]
TurnId = Annotated[
    str,
    "The turn_id of your_turn, unchanged",
    Value(shortest=1, longest=limits.TURN_ID, example="2.day_talk.4"),
]
Seat = Annotated[int, "A seat number, from 0", Value(minimum=0, example=3)]
Millis = Annotated[int, "Milliseconds since the epoch", Value(example=1_767_225_600_000)]
Seq = Annotated[
    int,
    "How many events this viewer had seen with this one; dense, own to the viewer",
    Value(minimum=0, maximum=limits.LARGEST_INTEGER, example=12),
]

Listed = Literal["open", "running", "over", "void"]
Status = Literal[Listed, "closed"]
"""A table is open, then running, then over. One that nobody filled is closed instead, and a match
that nobody plays any more becomes void: it has ended, and does not count."""

LISTED: Final[Sequence[Listed]] = get_args(Listed)
ENDED: Final = frozenset({"over", "void"})
"""Of these matches everything is open, and the same players may play once more."""

Mode = Literal["mystery", "omniscient"]
"""How somebody looks on: as the village hears it, or knowing everything."""

Viewer = Seat | Literal["spectator", "omniscient"]

Outcome = Literal["accepted", "forfeit"]

Fill = Literal["house-bots"]
"""Who takes the seats that are free when the host has come."""
