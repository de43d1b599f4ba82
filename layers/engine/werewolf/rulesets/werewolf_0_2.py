"""werewolf-0.2: the classic table, in turns.

The pack picks a victim, the seer looks at somebody, the village talks and votes under seal.
Source: the rule text of werewolf-0.2, and the rulings on it.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, TypedDict

from werewolf import tally as count
from werewolf.audiences import ACTOR_OR_PACK, ALL, PACK, THE_SEER
from werewolf.draft import Draft, living_non_werewolves, living_others, pack
from werewolf.emitters import (
    emit_action,
    emit_day_start,
    emit_deal,
    emit_message,
    emit_pack_message,
    emit_secret_action,
    emit_seer_result,
    emit_vote_start,
    reveal_votes,
)
from werewolf.event_types import (
    COMMON,
    EventType,
    OpenAct,
    PackMessage,
    SecretAct,
    Timeout,
    TimeoutPrivate,
    VoteStart,
)
from werewolf.events import Event, Viewer
from werewolf.match import Match
from werewolf.moves import Action, Move, Seat, Text
from werewolf.options import OptionValue, Whole
from werewolf.phases import EVERYBODY, Phase, Turns
from werewolf.roles import SEER, VILLAGER, WEREWOLF, WEREWOLVES, team_of
from werewolf.ruleset import RuleSet, Seats
from werewolf.rulesets.werewolf_0_2_view import Sight, Talk, VisibleState, visible_state
from werewolf.shapes import Day, Kind

MAX_MESSAGE_CHARS = 280

KILL = Action(
    "kill",
    Seat(living_non_werewolves, "living players who are no werewolves"),
    Text(MAX_MESSAGE_CHARS, required=False),
    told="wants {target} dead",
)
INSPECT = Action(
    "inspect", Seat(living_others, "living players other than the seer"), told="looks at {target}"
)
SKIP = Action("skip", told="looks at nobody", quiet=True)
SAY = Action("say", Text(MAX_MESSAGE_CHARS), told="speaks")
PASS = Action("pass", told="passes", quiet=True)
VOTE = Action(
    "vote", Seat(living_others, "living players other than the voter"), told="votes for {target}"
)
ABSTAIN = Action("abstain", told="abstains", quiet=True)


class TalkRound(TypedDict):
    """A round of talk begins."""

    day: Day
    round: Annotated[int, Kind("round", 1), "Which round it is"]
    rounds: Annotated[int, Kind("rounds", 1), "How many rounds there are"]


class Message(Talk):
    """Somebody said something to the table."""

    round: Annotated[int, Kind("round", 1), "In which round of talk"]


class NightWolves(Turns):
    """The living werewolves, in seat order, each name a victim; the pack alone looks on."""

    name = "night_wolves"
    part = "night"
    secret = True
    menu = ((WEREWOLF, KILL),)
    silence = KILL.name

    def open(self, draft: Draft) -> None:
        """Night falls."""
        draft.rules.night(draft)
        super().open(draft)

    def play(self, draft: Draft, seat: int, move: Move) -> None:
        """The pick, and what is said with it, reach the pack."""
        draft.pick(seat, move["target"])
        emit_secret_action(draft, seat, move, to=pack(draft))
        if "message" in move:
            emit_pack_message(draft, seat, move["message"])

    def default_move(self, draft: Draft, seat: int) -> Move:
        """A silent werewolf follows the first pick that still stands; else the dice choose."""
        standing = [target for _, target in draft.picks if target in draft.alive]
        if standing:
            return {"action": self.silence, "target": standing[0]}
        target = draft.choose("pick", living_non_werewolves(draft, seat))
        return {"action": self.silence, "target": target}

    def close(self, draft: Draft) -> str:
        """The seer is next."""
        return NightSeer.name


class NightSeer(Turns):
    """The living seer may look at somebody, also in the night in which it dies."""

    name = "night_seer"
    part = "night"
    secret = True
    menu = ((SEER, INSPECT), (SEER, SKIP))
    silence = SKIP.name

    def play(self, draft: Draft, seat: int, move: Move) -> None:
        """The seer learns the team of the one it looked at."""
        emit_secret_action(draft, seat, move, to=(seat,))
        if move["action"] == "inspect":
            target = move["target"]
            emit_seer_result(draft, target, to=(seat,), team=team_of(draft.roles[target]))

    def close(self, draft: Draft) -> str:
        """Dawn: the pick with the most votes dies, and the dice settle a tie."""
        leaders = count.leaders(count.tally(draft.picks, draft.alive))
        killed = draft.choose("night_tie", [int(seat) for seat in leaders]) if leaders else None
        draft.rules.dawn(draft, killed)
        return DayTalk.name


class DayTalk(Turns):
    """Every living player, in seat order and round after round, says something or passes."""

    name = "day_talk"
    part = "talk"
    menu = ((EVERYBODY, SAY), (EVERYBODY, PASS))
    silence = PASS.name

    def open(self, draft: Draft) -> None:
        """The day begins."""
        emit_day_start(draft)
        self._open_round(draft, 1)

    def _open_round(self, draft: Draft, number: int) -> None:
        draft.note(talk_round=number)
        draft.upcoming = self.order(draft)
        rounds = draft.option("talk_rounds")
        draft.emit("talk_round", {"day": draft.day, "round": number, "rounds": rounds})

    def line_up_again(self, draft: Draft) -> None:
        """Round follows round, as many as there are."""
        talk_round = draft.notes["talk_round"]
        if talk_round < draft.option("talk_rounds"):
            self._open_round(draft, talk_round + 1)

    def play(self, draft: Draft, seat: int, move: Move) -> None:
        """The whole table hears it."""
        emit_action(draft, seat, move)
        if move["action"] == "say":
            emit_message(draft, seat, move["message"], round=draft.notes["talk_round"])

    def close(self, draft: Draft) -> str:
        """The vote follows."""
        draft.note(talk_round=None)
        return DayVote.name


class DayVote(Turns):
    """Every living player, in seat order, votes under seal; then all ballots are shown."""

    name = "day_vote"
    part = "vote"
    menu = ((EVERYBODY, VOTE), (EVERYBODY, ABSTAIN))
    silence = ABSTAIN.name

    def open(self, draft: Draft) -> None:
        """The vote is called."""
        emit_vote_start(draft)
        super().open(draft)

    def play(self, draft: Draft, seat: int, move: Move) -> None:
        """Only the voter sees its ballot."""
        draft.cast(seat, move.get("target"))
        emit_secret_action(draft, seat, move, to=(seat,))

    def close(self, draft: Draft) -> str:
        """The most votes eliminate; a tie, or no vote that counts, eliminates nobody."""
        counts = reveal_votes(draft, draft.ballots)
        draft.rules.exile(draft, count.plurality(counts), "tie" if counts else "no_votes")
        draft.rules.end_day(draft, at_the_limit=WEREWOLVES)
        return NightWolves.name


class Werewolf02(RuleSet):
    """The rule set `werewolf-0.2`."""

    id = "werewolf-0.2"
    title = "Werewolf"
    seats = Seats(min=5, max=10, default=7)
    roles = (WEREWOLF, SEER, VILLAGER)
    house_bots = True
    events = MappingProxyType(
        {
            **COMMON,
            "talk_round": EventType(ALL, TalkRound),
            "action": EventType(ALL, OpenAct),
            "message": EventType(ALL, Message),
            "timeout": EventType(ALL, Timeout),
            "vote_start": EventType(ALL, VoteStart),
            "action_private": EventType(ACTOR_OR_PACK, SecretAct),
            "message_private": EventType(PACK, PackMessage),
            "timeout_private": EventType(ACTOR_OR_PACK, TimeoutPrivate),
            "seer_result_private": EventType(THE_SEER, Sight),
        }
    )
    visible_state = VisibleState
    options = MappingProxyType(
        {
            "talk_rounds": Whole(1, 5, 2, "Turns to talk that every living player has each day."),
            "max_days": Whole(1, 50, 20, "The match ends after so many days."),
            "turn_deadline_ms": Whole(
                1_000, 86_400_000, 30_000, "Time for a turn, in milliseconds."
            ),
            "max_consecutive_timeouts": Whole(
                1, 10, 3, "So many timeouts in a row put a player out."
            ),
            "max_message_chars": Whole(
                MAX_MESSAGE_CHARS,
                MAX_MESSAGE_CHARS,
                MAX_MESSAGE_CHARS,
                "The longest message, in code points.",
            ),
        }
    )
    phases: ClassVar[Mapping[str, Phase]] = {
        phase.name: phase for phase in (NightWolves(), NightSeer(), DayTalk(), DayVote())
    }

    def deal(self, seats: int, options: Mapping[str, OptionValue]) -> list[str]:
        """A third of the table are werewolves, rounded down; one is the seer."""
        wolves = seats // 3
        return [WEREWOLF] * wolves + [SEER] + [VILLAGER] * (seats - wolves - 1)

    def begin(self, draft: Draft, names: Sequence[str]) -> str:
        """Everybody learns who sits where, and its own card; werewolves learn of each other."""
        emit_deal(draft, names)
        return NightWolves.name

    def view(self, match: Match, seen: Sequence[Event], viewer: Viewer) -> dict[str, Any]:
        """The `visible_state` of the rule text."""
        return visible_state(match, seen, viewer, turn_shown=self.turn_shown(match, viewer))
