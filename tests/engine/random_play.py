"""Random play of any rule set, for property tests.

A `Script` says everything about one random match: the table, how often players dawdle, leave, err
or speak out of turn, and the seed of those choices. `play` plays it and yields one `Step` after
another; `check_step` says what must hold at each of them whatever the rules are; `replay` plays
the same inputs again.

    @given(scripts("werewolf-0.2"))
    def test_nothing_breaks(script: Script) -> None:
        for step in play(script):
            check_step(step)

Moves are built from `Turn.legal_actions` and from nothing else: a choice that is offered must be
accepted. `listed_moves` and `unlisted_moves` go through all of them.
"""

import itertools
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from hypothesis import reject
from hypothesis import strategies as st

import werewolf
from werewolf import Event, IllegalMove, Match, Transition
from werewolf.moves import Field, Seat, Text, Word
from werewolf.options import OneOf, Option, Switch, Whole
from werewolf.phases import Turns

NOW = 1_800_000_000_000
MOST_BYTES = 900
"""What a match may weigh as JSON, at any table and at any time."""

WORDS = (
    *("abstain", "accuse", "choose", "claim", "defend", "doctor_save", "inspect", "introduce"),
    *("investigate", "kill", "lock", "no_lynch", "pass", "propose", "protect", "say"),
    *("seer_check", "skip", "vote", "wolf_vote", "dance", ""),
)
"""Every action of every rule set, and some of none."""

ALPHABET = "abcdefg      éñß狼人村🐺🌕\n"

Move = dict[str, Any]


@dataclass(frozen=True)
class Table:
    """How a match starts."""

    ruleset: str
    seats: int
    seed: str
    options: Mapping[str, Any]

    def start(self, roles: Sequence[str] | None = None) -> Transition:
        names = [f"p{seat}" for seat in range(self.seats)]
        return werewolf.start(
            self.ruleset, names, seed=self.seed, now=NOW, options=self.options, roles=roles
        )


@dataclass(frozen=True)
class Script:
    """A whole random match: the table, and how often in a thousand steps what is tried."""

    table: Table
    choices: int
    """The seed of every choice that is made along the way."""
    steps: int = 2_000
    silences: int = 0
    leaves: int = 0
    illegal: int = 0
    malformed: int = 0
    out_of_turn: int = 0


@dataclass(frozen=True)
class Input:
    """What was done from outside: a move, a deadline, a departure."""

    kind: str
    now: int
    seat: int = -1
    move: Any = None

    def apply(self, match: Match) -> Transition:
        if self.kind == "act":
            return werewolf.act(match, self.seat, self.move, now=self.now)
        if self.kind == "leave":
            return werewolf.leave(match, self.seat, now=self.now)
        return werewolf.expire(match, now=self.now)


@dataclass(frozen=True)
class Step:
    """One input and what came of it; `refusal` is set when it was refused."""

    before: Match
    did: Input
    after: Match
    events: tuple[Event, ...]
    refusal: IllegalMove | None = None


# ---- strategies ---------------------------------------------------------------------------------


def option_values(option: Option) -> st.SearchStrategy[Any]:
    """Every value that an option may have, its bounds and its default most often."""
    if isinstance(option, Whole):
        edges = st.sampled_from([option.default, option.low, option.high])
        return edges | st.integers(option.low, option.high)
    if isinstance(option, Switch):
        return st.booleans()
    assert isinstance(option, OneOf)
    return st.sampled_from(option.values)


@st.composite
def tables(draw: st.DrawFn, ruleset: str) -> Table:
    """A table that the rule set can start."""
    rules = werewolf.RULESETS[ruleset]
    seats = draw(st.integers(rules.seats.min, rules.seats.max))
    changed = draw(st.lists(st.sampled_from(sorted(rules.options)), unique=True))
    options = {name: draw(option_values(rules.options[name])) for name in changed}
    table = Table(ruleset, seats, f"{draw(st.integers(0, 2**256 - 1)):064x}", options)
    try:
        table.start()
    except werewolf.InvalidOptions:
        reject()
    return table


