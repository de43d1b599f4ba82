"""house-9: a village that talks in public, within a budget of bytes.

Everybody introduces itself, the pack bargains over an attack, the floor goes round while the
allowance lasts, and the vote is public and needs more than half.
Source: the rule text of house-9, and the rulings on it.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Literal, NotRequired, TypedDict

from werewolf import tally as count
from werewolf.audiences import ALL, PACK, ROLE, SEALED, THE_SEER
from werewolf.draft import (
    Draft,
    Position,
    living,
    living_non_werewolves,
    living_others,
    pack,
    protectable,
)
from werewolf.emitters import (
    emit_action,
    emit_day_start,
    emit_deal,
    emit_message,
    emit_pack_message,
    emit_secret_action,
    emit_seer_result,
    emit_vote_start,
    emit_votes,
)
from werewolf.event_types import (
    COMMON,
    Aside,
    DayStart,
    EventType,
    NoElimination,
    OpenAct,
    PackMessage,
    SecretAct,
    SilentElimination,
    Timeout,
    TimeoutPrivate,
    VotesRevealed,
    VoteStart,
)
from werewolf.events import NOBODY, Event, Viewer
from werewolf.match import Match
from werewolf.moves import Action, Move, Seat, Text, Word
from werewolf.options import OptionValue, Switch, Whole
from werewolf.phases import EVERYBODY, Phase, Turns
from werewolf.roles import DOCTOR, DRAW, SEER, WEREWOLF, table_of
from werewolf.ruleset import RuleSet, Seats
from werewolf.rulesets.floor import Floor
from werewolf.rulesets.house_9_view import (
    Attack,
    CountedBallot,
    Message,
    NightResolved,
    Sight,
    VisibleState,
    visible_state,
)
from werewolf.shapes import Bytes, Day, Kind, Mark
from werewolf.shapes import Seat as SeatNumber
from werewolf.texts import is_blank

SHARE_BYTES = 400
MAX_MESSAGE_BYTES = 320
MAX_CUE_CHARS = 120
MAX_THINKING_BYTES = 8_000
OFFERS_PER_PLAYER = 25
"""A discussion ends after so many offers of the floor for each player alive at its start."""
EXCHANGES = 3

MAY_SPEAK = Text(MAX_MESSAGE_BYTES, "bytes", required=False, may_be_blank=True)
"""A message that may be left out or empty; one with nothing to read in it counts as none."""


def floor_of(position: Position) -> Floor:
    """The floor of the discussion under way."""
    return Floor.from_note(position.notes["floor"])


def addressees(position: Position, seat: int) -> tuple[int, ...]:
    """To whom the speaker may hand the floor, in seat order; to nobody but in a discussion."""
    return floor_of(position).addressees(seat) if "floor" in position.notes else ()


INTRODUCE = Action("introduce", Text(MAX_MESSAGE_BYTES, "bytes"), told="introduces itself")
PROPOSE = Action(
    "propose",
    Seat(living_non_werewolves, "living players who are no werewolves"),
    MAY_SPEAK,
    told="proposes {target}",
)
INVESTIGATE = Action(
    "investigate",
    Seat(living_others, "living players other than the seer"),
    told="looks at {target}",
)
PROTECT = Action(
    "protect",
    Seat(protectable, "living players, but for the one protected last night"),
    told="guards {target}",
)
SAY = Action(
    "say",
    Text(MAX_MESSAGE_BYTES, "bytes"),
    Seat(
        addressees,
        "living players other than the speaker; after three directed handoffs in a row, not the "
        "one who handed over the floor",
        name="to",
        offered_as="to",
        required=False,
    ),
    Word(
        "intent",
        offered_as="intents",
        among=("address", "answer", "redirect", "accuse", "disclose"),
        required=False,
    ),
    Text(MAX_CUE_CHARS, name="cue", required=False, may_be_blank=True),
    told="speaks",
)
PASS = Action("pass", told="passes", quiet=True)
VOTE = Action(
    "vote",
    Seat(living_others, "living players other than the voter"),
    MAY_SPEAK,
    told="votes for {target}",
)
ABSTAIN = Action("abstain", MAY_SPEAK, told="abstains", quiet=True)
THINKING = Text(MAX_THINKING_BYTES, "bytes", name="thinking", required=False, may_be_blank=True)


def seeded(draft: Draft, among: Sequence[int]) -> tuple[int, ...]:
    """These seats in an order by the dice.

    It is drawn over all the seats of the table: how many dice are thrown must not depend on what
    some may not know, or the orders to come would tell it.
    """
    order = draft.shuffle("order", range(len(draft.roles)))
    return tuple([seat for seat in order if seat in among])


class TalkStart(DayStart):
    """The night is over and the day begins."""

    allowance: Annotated[Bytes, "What all may say today, together"]


class CountedMessage(Message):
    """Somebody said something to everybody."""

    bytes_left: NotRequired[Annotated[Bytes, "In the talk: what is left of the allowance"]]


class TalkEnd(TypedDict):
    """The talk is over."""

    day: Day
    reason: Annotated[
        Literal["allowance", "silence", "offers"],
        "The allowance is spent, or everybody living has passed in a row",
    ]
    bytes_left: Annotated[Bytes, "What is left of the allowance"]


class BallotCast(TypedDict):
    """Somebody voted."""

    day: Day
    seat: Annotated[SeatNumber, "Who voted"]
    target: Annotated[SeatNumber | None, "Whom it voted for; null: it abstained"]
    text: NotRequired[Annotated[str, "What it said with its ballot"]]
    unavailable: NotRequired[Annotated[Mark, "An abstention, since its time had passed"]]


class ExchangeAct(SecretAct):
    """Somebody made a move in secret."""

    exchange: NotRequired[
        Annotated[int, Kind("exchange", 1), "For the pack: in which exchange of proposals"]
    ]


class AttackSettled(Attack):
    """The pack has settled on an attack, or on none."""

    day: Day


class InPublic(Turns):
    """A phase before everybody's eyes, in seeded order."""

    def order(self, draft: Draft) -> tuple[int, ...]:
        """The living."""
        return seeded(draft, draft.alive)


