"""An error as one line that says what can be done about it."""

import argparse
import shlex
from typing import Final

from lanternwell.cli import connection
from lanternwell.errors import BadAnswer, Refused, Unreachable

NO_PROBLEM: Final = "http_"
"""How the code of a refusal begins that came without a problem document: not from Lanternwell."""


def explain(error: Exception, arguments: argparse.Namespace) -> str:
    """The error of a command that was called with these arguments."""
    if isinstance(error, Refused):
        text = _refused(error, arguments)
    elif isinstance(error, Unreachable):
        cause = error.__cause__ or error
        reason = str(cause) or type(cause).__name__
        text = (
            f"no answer from {_address(arguments)} ({reason}). Is the service up, and is this its "
            "address? `lanternwell serve` starts one on this machine"
        )
    elif isinstance(error, BadAnswer):
        text = _not_lanternwell(arguments, str(error))
    elif isinstance(error, OSError) and error.filename is not None:
        text = f"{error.filename}: {error.strerror}"
    else:
        text = str(error)
    return " ".join(text.split())


def _refused(refusal: Refused, arguments: argparse.Namespace) -> str:
    detail, field = refusal.detail, refusal.field
    match_id = getattr(arguments, "match_id", None)
    if refusal.status == 401:
        return _forgotten(arguments)
    if refusal.code.startswith(NO_PROBLEM) and refusal.status < 500:
        return _not_lanternwell(arguments, f"status {refusal.status}")
    if refusal.code == "not_found" and match_id is not None:
        return f"there is no match {match_id} here. `lanternwell tables` lists the public ones"
    if refusal.code == "not_found" and arguments.command == "rules" and arguments.ruleset:
        return f"there is no rule set {arguments.ruleset} here. `lanternwell rules` lists them"
    if refusal.code == "not_found":
        return f"there is nothing at {_address(arguments)}. Is that the whole address, and no more?"
    if field is not None and not detail.startswith(f"{field}:"):
        detail = f"{field}: {detail}"
    return f"{detail} ({refusal.code})" if detail else refusal.code


def _forgotten(arguments: argparse.Namespace) -> str:
    who = connection.known(arguments)
    again = f"lanternwell register {shlex.quote(who.name)}"
    if arguments.token_file is not None:
        again += " --token-file FILE, with a new file"
    return (
        f"the service does not know the token in {who.file} (a local service forgets everybody "
        f"when it ends). Register again: {again}"
    )


def _not_lanternwell(arguments: argparse.Namespace, why: str) -> str:
    return (
        f"something answers at {_address(arguments)}, but not as Lanternwell does ({why}). Is the "
        "address whole, with its path, as `make run` and `make up` print it?"
    )


def _address(arguments: argparse.Namespace) -> str:
    source: str | None = getattr(arguments, "source", None)
    return source or connection.http_address(arguments)
