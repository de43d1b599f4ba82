"""traditional-1: the people's table, where all act at once by the sand clock.

At night everybody looks at the same screen for the same time; by day one clock covers talk and
vote. What shows at the end counts. Source: the rule text of traditional-1, and the rulings on it.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Literal, NotRequired, TypedDict

from werewolf import tally as count
from werewolf.audiences import ACTOR_OR_PACK, ALL, THE_SEER
from werewolf.draft import (
    Draft,
    Position,
    living,
    living_non_werewolves,
    living_others,
    protectable,
)
from werewolf.emitters import (
    emit_action,
    emit_day_start,
    emit_deal,
    emit_message,
    emit_night_start,
    emit_secret_action,
    emit_seer_result,
    reveal_votes,
)
from werewolf.errors import IllegalMove, InvalidOptions
from werewolf.event_types import (
    COMMON,
    Act,
    Dawn,
    DayStart,
    EventType,
    NightStart,
    NoElimination,
    PerhapsNamedElimination,
)
from werewolf.events import Event, Viewer
from werewolf.match import REVISION, Match
from werewolf.moves import Action, Menu, Move, Seat, Text, menu_of
from werewolf.options import OneOf, OptionValue, Switch, Whole
from werewolf.phases import EVERYBODY, Phase, Together
from werewolf.roles import DOCTOR, SEER, WEREWOLF, table_of
from werewolf.ruleset import RuleSet, Seats
from werewolf.rulesets.traditional_1_view import (
    Clock,
    Message,
    Sight,
    VisibleState,
    shown_ballots,
    shown_picks,
    visible_state,
)
from werewolf.shapes import Day as DayNumber
from werewolf.shapes import Phase as PhaseName
from werewolf.shapes import Seat as SeatNumber

MAX_MESSAGE_CHARS = 280
MAX_MESSAGES = 60
"""For each seat and day."""
MAX_CHANGES = 20
"""Of a choice, for each seat and phase; what shows then stands."""

HUNT = Action(
    "choose",
    Seat(living_non_werewolves, "living players who are no werewolves"),
    told="chooses {target}",
)
PROTECT = Action(
    "choose",
    Seat(protectable, "living players but for the one protected last night"),
    told="chooses {target}",
)
INSPECT = Action(
    "choose", Seat(living_others, "living players other than the seer"), told="chooses {target}"
)
SAY = Action("say", Text(MAX_MESSAGE_CHARS), told="speaks")
VOTE = Action(
    "vote", Seat(living_others, "living players other than the voter"), told="votes for {target}"
)
ABSTAIN = Action("abstain", told="abstains")
LOCK = Action("lock", told="has locked", quiet=True)
ONLY_LOCK = menu_of(LOCK)


class ClockedNightStart(NightStart, Clock):
    """Night falls, and with it a new day begins."""


class ClockedDayStart(DayStart, Clock):
    """The night is over and the day begins."""


class SpokenDawn(Dawn):
    """How the night ended."""

    text: Annotated[str, "The same in words"]


class DayAct(Act):
    """Somebody voted, abstained or locked."""

    target: NotRequired[Annotated[SeatNumber, "Whom it votes for"]]


class NightAct(Act):
    """Somebody chose or locked at night."""

    target: NotRequired[Annotated[SeatNumber, "Whom it chooses"]]


class Paused(TypedDict):
    """The clock stands still: the table waits for somebody whose connection dropped."""

    day: DayNumber
    phase: PhaseName
    waiting_for: Annotated[list[SeatNumber], "Who is missing"]


class Resumed(Clock):
    """The clock goes on."""

    day: DayNumber
    phase: PhaseName


class Bounded(Together):
    """A phase in which a seat may choose anew a number of times."""

    choices: ClassVar[Sequence[str]]
    """The actions that choose, each in place of what was chosen before."""

    @abstractmethod
    def chosen(self, position: Position) -> Mapping[int, int | str | None]:
        """What each seat has chosen so far."""

    def used_up(self, position: Position, seat: int) -> Mapping[str, str]:
        """What the seat has done as often as it may: by the name of the action, the code of the
        refusal."""
        if self.done(position, "changed", seat) < MAX_CHANGES:
            return {}
        return dict.fromkeys(self.choices, "too_many_changes")

    def offers(self, position: Position, seat: int) -> list[dict[str, Any]]:
        """What the seat may do, but for what it has used up."""
        used_up = self.used_up(position, seat)
        return [o for o in super().offers(position, seat) if o["action"] not in used_up]

    def check(self, draft: Draft, seat: int, move: Move) -> None:
        """Refuse what the seat has used up, but for the choice that it has made already."""
        code = self.used_up(draft, seat).get(move["action"])
        if code is not None and not self.repeats(draft, seat, move):
            raise IllegalMove(code, "that was done as often as it may be done in this phase")

    def repeats(self, position: Position, seat: int, move: Move) -> bool:
        """The same choice again."""
        before = self.chosen(position)
        return seat in before and before[seat] == move.get("target")

    def changes(self, draft: Draft, seat: int, move: Move) -> bool:
        """Whether the choice is anything new, which is counted and told; that it is what it was
        tells nobody anything. Nothing was counted, and all told, in the first revision."""
        if draft.revision == 1:
            return True
        if self.repeats(draft, seat, move):
            return False
        if seat in self.chosen(draft):
            self.count(draft, "changed", seat)
        return True


class Night(Bounded):
    """Everybody looks at the same night; the pack, the doctor and the seer choose in it."""

    name = "night"
    part = "night"
    secret = True
    menu = (
        (WEREWOLF, HUNT),
        (DOCTOR, PROTECT),
        (SEER, INSPECT),
        (EVERYBODY, LOCK),
    )
    choices = ("choose",)
    shortest = ("night_min_s", 1_000)
    longest = ("night_max_s", 1_000)

    def chosen(self, position: Position) -> Mapping[int, int | str | None]:
        """The targets."""
        return dict(position.picks)

    def open(self, draft: Draft) -> None:
        """Night falls."""
        super().open(draft)
        emit_night_start(draft, **self.clock(draft))

    def actions(self, position: Position, seat: int) -> Menu:
        """Each role its choice, and a lock for everybody. The seer looks only once."""
        looked = position.roles[seat] == SEER and seat in dict(position.picks)
        return ONLY_LOCK if looked else super().actions(position, seat)

    def play(self, draft: Draft, seat: int, move: Move) -> None:
        """A werewolf's choice shows to the living pack; all else to its player alone."""
        self.check(draft, seat, move)
        target = move.get("target")
        hunting = target is not None and draft.roles[seat] == WEREWOLF
        if target is None:
            self.lock(draft, seat)
        elif self.changes(draft, seat, move):
            draft.pick(seat, target)
        else:
            return
        audience = living(draft, WEREWOLF) if hunting else (seat,)
        emit_secret_action(draft, seat, move, to=audience)
        if target is not None and draft.roles[seat] == SEER:
            emit_seer_result(draft, target, to=(seat,), werewolf=draft.roles[target] == WEREWOLF)

    def close(self, draft: Draft) -> str:
        """Dawn: whom the pack agreed on dies, unless protected; nobody hears of a save."""
        protected = [target for _, target in shown_picks(draft, DOCTOR)]
        hunted = count.tally(shown_picks(draft, WEREWOLF), draft.alive)
        killed = count.majority(hunted, of=len(living(draft, WEREWOLF)))
        if killed in protected:
            killed = None
        draft.note(protected=protected or None)
        draft.picks = ()
        text = "Nobody died." if killed is None else f"Seat {killed} died."
        draft.rules.dawn(draft, None if killed is None else int(killed), text=text)
        return Day.name


