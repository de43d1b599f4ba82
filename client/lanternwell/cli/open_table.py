"""Open a table. You become its host; to play there, join it, or run an agent at it.

It starts by itself when it is full. With --bots house bots take the seats that are free when you
sit down, and it starts at once. A private table is in no list: hand its code to those who may come.

  lanternwell open
  lanternwell open arena-1 --bots
  lanternwell open house-9 --seats 6 --option max_days=3 --private --title "Friday night"
"""

import argparse

from lanternwell.cli import connection, tabling
from lanternwell.seating import RULESET


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("ruleset", metavar="RULESET", nargs="?", default=RULESET, help=RULESET)
    tabling.add_new_table(parser)
    parser.add_argument("--title", metavar="TEXT", help="what the list of tables calls it")
    parser.add_argument("--bots", action="store_true", help="house bots take the free seats")
    parser.add_argument("--private", action="store_true", help="only for those who know the code")
    connection.add_address(parser)
    connection.add_identity(parser)


def run(arguments: argparse.Namespace) -> int:
    """Open the table and say how to go on."""
    with connection.somebody(arguments) as client:
        table = client.open_table(
            arguments.ruleset,
            seats=arguments.seats,
            options=tabling.options(arguments),
            title=arguments.title,
            fill="house-bots" if arguments.bots else None,
            private=arguments.private,
        )
    print(f"match       {table.match_id}")
    print(f"rule set    {table.ruleset}, {table.seats} seats")
    print(f"commitment  {table.commitment}")
    if table.invite is not None:
        print(f"invite      {table.invite}")
    print(f"Now: lanternwell play {table.match_id}, or lanternwell run AGENT {table.match_id}")
    if table.invite is not None:
        print(f"Others: lanternwell play {table.match_id} --invite {table.invite}")
    return 0
