"""Roles, teams, and who has won."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from werewolf.options import OptionValue

WEREWOLF: Final = "werewolf"
SEER: Final = "seer"
DOCTOR: Final = "doctor"
VILLAGER: Final = "villager"
ROLES: Final = (WEREWOLF, SEER, DOCTOR, VILLAGER)

WEREWOLVES: Final = "werewolves"
VILLAGERS: Final = "villagers"
DRAW: Final = "draw"

LETTERS: Final[Mapping[str, str]] = MappingProxyType(
    {WEREWOLF: "w", SEER: "s", DOCTOR: "d", VILLAGER: "v"}
)
"""How roles are stored: one letter each, which stays its own for ever."""
_ROLE_OF: Final = {letter: role for role, letter in LETTERS.items()}


def team_of(role: str) -> str:
    """The side that a role wins with."""
    return WEREWOLVES if role == WEREWOLF else VILLAGERS


def table_of(seats: int, options: Mapping[str, OptionValue]) -> list[str]:
    """The roles of a table by the options `wolves`, `seer` and `doctor`; the rest are villagers."""
    wolves, seer, doctor = (int(options[name]) for name in ("wolves", "seer", "doctor"))
    special = [WEREWOLF] * wolves + [SEER] * seer + [DOCTOR] * doctor
    return special + [VILLAGER] * (seats - len(special))


def spell(roles: tuple[str, ...]) -> str:
    """One letter a seat, for compact storage: `wwsdvvv`."""
    return "".join(LETTERS[role] for role in roles)


def unspell(letters: str) -> tuple[str, ...]:
    """The roles that `spell` wrote."""
    return tuple(_ROLE_OF[letter] for letter in letters)
