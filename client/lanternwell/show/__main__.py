"""The show: example agents play a match, one of them falls silent, and a spectator tells it all."""

import argparse
import asyncio
import json
import secrets
import signal
import sys
import threading
import traceback
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Final, NamedTuple

from lanternwell.agent import Agent
from lanternwell.client import AsyncClient
from lanternwell.errors import LanternwellError
from lanternwell.model import Summary
from lanternwell.runner import play
from lanternwell.show.cast import TALK_ROUNDS, Silence, performers, register_all
from lanternwell.show.closing import invitation, proof, result, seed_matches
from lanternwell.show.screen import Screen, safe_stdout, screen_for
from lanternwell.show.watcher import Watcher
from lanternwell.stream import MatchStream

RULESET: Final = "werewolf-0.2"


class Tempo(NamedTuple):
    """How fast a match is played."""

    deadline_ms: int
    pace_s: float


FOLLOWED: Final = Tempo(deadline_ms=6000, pace_s=2.0)
"""Two to three minutes, for a person to follow."""

SHORT: Final = Tempo(deadline_ms=2000, pace_s=0.0)

GRACE_S: Final = 30.0
"""How much longer than all deadlines of a phase nothing may happen."""

FAREWELL_S: Final = 60.0
"""How long the players have to notice that the match is over."""

INTERRUPTED: Final = 130
"""The exit code after Ctrl-C."""


class ShowError(LanternwellError):
    """The match did not end as it should."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the show; 0 when the match ended properly, 1 (with one line) when not.

    With `--stay` it returns only after Ctrl-C, whatever became of the match.
    """
    options = _options(arguments)
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever started this had another
    screen = screen_for(safe_stdout(sys.stdout), plain=options.plain)
    code = 0
    try:
        asyncio.run(_show(options, screen))
    except (LanternwellError, OSError) as error:
        code = _failed(screen, str(error))
    except KeyboardInterrupt:
        _failed(screen, "interrupted before the match was over")
        return INTERRUPTED
    except Exception as error:  # a fault of the show itself is no reason to take the service down
        if not options.stay:
            raise
        code = _failed(screen, "it failed")
        traceback.print_exception(error)
    if options.stay:
        screen.say()
        screen.say(f"The service stays up at {options.http} until Ctrl-C.")
        with suppress(KeyboardInterrupt):
            asyncio.run(_forever())
    return code


async def _show(options: argparse.Namespace, screen: Screen) -> None:
    http, ws = options.http.rstrip("/"), options.ws
    async with AsyncExitStack() as stack:
        spectator, *clients = [
            await stack.enter_async_context(AsyncClient(http, ws=ws))
            for _ in range(options.seats + 1)
        ]
        await spectator.tables(limit=1)  # nobody is registered when the service is not there
        names = await register_all(clients)
        screen.say(f"Registered {', '.join(names)}: each with a connection of its own.")
        table = await clients[0].open_table(
            RULESET,
            seats=options.seats,
            options={"turn_deadline_ms": options.turn_deadline_ms, "talk_rounds": TALK_ROUNDS},
            title="The show",
        )
        time = f"{options.turn_deadline_ms / 1000:g} s"
        screen.say(f"Table {table.match_id}: {RULESET}, {options.seats} seats, {time} for a turn.")
        screen.say(f"Commitment to the seed: {table.commitment}")
        silence = Silence()
        cast = performers(
            options.seats,
            silence=silence,
            pace_s=options.pace,
            seed=options.seed,
        )
        quiet_s = (options.seats + 1) * options.turn_deadline_ms / 1000
        watcher = Watcher(spectator, table.match_id, screen, stalled_s=quiet_s + GRACE_S)

        async def close() -> None:
            screen.close()
            await _close(options, screen, watcher, silence, spectator, table)

        await _play(watcher, cast, clients, table, close)


