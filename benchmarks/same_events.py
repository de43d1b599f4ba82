"""Whether two versions of the engine play the same matches: the same events to every viewer.

    python benchmarks/same_events.py OLD NEW [--matches 1000] [--revision N]

OLD and NEW are folders of the project, each with its `layers/engine`. Both play the same random
matches of every rule set from the same seeds: moves drawn from what is offered, illegal ones,
silences, departures, tables that wait. For every step each writes what the seats are offered, what
each viewer is told, and now and then what it sees. Those lines are compared. With `--revision` NEW
plays by an earlier revision of the rules, which OLD need not know of; what viewers see is left out
then, since that has no revision.

Exit status 1, and the first line that differs, where they differ.
"""

import argparse
import contextlib
import hashlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from random import Random
from typing import Any, Final

NOW: Final = 1_800_000_000_000
STEPS: Final = 600
FIELDS: Final = {"targets": "target", "to": "to", "intents": "intent", "roles": "role"}
"""By the key of a list in an offer: the field of the move that is chosen from it."""
LIMIT: Final = re.compile(r"max_(\w+)_(chars|bytes)")


# ---- in the process of one version ---------------------------------------------------------------


def options_of(ruleset: str) -> dict[str, Any]:
    """The options of a rule set as this version tells them."""
    import werewolf

    told: dict[str, Any] = werewolf.RULESETS[ruleset].manifest()["options"]
    return told


def drawn_options(options: dict[str, Any], rng: Random) -> dict[str, Any]:
    """Half of the options with a value of their own; times stay, or matches would be void."""
    chosen: dict[str, Any] = {}
    for name, told in sorted(options.items()):
        if name.endswith(("_ms", "_s")) or rng.random() < 0.5:
            continue
        if told["type"] == "integer":
            chosen[name] = rng.randint(told["minimum"], told["maximum"])
        else:
            chosen[name] = rng.choice(told.get("enum", [True, False]))
    return chosen