class InSecret(Turns):
    """A phase of the night, before the eyes of one role alone. Nothing is chosen for the silent."""

    part = "night"
    secret = True
    silence = PASS.name

    def await_next(self, draft: Draft) -> bool:
        """A seat that has nothing left to choose from, because others left, is passed over."""
        while super().await_next(draft):
            (seat,) = draft.awaiting
            if self.offers(draft, seat):
                return True
            draft.awaiting = ()
        return False

    def play(self, draft: Draft, seat: int, move: Move) -> None:
        """The choice is kept until the night is resolved; silence keeps an earlier one."""
        if "target" in move:
            draft.pick(seat, move["target"])
        exchange = draft.notes.get("exchange")  # while the pack is at it
        more = {} if exchange is None else {"exchange": exchange}
        emit_secret_action(draft, seat, move, to=self.privy(draft, seat), **more)


class Introductions(InPublic):
    """Everybody says who it is, before the first night."""

    name = "introductions"
    part = "introductions"
    menu = ((EVERYBODY, INTRODUCE), (EVERYBODY, PASS))
    silence = PASS.name

    def play(self, draft: Draft, seat: int, move: Move) -> None:
        """Everybody hears it."""
        emit_action(draft, seat, move)
        if "message" in move:
            emit_message(draft, seat, move["message"], phase=self.name)

    def close(self, draft: Draft) -> str:
        """Night falls."""
        return NightWolves.name