async def _play(
    watcher: Watcher,
    cast: Sequence[Agent],
    clients: Sequence[AsyncClient],
    table: Summary,
    close: Callable[[], Awaitable[None]],
) -> None:
    """Seat everybody, watch to the end and tell it; the first failure of anybody ends it all."""
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(None) as farewell, asyncio.TaskGroup() as group:
            watching = group.create_task(watcher.watch())
            for agent, client in zip(cast, clients, strict=True):
                stream = MatchStream(client, table.match_id)
                group.create_task(play(agent, client, table.match_id, stream=stream))
                await stream.listening.wait()  # the last one to sit starts the match
                await client.sit(table.match_id, entropy=secrets.token_hex(8))
            await watching
            await close()
            farewell.reschedule(loop.time() + FAREWELL_S)
    except TimeoutError:
        raise ShowError("the match is over, but not every player has noticed") from None
    except BaseExceptionGroup as group_error:
        raise _first(group_error) from None


async def _close(
    options: argparse.Namespace,
    screen: Screen,
    watcher: Watcher,
    silence: Silence,
    spectator: AsyncClient,
    table: Summary,
) -> None:
    http, story = spectator.http_url, watcher.story
    summary = await spectator.match(table.match_id)
    if not summary.over or summary.winner is None or summary.winner != story.winner:
        raise ShowError(f"match {table.match_id} did not end properly (status {summary.status})")
    replay = await spectator.replay(table.match_id)
    screen.say()
    for line in (*result(summary, story), "", *proof(summary, replay, http)):
        screen.say(line)
    if options.save is not None:
        text = await asyncio.to_thread(_save, options.save, replay)
        screen.say(f"            saved to {text}")
    if options.stay or not options.short:  # else nobody would find the service up any more
        screen.say()
        for line in invitation(http, options.ws):
            screen.say(line)
    if not seed_matches(summary, replay):
        raise ShowError("the revealed seed is not the one that was committed to")
    if silence.seat is not None and silence.seat not in story.struck_out:
        raise ShowError(f"{story.name(silence.seat)} fell silent and was not struck out")


def _save(path: Path, replay: object) -> Path:
    path.write_text(json.dumps(replay, ensure_ascii=False, indent=1), encoding="utf-8")
    return path


async def _forever() -> None:
    await asyncio.Event().wait()


def _failed(screen: Screen, why: str) -> int:
    screen.close()
    print(f"lanternwell.show: {why}", file=sys.stderr)
    return 1


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    first = group.exceptions[0]
    return _first(first) if isinstance(first, BaseExceptionGroup) else first


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m lanternwell.show",
        description="Seven example agents play a match of Werewolf; one of them falls silent.",
    )
    parser.add_argument("--http", required=True, metavar="URL", help="where the service's API is")
    parser.add_argument("--ws", required=True, metavar="URL", help="where its WebSockets are")
    parser.add_argument(
        "--seats", type=int, default=7, choices=range(5, 11), metavar="N", help="5 to 10 (7)"
    )
    parser.add_argument(
        "--turn-deadline-ms",
        type=int,
        metavar="MS",
        help=f"time for a turn ({FOLLOWED.deadline_ms}; with --short {SHORT.deadline_ms})",
    )
    parser.add_argument(
        "--pace",
        type=float,
        metavar="S",
        help=f"about how long an agent thinks, in seconds ({FOLLOWED.pace_s:g}; with --short 0)",
    )
    parser.add_argument(
        "--short", action="store_true", help="over in less than a minute, too fast to follow"
    )
    parser.add_argument("--seed", metavar="TEXT", help="makes the agents' decisions repeatable")
    parser.add_argument("--save", type=Path, metavar="FILE", help="write the replay to this file")
    parser.add_argument("--plain", action="store_true", help="plain lines on a terminal as well")
    parser.add_argument("--stay", action="store_true", help="wait for Ctrl-C when it is over")
    options = parser.parse_args(arguments)
    tempo = SHORT if options.short else FOLLOWED
    if options.turn_deadline_ms is None:
        options.turn_deadline_ms = tempo.deadline_ms
    if options.pace is None:
        options.pace = tempo.pace_s
    return options


if __name__ == "__main__":
    raise SystemExit(main())
