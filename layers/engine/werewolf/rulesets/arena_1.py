"""arena-1: the benchmark table.

Eight seats, every move a tag and nothing said, everything deterministic from the seed. An illegal
move forfeits the match for its player, and the end is a ranking from 1 to 8.
Source: the rule text of arena-1, and the rulings on it.
"""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Final, Literal, NotRequired

from werewolf import tally as count
from werewolf.audiences import ACTOR_OR_PACK, ALL, SEALED, THE_SEER
from werewolf.draft import (
    Draft,
    anybody_living,
    living_non_werewolves,
    living_others,
)
from werewolf.emitters import (
    emit_action,
    emit_day_start,
    emit_deal,
    emit_secret_action,
    emit_seer_result,
    emit_vote_start,
    reveal_votes,
)
from werewolf.errors import IllegalMove, shown
from werewolf.event_types import (
    COMMON,
    Aside,
    EventType,
    NoElimination,
    OpenAct,
    PerhapsNamedElimination,
    Timeout,
    TimeoutPrivate,
    VotesRevealed,
    VoteStart,
)
from werewolf.events import Event, Viewer
from werewolf.match import Match
from werewolf.moves import Action, Move, Seat, Text, Word, menu_of
from werewolf.options import OptionValue, Switch, Whole
from werewolf.phases import EVERYBODY, Phase, Turns
from werewolf.roles import DOCTOR, ROLES, SEER, VILLAGER, WEREWOLF, WEREWOLVES, team_of
from werewolf.ruleset import RuleSet, Seats
from werewolf.rulesets.arena_1_view import (
    Candidate,
    OpenBallot,
    Sight,
    VisibleState,
    visible_state,
)
from werewolf.shapes import Role
from werewolf.shapes import Seat as SeatNumber

STRIKES: Final = 3
NO_LYNCH: Final = "no_lynch"

SEER_CHECK = Action(
    "seer_check",
    Seat(living_others, "living players other than the seer"),
    told="looks at {target}",
)
DOCTOR_SAVE = Action(
    "doctor_save",
    Seat(anybody_living, "living players, the doctor included"),
    told="guards {target}",
)
WOLF_VOTE = Action(
    "wolf_vote",
    Seat(living_non_werewolves, "living players who are no werewolves"),
    told="wants {target} dead",
)
ACCUSE = Action(
    "accuse", Seat(living_others, "living players other than the speaker"), told="accuses {target}"
)
DEFEND = Action(
    "defend", Seat(anybody_living, "living players, the speaker included"), told="defends {target}"
)
CLAIM = Action("claim", Word("role", "roles", ROLES), told="claims to be the {role}")
PASS = Action("pass", told="passes", quiet=True)
VOTE = Action(
    "vote", Seat(living_others, "living players other than the voter"), told="votes for {target}"
)
NO_LYNCH_VOTE = Action(NO_LYNCH, told="votes that nobody goes", quiet=True)

NOBODY: Final = None
"""The target of a night action that was not taken in time."""


class NightAct(OpenAct):
    """Somebody made a move in secret."""

    target: Annotated[SeatNumber | None, "Whom it names; null: the turn passed in silence"]


class TaggedAct(OpenAct):
    """Somebody made a tag or voted."""

    target: NotRequired[Annotated[SeatNumber, "Whom it accuses, defends or votes for"]]
    role: NotRequired[Annotated[Role, "Which role it claims"]]


class NightTurns(Turns):
    """A part of the night, which only those whose part it is can see."""

    part = "night"
    secret = True

    def play(self, draft: Draft, seat: int, move: Move) -> None:
        """The choice stands until dawn."""
        if move["target"] is not NOBODY:
            draft.pick(seat, move["target"])
        emit_secret_action(draft, seat, move, to=self.privy(draft, seat))

    def default_move(self, draft: Draft, seat: int) -> Move:
        """Silence chooses nobody."""
        return super().default_move(draft, seat) | {"target": NOBODY}


class NightSeer(NightTurns):
    """The seer checks somebody, and learns the true role at once."""

    name = "night_seer"
    menu = ((SEER, SEER_CHECK),)
    silence = SEER_CHECK.name

    def open(self, draft: Draft) -> None:
        """Night falls."""
        draft.rules.night(draft)
        super().open(draft)

    def play(self, draft: Draft, seat: int, move: Move) -> None:
        """The seer learns the role of the one it checked."""
        super().play(draft, seat, move)
        target = move["target"]
        if target is not NOBODY:
            role = draft.roles[target]
            emit_seer_result(draft, target, to=(seat,), role=role, team=team_of(role))

    def close(self, draft: Draft) -> str:
        """The doctor is next."""
        return NightDoctor.name


