"""Two matches of house-9 that differ only in what a viewer may not know look the same to it.

A plan is drawn: who dies each night, what is said and cast by day, who leaves. It is played twice
with the same seed, with roles, bargaining, protections, investigations, silent night turns and
thinking that differ wherever the viewer may not know them. Everything that the viewer can find out
is compared after each step of the day, and over each night.
"""

import json
from collections.abc import Callable
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import werewolf
from tests.examples import examples
from werewolf import IllegalMove, Match
from werewolf.checking.matches import NOW

ROLES = [*["werewolf"] * 2, "seer", "doctor", *["villager"] * 4]
SEATS = range(len(ROLES))
DAYS = 3
PROBES = [
    {"action": "propose", "target": 1},
    {"action": "investigate", "target": 0},
    {"action": "protect", "target": 2},
    {"action": "say", "message": "Hm.", "to": 3},
    {"action": "vote", "target": 2},
    {"action": "pass"},
    {},
]
unhurried = settings(deadline=None, max_examples=examples(75))


class Twin:
    """One of the two matches. What the viewer may not know is drawn for it alone."""

    def __init__(self, roles: list[str], seed: str, viewer: Any, data: st.DataObject) -> None:
        self.data = data
        self.viewer = viewer
        self.now = NOW
        self.log: list[werewolf.Event] = []
        self.keep(
            werewolf.start(
                "house-9",
                [f"p{seat}" for seat in SEATS],
                seed=seed,
                now=self.now,
                options={"max_consecutive_timeouts": 10},
                roles=roles,
            )
        )

    def keep(self, transition: werewolf.Transition) -> None:
        self.match: Match = transition.match
        self.log.extend(transition.events)

    @property
    def on_turn(self) -> int:
        return self.match.awaiting[0]

    def draw(self, *choices: Any) -> Any:
        return self.data.draw(st.sampled_from(choices))

    def move(self, **move: Any) -> None:
        """The seat on turn moves, with thoughts of its own."""
        if self.on_turn != self.viewer:
            move["thinking"] = self.draw(None, "I am the wolf.", "I am not the wolf.")
        self.now += 1
        self.keep(werewolf.act(self.match, self.on_turn, move, now=self.now))

    def silence(self) -> None:
        assert self.match.deadline is not None
        self.now = self.match.deadline
        self.keep(werewolf.expire(self.match, now=self.now))

    def leave(self, seat: int) -> None:
        self.now += 1
        self.keep(werewolf.leave(self.match, seat, now=self.now))

    def sight(self) -> str:
        """Everything that the viewer can find out, as bytes; times as time that is left."""
        viewer, match = self.viewer, self.match
        view = werewolf.view(match, self.log, viewer)
        if view["turn"] and "deadline_ms" in view["turn"]:
            view["turn"]["deadline_ms"] -= self.now
        events = [[e.type, e.data] for e in self.log if werewolf.visible_to(e, viewer)]
        turn = werewolf.turn(match, viewer) if isinstance(viewer, int) else None
        offer = turn and (turn.turn_id, turn.legal_actions)
        refused = isinstance(viewer, int) and turn is None and self.refusals(viewer)
        return json.dumps([view, events, offer, refused])

    def refusals(self, seat: int) -> list[Any]:
        found = []
        for probe in PROBES:
            try:
                werewolf.act(self.match, seat, probe, now=self.now)
            except IllegalMove as refusal:
                found.append((refusal.code, refusal.detail, refusal.legal_actions))
            else:
                found.append(("accepted", "", None))
        return found

    # ---- the night ------------------------------------------------------------------------------

    def night(self, killed: int | None, plan: dict[str, Any]) -> list[str]:
        """Play the night to this end. Returns what the viewer sees on the way, changes only.

        Who acts at night may notice that nobody acts after it: parts that nobody living can play
        are passed over. So for those it is their own part that counts, and how it ends.
        """
        acts = any(map(self.holds, ("werewolf", "seer", "doctor")))
        saved = self.draw(False, True) and killed is None and self.can_save() is not None
        attacked = killed if not saved else self.can_save()
        seen = [self.sight()]
        while self.match.phase.startswith("night"):
            part: dict[str, Callable[..., None]] = {
                "night_wolves": self.pack_turn,
                "night_seer": self.seer_turn,
                "night_doctor": self.doctor_turn,
            }
            part[self.match.phase](attacked, saved, plan)
            told = werewolf.view(self.match, self.log, self.viewer)["phase"]
            if told.startswith("night") and not (acts and told == "night"):
                seen += [self.sight()] if self.sight() != seen[-1] else []
        return [*seen, self.sight()]

    def holds(self, role: str) -> bool:
        return isinstance(self.viewer, int) and self.match.roles[self.viewer] == role

    def can_save(self) -> int | None:
        """Whom the doctor could save, so that the night ends without a death."""
        roles = self.match.roles
        barred = self.match.notes.get("protected", ())
        if self.holds("werewolf") or self.holds("doctor"):
            return None
        if not any(roles[seat] == "doctor" for seat in self.match.alive):
            return None
        prey = [s for s in self.match.alive if roles[s] != "werewolf" and s not in barred]
        return prey[0] if prey else None

    def pack_turn(self, attacked: int | None, saved: bool, plan: dict[str, Any]) -> None:
        wolves = [s for s in self.match.alive if self.match.roles[s] == "werewolf"]
        prey = [s for s in self.match.alive if self.match.roles[s] != "werewolf"]
        chat = "now" if self.holds("werewolf") else self.draw("", "him", "so be it")
        if attacked is not None:
            dithers = self.on_turn == wolves[0] and len(wolves) == 2
            dithers = dithers and not self.holds("werewolf") and self.match.notes["exchange"] < 3
            other = self.draw(*[seat for seat in prey if seat != attacked])
            aim = other if dithers and self.draw(False, True) else attacked
            self.move(action="propose", target=aim, message=chat)
        elif len(wolves) == 1 or (not self.holds("werewolf") and self.draw(False, True)):
            self.silence()
        else:
            target = prey[0] if self.on_turn == wolves[0] else prey[1]
            self.move(action="propose", target=target, message=chat)

    def seer_turn(self, attacked: int | None, saved: bool, plan: dict[str, Any]) -> None:
        others = [seat for seat in self.match.alive if seat != self.on_turn]
        if self.holds("seer"):
            known = [seat for seat in plan["alike"] if seat in others]
            if known:
                self.move(action="investigate", target=known[plan["number"] % len(known)])
            else:
                self.silence()
        elif self.draw(False, True):
            self.move(action="investigate", target=self.draw(*others))
        else:
            self.silence()

    def doctor_turn(self, attacked: int | None, saved: bool, plan: dict[str, Any]) -> None:
        barred = [*self.match.notes.get("protected", ()), *([] if saved else [attacked])]
        free = [seat for seat in self.match.alive if seat not in barred]
        if saved:
            self.move(action="protect", target=attacked)
        elif self.holds("doctor"):
            self.move(action="protect", target=free[plan["number"] % len(free)])
        elif self.draw(False, True):
            self.move(action="protect", target=self.draw(*free))
        else:
            self.silence()