class NightWolves(InSecret):
    """The pack settles on an attack: two in up to three exchanges, a lone one at once."""

    name = "night_wolves"
    menu = ((WEREWOLF, PROPOSE),)

    def open(self, draft: Draft) -> None:
        """Night falls."""
        draft.rules.night(draft)
        super().open(draft)
        draft.note(exchange=1, pack_order=list(draft.upcoming))

    def order(self, draft: Draft) -> tuple[int, ...]:
        """The living werewolves, in seeded order: the same in each exchange."""
        return seeded(draft, living(draft, WEREWOLF))

    def line_up_again(self, draft: Draft) -> None:
        """After a whole exchange without agreement there is another one, three in all."""
        if not self._is_settled(draft):
            draft.note(exchange=draft.notes["exchange"] + 1)
            draft.upcoming = tuple([s for s in draft.notes["pack_order"] if s in draft.alive])

    def _is_settled(self, draft: Draft) -> bool:
        lone = len(living(draft, WEREWOLF)) < 2
        return lone or draft.notes["exchange"] == EXCHANGES or self._agreed(draft) is not None

    def _agreed(self, draft: Draft) -> int | None:
        """The target of every living werewolf, if it is the same one and lives."""
        picks = dict(draft.picks)
        targets = {picks.get(seat) for seat in living(draft, WEREWOLF)}
        target = targets.pop() if len(targets) == 1 else None
        return target if target in draft.alive else None

    def play(self, draft: Draft, seat: int, move: Move) -> None:
        """The pack sees and hears it before the next one proposes."""
        super().play(draft, seat, move)
        if _speaks(move):
            emit_pack_message(draft, seat, move["message"])

    def close(self, draft: Draft) -> str:
        """The attack is settled, or there is none."""
        attack = self._agreed(draft)
        draft.emit("attack_private", {"day": draft.day, "target": attack}, to=pack(draft))
        draft.note(attack=attack, exchange=None, pack_order=None)
        return NightSeer.name


class NightSeer(InSecret):
    """The seer chooses whom to look at; the answer comes when the night is resolved."""

    name = "night_seer"
    menu = ((SEER, INVESTIGATE),)

    def close(self, draft: Draft) -> str:
        """The doctor is next."""
        return NightDoctor.name


class NightDoctor(InSecret):
    """The doctor chooses whom to protect; then everything that was chosen happens at once."""

    name = "night_doctor"
    menu = ((DOCTOR, PROTECT),)

    def close(self, draft: Draft) -> str:
        """Dawn: the seer has its answer, and the one who was attacked dies unless protected."""
        seen = _chosen_by(draft, SEER)
        protected = _chosen_by(draft, DOCTOR)
        attack = draft.notes.get("attack")
        killed = attack if attack in draft.alive and attack != protected else None
        if seen is not None:
            self._answer(draft, seen)
        draft.note(protected=None if protected is None else [protected], attack=None)
        night = {"attack": attack, "investigated": seen, "protected": protected, "killed": killed}
        draft.emit("night_resolved", {"day": draft.day, **night}, to=NOBODY)
        draft.rules.dawn(draft, killed)
        return DayTalk.name

    def _answer(self, draft: Draft, target: int) -> None:
        """The seer learns what it asked, also when it does not live to see the day."""
        werewolf = draft.roles[target] == WEREWOLF
        seers = tuple([seat for seat, role in enumerate(draft.roles) if role == SEER])
        emit_seer_result(draft, target, to=seers, werewolf=werewolf)