class NightDoctor(NightTurns):
    """The doctor saves somebody: itself, too, and the same one night after night."""

    name = "night_doctor"
    menu = ((DOCTOR, DOCTOR_SAVE),)
    silence = DOCTOR_SAVE.name

    def close(self, draft: Draft) -> str:
        """The werewolves are next."""
        return NightWolves.name


class NightWolves(NightTurns):
    """The living werewolves, in seat order, vote for a victim; each sees the votes before its own.

    The most votes decide, and the lead wolf's vote breaks a tie.
    """

    name = "night_wolves"
    menu = ((WEREWOLF, WOLF_VOTE),)
    silence = WOLF_VOTE.name

    def close(self, draft: Draft) -> str:
        """Dawn: the victim dies, unless the doctor saved it."""
        victim = self._victim(draft)
        saved = [target for seat, target in draft.picks if draft.roles[seat] == DOCTOR]
        draft.rules.dawn(draft, None if victim in saved else victim)
        return DayTalk.name

    def _victim(self, draft: Draft) -> int | None:
        """The strict most votes; else the vote of the lead wolf, the lowest living one that has
        one. Votes against somebody who has gone are void."""
        votes = sorted(
            [
                (seat, target)
                for seat, target in draft.picks
                if draft.roles[seat] == WEREWOLF and target in draft.alive
            ]
        )
        leaders = count.leaders(count.tally(votes, draft.alive))
        if len(leaders) == 1:
            return int(leaders[0])
        return votes[0][1] if votes else None


class DayTurns(Turns):
    """A part of the day: every living player in seat order, and everybody sees it."""

    def play(self, draft: Draft, seat: int, move: Move) -> None:
        """Everybody sees it."""
        emit_action(draft, seat, move, "target", "role")


class DayTalk(DayTurns):
    """Every living player accuses, defends, claims or passes, once."""

    name = "day_talk"
    part = "talk"
    menu = ((EVERYBODY, ACCUSE), (EVERYBODY, DEFEND), (EVERYBODY, CLAIM), (EVERYBODY, PASS))
    silence = PASS.name

    def open(self, draft: Draft) -> None:
        """The day begins."""
        emit_day_start(draft)
        super().open(draft)

    def close(self, draft: Draft) -> str:
        """The vote follows."""
        return DayVote.name


class DayVote(DayTurns):
    """Every living player votes in the open, for a seat or for no lynch."""

    name = "day_vote"
    part = "vote"
    menu = ((EVERYBODY, VOTE), (EVERYBODY, NO_LYNCH_VOTE))
    silence = NO_LYNCH_VOTE.name

    def open(self, draft: Draft) -> None:
        """The vote is called."""
        emit_vote_start(draft)
        super().open(draft)

    def play(self, draft: Draft, seat: int, move: Move) -> None:
        """The ballot counts once all are in; no lynch counts like a candidate."""
        draft.cast(seat, move.get("target", NO_LYNCH))
        emit_action(draft, seat, move, "target")

    def close(self, draft: Draft) -> str:
        """The strict most votes eliminate; a tie, or most votes for no lynch, eliminates nobody."""
        counts = reveal_votes(draft, draft.ballots)
        most = count.plurality(counts)
        spared = NO_LYNCH if most == NO_LYNCH else "tie" if counts else "no_votes"
        draft.rules.exile(draft, most, spared)
        draft.rules.end_day(draft, at_the_limit=WEREWOLVES)
        return NightSeer.name


