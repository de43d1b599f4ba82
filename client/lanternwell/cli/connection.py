"""Where the service is, and who one is there: what the commands that talk to it share."""

import argparse
import os
import secrets
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from lanternwell.cli import tokens
from lanternwell.client import AsyncClient, Client
from lanternwell.errors import LanternwellError, Refused
from protocol import limits

HTTP: Final = "LANTERNWELL_HTTP"
WS: Final = "LANTERNWELL_WS"

TRIES: Final = 3
"""How often a request is tried in all while a person waits for nothing but its answer."""

NAME_TRIES: Final = 5


class CannotConnect(LanternwellError):
    """Something is missing that the service needs to know."""


@dataclass(frozen=True, slots=True)
class Identity:
    """An agent that plays from here: its name, its token, and the file that it is kept in."""

    name: str
    token: str
    file: Path


def add_address(parser: argparse.ArgumentParser, *, socket: bool = False) -> None:
    """The arguments that say where the service is."""
    group = parser.add_argument_group("the service")
    group.add_argument("--http", metavar="URL", help=f"its HTTP address (default: ${HTTP})")
    if socket:
        group.add_argument(
            "--ws",
            metavar="URL",
            help=f"its WebSocket address (default: ${WS}; without one it is polled)",
        )


def add_identity(parser: argparse.ArgumentParser, *, new: bool = False) -> None:
    """The arguments that say who is calling; with `new`, one may be nobody yet."""
    group = parser.add_argument_group("who you are")
    also = "; registered if need be" if new else ""
    group.add_argument(
        "--as",
        dest="name",
        metavar="NAME",
        help=f"a name that you registered from here (default: the latest{also})",
    )
    group.add_argument(
        "--token-file", metavar="FILE", type=Path, help="or the file with the agent's token"
    )


def http_address(arguments: argparse.Namespace) -> str:
    """The service's HTTP address. Raises `CannotConnect` when nobody said it, or it is none."""
    address: str | None = arguments.http or os.environ.get(HTTP)
    if not address:
        raise CannotConnect(f"where is the service? Say --http URL, or set {HTTP}")
    return _checked(address, "HTTP", "http://", "https://").rstrip("/")


def ws_address(arguments: argparse.Namespace) -> str | None:
    """The service's WebSocket address, if somebody said it. Raises `CannotConnect`."""
    address: str | None = arguments.ws or os.environ.get(WS) or None
    return address and _checked(address, "WebSocket", "ws://", "wss://")


def anybody(arguments: argparse.Namespace) -> Client:
    """A client without a token."""
    return Client(http_address(arguments), tries=TRIES)


def somebody(arguments: argparse.Namespace) -> Client:
    """A client with the token of an agent that was registered before."""
    return Client(http_address(arguments), token=known(arguments).token, tries=TRIES)


def player(arguments: argparse.Namespace, who: Identity | None) -> AsyncClient:
    """A client that can hold a socket, for an agent or a spectator."""
    return AsyncClient(
        http_address(arguments), ws=ws_address(arguments), token=who.token if who else None
    )


def known(arguments: argparse.Namespace) -> Identity:
    """The agent that the arguments name, or the latest that was registered from here.

    Raises `CannotConnect` when there is none.
    """
    found = _kept(arguments)
    if found is not None:
        return found
    if arguments.name:
        http = http_address(arguments)
        raise CannotConnect(f"{arguments.name!r} was not registered from here at {http}")
    raise CannotConnect("who are you? Register first: lanternwell register NAME")


def known_or_new(arguments: argparse.Namespace, name: str) -> Identity:
    """The same; who is nobody yet, or was forgotten by the service, is registered.

    That is under the name in the arguments, or else under `name` and a number. Raises what the
    service refuses.
    """
    found = _kept(arguments)
    if found is not None and (arguments.token_file is not None or _is_known(arguments, found)):
        return found
    for left in reversed(range(NAME_TRIES)):
        numbered = f"{name[: limits.AGENT_NAME - 5].strip()} {secrets.randbelow(9000) + 1000}"
        try:
            who = register(http_address(arguments), arguments.name or numbered)
        except Refused as refusal:
            if refusal.code != "name_taken" or arguments.name or not left:
                raise
        else:
            print(f"Registered as {who.name}; the token is in {who.file}.", file=sys.stderr)
            return who
    raise AssertionError("the last try returns or raises")


def again(arguments: argparse.Namespace, who: Identity) -> str:
    """What a command line has to end with to be the same agent at the same service."""
    said = {"--token-file": arguments.token_file} if arguments.token_file else {"--as": who.name}
    said |= {"--http": arguments.http, "--ws": arguments.ws}
    return " ".join(f"{name} {shlex.quote(str(value))}" for name, value in said.items() if value)


def register(http: str, name: str, file: Path | None = None) -> Identity:
    """Register a name and keep its token, in this file or in one of its own."""
    if file is not None and file.exists():
        raise CannotConnect(f"{file} is there already, and may hold another agent's token")
    with Client(http, tries=TRIES) as client:
        told = client.register(name)
    kept = file or tokens.file_of(http, told.name)
    tokens.keep(kept, told.token)
    return Identity(told.name, told.token, kept)


def _checked(address: str, kind: str, *schemes: str) -> str:
    if not address.startswith(schemes) or address in schemes:
        begins = " or ".join(schemes)
        raise CannotConnect(f"{address!r} is no {kind} address: it begins with {begins}")
    return address


def _kept(arguments: argparse.Namespace) -> Identity | None:
    http, file = http_address(arguments), arguments.token_file
    if file is None:
        file = tokens.file_of(http, arguments.name) if arguments.name else tokens.latest(http)
        if file is None or not file.exists():
            return None
    try:
        return Identity(file.stem, tokens.read(file), file)
    except ValueError as error:
        raise CannotConnect(str(error)) from error


def _is_known(arguments: argparse.Namespace, who: Identity) -> bool:
    """Whether the service knows the agent; a local cloud forgets all when it ends."""
    with Client(http_address(arguments), token=who.token, tries=TRIES) as client:
        try:
            client.own_matches(limit=1)
        except Refused as refusal:
            if refusal.status == 401:
                return False
            raise
    return True