def goes_on(roles: list[str], alive: set[int]) -> bool:
    wolves = sum(roles[seat] == "werewolf" for seat in alive)
    return 0 < wolves < len(alive) - wolves


@st.composite
def plots(draw: st.DrawFn) -> tuple[Any, list[str], list[str]]:
    """A viewer, and two deals that it cannot tell apart."""
    deal = draw(st.permutations(ROLES))
    role = draw(st.sampled_from(["spectator", "villager", "werewolf", "seer", "doctor"]))
    if role == "spectator":
        viewer, known = "spectator", set()
    else:
        viewer = deal.index(role)
        known = {s for s in SEATS if deal[s] == role} if role == "werewolf" else {viewer}
    open_seats = [seat for seat in SEATS if seat not in known]
    other = list(deal)
    dealt = draw(st.permutations([deal[seat] for seat in open_seats]))
    for seat, card in zip(open_seats, dealt, strict=True):
        other[seat] = card
    return viewer, list(deal), other


class Story:
    """The plan, played with both twins step by step."""

    def __init__(self, plot: tuple[Any, list[str], list[str]], seed: str, data: st.DataObject):
        self.viewer, *self.deals = plot
        self.data = data
        self.twins = [Twin(deal, seed, self.viewer, data) for deal in self.deals]

    def draw(self, *choices: Any) -> Any:
        return self.data.draw(st.sampled_from(choices))

    @property
    def match(self) -> Match:
        return self.twins[0].match

    def compare(self) -> None:
        one, other = (twin.sight() for twin in self.twins)
        assert one == other

    def both(self, do: Callable[[Twin], object]) -> None:
        for twin in self.twins:
            do(twin)
        self.compare()

    def may_go(self, *seats: int | None) -> bool:
        """Whether both matches go on without these seats."""
        alive = set(self.match.alive) - set(seats)
        return all(goes_on(deal, alive) for deal in self.deals)

    def play(self) -> None:
        self.compare()
        while self.match.phase == "introductions":
            text = self.draw(None, "I am new here.")
            move = {"action": "introduce", "message": text} if text else {"action": "pass"}
            self.both(lambda twin, move=move: twin.move(**move))
        for _ in range(DAYS):
            self.night()
            self.talk()
            self.vote()

    def night(self) -> None:
        prey = [s for s in self.match.alive if all(d[s] != "werewolf" for d in self.deals)]
        killed = self.draw(None, *[seat for seat in prey if self.may_go(seat)])
        one, other = self.deals
        alike = [s for s in SEATS if (one[s] == "werewolf") == (other[s] == "werewolf")]
        plan = {"number": self.draw(*range(6)), "alike": alike}
        seen = [twin.night(killed, plan) for twin in self.twins]
        assert seen[0] == seen[1]
        assert self.match.phase == "day_talk"

    def talk(self) -> None:
        for _ in range(self.draw(0, 3, 9)):
            if self.match.phase != "day_talk":
                break
            others = [seat for seat in self.match.alive if seat != self.match.awaiting[0]]
            self.speak(self.draw("say", "hand over", "pass", "silence"), self.draw(*others))
        gone = self.draw(None, None, *[seat for seat in self.match.alive if self.may_go(seat)])
        if gone is not None:
            self.both(lambda twin: twin.leave(gone))
        while self.match.phase == "day_talk":
            self.both(lambda twin: twin.move(action="pass"))

    def speak(self, act: str, other: int) -> None:
        offer = werewolf.turn(self.match, self.match.awaiting[0])
        assert offer is not None
        may_name = other in offer.legal_actions[0]["to"]
        if act == "silence":
            self.both(lambda twin: twin.silence())
        elif act == "pass" or (act == "hand over" and not may_name):
            self.both(lambda twin: twin.move(action="pass"))
        else:
            to = other if act == "hand over" else None
            self.both(lambda twin: twin.move(action="say", message="You are one.", to=to))

    def vote(self) -> None:
        out = self.draw(None, *[seat for seat in self.match.alive if self.may_go(seat)])
        while self.match.phase == "day_vote":
            if out in (None, self.match.awaiting[0]):
                if self.draw(False, False, True):
                    self.both(lambda twin: twin.silence())
                else:
                    self.both(lambda twin: twin.move(action="abstain", message="No."))
            else:
                self.both(lambda twin: twin.move(action="vote", target=out))