class Arena1(RuleSet):
    """The rule set `arena-1`."""

    id = "arena-1"
    title = "Arena"
    seats = Seats(min=8, max=8, default=8)
    events = MappingProxyType(
        {
            **COMMON,
            "elimination": EventType(ALL, PerhapsNamedElimination),
            "no_elimination": EventType(ALL, NoElimination[Literal["tie", "no_votes", "no_lynch"]]),
            "votes_revealed": EventType(ALL, VotesRevealed[OpenBallot, Candidate]),
            "action": EventType(ALL, TaggedAct),
            "timeout": EventType(ALL, Timeout),
            "vote_start": EventType(ALL, VoteStart),
            "action_private": EventType(ACTOR_OR_PACK, NightAct),
            "timeout_private": EventType(ACTOR_OR_PACK, TimeoutPrivate),
            "seer_result_private": EventType(THE_SEER, Sight),
            "reasoning": EventType(SEALED, Aside),
        }
    )
    visible_state = VisibleState
    lasting = RuleSet.lasting | {"action_private"}
    stand_in_phases = ("night",)
    options = MappingProxyType(
        {
            "turn_deadline_ms": Whole(
                1_000, 86_400_000, 60_000, "Time for a turn, in milliseconds."
            ),
            "max_days": Whole(1, 20, 8, "After so many days the werewolves win."),
            "reveal_roles": Switch(True, "Whether the role of an eliminated player is named."),
            "max_consecutive_timeouts": Whole(
                STRIKES, STRIKES, STRIKES, "So many timeouts in a row are a forfeit."
            ),
        }
    )
    phases: ClassVar[Mapping[str, Phase]] = {
        phase.name: phase
        for phase in (NightSeer(), NightDoctor(), NightWolves(), DayTalk(), DayVote())
    }
    asides = (Text(8_000, "bytes", name="reasoning", required=False),)
    forfeits = True
    house_bots = True
    vocabulary = menu_of(
        *(SEER_CHECK, DOCTOR_SAVE, WOLF_VOTE),
        *(ACCUSE, DEFEND, CLAIM, PASS),
        *(VOTE, NO_LYNCH_VOTE),
    )

    def deal(self, seats: int, options: Mapping[str, OptionValue]) -> list[str]:
        """Two werewolves, the seer, the doctor, and villagers."""
        return [WEREWOLF] * 2 + [SEER, DOCTOR] + [VILLAGER] * (seats - 4)

    def begin(self, draft: Draft, names: Sequence[str]) -> str:
        """Everybody learns who sits where, and its own card; the werewolves learn of each other."""
        emit_deal(draft, names)
        return NightSeer.name

    def is_talk(self, event: Event) -> bool:
        """The tags of the discussion."""
        return event.type == "action" and event.data["phase"] == DayTalk.name

    def respell(self, raw: Mapping[str, Any]) -> Mapping[str, Any]:
        """`wolf_vote:3`, `claim:seer` and `vote:no_lynch` in their long form."""
        spelled = raw.get("action")
        if not isinstance(spelled, str) or ":" not in spelled:
            return raw
        if spelled == f"{VOTE.name}:{NO_LYNCH}":
            return {**raw, "action": NO_LYNCH}
        word, _, choice = spelled.partition(":")
        if word not in self.vocabulary:
            return raw
        fields = self.vocabulary[word].fields
        if not fields or raw.get(fields[0].name) is not None:
            raise IllegalMove(
                "malformed", f"{word} has no place for {shown(choice)}", field="action"
            )
        (field,) = fields
        if isinstance(field, Seat) and _SEAT.fullmatch(choice):
            return {**raw, "action": word, field.name: int(choice[:_DIGITS])}
        return {**raw, "action": word, field.name: choice}

    def elimination(self, draft: Draft, seat: int, cause: str) -> dict[str, Any]:
        """The role is named if the table reveals roles."""
        data = super().elimination(draft, seat, cause)
        if not draft.options["reveal_roles"]:
            del data["role"], data["team"]
        return data

    def put_out(self, draft: Draft, seat: int) -> None:
        """The third strike in a row is a forfeit."""
        self.depart(draft, seat, "forfeit")

    def depart(self, draft: Draft, seat: int, cause: str) -> None:
        """Neither the pick nor the ballot of a player who forfeits or leaves counts."""
        draft.withdraw(seat)
        super().depart(draft, seat, cause)

    def standing(self, draft: Draft, winner: str) -> tuple[tuple[int, int, int], ...]:
        """Places 1 to 8: the winning team and the losing team, each in seat order, then those who
        forfeited or left, the latest first. One point for each winner who stayed."""
        gone = [seat for seat, _, cause in reversed(draft.eliminated) if cause in _FORFEITS]
        stayed = [seat for seat in range(len(draft.roles)) if seat not in gone]
        won = [seat for seat in stayed if team_of(draft.roles[seat]) == winner]
        lost = [seat for seat in stayed if seat not in won]
        places = enumerate((*won, *lost, *gone), 1)
        return tuple((seat, place, int(seat in won)) for place, seat in places)

    def view(self, match: Match, seen: Sequence[Event], viewer: Viewer) -> dict[str, Any]:
        """The visible state."""
        return visible_state(match, seen, viewer, turn_shown=self.turn_shown(match, viewer))


_SEAT: Final = re.compile(r"0|-?[1-9][0-9]*")
_DIGITS: Final = 9
"""More digits make a seat neither more nor less possible; very many are too many for `int`."""
_FORFEITS: Final = frozenset({"forfeit", "left"})
