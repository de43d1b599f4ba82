"""The seats of house bots: who sits there, and with which key.

A bot is an agent without a token. Its key in STATE begins with `BOT_MARK`, so no token in the world
is its own, and STATE tells which seats are bots at no cost. The rest of its key follows from the
server's seed. The dice of its turns and its pauses are drawn from the key, so nobody can foresee
them, and anybody can repeat them once the seed is told.
"""

import hmac
from dataclasses import replace
from random import Random
from typing import Final

from hosting.model import BOT_MARK, DIGEST_BYTES, Player, Table

NAMES: Final = tuple(
    f"Bot {tree}"
    for tree in (
        "Alder",
        "Birch",
        "Cedar",
        "Elder",
        "Hazel",
        "Juniper",
        "Linden",
        "Maple",
        "Rowan",
        "Willow",
    )
)
"""The bots' names, which no agent may take."""

IDS: Final = tuple(f"housebot{letter * 8}" for letter in "abcdefghij")
"""Their ids, which no agent has: nobody's id is drawn like this."""


def with_bots(table: Table, keys: bytes) -> tuple[Table, bytes]:
    """The table and its keys with bots in all free seats."""
    free = range(len(table.players), table.seats)
    sitting = {player.agent_id for player in table.players}
    lent = [bot for bot in zip(IDS, NAMES, strict=True) if bot[0] not in sitting]
    players = [
        Player(agent_id, name, place) for place, (agent_id, name) in zip(free, lent, strict=False)
    ]
    filled = replace(
        table,
        players=(*table.players, *players),
        entropies=(*table.entropies, *[""] * len(players)),
    )
    return filled, keys + b"".join(_key(table.seed, place) for place in free)


def dice_of(key: bytes, use: str) -> Random:
    """Dice out of a bot's key; each use has its own."""
    return Random(hmac.digest(key, use.encode(), "sha256"))  # noqa: S311


def pause_before(key: bytes, turn_id: str) -> float:
    """Which part of the pace a bot pauses before a turn, from 0 to below 1."""
    return dice_of(key, f"pause/{turn_id}").random()


def is_bot_id(agent_id: str) -> bool:
    """Whether a house bot has this id."""
    return agent_id in IDS


def _key(seed: str, place: int) -> bytes:
    drawn = hmac.digest(bytes.fromhex(seed), f"house-bot/{place}".encode(), "sha256")
    return BOT_MARK + drawn[: DIGEST_BYTES - len(BOT_MARK)]