@st.composite
def scripts(draw: st.DrawFn, ruleset: str) -> Script:
    """A random match of the rule set; the simplest ones are orderly, with default options."""
    seldom = st.sampled_from([0, 0, 5, 30])
    return Script(
        draw(tables(ruleset)),
        choices=draw(st.integers(0, 2**32 - 1)),
        silences=draw(st.sampled_from([0, 20, 200, 700])),
        leaves=draw(seldom),
        illegal=draw(seldom),
        malformed=draw(seldom),
        out_of_turn=draw(seldom),
    )


# ---- play ---------------------------------------------------------------------------------------


def play(script: Script) -> Iterator[Step]:
    """Play the script until the match is over or the steps have run out.

    The first step is the start, with the input `start` and the same match before and after.
    """
    rng = Random(script.choices)
    started = script.table.start()
    match, now = started.match, NOW
    yield Step(match, Input("start", now), match, started.events)
    for _ in range(script.steps):
        if match.over:
            return
        did = _next_input(script, match, rng, now)
        try:
            transition = did.apply(match)
        except IllegalMove as refusal:
            yield Step(match, did, match, (), refusal)
            continue
        yield Step(match, did, transition.match, transition.events)
        match, now = transition.match, did.now


def replay(table: Table, inputs: Sequence[Input], *, through_json: bool = False) -> list[Event]:
    """Every event of a match, from how it starts and what was done; refused inputs left out."""
    transition = table.start()
    events = list(transition.events)
    for did in inputs:
        match = transition.match
        transition = did.apply(Match.from_json(match.to_json()) if through_json else match)
        events += transition.events
    return events


def _next_input(script: Script, match: Match, rng: Random, now: int) -> Input:
    later = now + rng.choice([1, 40, 900, 12_000])
    if match.deadline is not None and later >= match.deadline:
        later = max(now, match.deadline - 1)
    shares = {
        "leave": script.leaves,
        "illegal": script.illegal,
        "malformed": script.malformed,
        "out_of_turn": script.out_of_turn,
        "silence": script.silences,
    }
    shares["move"] = 1_000 - sum(shares.values())
    (kind,) = rng.choices(list(shares), list(shares.values()))
    if kind == "leave":
        return Input("leave", later, rng.choice(match.alive))
    if match.deadline is not None and (kind == "silence" or not match.awaiting):
        return Input("expire", match.deadline + rng.choice([0, 0, 1, 5_000]))
    if kind == "out_of_turn":
        strangers = [s for s in range(-1, len(match.roles) + 1) if s not in match.awaiting]
        word = rng.choice(WORDS)
        return Input("act", later, rng.choice(strangers), {"action": word, "target": 0})
    seat = rng.choice(match.awaiting)
    if kind == "illegal":
        return Input("act", later, seat, rng.choice(list(unlisted_moves(match, seat))))
    if kind == "malformed":
        return Input("act", later, seat, rng.choice(list(malformed_moves(match, seat))))
    return Input("act", later, seat, legal_move(match, seat, rng))


# ---- moves --------------------------------------------------------------------------------------


def _choices(match: Match, seat: int) -> list[tuple[str, list[tuple[str, bool, str, Any]]]]:
    """The legal actions, each with its fields: name, whether required, how offered, what."""
    turn = werewolf.turn(match, seat)
    assert turn is not None
    phase = werewolf.RULESETS[match.ruleset].phases[match.phase]
    fields = {action.name: action.fields for action in phase.actions(match, seat)}
    choices = []
    for entry in turn.legal_actions:
        parts = [
            (field.name, field.required, key, entry[key])
            for field in fields[entry["action"]]
            for key in _keys(field, match, seat)
        ]
        choices.append((entry["action"], parts))
    return choices


def _keys(field: Field, match: Match, seat: int) -> Iterable[str]:
    """The keys under which a field is offered."""
    entry: dict[str, Any] = {}
    field.offer(entry, match, seat)
    return entry


def random_text(rng: Random, limit: int, unit: str) -> str:
    """A text from one letter up to the limit, in code points or bytes; mostly short."""
    room = rng.choice([1, min(12, limit), min(12, limit), limit])
    text = "".join(rng.choices(ALPHABET, k=room))
    if unit == "bytes":
        text = text.encode()[:room].decode(errors="ignore")
    return text if text.strip() else "x"


