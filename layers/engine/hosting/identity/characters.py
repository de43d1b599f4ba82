"""Characters: who an agent is at the table, and how it means to play.

An agent keeps its characters, and sits down with one of them. What it is at the start of the match
is frozen there: changes made after sitting down count, changes made after the start do not. The
start reads the characters, and its transaction is written only if they are still what was read.

In the match a character is two events, so audiences decide who learns what, as in all else: what
everybody may know is told to everyone, the strategy to the seat.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import werewolf
from hosting.errors import Malformed, NotFound, TooManyCharacters
from hosting.identity.agents import Identity
from hosting.identity.archetypes import archetypes
from hosting.identity.rate_limits import Quota
from hosting.ids import is_id
from hosting.model import Caller, Character, Player, Sheet, Unchanged
from hosting.ports import CharacterStore
from hosting.tables.events import CHARACTER, STRATEGY, character_shown, strategy_private
from protocol import characters as told
from protocol import limits
from protocol.characters import CharacterList, PublicCharacter, Removed, SeatedCharacter
from werewolf import Event, IllegalMove, Viewer, visible_to
from werewolf.texts import check_text, is_blank


class Cast(NamedTuple):
    """The characters that a match starts with: as events, and what must still hold then."""

    events: tuple[Event, ...]
    unchanged: tuple[Unchanged, ...]


class Characters:
    """An agent's own characters."""

    def __init__(
        self,
        store: CharacterStore,
        identity: Identity,
        quota: Quota,
        *,
        now: Callable[[], int],
        new_character_id: Callable[[], str],
    ) -> None:
        self._store = store
        self._identity = identity
        self._quota = quota
        self._now = now
        self._new_character_id = new_character_id

    def create(self, caller: Caller | None, sheet: Mapping[str, Any]) -> told.Character:
        """A new character with what `sheet` says (the fields of `Sheet`).

        Raises `Unauthorized`, `Malformed` (the field), `TooManyCharacters`, `TooManyRequests`.
        """
        agent = self._identity.authenticate(caller)
        checked = checked_sheet(sheet)
        self._quota.take(agent.agent_id)
        now = self._now()
        character = Character(agent.agent_id, self._new_character_id(), 1, checked, now, now)
        if not self._store.add(character, most=limits.CHARACTERS_PER_AGENT):
            raise TooManyCharacters(
                f"an agent has at most {limits.CHARACTERS_PER_AGENT} characters"
            )
        return _answer(character)

    def list(self, caller: Caller | None) -> CharacterList:
        """The caller's characters, the oldest first. Raises `Unauthorized`."""
        agent = self._identity.authenticate(caller)
        found = sorted(
            self._store.characters(agent.agent_id),
            key=lambda character: (character.created_at, character.character_id),
        )
        return CharacterList(characters=[_answer(character) for character in found])

    def read(self, caller: Caller | None, character_id: str) -> told.Character:
        """One of the caller's characters. Raises `Unauthorized`, `NotFound`."""
        agent = self._identity.authenticate(caller)
        return _answer(self.own(agent.agent_id, character_id))

    def update(
        self, caller: Caller | None, character_id: str, sheet: Mapping[str, Any]
    ) -> told.Character:
        """Make a character what `sheet` says, whole. Raises as `create` does, and `NotFound`."""
        agent = self._identity.authenticate(caller)
        checked = checked_sheet(sheet)
        self._quota.take(agent.agent_id)
        written = (
            self._store.rewrite(agent.agent_id, character_id, checked, self._now())
            if is_id(character_id)
            else None
        )
        if written is None:
            raise _unknown()
        return _answer(written)

    def delete(self, caller: Caller | None, character_id: str) -> Removed:
        """Forget a character. Matches that have started with it keep it.

        Raises `Unauthorized`, `NotFound`.
        """
        agent = self._identity.authenticate(caller)
        if not is_id(character_id) or not self._store.remove(agent.agent_id, character_id):
            raise _unknown()
        return Removed(character_id=character_id)

    def own(self, agent_id: str, character_id: str) -> Character:
        """The agent's character. Raises `NotFound` (field `character_id`)."""
        found = self._store.character(agent_id, character_id) if is_id(character_id) else None
        if found is None:
            raise _unknown()
        return found

    def cast(self, players: Sequence[Player], ruleset: str) -> Cast:
        """The characters of these players, in seat order, as they are now.

        Who has deleted its character since it sat down plays without one.
        """
        brought = [
            (seat, player.agent_id, player.character_id)
            for seat, player in enumerate(players)
            if player.character_id is not None
        ]
        if not brought:
            return Cast((), ())
        found = self._store.brought([(agent, character) for _, agent, character in brought])
        events: list[Event] = []
        unchanged: list[Unchanged] = []
        for (seat, agent_id, character_id), character in zip(brought, found, strict=True):
            version = None if character is None else character.version
            unchanged.append(Unchanged(agent_id, character_id, version))
            if character is not None:
                events += _told(seat, character.sheet, ruleset)
        return Cast(tuple(events), tuple(unchanged))