class Day(Bounded):
    """One clock for the talk and the vote, and everybody sees every vote as it changes."""

    name = "day"
    part = "talk"
    menu = ((EVERYBODY, SAY), (EVERYBODY, VOTE), (EVERYBODY, ABSTAIN), (EVERYBODY, LOCK))
    choices = ("vote", "abstain")
    shortest = ("day_min_s", 1_000)
    longest = ("day_minutes", 60_000)

    def chosen(self, position: Position) -> Mapping[int, int | str | None]:
        """The ballots."""
        return dict(position.ballots)

    def used_up(self, position: Position, seat: int) -> Mapping[str, str]:
        """The same for what was said."""
        used_up = super().used_up(position, seat)
        if self.done(position, "said", seat) < MAX_MESSAGES:
            return used_up
        return {**used_up, "say": "too_many_messages"}

    def open(self, draft: Draft) -> None:
        """The day begins."""
        super().open(draft)
        emit_day_start(draft, **self.clock(draft))

    def play(self, draft: Draft, seat: int, move: Move) -> None:
        """Everybody hears and sees it."""
        self.check(draft, seat, move)
        match move["action"]:
            case "say":
                emit_message(draft, seat, move["message"])
                self.count(draft, "said", seat)
                return
            case "lock":
                self.lock(draft, seat)
            case _:
                if not self.changes(draft, seat, move):
                    return
                draft.cast(seat, move.get("target"))
        emit_action(draft, seat, move, "target")

    def close(self, draft: Draft) -> str:
        """The vote is counted by the rule that the lobby chose, and the next night comes."""
        counts = reveal_votes(draft, shown_ballots(draft))
        draft.ballots = ()
        if draft.options["elimination"] == "majority":
            exiled, failure = count.majority(counts, of=len(draft.alive)), "no_majority"
        else:
            exiled, failure = count.plurality(counts), "tie"
        draft.rules.exile(draft, exiled, failure if counts else "no_votes")
        draft.rules.end_day(draft, at_the_limit=None)
        return Night.name


