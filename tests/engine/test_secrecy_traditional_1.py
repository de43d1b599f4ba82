"""traditional-1 in pairs: what a viewer may not know changes nothing that it can find out.

Two matches run side by side by the same clock. After every moment the two must look the same, byte
by byte, to whoever may not know how they differ.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import werewolf
from tests.examples import examples
from werewolf import IllegalMove, Match, Viewer

NOW = 1_800_000_000_000
ROLES = ["werewolf", "werewolf", "seer", "doctor", "villager", "villager", "villager"]
SEATS = range(len(ROLES))
PROBES = (
    *({"action": "choose", "target": seat} for seat in (*SEATS, 9)),
    *({"action": action} for action in ("lock", "abstain", "choose", "dance")),
    {"action": "say", "message": "Hm."},
    {"action": "vote", "target": 0},
)

Deed = tuple[int, int, dict[str, Any]]
"""When (ms after the start), who, and what."""


class Telling:
    """One of the two matches; `until` lets its clock run and its deeds happen."""

    def __init__(self, roles: Sequence[str], seed: str = "5eed" * 16, **options: Any) -> None:
        names = [f"p{seat}" for seat in range(len(roles))]
        self.log: list[werewolf.Event] = []
        self.deeds: list[Deed] = []
        self._keep(
            werewolf.start("traditional-1", names, seed=seed, now=NOW, options=options, roles=roles)
        )

    def _keep(self, transition: werewolf.Transition) -> None:
        self.match: Match = transition.match
        self.log.extend(transition.events)

    def until(self, moment: int) -> None:
        due = sorted((deed for deed in self.deeds if deed[0] <= moment), key=lambda deed: deed[0])
        self.deeds = [deed for deed in self.deeds if deed[0] > moment]
        for at, seat, move in due:
            self._keep(werewolf.expire(self.match, now=NOW + at))
            self._keep(werewolf.act(self.match, seat, move, now=NOW + at))
        self._keep(werewolf.expire(self.match, now=NOW + moment))

    def sight(self, viewer: Viewer) -> str:
        """Everything that the viewer can find out, as the bytes that it would get."""
        events = [[e.type, e.data] for e in self.log if werewolf.visible_to(e, viewer)]
        turn = werewolf.turn(self.match, viewer) if isinstance(viewer, int) else None
        refusals = [] if turn else [self._refusal(viewer, probe) for probe in PROBES]
        state = werewolf.view(self.match, self.log, viewer)
        return json.dumps([state, events, turn and turn.as_dict(), refusals])

    def _refusal(self, viewer: Viewer, probe: dict[str, Any]) -> Any:
        if not isinstance(viewer, int):
            return None
        try:
            werewolf.act(self.match, viewer, probe, now=NOW)
        except IllegalMove as refusal:
            return [refusal.code, refusal.detail, refusal.legal_actions]
        raise AssertionError("a seat without a turn has moved")


def compare(one: Telling, two: Telling, viewers: Iterable[Viewer], ends: Iterable[int]) -> None:
    """Both go on from moment to moment; at each of them the viewers see no difference."""
    viewers = list(viewers)
    moments = {at for at, _, _ in (*one.deeds, *two.deeds)} | set(ends)
    for moment in sorted(moments):
        one.until(moment)
        two.until(moment)
        for viewer in viewers:
            assert one.sight(viewer) == two.sight(viewer), (moment, viewer)


@st.composite
def lock_times(draw: st.DrawFn) -> dict[int, int]:
    """When each seat locks; who never does is not in it."""
    everybody = draw(st.booleans())
    seats = SEATS if everybody else draw(st.lists(st.sampled_from(SEATS), unique=True))
    return {seat: draw(st.integers(1_000, 55_000)) for seat in seats}


def lock_deeds(locks: dict[int, int]) -> list[Deed]:
    return [(at, seat, {"action": "lock"}) for seat, at in locks.items()]


def choice(at: int, seat: int, target: int) -> Deed:
    return (at, seat, {"action": "choose", "target": target})


@st.composite
def hunts(draw: st.DrawFn, prey: list[int], victim: int | None, saved: int) -> list[list[int]]:
    """What each of two wolves chooses, one target after the other, so that just the victim dies."""
    dither = st.lists(st.sampled_from(prey), max_size=3)
    first, second = draw(dither), draw(dither)
    if victim is not None:
        return [[*first, victim], [*second, victim]]
    how = draw(st.sampled_from(["saved", "split", "one", "asleep"]))
    if how == "saved":
        return [[*first, saved], [*second, saved]]
    if how == "split":
        ends = draw(st.permutations(prey))[:2]
        return [[*first, ends[0]], [*second, ends[1]]]
    return [[*first, prey[0]], []] if how == "one" else [[], []]


@given(st.data())
@settings(max_examples=examples(150))
def test_the_night_is_the_same_whatever_the_pack_does(data: st.DataObject) -> None:
    roles = data.draw(st.permutations(ROLES))
    wolves = [seat for seat in SEATS if roles[seat] == "werewolf"]
    prey = [seat for seat in SEATS if seat not in wolves]
    locks = data.draw(lock_times())
    seer, doctor = roles.index("seer"), roles.index("doctor")
    saved = data.draw(st.sampled_from(prey))
    victim = data.draw(st.sampled_from([None, *(seat for seat in prey if seat != saved)]))
    pair = Telling(roles), Telling(roles)
    for telling in pair:
        telling.deeds = [choice(500, doctor, saved), choice(501, seer, wolves[0])]
        telling.deeds += lock_deeds(locks)
        for wolf, targets in zip(wolves, data.draw(hunts(prey, victim, saved)), strict=True):
            latest = locks.get(wolf, 59_000)
            times = data.draw(
                st.lists(
                    st.integers(0, latest - 1),
                    min_size=len(targets),
                    max_size=len(targets),
                    unique=True,
                )
            )
            telling.deeds += [
                choice(at, wolf, target) for at, target in zip(sorted(times), targets, strict=True)
            ]
    outside = [*prey, "spectator"]
    compare(*pair, outside, [0, 19_999, 20_000, 55_000, 60_000, 110_000, 400_000])
    assert pair[0].match.over == pair[1].match.over
    assert pair[0].match.day == pair[1].match.day == 2 or pair[0].match.over


@given(st.data())
@settings(max_examples=examples(100))
def test_a_lock_at_night_is_nobody_elses_business(data: st.DataObject) -> None:
    viewer = data.draw(st.sampled_from([*SEATS, "spectator"]))
    roles = data.draw(st.permutations(ROLES))
    one, two = Telling(roles), Telling(roles)
    locks, other_locks = data.draw(lock_times()), data.draw(lock_times())
    other_locks.pop(viewer, None)
    if viewer in locks:
        other_locks[viewer] = locks[viewer]
    one.deeds, two.deeds = (
        [deed for deed in lock_deeds(those) if deed[0] < 20_000] for those in (locks, other_locks)
    )
    compare(one, two, [viewer], [0, 19_999])


@given(st.data())
@settings(max_examples=examples(150))
def test_twin_deals_look_the_same(data: st.DataObject) -> None:
    """The roles of others differ, and what they do in secret; the public story is the same."""
    role = data.draw(st.sampled_from(["spectator", *sorted(set(ROLES))]))
    deal = data.draw(st.permutations(ROLES))
    viewer: Any = "spectator" if role == "spectator" else deal.index(role)
    known = [seat for seat in SEATS if seat == viewer or deal[seat] == role == "werewolf"]
    open_seats = [seat for seat in SEATS if seat not in known]
    twin = list(deal)
    shuffled = data.draw(st.permutations([deal[seat] for seat in open_seats]))
    for seat, other in zip(open_seats, shuffled, strict=True):
        twin[seat] = other
    reveal = data.draw(st.booleans())
    mortal = [
        seat
        for seat in SEATS
        if "werewolf" not in (deal[seat], twin[seat]) and (deal[seat] == twin[seat] or not reveal)
    ]
    victim = data.draw(st.sampled_from([None, *mortal]))
    locks = data.draw(lock_times())
    pair = (
        Telling(deal, seed="ab" * 32, reveal_roles=reveal),
        Telling(twin, seed="cd" * 32, reveal_roles=reveal),
    )
    same = [seat for seat in SEATS if deal[seat] == twin[seat] and seat != viewer]
    told = data.draw(st.sampled_from([*same, None] if role == "seer" else [*SEATS]))
    if told == victim and role == "doctor":
        told = viewer if victim != viewer else data.draw(st.sampled_from(open_seats))
    day = _day(data, victim)
    for telling in pair:
        roles = telling.match.roles
        wolves = [seat for seat in SEATS if roles[seat] == "werewolf"]
        telling.deeds = [(at + 100_000, seat, move) for at, seat, move in day] + lock_deeds(locks)
        if victim is not None:
            telling.deeds += [choice(at, wolf, victim) for at, wolf in enumerate(wolves, 100)]
        if role in ("seer", "doctor") and told is not None:
            telling.deeds.append(choice(200, viewer, told))
        for at, other in enumerate(("seer", "doctor"), 300):
            actor = roles.index(other)
            targets = [seat for seat in SEATS if seat not in (actor, victim)]
            target = data.draw(st.sampled_from([None, *targets]))
            if actor != viewer and target is not None:
                telling.deeds.append(choice(at, actor, target))
    compare(*pair, [viewer], [0, 20_000, 60_000, 100_000, 400_000, 410_000])


def _day(data: st.DataObject, dead: int | None) -> list[Deed]:
    """A day on which much is said and voted, and nobody exiled."""
    living = [seat for seat in SEATS if seat != dead]
    deeds: list[Deed] = []
    for at, seat in enumerate(living):
        target = data.draw(st.sampled_from([other for other in living if other != seat]))
        deeds += [
            (at, seat, {"action": "say", "message": f"I am {seat}."}),
            (at + 20, seat, {"action": "vote", "target": target}),
            (at + 40, seat, {"action": "abstain"}),
        ]
    return deeds


def test_the_comparison_can_fail() -> None:
    """What is equal to those outside is not equal to the pack, nor to the omniscient."""
    one, two = Telling(ROLES), Telling(ROLES)
    one.deeds = [choice(5, 0, 4)]
    one.until(10)
    two.until(10)
    for viewer in (0, 1, "omniscient"):
        assert one.sight(viewer) != two.sight(viewer)
    for viewer in (2, 3, 4, 5, 6, "spectator"):
        assert one.sight(viewer) == two.sight(viewer)


def test_the_dead_see_what_a_spectator_sees_and_their_own_card() -> None:
    card = {"your_seat", "your_role", "your_team", "you_are_alive"}
    telling = Telling(ROLES)
    telling.deeds = [choice(1, 2, 0), choice(2, 0, 2), choice(3, 1, 2)]
    telling.deeds += [
        (61_000 + at, seat, {"action": "vote", "target": 0}) for at, seat in enumerate((3, 4))
    ]
    telling.until(62_000)
    telling.until(370_000)
    telling.deeds = [choice(371_000, 1, 4), choice(371_001, 3, 4)]
    telling.until(372_000)
    assert telling.match.alive == (1, 3, 4, 5, 6)
    watched = werewolf.view(telling.match, telling.log, "spectator")
    for seat in (0, 2):
        state = werewolf.view(telling.match, telling.log, seat)
        assert {key: value for key, value in state.items() if key not in card} == watched
        assert state["your_role"] == ROLES[seat]
        assert werewolf.turn(telling.match, seat) is None
