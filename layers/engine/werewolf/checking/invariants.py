"""What holds at every step of every match, whatever the rules are."""

import json
from copy import deepcopy
from typing import Any

from werewolf import kernel
from werewolf.checking.matches import Step
from werewolf.checking.moves import listed_moves, malformed_moves, unlisted_moves
from werewolf.errors import MOVE_CODES, IllegalMove
from werewolf.events import Event, Viewer
from werewolf.match import Match
from werewolf.phases import Turns
from werewolf.roles import DRAW, VILLAGERS, WEREWOLVES
from werewolf.rulesets import RULESETS
from werewolf.shapes import Schema, fault, only_for

MOST_BYTES = 900
"""What a match may weigh as JSON, at any table and at any time."""

ENDINGS = ("faction_win", "match_void")


class Broken(AssertionError):
    """Something does not hold; the message says what."""


def must(holds: object, what: str) -> None:
    """Raise `Broken` unless it holds."""
    if not holds:
        raise Broken(what)


def check_step(step: Step) -> None:
    """What one input may change, and how.

    What goes through JSON is looked at in one step out of five, and at the end.
    """
    before, after = step.before, step.after
    check_match(after)
    if after.over or step.did.at % 5 == 0:
        check_json(step)
    must(set(after.alive) <= set(before.alive), "somebody came back to life")
    must(after.day - before.day in (0, 1), f"day {after.day} follows day {before.day}")
    kept = (after.seed, after.options, after.roles) == (before.seed, before.options, before.roles)
    must(kept, "seed, options or roles have changed")
    for event in step.events:
        check_audience(after, event)
        acts = "action" in event.data
        must(not acts or event.data["seat"] in before.alive, f"the dead act: {event}")
    ends = sum(event.type in ENDINGS for event in step.events)
    ended = after.over and step.did.by != "start" and not before.over
    must(ends == ended, f"the match is over: {ended}, but events tell so {ends} times")
    if step.refusal is not None:
        must(step.refusal.code in MOVE_CODES, f"{step.refusal.code} is no code")
        placed = step.refusal.code != "malformed" or step.refusal.field is not None
        must(placed, f"{step.refusal} names no field")


def check_match(match: Match) -> None:
    """What holds in every position."""
    seats = range(len(match.roles))
    gone = [seat for seat, _, _ in match.eliminated]
    must(sorted([*match.alive, *gone]) == [*seats], "a seat is neither alive nor gone, or both")
    must([*match.alive] == sorted(match.alive), "alive is not in seat order")
    must(set(match.awaiting) <= set(match.alive), "the dead are awaited")
    must(set(match.upcoming) <= set(match.alive), "the dead are lined up")
    if match.over:
        must(match.winner in (WEREWOLVES, VILLAGERS, DRAW, None), f"{match.winner} wins")
        must(match.awaiting == match.upcoming == (), "seats are awaited after the end")
        must(match.deadline is None and match.pause is None, "a clock runs after the end")
        ranked = sorted(place["seat"] for place in match.ranking)
        must(ranked == ([] if match.void else [*seats]), f"the ranking has the seats {ranked}")
    else:
        must(match.winner is None and match.ranking == [], "there is a winner before the end")
        waits = match.awaiting or match.deadline is not None or match.pause is not None
        must(waits, "nobody may act, for ever")
        if isinstance(RULESETS[match.ruleset].phases[match.phase], Turns) and not match.pause:
            timed = len(match.awaiting) == 1 and match.deadline is not None
            must(timed, "in turns, one seat is awaited until a deadline")
    for seat in seats:
        if seat not in match.awaiting:
            must(kernel.turn(match, seat) is None, f"seat {seat} has a turn and is not awaited")
    if match.awaiting:  # one of them, another one after every move
        seat = match.awaiting[sum(match.moves) % len(match.awaiting)]
        turn = kernel.turn(match, seat)
        must(turn and turn.legal_actions, f"seat {seat} has a turn with nothing to do")


def check_json(step: Step) -> None:
    """The match and its events survive their own JSON, and the match weighs little."""
    text = step.after.to_json()
    must(Match.from_json(text) == step.after, "the match does not survive its own JSON")
    must(len(text.encode()) <= MOST_BYTES, f"the state has {len(text.encode())} bytes")
    for event in step.events:
        survived = Event.from_json_value(json.loads(json.dumps(event.to_json_value())))
        must(survived == event, f"an event does not survive its own JSON: {event}")


def check_audience(match: Match, event: Event) -> None:
    """Those who may know of an event are those whom the rule set names."""
    if event.audience != "everyone":
        seats = set(range(len(match.roles)))
        ordered = sorted(seats.intersection(event.audience)) == [*event.audience]
        must(ordered, f"{event.type} is for {event.audience}, which are no seats in order")
    declared = RULESETS[match.ruleset].events[event.type].recipients
    must(declared.fit(match, event), f"{event} is not for {declared.words}")


