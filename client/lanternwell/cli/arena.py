"""Play many matches between agents on this machine, and count who wins.

An agent is named as for `lanternwell run`: `random`, `heuristic`, `mine.py`, `mine.py:Mine` or
`module:Mine`, and plays on a service without change. Deals are shared: for every seed each agent
plays every seat once. The same seed gives the same results, whatever the number of workers.
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

import werewolf
from lanternwell.arena import (
    Game,
    Record,
    cast,
    play_batch,
    schedule,
    summarise,
    summarise_teams,
    team_schedule,
)
from lanternwell.cli import tabling
from lanternwell.errors import LanternwellError
from werewolf import InvalidOptions

AGENTS: Final = ("heuristic", "random")


class CannotPlay(LanternwellError):
    """Such a match cannot be played."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("agents", metavar="AGENT", nargs="*", help="default: heuristic random")
    parser.add_argument(
        "-n", "--matches", type=tabling.count, default=200, help="at least so many (200)"
    )
    parser.add_argument("--seed", default="0", help="any text (0)")
    parser.add_argument("--ruleset", default="arena-1", choices=sorted(werewolf.RULESETS))
    parser.add_argument("--seats", type=tabling.count, help="default: as the rule set says")
    tabling.add_option(parser)
    parser.add_argument(
        "--teams",
        action="store_true",
        help="whole teams: everybody's pack against everybody's village, on the same deals",
    )
    parser.add_argument(
        "--workers", type=tabling.count, default=os.cpu_count() or 1, help="processes"
    )
    parser.add_argument(
        "-o",
        "--out",
        metavar="FILE",
        default="arena.jsonl",
        type=Path,
        help="a JSON line for each match (arena.jsonl); the summary goes to FILE.summary.json",
    )


def run(arguments: argparse.Namespace) -> int:
    """Play the batch, write the results and show the summary."""
    if "" not in sys.path:
        sys.path.insert(0, "")
    game = _game(arguments)
    contestants = cast(arguments.agents or AGENTS)
    for contestant in contestants:
        contestant.make("rehearsal")
    seed, matches, count = arguments.seed, arguments.matches, len(contestants)
    if arguments.teams:
        roles = partial(_roles, game)
        pairings = list(team_schedule(seed, matches, contestants=count, roles=roles))
    else:
        pairings = list(schedule(seed, matches, contestants=count, seats=game.seats))
    began = time.monotonic()
    with arguments.out.open("w", encoding="utf-8", newline="\n") as file:
        records = play_batch(game, contestants, pairings, workers=arguments.workers)
        errors: dict[str, str] = {}
        followed = _followed(_first_errors(_written(records, file), errors), len(pairings))
        names = [contestant.name for contestant in contestants]
        figures = summarise_teams(followed) if arguments.teams else summarise(followed, names)
        summary = {"ruleset": game.ruleset, "seed": seed, **figures, "first_errors": errors}
    summary_file = arguments.out.with_name(arguments.out.name + ".summary.json")
    summary_file.write_text(json.dumps(summary, indent=2) + "\n", encoding="utf-8")
    told = _told_of_teams if arguments.teams else _told
    print(*told(summary), *_told_errors(errors), sep="\n")
    seconds = time.monotonic() - began
    print(f"{seconds:.1f} s; {arguments.out}, {summary_file}", file=sys.stderr)
    return 0


def _game(arguments: argparse.Namespace) -> Game:
    """The game, once it is known that it can be dealt."""
    seats = arguments.seats or werewolf.RULESETS[arguments.ruleset].seats.default
    options = tabling.options(arguments) or {}
    names = [f"seat {seat}" for seat in range(seats)]
    try:
        werewolf.start(arguments.ruleset, names, seed="0" * 64, now=0, options=options)
    except InvalidOptions as error:
        raise CannotPlay(str(error)) from error
    return Game(arguments.ruleset, seats, options)


def _roles(game: Game, seed: str) -> Sequence[str]:
    """The role that each seat is dealt."""
    names = [f"seat {seat}" for seat in range(game.seats)]
    return werewolf.start(game.ruleset, names, seed=seed, now=0, options=game.options).match.roles


def _written(records: Iterable[Record], file: Any) -> Iterator[Record]:
    """The records, each written down as it comes."""
    for record in records:
        file.write(json.dumps(record, separators=(",", ":")) + "\n")
        yield record


def _first_errors(records: Iterable[Record], errors: dict[str, str]) -> Iterator[Record]:
    """The records; the first error of each agent in them goes into `errors`."""
    for record in records:
        for seat in record["seats"]:
            if seat["errors"] and seat["agent"] not in errors:
                where = f"match {record['match']}, seat {seat['seat']}"
                errors[seat["agent"]] = f"{where}:\n{seat['first_error']}"
        yield record


def _followed(records: Iterable[Record], total: int) -> Iterator[Record]:
    """The records, with a progress bar on a terminal."""
    console = Console(stderr=True)
    bar = Progress(
        TextColumn("playing"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
    with bar:
        yield from bar.track(records, total=total)


def _told(summary: dict[str, Any]) -> list[str]:
    """The summary, for people."""
    sides = ", ".join(
        f"{winner} {told['matches']} ({_rate(told['rate'], told['interval_95'])})"
        for winner, told in summary["winners"].items()
    )
    rows: list[Sequence[str]] = [
        ("", "seats", "won", "rate, 95 % interval", "forfeits", "left", "timeouts", "errors")
    ]
    for name, told in summary["agents"].items():
        rows.append(_row(name, told))
        for kind in ("by_side", "by_role"):
            rows += [_row(f"  {part}", figures) for part, figures in told[kind].items()]
    return [
        f"{summary['matches']} matches of {summary['ruleset']}, seed {summary['seed']}: {sides}",
        "",
        *_aligned(rows),
    ]


def _told_of_teams(summary: dict[str, Any]) -> list[str]:
    """The same for whole teams."""
    rows: list[Sequence[str]] = [("pack", "village", "matches", "the pack wins, 95 % interval")]
    rows += [
        (
            each["pack"],
            each["village"],
            str(each["matches"]),
            _rate(each["rate"], each["interval_95"]),
        )
        for each in summary["teams"]
    ]
    head = f"{summary['matches']} matches of {summary['ruleset']}, seed {summary['seed']}"
    return [head, "", *_aligned(rows)]


def _told_errors(errors: Mapping[str, str]) -> Iterator[str]:
    for name, error in errors.items():
        yield ""
        yield f"The first error of {name}, in {error}"


def _row(name: str, told: dict[str, Any]) -> Sequence[str]:
    counts = [str(told[key]) for key in ("forfeits", "left", "timeouts", "errors")]
    rate = _rate(told["win_rate"], told["interval_95"])
    return (name, str(told["games"]), str(told["wins"]), rate, *counts)


def _rate(rate: float | None, interval: Sequence[float]) -> str:
    low, high = interval
    return "-" if rate is None else f"{rate:.1%} [{low:.1%}, {high:.1%}]"


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if number == 0 else cell.rjust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
