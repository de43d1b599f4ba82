"""What a table is to be like, and which one is meant: arguments that several commands share."""

import argparse
import json
from typing import Any

from lanternwell.client import AsyncClient
from lanternwell.seating import RULESET, take_seat


def add_new_table(parser: argparse.ArgumentParser) -> None:
    """The arguments for a table that may have to be opened."""
    parser.add_argument(
        "--seats", type=count, metavar="N", help="how many play (default: as the rule set says)"
    )
    add_option(parser)


def add_option(parser: argparse.ArgumentParser) -> None:
    """The argument for the options of the rule set."""
    parser.add_argument(
        "--option",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        type=_option,
        help="an option of the rule set; `lanternwell rules RULESET` lists them",
    )


def add_choice(parser: argparse.ArgumentParser) -> None:
    """The arguments that say at which table to play."""
    parser.add_argument(
        "match_id",
        metavar="MATCH",
        nargs="?",
        type=match_id,
        help="at this table (default: an open one of the rule set; where there is none, one opens)",
    )
    parser.add_argument(
        "--practice", action="store_true", help="at once, against house bots in all other seats"
    )
    parser.add_argument("--ruleset", default=RULESET, help=f"which rules ({RULESET})")
    parser.add_argument("--invite", metavar="CODE", help="the code of a private table")
    add_new_table(parser)


def add_match(parser: argparse.ArgumentParser) -> None:
    """The argument for the match that is meant."""
    parser.add_argument("match_id", metavar="MATCH", type=match_id, help="its id")


def match_id(text: str) -> str:
    """What may be the id of a match."""
    if not (text.isascii() and text.isalnum()):
        raise argparse.ArgumentTypeError(
            f"{text!r} is no match id, such as k3jw7qzm5c2xdn4a; `lanternwell tables` lists them"
        )
    return text


def count(text: str) -> int:
    """A whole number from 1."""
    if not (text.isascii() and text.isdigit() and int(text) > 0):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 1")
    return int(text)


def options(arguments: argparse.Namespace) -> dict[str, Any] | None:
    """The options for a new table; None when none were given."""
    return dict(arguments.option) or None


async def sit(arguments: argparse.Namespace, client: AsyncClient) -> str:
    """Take the seat that the arguments ask for, and get the id of the match."""
    return await take_seat(
        client,
        match_id=arguments.match_id,
        practice=arguments.practice,
        ruleset=arguments.ruleset,
        invite=arguments.invite,
        seats=arguments.seats,
        options=options(arguments),
    )


def _option(text: str) -> tuple[str, Any]:
    name, given, value = text.partition("=")
    if not name or not given:
        raise argparse.ArgumentTypeError("must be NAME=VALUE, such as talk_rounds=1")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value
