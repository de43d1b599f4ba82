"""Reading a table: out of a `visible_state`, who is suspected by whom, and how strongly.

Other players' words are only ever looked through for seats and a few words; nothing in them is
followed.
"""

import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any, Final

from lanternwell.model import View

WEREWOLF: Final = "werewolf"
WEREWOLVES: Final = "werewolves"

_SEAT = re.compile(r"\bseat (\d{1,2})\b", re.IGNORECASE)
_SENTENCE = re.compile(r"[.!?;:]+\s*")
_GOOD = re.compile(r"\b(trust|innocent|clear(ed)?|in peace|not a (were)?wolf)\b", re.IGNORECASE)
_BAD = re.compile(
    r"\b((were)?wolf|suspect|suspicious|accuse|vote|lying|liar|guilty)\b", re.IGNORECASE
)
_DOUBT = re.compile(r"\b(do not|don't|never) (trust|believe)\b", re.IGNORECASE)
_SEER = re.compile(r"\bi(?: am|'m) the seer\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Statement:
    """Somebody said of somebody that they are bad or good; `as_seer` with a claim to know it."""

    day: int
    by: int
    about: int
    bad: bool
    as_seer: bool


@dataclass(slots=True)
class Table:
    """What one player can make out of what it sees."""

    day: int
    seat: int | None
    role: str | None
    alive: tuple[int, ...]
    names: dict[int, str]
    pack: frozenset[int]
    roles: dict[int, str]
    """Roles that are known for certain: one's own, and those that were shown."""
    picks: tuple[int, ...]
    """Whom the pack has named this night, in order; for werewolves."""
    seen: dict[int, bool]
    """A seer's own results: whether that seat is a werewolf."""
    statements: list[Statement]
    texts: list[str]
    victim: int | None
    """Who was found dead this morning."""
    suspicion: dict[int, float] = field(default_factory=dict)

    @property
    def others(self) -> tuple[int, ...]:
        """The other living seats."""
        return tuple(seat for seat in self.alive if seat != self.seat)

    def who(self, seat: int) -> str:
        """How to speak of a seat."""
        return f"{self.names.get(seat) or 'the player'} (seat {seat})"

    def accusers(self, seat: int) -> list[int]:
        """The living others who spoke against a seat today, the latest first."""
        by = [s.by for s in self.statements if s.about == seat and s.bad and s.day == self.day]
        return [other for other in reversed(list(dict.fromkeys(by))) if other in self.others]

    def claims_seer(self, seat: int) -> bool:
        """Whether that seat has said to be the seer."""
        return any(s.by == seat and s.as_seer for s in self.statements)


def read_table(view: View) -> Table:
    """Read a `visible_state`. Unknown rule sets may leave out what they have no use for."""
    seat = view.get("your_seat")
    players: list[dict[str, Any]] = list(view.get("players") or ())
    talk: list[dict[str, Any]] = [said for said in view.get("talk") or () if "text" in said]
    roles = {p["seat"]: p["role"] for p in players if p.get("role")}
    if seat is not None and view.get("your_role"):
        roles[seat] = view["your_role"]
    day = int(view.get("day") or 1)
    table = Table(
        day=day,
        seat=seat,
        role=view.get("your_role"),
        alive=tuple(view.get("alive") or ()),
        names={p["seat"]: p["name"] for p in players if p.get("name")},
        pack=frozenset(view.get("wolves") or ()),
        roles=roles,
        picks=tuple(pick["target"] for pick in view.get("night_picks") or ()),
        seen={r["target"]: _is_wolf(r) for r in view.get("seer_results") or ()},
        statements=[s for said in talk for s in _statements(said, day)],
        texts=[said["text"] for said in talk],
        victim=next(
            (
                p["seat"]
                for p in players
                if p.get("cause") == WEREWOLVES and p.get("eliminated_day") == day
            ),
            None,
        ),
    )
    table.suspicion = _suspicion(table, list(view.get("days") or ()))
    return table


def _is_wolf(result: dict[str, Any]) -> bool:
    return bool(result.get("werewolf", result.get("team") == WEREWOLVES))


def _statements(said: dict[str, Any], today: int) -> list[Statement]:
    text, by = said["text"], said["seat"]
    as_seer = _SEER.search(text) is not None
    found = []
    for sentence in _SENTENCE.split(text):
        doubt = _DOUBT.search(sentence) is not None
        good = not doubt and _GOOD.search(sentence) is not None
        if not (good or doubt or _BAD.search(sentence)):
            continue
        named = [int(number) for number in _SEAT.findall(sentence)]
        if named and named[0] != by:  # whoever is named first is the one that is meant
            found.append(Statement(int(said.get("day", today)), by, named[0], not good, as_seer))
    return found


def _suspicion(table: Table, days: list[dict[str, Any]]) -> dict[int, float]:
    """How strongly each living other seat is suspected by the table, from public facts alone."""
    score: dict[int, float] = defaultdict(float)
    heard: set[tuple[int, int, int]] = set()
    for said in table.statements:
        key = (said.day, said.by, said.about)
        if key in heard:
            continue
        heard.add(key)
        weight = _credit(table, said) * (1 if said.bad else -1)
        score[said.about] += weight
        shown = table.roles.get(said.about) if said.about != table.seat else None
        if shown is not None and said.bad:  # how good was that accusation, as it turned out?
            score[said.by] += -1.0 if shown == WEREWOLF else 0.4
    for done in days:
        for vote in done.get("votes") or ():
            role = table.roles.get(vote.get("target"))
            if role is not None:
                score[vote["seat"]] += -1.0 if role == WEREWOLF else 0.6
    claimants = [seat for seat in table.others if table.claims_seer(seat)]
    if len(claimants) == 1 and table.role != "seer":
        score[claimants[0]] -= 3.0
    return {seat: score[seat] for seat in table.others}


def _credit(table: Table, said: Statement) -> float:
    role = table.roles.get(said.by)
    if role == WEREWOLF:
        return -1.5  # a werewolf's word, now that it is known for one
    if role == "seer" and said.as_seer and said.by != table.seat:
        return 50.0
    if said.as_seer:
        first = next(s for s in table.statements if s.as_seer)
        return 6.0 if first.by == said.by else 4.0
    return 1.0 if role is not None and said.by != table.seat else 0.5
