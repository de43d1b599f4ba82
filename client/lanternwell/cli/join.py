"""Sit down at a table, or leave it. Sitting down twice changes nothing.

The match starts when the table is full, and then somebody must play your seat: `lanternwell play
MATCH` (you) or `lanternwell run AGENT MATCH` (your agent). Both sit down by themselves, too.

  lanternwell join k3jw7qzm5c2xdn4a
  lanternwell join k3jw7qzm5c2xdn4a --invite 2xdn4ak3
  lanternwell join k3jw7qzm5c2xdn4a --rematch      (the next match of the same players)
  lanternwell join k3jw7qzm5c2xdn4a --leave
"""

import argparse

from lanternwell.cli import connection, tabling


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    tabling.add_match(parser)
    parser.add_argument("--invite", metavar="CODE", help="the code of a private table")
    parser.add_argument(
        "--entropy", metavar="TEXT", help="randomness of your own that is mixed into the deal"
    )
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument(
        "--rematch", action="store_true", help="sit down at the rematch of this finished match"
    )
    instead.add_argument(
        "--leave", action="store_true", help="give the seat back; after the start, for good"
    )
    connection.add_address(parser)
    connection.add_identity(parser)


def run(arguments: argparse.Namespace) -> int:
    """Sit down or leave."""
    match_id = arguments.match_id
    with connection.somebody(arguments) as client:
        if arguments.leave:
            client.leave(match_id)
            print(f"You have left {match_id}.")
            return 0
        if arguments.rematch:
            place = client.rematch(match_id, entropy=arguments.entropy)
        else:
            place = client.sit(match_id, entropy=arguments.entropy, invite=arguments.invite)
        summary = client.match(place.match_id)
    taken = f"{summary.taken} of {summary.seats} seats taken"
    print(f"Seated at {place.match_id} ({summary.ruleset}, {summary.status}, {taken}).")
    print(f"Now: lanternwell play {place.match_id}, or lanternwell run AGENT {place.match_id}")
    return 0
