"""List the tables: those that wait for players, those that are played, those that are over.

lanternwell tables
lanternwell tables --status running --ruleset arena-1
lanternwell tables --mine
"""

import argparse
from collections.abc import Iterator, Sequence

from lanternwell.cli import connection, tabling
from lanternwell.model import Summary
from lanternwell.show.story import clean


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--status", default="open", choices=("open", "running", "over", "void"), help="which (open)"
    )
    which.add_argument(
        "--mine", action="store_true", help="those in which you have a seat, private ones too"
    )
    parser.add_argument("--ruleset", help="only tables of this rule set")
    parser.add_argument(
        "-n", "--limit", type=tabling.count, default=20, help="how many at most (20)"
    )
    connection.add_address(parser)
    connection.add_identity(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the list."""
    tables = list(_found(arguments))
    if not tables:
        print(_nothing(arguments))
        return 0
    rows = [("match", "rule set", "status", "seats", "title"), *map(_row, tables)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        print("  ".join(cells).rstrip())
    return 0


def _found(arguments: argparse.Namespace) -> Iterator[Summary]:
    """So many tables, over as many pages as that takes."""
    left, cursor = arguments.limit, None
    who = connection.somebody if arguments.mine else connection.anybody
    with who(arguments) as client:
        while left > 0:
            limit = min(left, 100)
            if arguments.mine:
                page = client.own_matches(limit=limit, cursor=cursor)
            else:
                page = client.tables(
                    status=arguments.status, ruleset=arguments.ruleset, limit=limit, cursor=cursor
                )
            found = [t for t in page.matches if arguments.ruleset in (None, t.ruleset)][:left]
            yield from found
            left, cursor = left - len(found), page.next
            if cursor is None:
                return


def _row(table: Summary) -> Sequence[str]:
    bots = ", house bots" if table.fill else ""
    day = f", day {table.day}" if table.day else ""
    return (
        table.match_id,
        table.ruleset,
        table.status + day,
        f"{table.taken} of {table.seats}{bots}",
        clean(table.title or ""),
    )


def _nothing(arguments: argparse.Namespace) -> str:
    if arguments.mine:
        return "You have no seat at any table yet."
    if arguments.status == "open":
        return "No table is open. Open one (lanternwell open), or play against house bots."
    return "There is no such table."
