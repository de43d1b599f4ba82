"""What a viewer is told: events become lines, and the table as it stands.

Only what the service shows to this viewer comes in here, so nothing else can come out. A spectator
is told nothing private, and a seat its own.
"""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final

from lanternwell.model import Event, State
from werewolf import RULESETS
from werewolf.audiences import SEALED
from werewolf.moves import Text
from werewolf.rulesets import all_actions

BIDI: Final = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
PHASES: Final = {
    **{name: "night" for rules in RULESETS.values() for name in rules.stand_in_phases},
    **{phase.name: phase.part for rules in RULESETS.values() for phase in rules.phases.values()},
}
"""Which part of a day each phase is."""
ENDINGS: Final = {
    "werewolves": ("was killed in the night", "killed"),
    "vote": ("is voted out", "voted out"),
    "left": ("leaves the match", "left"),
    "forfeit": ("forfeits by an illegal move", "forfeited"),
}
DEEDS: Final = {action.name: f"{action.told}." for action in all_actions()}
WORDLESS: Final = frozenset(
    name
    for rules in RULESETS.values()
    for name, event in rules.events.items()
    if event.recipients == SEALED
)
"""Events of the replay and of those who may know everything."""

TEXT_FOLLOWS: Final = frozenset(
    action.name
    for action in all_actions()
    if any(isinstance(field, Text) and field.required for field in action.fields)
)
"""Actions whose words come as an event of their own."""

NO_ELIMINATION: Final = {
    "tie": "a tie",
    "no_votes": "no votes",
    "no_lynch": "most want nobody to go",
    "no_majority": "no majority",
}
VOID: Final = {
    "nobody_moved": "nobody moved for too long, so the match is void",
    "waited_too_long": "the table waited too long, so the match is void",
}
STRUCK_OUT: Final = ("is struck out by the clock", "struck out")


