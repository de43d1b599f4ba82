"""What a rule set is made of."""

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from importlib import resources
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

from werewolf.draft import Draft, Position, living
from werewolf.emitters import emit_dawn, emit_night_start, emit_no_elimination
from werewolf.event_types import EventType
from werewolf.events import NOBODY, Event, Viewer
from werewolf.match import OVER, REVISION, Match
from werewolf.moves import Menu, Move, Text
from werewolf.options import Options, OptionValue, settle
from werewolf.pages import filled
from werewolf.phases import Phase
from werewolf.roles import DRAW, ROLES, VILLAGERS, WEREWOLF, WEREWOLVES, team_of
from werewolf.shapes import Schema, Words, schema_of
from werewolf.voiding import NOBODY_MOVED, ends_quietly


class Seats(NamedTuple):
    """How many players a table may have."""

    min: int
    max: int
    default: int


class RuleSet(ABC):
    """One set of rules, under an id that carries its version and never changes its meaning."""

    id: ClassVar[str]
    title: ClassVar[str]
    seats: ClassVar[Seats]
    roles: ClassVar[Sequence[str]] = ROLES
    """The roles that may be dealt."""
    options: ClassVar[Options]
    phases: ClassVar[Mapping[str, Phase]]
    asides: ClassVar[Sequence[Text]] = ()
    """Fields that any move may carry."""
    forfeits: ClassVar[bool] = False
    """Whether a well-formed but illegal move puts its player out, instead of being refused."""
    vocabulary: ClassVar[Menu] = MappingProxyType({})
    """The actions whose form is judged also where they are not possible, so that a malformed move
    is malformed at any time."""

    events: ClassVar[Mapping[str, EventType]]
    """Every type of event: who may know of it while the match runs, and what its data holds."""
    visible_state: ClassVar[Any]
    """The shape of what `view` gives: a typed dictionary."""
    stand_in_phases: ClassVar[Sequence[str]] = ()
    """What a visible state calls a phase that its viewer may not know."""

    waits: ClassVar[bool] = False
    """Whether the table waits for a living player whose connection dropped."""
    house_bots: ClassVar[bool] = False
    """Whether the house's bots know how to play it."""

    lasting: ClassVar[frozenset[str]] = frozenset(
        {"roles_dealt", "dawn", "votes_revealed", "seer_result_private"}
    )
    """Types of events that a view shows on later days too; a few a day at most."""
    shows_past_talk: ClassVar[bool] = True
    """Whether a view shows the talk of earlier days, as far as it is among the newest."""

    @property
    def page(self) -> str:
        """The rule page, as Markdown."""
        return filled(_beside(f"{self.id}.md") or "", self)

    @property
    def strategies(self) -> Mapping[str, str]:
        """By archetype: how such a character means to play this game. Empty where nobody said."""
        notes: Mapping[str, str] = json.loads(_beside(f"{self.id}.strategies.json") or "{}")
        return notes

    def manifest(self) -> dict[str, Any]:
        """The rule set as JSON, for programs that read before they play."""
        return {
            "id": self.id,
            "title": self.title,
            "seats": self.seats._asdict(),
            "roles": [*self.roles],
            "options": {name: option.manifest() for name, option in self.options.items()},
            "phases": [phase.manifest() for phase in self.phases.values()],
            "any_move_may_carry": {aside.name: aside.manifest() for aside in self.asides},
            "illegal_moves": "forfeit" if self.forfeits else "refused",
            "waits_for_absent_players": self.waits,
            "house_bots": self.house_bots,
            "events": {name: event.recipients.words for name, event in self.events.items()},
            "schemas": self.schemas(),
        }

    def words(self) -> Words:
        """By the title of a kind of value: the words that there are under this rule set."""
        phases = [*self.phases]
        menus = [action.name for phase in self.phases.values() for _, action in phase.menu]
        forfeit = ("forfeit",) if self.forfeits else ()
        return {
            "rule set": [self.id],
            "role": [*self.roles],
            "phase": phases,
            "shown phase": [*phases, *self.stand_in_phases, OVER],
            "action": [*dict.fromkeys(menus)],
            "cause": [WEREWOLVES, "vote", "left", *forfeit],
        }

    def schemas(self) -> dict[str, Any]:
        """JSON schemas: of `visible_state`, of `legal_actions`, and of each event's data.

        A field that some viewers alone have is not required; its description says who has it.
        """
        words = self.words()
        state = schema_of(self.visible_state, words)
        state["properties"]["limits"] |= self._limits()
        actions = [action for phase in self.phases.values() for _, action in phase.menu]
        entries = {str(entry): entry for entry in (action.schema() for action in actions)}
        return {
            "visible_state": state,
            "legal_actions": {"type": "array", "items": {"anyOf": [*entries.values()]}},
            "events": {name: event.schema(words) for name, event in self.events.items()},
        }

    def _limits(self) -> Schema:
        return {
            "properties": {name: option.manifest() for name, option in self.options.items()},
            "required": [*self.options],
            "additionalProperties": False,
        }

    def settle(
        self, chosen: Mapping[str, object], revision: int = REVISION
    ) -> dict[str, OptionValue]:
        """Every option with its chosen or default value; `InvalidOptions` names what is wrong."""
        return settle(self.options, chosen, revision)

    @abstractmethod
    def deal(self, seats: int, options: Mapping[str, OptionValue]) -> list[str]:
        """The roles of a table of so many seats, in no particular order."""

    @abstractmethod
    def begin(self, draft: Draft, names: Sequence[str]) -> str:
        """What happens once the roles are dealt, and the name of the first phase."""

    @abstractmethod
    def view(self, match: Match, seen: Sequence[Event], viewer: Viewer) -> dict[str, Any]:
        """The visible state, out of the match and of the events that this viewer has seen."""

    def is_talk(self, event: Event) -> bool:
        """Whether a view shows this event as a contribution to the talk."""
        return event.type == "message"

    def turn_shown(self, match: Match, viewer: Viewer) -> bool:
        """Whether the viewer may know whose turn it is, if it is anybody's."""
        return not match.over and (
            viewer == "omniscient" or self.phases[match.phase].turn_seat_shown(match, viewer)
        )

    def respell(self, raw: Mapping[str, Any]) -> Mapping[str, Any]:
        """The move in its long form, where the rule set knows a short one. Asked of moves whose
        action is not on the menu as it stands."""
        return raw

    def asides_of(self, position: Position) -> Sequence[Text]:
        """The fields that any move of this match may carry. The first revision counted them in code
        points."""
        if position.revision > 1:
            return self.asides
        return [replace(aside, unit="chars") for aside in self.asides]

    @cached_property
    def aside_names(self) -> frozenset[str]:
        """The names of the fields that any move may carry."""
        return frozenset([aside.name for aside in self.asides])

    def keep_asides(self, draft: Draft, seat: int, move: Move) -> None:
        """What a move carries beside its action is sealed until the match is over."""
        for aside in self.asides:
            if aside.name in move:
                data = {"day": draft.day, "phase": draft.phase, "seat": seat}
                draft.emit(aside.name, {**data, "text": move[aside.name]}, to=NOBODY)

    def elimination(self, draft: Draft, seat: int, cause: str) -> dict[str, Any]:
        """The data of the event that tells of an elimination."""
        role = draft.roles[seat]
        return {
            "day": draft.day,
            "seat": seat,
            "cause": cause,
            "role": role,
            "team": team_of(role),
        }

    def put_out(self, draft: Draft, seat: int) -> None:
        """The strikes, or the player itself, put the seat out of the match."""
        self.depart(draft, seat, "left")

    def depart(self, draft: Draft, seat: int, cause: str) -> None:
        """A seat goes in the middle of a phase; the win check follows at once."""
        draft.eliminate(seat, cause)
        self.check_win(draft)

    def night(self, draft: Draft) -> None:
        """Night falls: what was chosen before counts no more."""
        draft.picks = ()
        draft.ballots = ()
        emit_night_start(draft)

    def exile(self, draft: Draft, seat: int | str | None, otherwise: str) -> None:
        """The vote puts this seat out; where it is None nobody goes, for this reason."""
        if isinstance(seat, int):
            draft.eliminate(seat, "vote")
        else:
            emit_no_elimination(draft, otherwise)

    def dawn(self, draft: Draft, killed: int | None, **more: Any) -> None:
        """Everybody learns who died in the night, and a team may have won."""
        emit_dawn(draft, killed, **more)
        if killed is not None:
            draft.eliminate(killed, WEREWOLVES)
        self.check_win(draft)

    def end_day(self, draft: Draft, at_the_limit: str | None) -> None:
        """A team may have won; after the last day, if there is one, `at_the_limit` has; else a new
        day begins. Too many days on which nobody moved make the match void."""
        if ends_quietly(draft):
            self.void(draft, NOBODY_MOVED)
        elif self.check_win(draft):
            return
        elif at_the_limit is not None and draft.day >= draft.option("max_days"):
            self.finish(draft, at_the_limit)
        else:
            draft.day += 1

    def winner(self, position: Position) -> str | None:
        """The team that has won by now, if one has."""
        werewolves = len(living(position, WEREWOLF))
        if not werewolves:
            return VILLAGERS
        return WEREWOLVES if werewolves >= len(position.alive) - werewolves else None

    def check_win(self, draft: Draft) -> bool:
        """End the match if a team has won."""
        winner = None if draft.over else self.winner(draft)
        if winner is not None:
            self.finish(draft, winner)
        return draft.over

    def finish(self, draft: Draft, winner: str) -> None:
        """The match ends: every role is shown, and the ranking stands."""
        draft.winner = winner
        draft.standing = self.standing(draft, winner)
        self._end(draft)
        draft.emit(
            "faction_win",
            {
                "day": draft.day,
                "winner": winner,
                "seats": [seat for seat, rank, score in draft.standing if score],
            },
        )

    def void(self, draft: Draft, reason: str) -> None:
        """The match ends and does not count: every role is shown, nobody wins."""
        self._end(draft)
        draft.emit("match_void", {"day": draft.day, "reason": reason})

    def _end(self, draft: Draft) -> None:
        draft.phase = OVER
        draft.awaiting = draft.upcoming = ()
        draft.deadline = draft.pause = None
        draft.emit("reveal", {"roles": role_cards(draft)})

    def standing(self, draft: Draft, winner: str) -> tuple[tuple[int, int, int], ...]:
        """(seat, rank, score), best first: the winners share rank 1, the others rank 2."""
        if winner == DRAW:
            return tuple((seat, 1, 0) for seat in range(len(draft.roles)))
        won = [team_of(role) == winner for role in draft.roles]
        return (
            *((seat, 1, 1) for seat, win in enumerate(won) if win),
            *((seat, 2, 0) for seat, win in enumerate(won) if not win),
        )


def _beside(name: str) -> str | None:
    """A file that belongs to a rule set, if there is one."""
    file = resources.files("werewolf.rulesets").joinpath(name)
    return file.read_text("utf-8") if file.is_file() else None


def role_cards(position: Position) -> list[dict[str, Any]]:
    """Every seat's role and team."""
    return [
        {"seat": seat, "role": role, "team": team_of(role)}
        for seat, role in enumerate(position.roles)
    ]