class DayTalk(InPublic):
    """The floor goes round until the allowance is spent, or until everybody has passed in a row."""

    name = "day_talk"
    part = "talk"
    menu = ((EVERYBODY, SAY), (EVERYBODY, PASS))
    silence = PASS.name
    share: ClassVar[int] = SHARE_BYTES
    """The bytes that each living player adds to the day's allowance."""

    def open(self, draft: Draft) -> None:
        """The day begins."""
        allowance = self.share * len(draft.alive)
        emit_day_start(draft, allowance=allowance)
        floor = Floor(self.order(draft))
        draft.note(allowance=allowance, bytes_left=allowance, floor=floor.to_note())

    def line_up_again(self, draft: Draft) -> None:
        """Whoever the floor is offered to is next; nobody, when the discussion is over."""
        floor = floor_of(draft)
        spent = draft.notes["bytes_left"] < MAX_MESSAGE_BYTES
        if not (spent or floor.swept or self._offered_enough(draft)):
            holder, floor = floor.offered()
            draft.note(floor=floor.to_note())
            draft.upcoming = (holder,)

    def _offered_enough(self, draft: Draft) -> bool:
        """Whether there were as many offers as there may be. Each was a turn that was taken."""
        at_the_start = draft.notes["allowance"] // self.share
        most = OFFERS_PER_PLAYER * at_the_start
        return draft.revision > 1 and sum(draft.moves) >= most

    def play(self, draft: Draft, seat: int, move: Move) -> None:
        """Everybody hears it before the next one has the floor."""
        floor = floor_of(draft)
        emit_action(draft, seat, move)
        if move["action"] == "pass":
            draft.note(floor=floor.passed(seat).to_note())
            return
        text = move["message"]
        left = draft.notes["bytes_left"] - len(text.encode())
        draft.note(bytes_left=left, floor=floor.spoke(seat, move.get("to")).to_note())
        named = [name for name in ("to", "intent", "cue") if name in move]
        extras = {name: move[name] for name in named if not is_blank(str(move[name]))}
        emit_message(draft, seat, text, phase=self.name, **extras, bytes_left=left)

    def left(self, draft: Draft, seat: int) -> None:
        """A player who leaves takes part no more. If it had the floor, that was an offer too."""
        if draft.revision > 1 and seat in draft.awaiting:
            draft.count_move(seat)
        draft.note(floor=floor_of(draft).without(seat).to_note())

    def close(self, draft: Draft) -> str:
        """The vote follows."""
        left = draft.notes["bytes_left"]
        swept = floor_of(draft).swept
        reason = "allowance" if left < MAX_MESSAGE_BYTES else "silence" if swept else "offers"
        draft.emit("talk_end", {"day": draft.day, "reason": reason, "bytes_left": left})
        draft.note(allowance=None, bytes_left=None, floor=None)
        return DayVote.name

    def discussion(self, position: Position) -> dict[str, Any]:
        """What everybody may know of the discussion under way."""
        floor = floor_of(position)
        return {
            "allowance": position.notes["allowance"],
            "bytes_left": position.notes["bytes_left"],
            "max_message_bytes": MAX_MESSAGE_BYTES,
            "passes_in_a_row": len(floor.silent),
            "handoffs_in_a_row": floor.chain,
            "may_not_be_named": floor.barred,
        }


class DayVote(InPublic):
    """Every living player casts one ballot before everybody's eyes; more than half eliminates."""

    name = "day_vote"
    part = "vote"
    menu = ((EVERYBODY, VOTE), (EVERYBODY, ABSTAIN))
    silence = ABSTAIN.name

    def open(self, draft: Draft) -> None:
        """The vote is called."""
        emit_vote_start(draft)
        super().open(draft)

    def play(self, draft: Draft, seat: int, move: Move) -> None:
        """Everybody sees the ballot before the next one is cast."""
        target = move.get("target")
        draft.cast(seat, target)
        ballot = {"day": draft.day, "seat": seat, "target": target}
        if _speaks(move):
            ballot["text"] = move["message"]
        if "timeout" in move:
            ballot["unavailable"] = True
            draft.note(unavailable=[*draft.notes.get("unavailable", ()), seat])
        draft.emit("ballot", ballot)

    def close(self, draft: Draft) -> str:
        """More than half of the living eliminate; the day is over either way."""
        counts = self._counts(draft)
        emit_votes(draft, self._rows(draft), counts)
        out = count.majority(counts, of=len(draft.alive))
        draft.rules.exile(draft, out, "no_majority")
        draft.note(unavailable=None)
        draft.rules.end_day(draft, at_the_limit=DRAW)
        return NightWolves.name

    def vote(self, position: Position) -> dict[str, Any]:
        """What everybody may know of the vote under way."""
        return {
            "votes_so_far": self._rows(position),
            "totals": count.tally_data(self._counts(position)),
            "still_to_vote": [*position.awaiting, *position.upcoming],
            "votes_needed": len(position.alive) // 2 + 1,
        }

    def _counts(self, position: Position) -> count.Counts:
        """The votes for each; a ballot counts while its voter and its target live, since more than
        half of the living must have cast it."""
        standing = [ballot for ballot in position.ballots if ballot[0] in position.alive]
        return count.tally(standing, position.alive)

    def _rows(self, position: Position) -> list[dict[str, Any]]:
        """Every ballot: the ones that do not count are void, and silence is unavailable."""
        rows = count.ballot_data(position.ballots, position.alive)
        for row in rows:
            if row["seat"] not in position.alive:
                row["void"] = True
            if row["seat"] in position.notes.get("unavailable", ()):
                row["unavailable"] = True
        return rows