class Tone(Enum):
    """What kind of line it is."""

    CHAPTER = "chapter"
    TOLD = "told"
    SPOKEN = "spoken"
    QUIET = "quiet"
    WARNING = "warning"
    DEATH = "death"
    VOTES = "votes"
    PRIVATE = "private"
    ASKED = "asked"
    END = "end"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the story; `seat` is who speaks or does it."""

    tone: Tone
    text: str
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class OnTurn:
    """Whose turn it is, and when its time runs out, as far as the viewer can tell."""

    seat: int
    number: int
    began: int
    deadline: int | None


@dataclass(frozen=True, slots=True)
class Clock:
    """When a phase began, and when it ends at the latest, where everybody shares one clock."""

    began: int
    until: int | None


@dataclass(slots=True)
class Story:
    """The match so far, in the words of a spectator. Feed it events in order."""

    names: dict[int, str] = field(default_factory=dict)
    alive: set[int] = field(default_factory=set)
    fates: dict[int, str] = field(default_factory=dict)
    roles: dict[int, str] = field(default_factory=dict)
    strikes: dict[int, int] = field(default_factory=dict)
    day: int = 0
    phase: str = "lobby"
    talk_round: int = 0
    talk_rounds: int = 0
    wolves: int | None = None
    """How many werewolves were dealt, once that is known."""
    you: int | None = None
    """The seat of the viewer, once that is known."""
    on_turn: OnTurn | None = None
    clock: Clock | None = None
    """Of the night, and of a day in which all act at once; None while a table waits."""
    limit_ms: int | None = None
    """How long one turn may take."""
    winner: str | None = None
    struck_out: list[int] = field(default_factory=list)

    def name(self, seat: int | None) -> str:
        """How a seat is called."""
        return "nobody" if seat is None else self.names.get(seat, f"seat {seat}")

    def deed(self, data: Mapping[str, Any]) -> str:
        """What somebody does, as words that follow its name."""
        action, target = data["action"], data.get("target")
        named = self._candidate(target)
        if action not in DEEDS:
            return f"{action} ({named})." if target is not None else f"{action}."
        return DEEDS[action].format(target=named, role=data.get("role"))

    def called(self, seat: int | None) -> str:
        """Seat number and name."""
        return self.name(seat) if seat not in self.names else f"{seat} {self.names[seat]}"

    def feed(self, event: Event) -> list[Line]:
        """The lines that an event gives; none for events that need no words."""
        tell = getattr(self, f"_{event.type}", None)
        if event.type in ("night_start", "day_start", "resumed"):
            self.clock = Clock(event.at, event.data.get("latest_ms"))
        return [] if tell is None else tell(event.data)

    def look(self, state: State) -> None:
        """Take over what only the visible state tells: whose turn it is, and since when."""
        view = state.view or {}
        turn = view.get("turn") or {}
        phase = PHASES.get(str(view.get("phase")))
        self.limit_ms = (view.get("limits") or {}).get("turn_deadline_ms")
        if self.phase == "deal" and phase == "introductions":
            self.phase = phase  # it has no event of its own
        if phase != self.phase:
            return  # the events are not that far yet
        if turn.get("seat") is None:
            self.on_turn = None
            return
        before = self.on_turn
        if before is None or (before.seat, before.number) != (turn["seat"], turn["turn"]):
            now = state.server_now
            deadline = turn.get("deadline_ms")
            if deadline is None and self.limit_ms is not None:
                deadline = now + self.limit_ms
            self.on_turn = OnTurn(turn["seat"], turn["turn"], now, deadline)

    @property
    def wolves_left(self) -> int | None:
        """How many werewolves are left, by the cards that were shown; None: nobody can tell."""
        if self.wolves is None or self.fates.keys() - self.roles.keys():
            return None
        return self.wolves - sum(self.roles.get(seat) == "werewolf" for seat in self.fates)

    @property
    def turns_of_phase(self) -> int:
        """How many turns the present phase of the day has in all, as far as that is known."""
        return len(self.alive) * (self.talk_rounds if self.phase == "talk" else 1)

    # ---- the lobby and the deal ----------------------------------------------------------------

    def _seat_taken(self, data: Mapping[str, Any]) -> list[Line]:
        return [Line(Tone.QUIET, f"{clean(data['name'])} sits down.")]

    def _seat_freed(self, data: Mapping[str, Any]) -> list[Line]:
        return [Line(Tone.QUIET, f"{clean(data['name'])} stands up again.")]

    def _table_closed(self, _data: Mapping[str, Any]) -> list[Line]:
        return [Line(Tone.END, "The table has closed: too few players came.")]

    def _roles_dealt(self, data: Mapping[str, Any]) -> list[Line]:
        self.names = {p["seat"]: clean(p["name"]) for p in data["players"]}
        self.alive = set(self.names)
        self.phase = "deal"
        cards = data.get("roles") or {}
        self.wolves = cards.get("werewolf")
        dealt = ", ".join(_count(number, role) for role, number in cards.items())
        seats = ", ".join(f"{seat} {name}" for seat, name in sorted(self.names.items()))
        return [
            Line(Tone.TOLD, f"The cards are dealt: {dealt}."),
            Line(Tone.TOLD, f"At the table: {seats}."),
        ]

    def _role_private(self, data: Mapping[str, Any]) -> list[Line]:
        self.you = data["seat"]
        self.roles[data["seat"]] = data["role"]
        pack = [seat for seat in data.get("wolves") or () if seat != data["seat"]]
        self.roles |= dict.fromkeys(pack, "werewolf")
        mates = ", ".join(map(self.called, pack))
        with_whom = f" Your pack: {mates}." if pack else ""
        card = f"You are {self.called(data['seat'])}. Your card: {data['role']}."
        return [Line(Tone.PRIVATE, card + with_whom)]

    # ---- the night -----------------------------------------------------------------------------

    def _night_start(self, data: Mapping[str, Any]) -> list[Line]:
        self.day, self.phase, self.on_turn = data["day"], "night", None
        return [
            Line(Tone.CHAPTER, f"Night {self.day}"),
            Line(Tone.QUIET, "The village sleeps. Somebody does not."),
        ]

    def _action_private(self, data: Mapping[str, Any]) -> list[Line]:
        if data.get("timeout"):
            return []
        return [Line(Tone.PRIVATE, f"{self.name(data['seat'])} {self.deed(data)}")]

    def _message_private(self, data: Mapping[str, Any]) -> list[Line]:
        return [Line(Tone.PRIVATE, f"{self.name(data['seat'])} to the pack: {clean(data['text'])}")]

    def _timeout_private(self, data: Mapping[str, Any]) -> list[Line]:
        return [Line(Tone.PRIVATE, f"{self.name(data['seat'])} lets the time run out.")]

    def _attack_private(self, data: Mapping[str, Any]) -> list[Line]:
        return [Line(Tone.PRIVATE, f"The pack attacks {self.name(data['target'])}.")]

    def _seer_result_private(self, data: Mapping[str, Any]) -> list[Line]:
        found = data.get("werewolf", data.get("team") == "werewolves")
        verdict = "a werewolf" if found else "no werewolf"
        return [Line(Tone.PRIVATE, f"You see that {self.name(data['target'])} is {verdict}.")]

    def _dawn(self, data: Mapping[str, Any]) -> list[Line]:
        if data.get("killed") is None:
            return [Line(Tone.TOLD, "Dawn. Nobody died.")]
        return [Line(Tone.TOLD, "Dawn. Somebody did not live to see it.")]

    def _elimination(self, data: Mapping[str, Any]) -> list[Line]:
        seat, cause, role = data["seat"], data["cause"], data.get("role")
        struck_out = cause == "left" and self.strikes.pop(seat, 0) > 0
        self.alive.discard(seat)
        happened, short = ENDINGS.get(cause, ("is out", cause))
        if struck_out:
            happened, short = STRUCK_OUT
            self.struck_out.append(seat)
        self.fates[seat] = f"{short}, day {data.get('day', self.day)}"
        if role is not None:
            self.roles[seat] = role
        card = f" The card: {role}." if role else ""
        lines = [Line(Tone.DEATH, f"{self.name(seat)} {happened}.{card}", seat)]
        if seat == self.you:
            lines.append(Line(Tone.PRIVATE, "You are out, and may watch the match to its end."))
        return lines

    # ---- the day -------------------------------------------------------------------------------

    def _day_start(self, data: Mapping[str, Any]) -> list[Line]:
        self.day, self.phase, self.on_turn = data["day"], "talk", None
        self.talk_round = self.talk_rounds = 0
        return [Line(Tone.CHAPTER, f"Day {self.day}")]

    def _talk_round(self, data: Mapping[str, Any]) -> list[Line]:
        self.phase, self.talk_round, self.talk_rounds = "talk", data["round"], data["rounds"]
        return []

    def _message(self, data: Mapping[str, Any]) -> list[Line]:
        self.strikes.pop(data["seat"], None)
        to = f"to {self.name(data['to'])}: " if data.get("to") is not None else ""
        return [Line(Tone.SPOKEN, to + clean(data["text"]), data["seat"])]

    def _action(self, data: Mapping[str, Any]) -> list[Line]:
        if data.get("timeout") or data["action"] in TEXT_FOLLOWS:
            return []  # the timeout, or what was said, has a line of its own
        self.strikes.pop(data["seat"], None)
        return [Line(Tone.QUIET, self.deed(data), data["seat"])]

    def _talk_end(self, data: Mapping[str, Any]) -> list[Line]:
        spent = data.get("reason") == "allowance"
        why = "its time on air is used up" if spent else "nobody has more to say"
        return [Line(Tone.TOLD, f"The talk is over: {why}.")]

    def _ballot(self, data: Mapping[str, Any]) -> list[Line]:
        if data.get("unavailable"):
            return []
        said = f' "{clean(data["text"])}"' if data.get("text") else ""
        voted = "abstains." if data.get("target") is None else self.deed({**data, "action": "vote"})
        return [Line(Tone.QUIET, voted + said, data["seat"])]

    def _timeout(self, data: Mapping[str, Any]) -> list[Line]:
        seat = data["seat"]
        strikes = int(data.get("strikes", self.strikes.get(seat, 0) + 1))
        self.strikes[seat] = strikes
        text = f"{self.name(seat)} lets the time run out: strike {strikes}."
        return [Line(Tone.WARNING, text, seat)]

    def _vote_start(self, _data: Mapping[str, Any]) -> list[Line]:
        self.phase, self.on_turn = "vote", None
        return [Line(Tone.TOLD, "The vote is called.")]

    def _votes_revealed(self, data: Mapping[str, Any]) -> list[Line]:
        self.on_turn = None
        voters: dict[int | str, list[str]] = {}
        silent: dict[str, list[str]] = {}
        void = []
        for vote in data["votes"]:
            seat, target = vote["seat"], vote.get("target")
            if vote.get("void"):
                gone = target if seat in self.alive else seat
                why = f"{self._candidate(gone)} is out"
                whom = self._candidate(target)
                void.append(f"void: the vote of {self.name(seat)} for {whom}, since {why}")
            elif target is not None:
                voters.setdefault(target, []).append(self.name(seat))
            elif seat not in self.alive:
                silent.setdefault("out before the votes were opened", []).append(self.name(seat))
            else:
                why = "let the time run out" if vote.get("unavailable") else "abstained"
                silent.setdefault(why, []).append(self.name(seat))
        most_first = sorted(voters.items(), key=lambda item: -len(item[1]))
        lines = [f"{self._candidate(one)}: {len(by)} ({', '.join(by)})" for one, by in most_first]
        lines += [f"{why}: {', '.join(who)}" for why, who in silent.items()]
        told = [Line(Tone.TOLD, "The ballots are opened:")]
        return told + [Line(Tone.VOTES, line) for line in lines + void]

    def _no_elimination(self, data: Mapping[str, Any]) -> list[Line]:
        why = NO_ELIMINATION.get(str(data.get("reason")), "no majority")
        return [Line(Tone.TOLD, f"Nobody is eliminated: {why}.")]

    def _candidate(self, target: int | str | None) -> str:
        """Who was voted for; a word stands for nobody."""
        return "nobody" if isinstance(target, str) else self.name(target)

    # ---- a table that waits --------------------------------------------------------------------

    def _paused(self, data: Mapping[str, Any]) -> list[Line]:
        self.clock = None
        missing = ", ".join(map(self.name, data["waiting_for"]))
        return [Line(Tone.WARNING, f"The clock stands still: the table waits for {missing}.")]

    def _resumed(self, _data: Mapping[str, Any]) -> list[Line]:
        return [Line(Tone.TOLD, "Everybody is back, and the clock goes on.")]

    # ---- the end -------------------------------------------------------------------------------

    def _reveal(self, data: Mapping[str, Any]) -> list[Line]:
        self.roles = {card["seat"]: card["role"] for card in data["roles"]}
        return []

    def _faction_win(self, data: Mapping[str, Any]) -> list[Line]:
        self._over()
        self.winner = data["winner"]
        return [
            Line(Tone.CHAPTER, "The end"),
            Line(
                Tone.END,
                "A draw: nobody wins."
                if self.winner == "draw"
                else f"The {self.winner} win on day {data.get('day', self.day)}.",
            ),
        ]

    def _over(self) -> None:
        self.phase, self.on_turn, self.clock = "over", None, None

    def _match_void(self, data: Mapping[str, Any]) -> list[Line]:
        self._over()
        why = VOID.get(str(data.get("reason")), "the match is void")
        return [Line(Tone.CHAPTER, "The end"), Line(Tone.END, f"Nobody wins: {why}.")]


def clean(text: str) -> str:
    """A stranger's text as one line that can do nothing to a terminal."""
    flat = " ".join(text.split())
    return "".join(c for c in flat if unicodedata.category(c) != "Cc" and c not in BIDI)


def _count(number: int, role: str) -> str:
    plural = {"werewolf": "werewolves"}.get(role, f"{role}s")
    return f"{number} {role if number == 1 else plural}"
