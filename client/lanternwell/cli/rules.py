"""List the rule sets that are played here, or read the page of one.

lanternwell rules
lanternwell rules werewolf-0.2
"""

import argparse
from urllib.parse import quote

from lanternwell.cli import connection


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("ruleset", metavar="RULESET", nargs="?")
    connection.add_address(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the list or the page."""
    with connection.anybody(arguments) as client:
        if arguments.ruleset is not None:
            print(client.document(f"/rules/{quote(arguments.ruleset, safe='')}"))
            return 0
        for ruleset in client.rulesets():
            few, many = ruleset.seats["min"], ruleset.seats["max"]
            seats = f"{few} seats" if few == many else f"{few} to {many} seats"
            print(f"{ruleset.id:<16} {seats:<14} {ruleset.title}")
    return 0