class House9(RuleSet):
    """The rule set `house-9`."""

    id = "house-9"
    title = "The House presents Werewolf"
    seats = Seats(min=6, max=8, default=7)
    events = MappingProxyType(
        {
            **COMMON,
            "day_start": EventType(ALL, TalkStart),
            "elimination": EventType(ALL, SilentElimination),
            "no_elimination": EventType(ALL, NoElimination[Literal["no_majority"]]),
            "votes_revealed": EventType(ALL, VotesRevealed[CountedBallot, SeatNumber]),
            "action": EventType(ALL, OpenAct),
            "message": EventType(ALL, CountedMessage),
            "timeout": EventType(ALL, Timeout),
            "talk_end": EventType(ALL, TalkEnd),
            "vote_start": EventType(ALL, VoteStart),
            "ballot": EventType(ALL, BallotCast),
            "action_private": EventType(ROLE, ExchangeAct),
            "message_private": EventType(PACK, PackMessage),
            "timeout_private": EventType(ROLE, TimeoutPrivate),
            "attack_private": EventType(PACK, AttackSettled),
            "seer_result_private": EventType(THE_SEER, Sight),
            "night_resolved": EventType(SEALED, NightResolved),
            "thinking": EventType(SEALED, Aside),
        }
    )
    visible_state = VisibleState
    lasting = RuleSet.lasting | {"night_resolved"}
    stand_in_phases = ("night",)
    options = MappingProxyType(
        {
            "wolves": Whole(1, 2, 2, "So many of the players are werewolves."),
            "seer": Switch(True, "Whether one of the players is the seer."),
            "doctor": Switch(True, "Whether one of the players is the doctor."),
            "max_days": Whole(1, 20, 6, "Without a winner after so many days it is a draw."),
            "turn_deadline_ms": Whole(
                1_000, 86_400_000, 60_000, "Time for a turn, in milliseconds."
            ),
            "max_consecutive_timeouts": Whole(
                1, 10, 3, "So many timeouts in a row put a player out."
            ),
            "omniscient": Switch(False, "Whether some viewers may know everything."),
            "captured_thinking": Switch(
                True, "Whether the thinking that comes with a move is kept."
            ),
        }
    )
    phases: ClassVar[Mapping[str, Phase]] = {
        phase.name: phase
        for phase in (
            Introductions(),
            NightWolves(),
            NightSeer(),
            NightDoctor(),
            DayTalk(),
            DayVote(),
        )
    }
    asides = (THINKING,)
    house_bots = True

    def deal(self, seats: int, options: Mapping[str, OptionValue]) -> list[str]:
        """The werewolves, the seer and the doctor as the options have them; the rest villagers."""
        return table_of(seats, options)

    def begin(self, draft: Draft, names: Sequence[str]) -> str:
        """Everybody learns who sits where, and its own card; werewolves learn of each other."""
        emit_deal(draft, names)
        return Introductions.name

    def keep_asides(self, draft: Draft, seat: int, move: Move) -> None:
        """Thinking is kept if the match keeps it, and if there is any."""
        if draft.options["captured_thinking"] and not is_blank(move.get("thinking", "")):
            super().keep_asides(draft, seat, move)

    def elimination(self, draft: Draft, seat: int, cause: str) -> dict[str, Any]:
        """Roles stay hidden until the end."""
        return {"day": draft.day, "seat": seat, "cause": cause}

    def depart(self, draft: Draft, seat: int, cause: str) -> None:
        """Out at once; the win check waits until the night or the day is resolved."""
        phase = self.phases[draft.phase]
        if isinstance(phase, DayTalk):
            phase.left(draft, seat)
        draft.eliminate(seat, cause)

    def view(self, match: Match, seen: Sequence[Event], viewer: Viewer) -> dict[str, Any]:
        """The visible state."""
        phase = self.phases.get(match.phase)
        return visible_state(
            match,
            seen,
            viewer,
            turn_shown=self.turn_shown(match, viewer),
            discussion=phase.discussion(match) if isinstance(phase, DayTalk) else None,
            vote=phase.vote(match) if isinstance(phase, DayVote) else None,
        )


def _speaks(move: Move) -> bool:
    """Whether there is anything to read in the message, if there is one."""
    return not is_blank(move.get("message", ""))


def _chosen_by(draft: Draft, role: str) -> int | None:
    """Whom the holder of a role chose this night."""
    return next((target for seat, target in draft.picks if draft.roles[seat] == role), None)