def legal_move(match: Match, seat: int, rng: Random) -> Move:
    """One of the moves that the seat is offered."""
    action, parts = rng.choice(_choices(match, seat))
    move: Move = {"action": action}
    for name, required, key, offered in parts:
        if not required and rng.random() < 0.5:
            continue
        if isinstance(offered, list):
            if offered:
                move[name] = rng.choice(offered)
        else:
            move[name] = random_text(rng, offered, key.rpartition("_")[2])
    for aside in werewolf.RULESETS[match.ruleset].asides:
        if rng.random() < 0.1:
            move[aside.name] = random_text(rng, 40, aside.unit)
    return move


def listed_moves(match: Match, seat: int) -> Iterator[Move]:
    """Every move that is offered, but for what texts may say."""
    for action, parts in _choices(match, seat):
        values = []
        for name, required, _, offered in parts:
            those = [(name, v) for v in (offered if isinstance(offered, list) else ["x"])]
            values.append(those if required else [None, *those])
        for combination in itertools.product(*values):
            yield {"action": action} | dict(part for part in combination if part is not None)


def unlisted_moves(match: Match, seat: int) -> Iterator[Move]:
    """Well-formed moves that are not offered: other actions, other targets, other words."""
    choices = _choices(match, seat)
    offered_actions = {action for action, _ in choices}
    rules = werewolf.RULESETS[match.ruleset]
    judged = (*rules.vocabulary, *rules.phases[match.phase].actions(match, seat))
    shapes = {action.name: action.fields for action in judged}
    for word in WORDS:
        if word not in offered_actions:
            needed = [field for field in shapes.get(word, ()) if field.required]
            yield {"action": word} | {field.name: _some_value(field) for field in needed}
    for action, parts in choices:
        whole: Move = {"action": action}
        for name, required, _, offered in parts:
            if required:
                whole[name] = offered[0] if isinstance(offered, list) else "x"
        for name, _, _, offered in parts:
            if isinstance(offered, list):
                seats = range(-1, len(match.roles) + 2)
                all_seats = all(isinstance(value, int) for value in offered)
                others = seats if all_seats else ("", "mayor", "Werewolf")
                yield from (whole | {name: v} for v in others if v not in offered)


def _some_value(field: Field) -> Any:
    """A value of the right kind, which may or may not be possible."""
    return {Seat: 0, Word: "seer", Text: "x"}[type(field)]


def malformed_moves(match: Match, seat: int) -> Iterator[Any]:
    """What is no move at all, whatever the situation: refused always, and never a forfeit."""
    yield from ([], "pass", None, 3, {}, {"action": None}, {"action": 5}, {"action": ["pass"]})
    for aside in werewolf.RULESETS[match.ruleset].asides:
        too_long = "x" * (aside.limit + 1)
        for action, _ in _choices(match, seat):
            yield from ({"action": action, aside.name: bad} for bad in (5, "\x00", too_long))
    for action, parts in _choices(match, seat):
        whole: Move = {"action": action}
        for name, required, _, offered in parts:
            if required:
                whole[name] = offered[0] if isinstance(offered, list) else "x"
        yield whole | {"zeal": 1}
        for name, required, _, offered in parts:
            if required:
                yield {key: value for key, value in whole.items() if key != name}
            bad: Sequence[Any] = (5, "\x00", "\ud800", "x" * 9_000)
            if isinstance(offered, list):
                seats = all(isinstance(value, int) for value in offered)
                bad = ("0", True, 1.0, [0], {}) if seats else (1, ["seer"], {})
            yield from (whole | {name: value} for value in bad)


# ---- what must hold -----------------------------------------------------------------------------


def check_step(step: Step) -> None:
    """What holds at every step of every match, whatever the rules are.

    What goes through JSON is looked at in one step out of five, and at the end.
    """
    before, after = step.before, step.after
    check_match(after)
    if after.over or step.did.now % 5 == 0:
        check_json(step)
    assert set(after.alive) <= set(before.alive), "somebody came back to life"
    assert after.day - before.day in (0, 1)
    assert after.seed == before.seed
    assert after.options == before.options
    assert after.roles == before.roles
    for event in step.events:
        if event.audience != "everyone":
            seats = set(range(len(after.roles)))
            assert list(event.audience) == sorted(seats.intersection(event.audience))
        if "action" in event.data:
            assert event.data["seat"] in before.alive, "the dead act"
    wins = sum(event.type in ("faction_win", "match_void") for event in step.events)
    assert wins == (after.over and step.did.kind != "start" and not before.over)
    if step.refusal is not None:
        assert step.refusal.code in werewolf.MOVE_CODES
        assert step.refusal.code != "malformed" or step.refusal.field is not None