def drawn_move(offers: list[dict[str, Any]], rng: Random) -> dict[str, Any]:
    """A move out of what is offered; seldom one that is not."""
    offer = rng.choice(offers)
    move: dict[str, Any] = {}
    for key, told in offer.items():
        limit = LIMIT.fullmatch(key)
        if key == "action":
            move["action"] = told
        elif limit:
            move[limit[1]] = rng.choice(["x", "No, you.", "狼" * (told // 3)])
        elif told and (key == "targets" or rng.random() < 0.5):
            move[FIELDS[key]] = rng.choice(told)
    odd = rng.random()
    if odd < 0.01:
        move["target"] = rng.choice([-1, 99, "0", None])
    elif odd < 0.015:
        move["action"] = rng.choice(["dance", "pass", "vote", "seer_check:0"])
    elif odd < 0.02:
        move["zeal"] = 1
    return move


def lines(
    ruleset: str, number: int, options: dict[str, Any], start: dict[str, Any], *, views: bool
) -> Iterator[Any]:
    """What there is to tell of one match, step by step."""
    import werewolf

    rng = Random(f"{ruleset} {number}")
    rules = werewolf.RULESETS[ruleset]
    seats = rng.randint(rules.seats.min, rules.seats.max)
    names = [f"p{seat}" for seat in range(seats)]
    seed = f"{rng.getrandbits(256):064x}"
    chosen = drawn_options(options, rng)
    silences = rng.choice([0.0, 0.02, 0.2])
    leaves = rng.choice([0.0, 0.005])
    log: list[Any] = []
    viewers: list[Any] = [*range(seats), "spectator", "omniscient"]
    now = NOW
    step = werewolf.start(ruleset, names, seed=seed, now=now, options=chosen, **start)
    match = step.match
    for _ in range(STEPS):
        log += step.events
        for viewer in viewers:
            yield [e.to_json_value() for e in step.events if werewolf.visible_to(e, viewer)]
        turns = [werewolf.turn(match, seat) for seat in range(seats)]
        yield [turn and turn.as_dict() for turn in turns]
        looks = rng.random() < 0.02 or match.over
        if looks and views:
            yield [werewolf.view(match, log, viewer) for viewer in viewers]
        if match.over:
            yield [match.winner, match.ranking]
            return
        now += rng.randint(1, 900)
        if match.deadline is not None:
            now = min(now, match.deadline - 1)
        try:
            step = next_step(match, now, rng, silences, leaves)
        except werewolf.IllegalMove as refusal:
            yield [refusal.code, refusal.field, refusal.legal_actions]
            step = werewolf.Transition(match, ())
        if step.match.deadline is not None and match.deadline is not None:
            now = max(now, match.deadline if step.match.deadline > match.deadline else now)
        match = step.match


def next_step(match: Any, now: int, rng: Random, silences: float, leaves: float) -> Any:
    """Somebody moves, leaves, drops or comes back, or time passes."""
    import werewolf

    what = rng.random()
    if match.pause is not None:
        missing = match.waiting_for[0]
        if what < 0.3:
            return werewolf.put_out(match, missing, now=now)
        return werewolf.resume(match, [missing], now=now)
    if what < leaves:
        return werewolf.leave(match, rng.choice(match.alive), now=now)
    if rng.random() < 0.01:
        return werewolf.pause(match, [rng.choice(match.alive)], now=now)
    if not match.awaiting or rng.random() < silences:
        return werewolf.expire(match, now=match.deadline)
    seat = rng.choice(match.awaiting)
    turn = werewolf.turn(match, seat)
    assert turn is not None
    return werewolf.act(match, seat, drawn_move(turn.legal_actions, rng), now=now)


def tell() -> None:
    """The worker: reads what to play from standard input, and writes its lines."""
    asked = json.load(sys.stdin)
    if asked["play"] is None:
        import werewolf

        print(json.dumps({name: options_of(name) for name in werewolf.RULESETS}))
        return
    for ruleset, number in asked["play"]:
        told = lines(
            ruleset, number, asked["options"][ruleset], asked["start"], views=asked["views"]
        )
        if asked["whole"]:
            for line in told:
                print(json.dumps(line, sort_keys=True))
        else:
            digest = hashlib.sha256()
            for line in told:
                digest.update(json.dumps(line, sort_keys=True).encode() + b"\n")
            print(json.dumps([ruleset, number, digest.hexdigest()]))


# ---- beside both ---------------------------------------------------------------------------------


def asked(folder: Path, question: dict[str, Any]) -> Iterator[str]:
    """The lines of a worker that imports the engine of this folder."""
    engine = folder.resolve() / "layers" / "engine"
    with subprocess.Popen(
        [sys.executable, __file__, "--worker"],
        env={**os.environ, "PYTHONPATH": str(engine)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as worker:
        assert worker.stdin is not None
        assert worker.stdout is not None
        worker.stdin.write(json.dumps(question))
        worker.stdin.close()
        yield from worker.stdout
    if worker.returncode:
        raise SystemExit(f"{folder}: the worker ended with {worker.returncode}")


def first_difference(
    old: Path, new: Path, *, matches: int, revision: int | None = None
) -> tuple[str, str, str] | None:
    """Where the two differ first, and what each tells there."""
    question: dict[str, Any] = {"play": None}
    known = [json.loads("".join(asked(folder, question))) for folder in (old, new)]
    options = {
        ruleset: {name: known[0][ruleset][name] for name in known[0][ruleset] if name in both}
        for ruleset, both in known[1].items()
        if ruleset in known[0]
    }
    starts = [{}, {} if revision is None else {"revision": revision}]
    play = [[ruleset, number] for ruleset in options for number in range(matches)]

    def answers(*, whole: bool, play: list[Any]) -> Iterator[tuple[str, str]]:
        question = {"play": play, "options": options, "whole": whole, "views": revision is None}
        yield from zip_longest(
            *(
                asked(folder, question | {"start": start})
                for folder, start in zip((old, new), starts, strict=True)
            ),
            fillvalue="nothing\n",
        )

    for (ruleset, number), (left, right) in zip(play, answers(whole=False, play=play), strict=True):
        if left != right:
            pairs = answers(whole=True, play=[[ruleset, number]])
            for line, (one, other) in enumerate(pairs):
                if one != other:
                    same = next(n for n, (a, b) in enumerate(zip_longest(one, other)) if a != b)
                    at = max(0, same - 60)
                    place = f"{ruleset}, match {number}, line {line}, from character {at}"
                    return place, one[at : at + 160], other[at : at + 160]
    return None


def main() -> None:
    """Compare, and tell."""
    if sys.argv[1:] == ["--worker"]:
        with contextlib.suppress(BrokenPipeError):
            tell()
        return
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--matches", type=int, default=1_000)
    parser.add_argument("--revision", type=int)
    told = parser.parse_args()
    found = first_difference(told.old, told.new, matches=told.matches, revision=told.revision)
    if found is not None:
        sys.exit("they differ: {}\n{}\n{}".format(*found))
    print(f"{told.matches} matches of each rule set: the same")


if __name__ == "__main__":
    main()
