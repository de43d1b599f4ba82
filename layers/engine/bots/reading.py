"""What a seat can make out of its `visible_state`: who is suspected, and how strongly.

Other players' words are searched for seat numbers and a few words. Nothing in them is followed, and
none of them is repeated, names included.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

WEREWOLF: Final = "werewolf"
WEREWOLVES: Final = "werewolves"

CLAIM_WEIGHT: Final = 5.0
"""How much the word of the first to claim the seer's card counts, against 0.5 for anybody's."""

_SEAT: Final = re.compile(r"\bseat (\d{1,2})\b", re.IGNORECASE)
_SENTENCE: Final = re.compile(r"[.!?;:\n]+")
_KIND: Final = re.compile(r"\b(trust|innocent|cleared|no (were)?wolf|not a (were)?wolf)\b", re.I)
_UNKIND: Final = re.compile(r"\b((were)?wolf|suspect|accuse|vote|liar|lying|guilty)\b", re.I)
_SEER: Final = re.compile(r"\bI(?: am|'m) the seer\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Word:
    """Somebody spoke for (`weight` < 0) or against a seat."""

    by: int
    about: int
    weight: float


@dataclass(slots=True)
class Reading:
    """One seat's view of the table."""

    seat: int
    role: str
    day: int
    alive: tuple[int, ...]
    pack: frozenset[int]
    found: Mapping[int, bool]
    """A seer's own results: whether that seat is a werewolf."""
    picks: tuple[int, ...]
    """Whom the pack has named this night."""
    seers: tuple[int, ...]
    """Who has claimed the seer's card, the first one first."""
    words: tuple[Word, ...]
    spoken: int
    """How often this seat has spoken today."""
    suspicion: dict[int, float] = field(default_factory=dict)

    @property
    def others(self) -> tuple[int, ...]:
        """The other living seats."""
        return tuple(seat for seat in self.alive if seat != self.seat)


def read(view: Mapping[str, Any]) -> Reading:
    """Read a seated player's `visible_state`."""
    players = view["players"]
    talk = view.get("talk") or ()
    day = view["day"]
    reading = Reading(
        seat=view["your_seat"],
        role=view["your_role"],
        day=day,
        alive=tuple(view["alive"]),
        pack=frozenset(view.get("wolves") or ()),
        found={told["target"]: _is_wolf(told) for told in view.get("seer_results") or ()},
        picks=tuple(pick["target"] for pick in view.get("night_picks") or ()),
        seers=tuple(dict.fromkeys(said["seat"] for said in talk if _claims_seer(said))),
        words=tuple(word for said in talk for word in _words(said)),
        spoken=sum(said["seat"] == view["your_seat"] and said["day"] == day for said in talk),
    )
    shown = {player["seat"]: player["role"] for player in players if player.get("role")}
    reading.suspicion = _suspicion(reading, shown, view.get("days") or ())
    return reading


def _is_wolf(told: Mapping[str, Any]) -> bool:
    if "werewolf" in told:
        return bool(told["werewolf"])
    return told.get("team") == WEREWOLVES or told.get("role") == WEREWOLF


def _claims_seer(said: Mapping[str, Any]) -> bool:
    if said.get("action") == "claim":
        return bool(said["role"] == "seer")
    return _SEER.search(said.get("text") or "") is not None


def _words(said: Mapping[str, Any]) -> Iterator[Word]:
    """What was said about whom: a tag, or the sentences of a text."""
    by = said["seat"]
    if said.get("action") in ("accuse", "defend"):
        yield Word(by, said["target"], 1.0 if said["action"] == "accuse" else -1.0)
    for sentence in _SENTENCE.split(said.get("text") or ""):
        about = _SEAT.search(sentence)
        kind = _KIND.search(sentence) is not None
        if about is not None and (kind or _UNKIND.search(sentence)):
            yield Word(by, int(about[1]), -1.0 if kind else 1.0)


def _suspicion(
    reading: Reading, shown: Mapping[int, str], days: Iterable[Mapping[str, Any]]
) -> dict[int, float]:
    """How strongly each living other is suspected, from what is public alone."""
    score: dict[int, float] = defaultdict(float)
    for word in dict.fromkeys(reading.words):
        if word.by == word.about:
            continue
        score[word.about] += word.weight * _credit(reading, word.by, shown)
        if word.about in shown:  # how good was that word, as it turned out?
            right = (shown[word.about] == WEREWOLF) == (word.weight > 0)
            score[word.by] += -0.8 if right else 0.5
    for day in days:
        for vote in day.get("votes") or ():
            role = shown.get(vote.get("target"))
            if role is not None:
                score[vote["seat"]] += -1.0 if role == WEREWOLF else 0.5
    return {seat: score[seat] for seat in reading.others}


def _credit(reading: Reading, by: int, shown: Mapping[int, str]) -> float:
    """What somebody's word is worth."""
    if shown.get(by) == WEREWOLF:
        return -1.0
    if reading.seers[:1] == (by,):
        return 10 * CLAIM_WEIGHT if shown.get(by) == "seer" else CLAIM_WEIGHT
    return 0.5