@unhurried
@given(plots(), st.integers(0, 2**64), st.data())
def test_twins_look_the_same(
    plot: tuple[Any, list[str], list[str]], number: int, data: st.DataObject
) -> None:
    Story(plot, f"{number:064x}", data).play()


@unhurried
@given(plots(), st.data())
def test_the_twins_do_differ_to_the_omniscient(
    plot: tuple[Any, list[str], list[str]], data: st.DataObject
) -> None:
    """The comparison can fail: what is equal to the viewer is not equal to who knows all."""
    _, one, other = plot
    if one != other:
        twins = [Twin(deal, "ab" * 32, "omniscient", data) for deal in (one, other)]
        assert twins[0].sight() != twins[1].sight()


@given(st.sampled_from(["I am the wolf.", "x" * 8_000]), st.booleans())
def test_a_mystery_viewer_gets_the_same_bytes_with_and_without_thinking(
    thought: str, kept: bool
) -> None:
    """Neither whether there is thinking, nor how much, nor whether it is kept shows."""
    told = []
    for thinking in (None, thought):
        started = werewolf.start(
            "house-9",
            [f"p{seat}" for seat in SEATS],
            seed="ab" * 32,
            now=NOW,
            options={"captured_thinking": kept},
            roles=ROLES,
        )
        match, events = started.match, list(started.events)
        for text in ("One.", "Two."):
            move = {"action": "introduce", "message": text, "thinking": thinking}
            moved = werewolf.act(match, match.awaiting[0], move, now=NOW)
            match, events = moved.match, [*events, *moved.events]
        seen = [e.to_json_value()[:2] for e in events if werewolf.visible_to(e, "spectator")]
        told.append(json.dumps([werewolf.view(match, events, "spectator"), seen]))
        assert any(e.type == "thinking" for e in events) == (kept and thinking is not None)
    assert told[0] == told[1]
