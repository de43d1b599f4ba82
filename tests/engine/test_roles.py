"""How roles are stored."""

import werewolf
from werewolf.roles import LETTERS, ROLES, spell, unspell


def test_every_role_has_a_letter_of_its_own() -> None:
    dealt = {role for rules in werewolf.RULESETS.values() for role in rules.roles}
    assert LETTERS.keys() >= dealt | set(ROLES)
    assert all(len(letter) == 1 for letter in LETTERS.values())
    assert len({*LETTERS.values()}) == len(LETTERS)
    assert unspell(spell((*LETTERS,))) == (*LETTERS,)


def test_letters_stay_what_they_were() -> None:
    """They are in stored matches. Add to these, and change none."""
    assert {"werewolf": "w", "seer": "s", "doctor": "d", "villager": "v"}.items() <= LETTERS.items()