def check_events(events: tuple[Event, ...], schemas: dict[str, Any]) -> None:
    """Every event has the data that is declared."""
    for event in events:
        _check_shape(event.data, schemas["events"][event.type], event.type)


def check_view(match: Match, log: list[Event], viewer: Viewer, schemas: dict[str, Any]) -> None:
    """The viewer has the fields that are declared for it, and no others; and of the past no event
    is needed but those that last."""
    state = kernel.view(match, log, viewer)
    short = kernel.view(match, _needed(match, log), viewer)
    must(short == state, f"{viewer} sees more with the events of the past than without them")
    _check_shape(state, schemas["visible_state"], f"visible_state of {viewer}")
    for name, only in only_for(RULESETS[match.ruleset].visible_state).items():
        has = "has" if name in state else "lacks"
        must((name in state) == only.has(match, viewer), f"{viewer} {has} {name} in visible_state")


def _needed(match: Match, log: list[Event]) -> list[Event]:
    """What is read of a log, however long it is: the present day, the talk, and what lasts."""
    rules = RULESETS[match.ruleset]
    before = [at for at, event in enumerate(log, 1) if event.data.get("day", match.day) < match.day]
    past, present = log[: max(before, default=0)], log[max(before, default=0) :]
    return [
        event
        for event in past
        if event.type in rules.lasting or (rules.shows_past_talk and rules.is_talk(event))
    ] + present


def _check_shape(value: Any, schema: Schema, name: str) -> None:
    must(json.loads(json.dumps(value)) == value, f"{name} does not survive its own JSON")
    found = fault(value, schema)
    must(found is None, f"{name}: {found}")


def check_legal_actions(match: Match, *, now: int) -> None:
    """Every listed move of every awaited seat is accepted, and nothing else is.

    An unlisted move is refused, with what would be legal, or puts the player out under rules with
    forfeits; a malformed one is refused always. Nobody else's move is accepted. Neither the match
    nor the moves that are handed in ever change.
    """
    schema = RULESETS[match.ruleset].schemas()["legal_actions"]
    as_it_was = match.to_json()
    for seat in range(len(match.roles)):
        turn = kernel.turn(match, seat)
        if turn is None:
            _check_stranger(match, seat, now=now)
            continue
        _check_shape(turn.legal_actions, schema, "legal_actions")
        for move in listed_moves(match, seat):
            given = deepcopy(move)
            try:
                after = kernel.act(match, seat, move, now=now).match
            except IllegalMove as error:
                raise Broken(f"{given} is offered to seat {seat} and refused: {error}") from None
            must(move == given, f"{given} was changed into {move}")
            causes = [cause for _, _, cause in after.eliminated[len(match.eliminated) :]]
            must("forfeit" not in causes, f"{given} is offered to seat {seat} and a forfeit")
        for move in unlisted_moves(match, seat):
            _check_unlisted(match, seat, move, turn.legal_actions, now=now)
        for move in malformed_moves(match, seat):
            refusal = refused(match, seat, move, now=now)
            codes = ("malformed", "message_required", "message_too_long")
            must(refusal.code in codes, f"{move} is refused as {refusal.code}")
    if match.deadline is not None:
        kernel.expire(match, now=match.deadline)
    for seat in () if match.over else match.alive:
        kernel.leave(match, seat, now=now)
    must(match.to_json() == as_it_was, "a match that was handed in has changed")


def _check_stranger(match: Match, seat: int, *, now: int) -> None:
    """A seat without a turn is told why."""
    refusal = refused(match, seat, {"action": "pass"}, now=now)
    gone = "not_your_turn" if seat in match.alive else "eliminated"
    codes = ("match_over",) if match.over else ("paused", gone, "locked")
    must(refusal.code in codes, f"seat {seat} has no turn and is refused as {refusal.code}")


def _check_unlisted(match: Match, seat: int, move: Any, legal: list[Any], *, now: int) -> None:
    if RULESETS[match.ruleset].forfeits:
        gone = kernel.act(match, seat, move, now=now).match.eliminated[len(match.eliminated) :]
        must(gone[:1] == ((seat, match.day, "forfeit"),), f"{move} is no forfeit of seat {seat}")
        return
    refusal = refused(match, seat, move, now=now)
    codes = ("illegal_action", "illegal_target")
    must(refusal.code in codes, f"{move} of seat {seat} is refused as {refusal.code}")
    must([*refusal.legal_actions] == legal, f"the refusal of {move} offers something else")


def refused(match: Match, seat: int, move: Any, *, now: int) -> IllegalMove:
    """The refusal of a move that must be refused."""
    try:
        kernel.act(match, seat, move, now=now)
    except IllegalMove as refusal:
        return refusal
    raise Broken(f"{move} of seat {seat} is accepted and was not offered")
