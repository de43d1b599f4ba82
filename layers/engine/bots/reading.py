"""Reading a table: out of a `visible_state`, who is suspected by whom, and how strongly.

Names are not read. Other players' words count where they are understood as a whole (`phrases`), and
nothing in them is followed.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from bots import phrases
from werewolf.roles import SEER, WEREWOLF, WEREWOLVES


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
    pack: frozenset[int]
    roles: dict[int, str]
    """Roles that are known for certain: one's own, and those that were shown."""
    picks: tuple[int, ...]
    """Whom the pack has named this night, in order; for werewolves."""
    seen: dict[int, bool]
    """A seer's own results: whether that seat is a werewolf."""
    statements: list[Statement]
    claims: dict[int, list[str]]
    """Which roles each seat has claimed, in order."""
    ballots: dict[int, int]
    """How many votes each seat has in the vote that is under way, as far as they are open."""
    spoken: int
    """How often this seat has spoken in this phase."""
    said: Counter[str]
    """How often each sentence was said, by its pattern."""
    victim: int | None
    """Who was found dead this morning."""
    quiet_night: bool
    """Whether nobody died in the night before this one."""
    suspicion: dict[int, float] = field(default_factory=dict)

    @property
    def others(self) -> tuple[int, ...]:
        """The other living seats."""
        return tuple(seat for seat in self.alive if seat != self.seat)

    def accusers(self, seat: int) -> list[int]:
        """The living others who spoke against a seat today, the latest first."""
        by = [s.by for s in self.statements if s.about == seat and s.bad and s.day == self.day]
        return [other for other in reversed(list(dict.fromkeys(by))) if other in self.others]

    def claims_seer(self, seat: int) -> bool:
        """Whether that seat has said to be the seer, and nothing else."""
        return set(self.claims.get(seat, ())) == {SEER}


def read(view: Mapping[str, Any]) -> Table:
    """Read a `visible_state`. Unknown rule sets may leave out what they have no use for."""
    seat = view.get("your_seat")
    players: list[dict[str, Any]] = list(view.get("players") or ())
    talk: list[dict[str, Any]] = list(view.get("talk") or ())
    roles = {p["seat"]: p["role"] for p in players if p.get("role")}
    if seat is not None and view.get("your_role"):
        roles[seat] = view["your_role"]
    day = int(view.get("day") or 1)
    table = Table(
        day=day,
        seat=seat,
        role=view.get("your_role"),
        alive=tuple(view.get("alive") or ()),
        pack=frozenset(view.get("wolves") or ()),
        roles=roles,
        picks=tuple(pick["target"] for pick in view.get("night_picks") or ()),
        seen={r["target"]: _is_wolf(r) for r in view.get("seer_results") or ()},
        statements=_all_statements(talk, day),
        claims=_claims(talk),
        ballots=Counter(
            vote["target"]
            for vote in view.get("votes_so_far") or ()
            if isinstance(vote.get("target"), int)
        ),
        spoken=sum(_is_spoken(said, seat, view) for said in talk),
        said=Counter(
            phrases.pattern_of(said["text"])
            for said in (*talk, *(view.get("night_chat") or ()))
            if "text" in said
        ),
        victim=next(
            (
                p["seat"]
                for p in players
                if p.get("cause") == WEREWOLVES and p.get("eliminated_day") == day
            ),
            None,
        ),
        quiet_night=any(
            done.get("day") == day - 1 and done.get("killed") is None
            for done in view.get("days") or ()
        ),
    )
    table.suspicion = _suspicion(table, list(view.get("days") or ()))
    return table


def _is_spoken(said: dict[str, Any], seat: int | None, view: Mapping[str, Any]) -> bool:
    now = view.get("day"), view.get("phase")
    return said["seat"] == seat and (said.get("day"), said.get("phase", now[1])) == now


def _is_wolf(result: dict[str, Any]) -> bool:
    return bool(result.get("werewolf", result.get("team") == WEREWOLVES))


