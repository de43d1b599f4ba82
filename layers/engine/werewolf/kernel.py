"""Start a match, move, let time pass, leave. State in, state out.

Each function takes a match and gives a new one with the events that led there; the given match is
never changed. `now` is in milliseconds since the epoch and comes from the caller: nothing here
reads a clock.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NoReturn

from werewolf import dice
from werewolf.draft import Draft
from werewolf.errors import IllegalMove, InvalidOptions, UnknownRuleset
from werewolf.events import Event, Viewer, visible_to
from werewolf.match import OVER, REVISION, Match, Transition, Turn, new
from werewolf.moves import Menu, Move, is_object, read_move
from werewolf.options import OptionValue
from werewolf.roles import ROLES
from werewolf.ruleset import RuleSet
from werewolf.rulesets import RULESETS
from werewolf.voiding import reason_to_void
from werewolf.waiting import wait_for, wait_no_more

_FORFEITED = frozenset({"illegal_action", "illegal_target"})


def ruleset_of(ruleset: str) -> RuleSet:
    """The rule set with this id, or `UnknownRuleset`."""
    try:
        return RULESETS[ruleset]
    except (KeyError, TypeError):
        raise UnknownRuleset(ruleset) from None


def check_options(
    ruleset: str, options: Mapping[str, object] | None, *, revision: int = REVISION
) -> dict[str, OptionValue]:
    """All options of a match with their values; `InvalidOptions` names the one that is wrong."""
    if type(revision) is not int or not 1 <= revision <= REVISION:
        raise InvalidOptions("revision", f"must be from 1 to {REVISION}")
    return ruleset_of(ruleset).settle({} if options is None else options, revision)


def start(
    ruleset: str,
    names: Sequence[str],
    *,
    seed: str,
    now: int,
    options: Mapping[str, object] | None = None,
    roles: Sequence[str] | None = None,
    revision: int = REVISION,
) -> Transition:
    """Deal a match and open its first phase.

    `names` has one display name per seat, in seat order. `seed` is 64 lower-case hex digits. The
    deal shuffles the roles of the table (label `deal`, the first throws of the match); `roles`
    fixes it instead, for tests and analysis. `revision` (1 to `REVISION`) plays by the rules as
    they were, for replays of earlier matches. Raises `UnknownRuleset` or `InvalidOptions`.
    """
    rules = ruleset_of(ruleset)
    chosen = check_options(ruleset, options, revision=revision)
    if not _are_texts(names):
        raise InvalidOptions("names", "must be a list of names")
    count = len(names)
    if not rules.seats.min <= count <= rules.seats.max:
        raise InvalidOptions(
            "names", f"{rules.id} seats {rules.seats.min} to {rules.seats.max} players"
        )
    if not dice.is_seed(seed):
        raise InvalidOptions("seed", "must be 64 lower-case hex digits")
    if roles is not None and not (
        _are_texts(roles) and len(roles) == count and set(roles) <= set(ROLES)
    ):
        raise InvalidOptions("roles", "must name a role for every seat")
    throws = 0
    if roles is None:
        roles, throws = dice.shuffled(seed, "deal", 0, rules.deal(count, chosen))
    blank = _blank(rules.id, seed, chosen, tuple(roles), throws)
    draft = Draft(blank._replace(revision=revision, last_move=(0, now)), rules, now)
    _enter(draft, rules.begin(draft, names))
    _proceed(draft)
    return draft.transition()


def act(match: Match, seat: int, move: Mapping[str, Any], *, now: int) -> Transition:
    """A seat's own move. Raises `IllegalMove`; under rules with forfeits, an illegal action or
    target is played as a forfeit instead."""
    if seat not in match.awaiting or type(seat) is not int:
        _refuse_turn(match, seat)
    rules = RULESETS[match.ruleset]
    phase = rules.phases[match.phase]
    if match.deadline is not None and now >= match.deadline:
        raise IllegalMove("deadline_passed", "the time for this turn has passed")
    draft = Draft(match, rules, now)
    draft.last_move = (match.day, now)
    try:
        played = _read(rules, phase.actions(match, seat), match, seat, move)
        if match.strikes[seat]:
            draft.clear_strikes(seat)
        phase.take_turn(draft, seat)
        if not rules.aside_names.isdisjoint(played):
            rules.keep_asides(draft, seat, played)
        phase.play(draft, seat, played)
    except IllegalMove as refusal:
        if not (rules.forfeits and refusal.code in _FORFEITED):
            refusal.legal_actions = tuple(phase.offers(match, seat))
            raise
        phase.take_turn(draft, seat)
        rules.depart(draft, seat, "forfeit")
    _proceed(draft)
    return draft.transition()


def expire(match: Match, *, now: int) -> Transition:
    """Play for every seat whose time is up; before the deadline nothing changes.

    One deadline passes per call: the next one counts from `now`, so that nobody loses time because
    the clock was late. A match that is void by then (see `void`) ends instead.
    """
    if match.deadline is None or now < match.deadline:
        return Transition(match, ())
    if match.revision > 1 and reason_to_void(match, now) is not None:
        return void(match, now=now)
    rules = RULESETS[match.ruleset]
    draft = Draft(match, rules, now)
    if match.last_move is None:  # a state of an earlier version, which did not keep it
        draft.last_move = (match.day, now)
    rules.phases[match.phase].run_out(draft)
    _proceed(draft)
    return draft.transition()


def void(match: Match, *, now: int) -> Transition:
    """End a match that nobody plays any more: it does not count, and nobody wins.

    It is void once no seat has made a move of its own for three days and nights in a row, or for
    24 hours, or once the table has waited for 24 hours. Until then nothing changes.
    """
    reason = None if match.over else reason_to_void(match, now)
    if reason is None:
        return Transition(match, ())
    rules = RULESETS[match.ruleset]
    draft = Draft(match, rules, now)
    rules.void(draft, reason)
    return draft.transition()


def leave(match: Match, seat: int, *, now: int) -> Transition:
    """A player leaves the match for good. Raises `IllegalMove` when it is out or over already."""
    _check_running(match, seat)
    rules = RULESETS[match.ruleset]
    draft = Draft(match, rules, now)
    rules.depart(draft, seat, "left")
    wait_no_more(draft, ())
    _proceed(draft)
    return draft.transition()


def pause(match: Match, seats: Collection[int], *, now: int) -> Transition:
    """The connections of these seats dropped: the table waits for them, and the clock stands.

    Nothing changes under rules that do not wait (`RuleSet.waits`), and for seats that are out or
    missing already. A deadline that has passed is for `expire` to play first.
    """
    rules = RULESETS[match.ruleset]
    if match.over or not rules.waits:
        return Transition(match, ())
    draft = Draft(match, rules, now)
    wait_for(draft, seats)
    return draft.transition()


def resume(match: Match, seats: Collection[int], *, now: int) -> Transition:
    """These seats are back: once nobody is missing, the clock goes on with the time that was left.

    Nothing changes for seats that the table does not wait for.
    """
    if match.pause is None:
        return Transition(match, ())
    draft = Draft(match, RULESETS[match.ruleset], now)
    wait_no_more(draft, seats)
    _proceed(draft)
    return draft.transition()


def put_out(match: Match, seat: int, *, now: int) -> Transition:
    """The host puts out a player that the table waits for: it leaves the match for good.

    Raises `IllegalMove`: `not_absent`, `too_early` before the option `wait_limit_s` has passed, and
    as `leave` does.
    """
    _check_running(match, seat)
    if seat not in match.waiting_for:
        raise IllegalMove("not_absent", "the table does not wait for this seat")
    assert match.pause is not None
    missing_since = match.pause["at"] + dict(match.pause["for"])[seat]
    if now < missing_since + 1000 * int(match.options.get("wait_limit_s", 0)):
        raise IllegalMove("too_early", "the table must wait for this seat a while longer")
    return leave(match, seat, now=now)


def turn(match: Match, seat: int) -> Turn | None:
    """What the seat may do now, or None."""
    if seat not in match.awaiting or type(seat) is not int:
        return None
    day, name = match.day, match.phase
    phase = RULESETS[match.ruleset].phases[name]
    turn_id = f"{day}.{name}.{phase.turn_number(match, seat)}"
    return new(Turn, (turn_id, name, day, phase.offers(match, seat), match.deadline))


def view(match: Match, log: Sequence[Event], viewer: Viewer) -> dict[str, Any]:
    """What the viewer may know: the visible state, JSON-ready.

    `log` is every event of the match so far; those that the viewer may not see are left out here.
    """
    seen = [event for event in log if visible_to(event, viewer)]
    return RULESETS[match.ruleset].view(match, seen, viewer)


def _blank(
    ruleset: str, seed: str, options: dict[str, OptionValue], roles: tuple[str, ...], throws: int
) -> Match:
    return Match(
        ruleset=ruleset,
        seed=seed,
        options=options,
        roles=roles,
        day=1,
        phase="",
        alive=tuple(range(len(roles))),
        awaiting=(),
        upcoming=(),
        deadline=None,
        moves=(0,) * len(roles),
        strikes=(0,) * len(roles),
        picks=(),
        ballots=(),
        eliminated=(),
        throws=throws,
        notes={},
        pause=None,
        winner=None,
        standing=(),
    )


def _are_texts(values: object) -> bool:
    """Whether these are several texts, in order."""
    if not isinstance(values, Sequence) or isinstance(values, str):
        return False
    return all(isinstance(value, str) for value in values)


def _refuse_turn(match: Match, seat: int) -> NoReturn:
    """Say why a seat that is not awaited may not act."""
    _check_running(match, seat)
    if match.pause is not None:
        raise IllegalMove("paused", "the table waits for somebody")
    phase = RULESETS[match.ruleset].phases[match.phase]
    raise IllegalMove(phase.refusal(match, seat), "this seat may not act now")


def _check_running(match: Match, seat: int) -> None:
    if match.over:
        raise IllegalMove("match_over", "the match is over")
    if seat not in match.alive or type(seat) is not int:
        gone = type(seat) is int and any(seat == out for out, _, _ in match.eliminated)
        code = "eliminated" if gone else "not_your_turn"
        raise IllegalMove(code, "this seat takes no part any more" if gone else "no such seat")


def _read(rules: RuleSet, menu: Menu, match: Match, seat: int, raw: object) -> Move:
    """The seat's move, checked against its menu."""
    if type(raw) is dict:  # the quick way for what is usual
        name = raw.get("action")
        if type(name) is str and name in menu:
            return menu[name].read(raw, match, seat, rules.asides_of)
    if is_object(raw):
        raw = rules.respell(raw)
    return read_move(raw, menu, match, seat, rules.asides_of, rules.vocabulary)


def _enter(draft: Draft, phase: str) -> None:
    draft.phase = phase
    draft.moves = (0,) * len(draft.roles)
    draft.rules.phases[phase].open(draft)


def _proceed(draft: Draft) -> None:
    """Go on until somebody may act, time must pass, or the match is over."""
    phases = draft.rules.phases
    while draft.phase != OVER and draft.pause is None:
        phase = phases[draft.phase]
        if phase.await_next(draft):
            return
        following = phase.close(draft)
        if draft.phase != OVER:
            _enter(draft, following)