def check_match(match: Match) -> None:
    """What holds in every position."""
    seats = range(len(match.roles))
    gone = [seat for seat, _, _ in match.eliminated]
    assert sorted([*match.alive, *gone]) == list(seats), "a seat is neither alive nor gone, or both"
    assert list(match.alive) == sorted(match.alive)
    assert set(match.awaiting) <= set(match.alive), "the dead are awaited"
    assert set(match.upcoming) <= set(match.alive), "the dead are lined up"
    if match.over:
        assert match.winner in ("werewolves", "villagers", "draw", None)
        assert match.void == (match.winner is None)
        assert match.awaiting == match.upcoming == ()
        assert match.deadline is match.pause is None
        ranked = sorted(place["seat"] for place in match.ranking)
        assert ranked == ([] if match.void else list(seats))
    else:
        assert match.winner is None
        assert match.ranking == []
        if match.pause is None:
            assert match.awaiting or match.deadline is not None, "nobody may act, for ever"
        if isinstance(werewolf.RULESETS[match.ruleset].phases[match.phase], Turns):
            assert len(match.awaiting) == 1
            assert match.deadline is not None
    for seat in seats:
        if seat not in match.awaiting:
            assert werewolf.turn(match, seat) is None
    if match.awaiting:  # one of them, another one after every move
        turn = werewolf.turn(match, match.awaiting[sum(match.moves) % len(match.awaiting)])
        assert turn is not None
        assert turn.legal_actions, "a turn with nothing to do"


def check_json(step: Step) -> None:
    """The match and its events survive their own JSON, and the match weighs little."""
    text = step.after.to_json()
    assert Match.from_json(text) == step.after, "the match does not survive its own JSON"
    assert len(text.encode()) <= MOST_BYTES, "the state is not compact"
    for event in step.events:
        value = json.loads(json.dumps(event.to_json_value()))
        assert Event.from_json_value(value) == event, "an event does not survive its own JSON"


def check_legal_actions(match: Match, *, now: int) -> None:
    """Every listed move of every awaited seat is accepted, and nothing else is.

    An unlisted move is refused, with what would be legal, or puts the player out under rules with
    forfeits; a malformed one is refused always. Nobody else's move is accepted.
    """
    forfeits = werewolf.RULESETS[match.ruleset].forfeits
    as_it_was = match.to_json()
    for seat in range(len(match.roles)):
        if seat not in match.awaiting:
            refusal = refused(match, seat, {"action": "pass"}, now=now)
            gone = seat not in match.alive
            over = "match_over" if match.over else None
            codes = {over or ("eliminated" if gone else "not_your_turn"), over or "locked"}
            assert refusal.code in codes
            continue
        for move in listed_moves(match, seat):
            after = werewolf.act(match, seat, move, now=now).match
            assert not any(cause == "forfeit" for _, _, cause in after.eliminated[_gone(match) :])
        for move in unlisted_moves(match, seat):
            if forfeits:
                after = werewolf.act(match, seat, move, now=now).match
                assert after.eliminated[_gone(match)] == (seat, match.day, "forfeit")
            else:
                refusal = refused(match, seat, move, now=now)
                assert refusal.code in ("illegal_action", "illegal_target")
                assert list(refusal.legal_actions) == werewolf.turn(match, seat).legal_actions  # type: ignore[union-attr]
        for move in malformed_moves(match, seat):
            refusal = refused(match, seat, move, now=now)
            assert refusal.code in ("malformed", "message_required", "message_too_long"), move
    assert match.to_json() == as_it_was, "a match that was handed in has changed"


def refused(match: Match, seat: int, move: Any, *, now: int) -> IllegalMove:
    """The refusal of a move that must be refused."""
    try:
        werewolf.act(match, seat, move, now=now)
    except IllegalMove as refusal:
        return refusal
    raise AssertionError(f"accepted from seat {seat}: {move}")


def _gone(match: Match) -> int:
    return len(match.eliminated)