def _all_statements(talk: list[dict[str, Any]], today: int) -> list[Statement]:
    """What was said of whom, in order; a seer's word is a seer's from its claim on."""
    seers: set[int] = set()
    found = []
    for said in talk:
        if _claimed(said) == SEER:
            seers.add(said["seat"])
        as_seer = said["seat"] in seers
        day = int(said.get("day", today))
        found += [Statement(day, said["seat"], *about, as_seer) for about in _judgements(said)]
    return found


def _judgements(said: dict[str, Any]) -> Iterator[tuple[int, bool]]:
    """Who is spoken of, and whether badly: in a tag, or in a text."""
    if said.get("action") in ("accuse", "defend"):
        yield said["target"], said["action"] == "accuse"
    if said.get("intent") == "accuse" and "to" in said:
        yield said["to"], True
    for remark, about in phrases.understood(said.get("text") or ""):
        if about is not None and about != said["seat"]:
            yield about, remark == "accuse"


def _claimed(said: dict[str, Any]) -> str | None:
    """The role that somebody claims with this."""
    if said.get("action") == "claim":
        return str(said["role"])
    remarks = dict(phrases.understood(said.get("text") or ""))
    return SEER if "seer" in remarks else None


def _claims(talk: list[dict[str, Any]]) -> dict[int, list[str]]:
    claims: dict[int, list[str]] = defaultdict(list)
    for said in talk:
        role = _claimed(said)
        if role is not None:
            claims[said["seat"]].append(role)
    return claims


def _suspicion(table: Table, days: list[dict[str, Any]]) -> dict[int, float]:
    """How strongly each living other seat is suspected by the table, from public facts.

    A villager knows its own card, too. A werewolf does as if it did not know its own, so that it
    comes to what the others come to.
    """
    score: dict[int, float] = defaultdict(float)
    shown = {seat: role for seat, role in table.roles.items() if seat not in table.alive}
    if table.role != WEREWOLF and table.seat is not None:
        shown[table.seat] = table.role or ""
    for said in {(s.day, s.by, s.about): s for s in reversed(table.statements)}.values():
        score[said.about] += _credit(table, said, shown) * (1 if said.bad else -1)
        if said.about in shown and said.bad:  # how good was that accusation, as it turned out?
            right = shown[said.about] == WEREWOLF
            for_right, for_wrong = (-20.0, 8.0) if said.as_seer else (-1.0, 0.4)
            score[said.by] += for_right if right else for_wrong
    for done in days:
        for vote in done.get("votes") or ():
            target = vote.get("target")
            role = shown.get(target) if isinstance(target, int) else None
            if role is not None:
                score[vote["seat"]] += -1.0 if role == WEREWOLF else 0.6
    claimants = [seat for seat in table.claims if seat in table.alive and table.claims_seer(seat)]
    for seat in claimants:
        if SEER in shown.values():
            score[seat] += 20.0  # there is only one seer, and that one is known
        elif len(claimants) == 1:  # who is alone is trusted
            score[seat] -= 3.0
        else:  # of several all but one are lying, and who came first has the better word
            score[seat] += 6.0 if seat != claimants[0] else 5.0
    return {seat: score[seat] for seat in table.others}


def _credit(table: Table, said: Statement, shown: dict[int, str]) -> float:
    """How much a statement counts."""
    role = shown.get(said.by)
    if role == WEREWOLF:
        return -1.5  # a werewolf's word, now that it is known for one
    if not said.as_seer or said.by == table.seat:
        return 1.0 if role is not None and said.by != table.seat else 0.5
    if role == SEER:
        return 50.0
    if SEER in shown.values() or not table.claims_seer(said.by) or _was_wrong(table, said, shown):
        return 0.0
    contested = sum(map(table.claims_seer, table.alive)) > 1
    return 1.0 if contested else 6.0


def _was_wrong(table: Table, said: Statement, shown: dict[int, str]) -> bool:
    """Whether who said this has named somebody as a seer who turned out to be none."""
    return any(
        s.by == said.by and s.as_seer and s.bad and shown.get(s.about, WEREWOLF) != WEREWOLF
        for s in table.statements
    )