def public_part(character: Mapping[str, Any]) -> PublicCharacter:
    """What everybody may know, without the rest."""
    return PublicCharacter.read(character)


def seated_characters(events: Sequence[Event], viewer: Viewer) -> list[SeatedCharacter]:
    """The characters of a match, in seat order, as far as the viewer may know them."""
    strategies = {
        event.data["seat"]: event.data["text"]
        for event in events
        if event.type == STRATEGY and visible_to(event, viewer)
    }
    return [
        SeatedCharacter(
            seat=event.data["seat"],
            strategy=strategies.get(event.data["seat"]),
            **public_part(event.data),
        )
        for event in events
        if event.type == CHARACTER
    ]


def strategy_for(sheet: Sheet, ruleset: str) -> str:
    """The notes for this rule set; blank ones are the archetype's, never those for another game."""
    own = sheet.strategy.get(ruleset, "")
    archetype = archetypes().get(sheet.archetype)
    return own if archetype is None or not is_blank(own) else archetype.notes(ruleset)


def checked_sheet(raw: Mapping[str, Any]) -> Sheet:
    """The sheet, every text as it was written. Raises `Malformed` with the field."""
    name = _text(raw.get("name"), "name", limits.CHARACTER_NAME, may_be_blank=False)
    if name != name.strip() or not name.isprintable():
        raise Malformed("a name is one line and neither begins nor ends with a space", field="name")
    archetype = raw.get("archetype")
    if not isinstance(archetype, str) or archetype not in archetypes():
        raise Malformed("there is no such archetype", field="archetype")
    told = raw.get("strategy") or {}
    if not isinstance(told, Mapping):
        raise Malformed("strategy must be an object", field="strategy")
    strategy: dict[str, str] = {}
    for ruleset, notes in told.items():
        if ruleset not in werewolf.RULESETS:
            raise Malformed("there is no such rule set", field=f"strategy.{ruleset}"[:64])
        strategy[ruleset] = _text(notes, f"strategy.{ruleset}", limits.STRATEGY)
    return Sheet(
        name=name,
        archetype=archetype,
        backstory=_text(raw.get("backstory", ""), "backstory", limits.BACKSTORY),
        personality=_text(raw.get("personality", ""), "personality", limits.PERSONALITY),
        strategy=strategy,
    )


def _text(text: object, field: str, limit: int, *, may_be_blank: bool = True) -> str:
    try:
        return check_text(text, field=field, limit=limit, unit="bytes", may_be_blank=may_be_blank)
    except IllegalMove as refusal:
        raise Malformed(refusal.detail, field=field) from None


def _told(seat: int, sheet: Sheet, ruleset: str) -> list[Event]:
    """The events come before the deal."""
    return [character_shown(seat, sheet), strategy_private(seat, strategy_for(sheet, ruleset))]


def _answer(character: Character) -> told.Character:
    sheet = character.sheet
    return told.Character(
        character_id=character.character_id,
        name=sheet.name,
        archetype=sheet.archetype,
        backstory=sheet.backstory,
        personality=sheet.personality,
        strategy=sheet.strategy,
        created_at=character.created_at,
        updated_at=character.updated_at,
    )


def _unknown() -> NotFound:
    return NotFound("you have no such character", field="character_id")