class Traditional1(RuleSet):
    """The rule set `traditional-1`."""

    id = "traditional-1"
    title = "Traditional Werewolf"
    seats = Seats(min=6, max=8, default=7)
    events = MappingProxyType(
        {
            **COMMON,
            "night_start": EventType(ALL, ClockedNightStart),
            "day_start": EventType(ALL, ClockedDayStart),
            "dawn": EventType(ALL, SpokenDawn),
            "elimination": EventType(ALL, PerhapsNamedElimination),
            "no_elimination": EventType(
                ALL, NoElimination[Literal["tie", "no_majority", "no_votes"]]
            ),
            "action": EventType(ALL, DayAct),
            "message": EventType(ALL, Message),
            "paused": EventType(ALL, Paused),
            "resumed": EventType(ALL, Resumed),
            "action_private": EventType(ACTOR_OR_PACK, NightAct),
            "seer_result_private": EventType(THE_SEER, Sight),
        }
    )
    visible_state = VisibleState
    shows_past_talk = False
    waits = True
    options = MappingProxyType(
        {
            "wolves": Whole(1, 2, 2, "How many werewolves there are."),
            "seer": Switch(True, "Whether there is a seer."),
            "doctor": Switch(True, "Whether there is a doctor."),
            "night_min_s": Whole(
                20, 60, 20, "The shortest night, in seconds; not more than `night_max_s`."
            ),
            "night_max_s": Whole(20, 60, 60, "The longest night, in seconds."),
            "day_min_s": Whole(60, 60, 60, "The shortest day, in seconds."),
            "day_minutes": Whole(2, 10, 5, "The longest day, in minutes."),
            "elimination": OneOf(
                ("plurality", "majority"),
                "plurality",
                "Whether the most votes exile, or only more than half of the living.",
            ),
            "reveal_roles": Switch(True, "Whether a role is named when its player dies."),
            "wait_limit_s": Whole(
                0,
                3600,
                0,
                "So many seconds the table waits for an absent player at least, before the host"
                " may put that player out.",
            ),
        }
    )
    phases: ClassVar[Mapping[str, Phase]] = {phase.name: phase for phase in (Night(), Day())}

    def settle(
        self, chosen: Mapping[str, object], revision: int = REVISION
    ) -> dict[str, OptionValue]:
        """The shortest night must not be longer than the longest."""
        options = super().settle(chosen, revision)
        if int(options["night_min_s"]) > int(options["night_max_s"]):
            raise InvalidOptions("night_min_s", "must not be more than night_max_s")
        return options

    def deal(self, seats: int, options: Mapping[str, OptionValue]) -> list[str]:
        """So many werewolves, the seer and the doctor if they play, and villagers."""
        return table_of(seats, options)

    def begin(self, draft: Draft, names: Sequence[str]) -> str:
        """The cards, and the first night: the pack may kill in it."""
        emit_deal(draft, names)
        return Night.name

    def elimination(self, draft: Draft, seat: int, cause: str) -> dict[str, Any]:
        """Who died, and of what; its role only if roles are revealed."""
        told = super().elimination(draft, seat, cause)
        if not draft.options["reveal_roles"]:
            del told["role"], told["team"]
        return told

    def view(self, match: Match, seen: Sequence[Event], viewer: Viewer) -> dict[str, Any]:
        """What everybody sees; for the living also what is in their own hands."""
        clock = None if match.over else self.phases[match.phase].clock(match)
        return visible_state(match, seen, viewer, clock=clock)
