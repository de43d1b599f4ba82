"""A whole service in this process, for the client's tests: the real rules, the documented wire.

It keeps everything in memory, speaks HTTP/1.1 and WebSockets on free loopback ports, runs a clock,
and can be told to fail: `Faults` cuts sockets, loses and repeats frames, and loses answers.
"""

import asyncio
import hashlib
import json
import secrets
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from random import Random
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

import bots
import werewolf

Json = dict[str, Any]


def now_ms() -> int:
    return int(time.time() * 1000)


class Problem(Exception):
    """A refusal: status, code, and more members of the problem document."""

    def __init__(self, status: int, code: str, **more: Any) -> None:
        super().__init__(code)
        self.status = status
        self.body = {"type": "about:blank", "status": status, "code": code, "detail": code, **more}


def never(*_: Any) -> bool:
    return False


EVENTS_PER_FRAME = 3
"""Of those that a subscriber has missed."""


@dataclass
class Faults:
    """What goes wrong. Each is asked before (or after) what it names, and True means: now."""

    cut: Callable[[], bool] = never
    """Before a frame is sent: drop the connection, and the frame with it."""
    lose_frame: Callable[[Json], bool] = never
    repeat_frame: Callable[[Json], bool] = never
    fall_behind: Callable[[], bool] = never
    """Before a frame of a catch-up, but for the first: tell how far it has come, and stop."""
    refuse_socket: Callable[[], bool] = never
    lose_request: Callable[[str, str], bool] = never
    """Before a request is carried out: close the connection."""
    lose_answer: Callable[[str, str], bool] = never
    """After a request was carried out: close the connection."""
    answer_instead: Callable[[str, str], tuple[int, dict[str, str]] | None] = lambda *_: None
    """Before a request is carried out: answer with this status and these headers."""
    poll_after: str | None = None
    """The Retry-After of `state` and `events`."""


@dataclass
class Agent:
    agent_id: str
    name: str
    bot: bool = False


@dataclass
class Table:
    match_id: str
    host: str
    ruleset: str
    seats: int
    options: Json
    title: str
    seed: str = field(default_factory=lambda: secrets.token_hex(32))
    players: list[Agent] = field(default_factory=list)
    entropies: list[str] = field(default_factory=list)
    match: werewolf.Match | None = None
    log: list[tuple[int, werewolf.Event]] = field(default_factory=list)
    receipts: dict[int, tuple[str, str, Json | None]] = field(default_factory=dict)
    moves: list[Json] = field(default_factory=list)
    clock: asyncio.Task[None] | None = None
    fill: bool = False
    invite: str | None = None
    rematch: str | None = None

    @property
    def status(self) -> str:
        if self.match is None:
            return "open"
        return "over" if self.match.over else "running"

    def viewer(self, agent: Agent | None) -> int | str:
        if self.match is not None and agent in self.players:
            return self.players.index(agent)
        return "spectator"

    def events_for(self, viewer: int | str) -> list[Json]:
        seen = [(at, e) for at, e in self.log if werewolf.visible_to(e, viewer)]
        return [
            {"seq": seq, "at": at, "type": event.type, "data": dict(event.data)}
            for seq, (at, event) in enumerate(seen, 1)
        ]

    def turns(self) -> dict[int, Json]:
        if self.match is None:
            return {}
        turns = {seat: werewolf.turn(self.match, seat) for seat in range(len(self.players))}
        return {seat: turn.as_dict() for seat, turn in turns.items() if turn is not None}

    def summary(self) -> Json:
        key = "place" if self.match is None else "seat"
        match = self.match
        return {
            "match_id": self.match_id,
            "title": self.title,
            "ruleset": self.ruleset,
            "status": self.status,
            "seats": self.seats,
            "taken": len(self.players),
            "options": self.options,
            "host": self.host,
            "players": [
                {key: n, "agent_id": p.agent_id, "name": p.name} | ({"bot": True} if p.bot else {})
                for n, p in enumerate(self.players)
            ],
            "commitment": werewolf.commitment(self.seed),
            "opened_at": 0,
            "started_at": 0 if match else None,
            "ended_at": 0 if match and match.over else None,
            "private": self.invite is not None,
            "fill": "house-bots" if self.fill else None,
            "rematch": self.rematch,
            "winner": match.winner if match and match.over else None,
            "ranking": match.ranking if match and match.over else None,
        }


@dataclass(eq=False)
class Watcher:
    """One subscription of one connection, with the frames that wait to be sent."""

    table: Table
    agent: Agent | None
    frames: asyncio.Queue[Json] = field(default_factory=asyncio.Queue)


class FakeService:
    """See the module. Use `running()`."""

    def __init__(self, faults: Faults | None = None) -> None:
        self.faults = faults or Faults()
        self.agents: dict[str, Agent] = {}
        self.tables: dict[str, Table] = {}
        self.requests: list[tuple[str, str]] = []
        self.answers: list[tuple[str, int]] = []
        self.subscriptions = 0
        self.http_url = ""
        self.ws_url = ""
        self._watchers: set[Watcher] = set()
        self._writers: set[asyncio.StreamWriter] = set()

    @asynccontextmanager
    async def running(self) -> AsyncIterator["FakeService"]:
        http = await asyncio.start_server(self._serve_http, "127.0.0.1", 0)
        sockets = await serve(
            self._serve_socket, "127.0.0.1", 0, process_request=self._authorize, close_timeout=0.1
        )
        self.http_url = f"http://127.0.0.1:{http.sockets[0].getsockname()[1]}"
        self.ws_url = f"ws://127.0.0.1:{_port(sockets)}/live"
        try:
            yield self
        finally:
            for table in self.tables.values():
                if table.clock is not None:
                    table.clock.cancel()
            http.close()
            for writer in list(self._writers):
                writer.close()
            await http.wait_closed()
            sockets.close()
            await sockets.wait_closed()

    # ---- HTTP ----------------------------------------------------------------------------------

    async def _serve_http(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        try:
            while await self._one_request(reader, writer):
                pass
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            self._writers.discard(writer)
            writer.close()

    async def _one_request(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        method, target, _ = head[0].split(" ")
        headers = dict(line.lower().split(": ", 1) for line in head[1:] if line)
        raw = await reader.readexactly(int(headers.get("content-length", 0)))
        parts = urlsplit(target)
        self.requests.append((method, parts.path))
        if self.faults.lose_request(method, parts.path):
            return False
        more: dict[str, str] = {}
        if instead := self.faults.answer_instead(method, parts.path):
            status, more = instead
            body: Json = {"code": "in_trouble"}
        else:
            try:
                agent = self._caller(headers.get("authorization"), head)
                status, body = self._route(
                    method, parts.path, dict(parse_qsl(parts.query)), raw, agent
                )
            except Problem as problem:
                status, body = problem.status, problem.body
        if self.faults.lose_answer(method, parts.path):
            return False
        if status == 200 and parts.path.endswith(("/state", "/events")):
            told = {name: value for name, value in body.items() if name != "server_now"}
            etag = f'"{hashlib.sha256(json.dumps(told).encode()).hexdigest()}"'
            more = {"ETag": etag}
            if self.faults.poll_after is not None:
                more["Retry-After"] = self.faults.poll_after
            if headers.get("if-none-match") == etag:
                status = 304
        self.answers.append((parts.path, status))
        text = body.encode() if isinstance(body, str) else json.dumps(body).encode()
        text = b"" if status == 304 else text
        lines = [
            f"HTTP/1.1 {status} {HTTPStatus(status).phrase}",
            *([] if status == 304 else [f"content-length: {len(text)}"]),
            *(f"{name}: {value}" for name, value in more.items()),
        ]
        writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + text)
        await writer.drain()
        return True

    def _caller(self, authorization: str | None, head: list[str]) -> Agent | None:
        if authorization is None:
            return None
        exact = next(line for line in head if line.lower().startswith("authorization: "))
        token = exact.split(" ")[-1]
        if token not in self.agents:
            raise Problem(401, "unauthorized")
        return self.agents[token]

    def _route(
        self, method: str, path: str, query: Mapping[str, str], raw: bytes, agent: Agent | None
    ) -> tuple[int, Any]:
        body = json.loads(raw) if raw else {}
        match (method, *path.strip("/").split("/")):
            case ("POST", "agents"):
                return self._register(body["name"])
            case ("GET", "agents", "me", "matches"):
                mine = [
                    t.summary() for t in self.tables.values() if self._known(agent) in t.players
                ]
                return 200, {"matches": mine, "next": None}
            case ("POST", "matches"):
                return self._open(body, self._known(agent))
            case ("GET", "matches"):
                return 200, self._list(query)
            case ("GET", "rules"):
                return 200, {"rulesets": [_ruleset(name) for name in werewolf.RULESETS]}
            case ("GET", "rules", name) if name in werewolf.RULESETS:
                return 200, werewolf.RULESETS[name].page
            case (_, "matches", match_id, *rest):
                table = self._table(match_id)
                return self._route_match(method, table, "/".join(rest), query, body, agent)
        raise Problem(404, "not_found")

    def _route_match(
        self,
        method: str,
        table: Table,
        rest: str,
        query: Mapping[str, str],
        body: Json,
        agent: Agent | None,
    ) -> tuple[int, Any]:
        match (method, rest):
            case ("GET", ""):
                return 200, table.summary()
            case ("POST", "seats"):
                return self._sit(table, self._known(agent), body)
            case ("DELETE", "seats/me"):
                return self._leave(table, self._known(agent))
            case ("POST", "start"):
                self._start(table)
                return 200, table.summary()
            case ("POST", "rematch"):
                return self._rematch(table, self._known(agent), body)
            case ("GET", "state"):
                return 200, self._state(table, agent)
            case ("POST", "moves"):
                dry = query.get("dry_run") == "true"
                return 200, self._move(table, self._known(agent), body, dry=dry)
            case ("GET", "events"):
                return 200, self._events(table, agent, query)
            case ("GET", "replay"):
                return 200, self._replay(table)
        raise Problem(404, "not_found")

    def _list(self, query: Mapping[str, str]) -> Json:
        shown = [
            table.summary()
            for table in self.tables.values()
            if table.status == query.get("status", "open")
            and table.invite is None
            and table.ruleset == query.get("ruleset", table.ruleset)
        ]
        return {"matches": shown[: int(query.get("limit", 50))], "next": None}

    def _known(self, agent: Agent | None) -> Agent:
        if agent is None:
            raise Problem(401, "unauthorized")
        return agent

    def _table(self, match_id: str) -> Table:
        if match_id not in self.tables:
            raise Problem(404, "not_found")
        return self.tables[match_id]

    # ---- what the requests do ------------------------------------------------------------------

    def _register(self, name: str) -> tuple[int, Json]:
        if any(agent.name == name for agent in self.agents.values()):
            raise Problem(409, "name_taken")
        agent = Agent(secrets.token_hex(4), name)
        token = f"{agent.agent_id}.{secrets.token_urlsafe(16)}"
        self.agents[token] = agent
        return 201, {"agent_id": agent.agent_id, "name": name, "token": token}

    def _open(self, body: Json, agent: Agent) -> tuple[int, Json]:
        try:
            options = werewolf.check_options(body["ruleset"], body.get("options"))
        except werewolf.InvalidOptions as error:
            raise Problem(
                400, "malformed", field=f"options.{error.field}", detail=error.detail
            ) from error
        if body.get("fill") and body["ruleset"] not in bots.RULESETS:
            raise Problem(422, "no_house_bots")
        seats = body.get("seats", werewolf.RULESETS[body["ruleset"]].seats.default)
        match_id = secrets.token_hex(8)
        title = body.get("title") or f"{agent.name}'s table"
        table = Table(match_id, agent.agent_id, body["ruleset"], seats, options, title)
        table.fill = body.get("fill") == "house-bots"
        table.invite = secrets.token_hex(4) if body.get("private") else None
        self.tables[match_id] = table
        return 201, table.summary() | ({"invite": table.invite} if table.invite else {})

    def _sit(self, table: Table, agent: Agent, body: Json) -> tuple[int, Json]:
        status = 200
        if agent not in table.players:
            if table.match is not None:
                raise Problem(409, "match_not_open")
            if len(table.players) >= table.seats:
                raise Problem(409, "table_full")
            if table.invite not in (None, body.get("invite")) and agent.agent_id != table.host:
                raise Problem(403, "not_invited")
            status = 201
            self._seat(table, agent, body.get("entropy", ""))
            if table.fill and agent.agent_id == table.host:
                for number in range(len(table.players), table.seats):
                    self._seat(table, Agent(f"bot{number}", f"Bot {number}", bot=True), "")
            if len(table.players) == table.seats:
                self._start(table)
        return status, {
            "match_id": table.match_id,
            "agent_id": agent.agent_id,
            "place": table.players.index(agent),
            "status": table.status,
        }

    def _seat(self, table: Table, agent: Agent, entropy: str) -> None:
        place = len(table.players)
        table.players.append(agent)
        table.entropies.append(entropy)
        self._commit(
            table, None, [werewolf.Event("seat_taken", {"place": place, "name": agent.name})]
        )

    def _rematch(self, table: Table, agent: Agent, body: Json) -> tuple[int, Json]:
        if table.status != "over":
            raise Problem(409, "match_not_over")
        if agent not in table.players:
            raise Problem(403, "not_seated")
        if table.rematch is None:
            new = Table(
                secrets.token_hex(8),
                agent.agent_id,
                table.ruleset,
                len(table.players),
                table.options,
                table.title,
                fill=any(player.bot for player in table.players),
            )
            self.tables[new.match_id] = new
            table.rematch = new.match_id
        return self._sit(self.tables[table.rematch], agent, body)

    def _start(self, table: Table) -> None:
        mixed = werewolf.mix_seed(table.seed, [e for e in table.entropies if e])
        order = werewolf.seating(mixed, len(table.players))
        table.players = [table.players[place] for place in order]
        begun = werewolf.start(
            table.ruleset,
            [player.name for player in table.players],
            seed=mixed,
            now=now_ms(),
            options=table.options,
        )
        self._commit(table, begun.match, list(begun.events))

    def _leave(self, table: Table, agent: Agent) -> tuple[int, Json]:
        if agent not in table.players:
            raise Problem(403, "not_seated")
        if table.match is None:
            place = table.players.index(agent)
            table.players.remove(agent)
            self._commit(
                table, None, [werewolf.Event("seat_freed", {"place": place, "name": agent.name})]
            )
        else:
            gone = werewolf.leave(table.match, table.players.index(agent), now=now_ms())
            self._commit(table, gone.match, list(gone.events))
        return 200, {"match_id": table.match_id, "left": True}

    def _state(self, table: Table, agent: Agent | None) -> Json:
        viewer = table.viewer(agent)
        view = None
        if table.match is not None:
            view = werewolf.view(table.match, [event for _, event in table.log], viewer)
        return {
            "match_id": table.match_id,
            "status": table.status,
            "viewer": viewer,
            "visible_state": view,
            "your_turn": table.turns().get(viewer) if isinstance(viewer, int) else None,
            "seq": len(table.events_for(viewer)),
            "server_now": now_ms(),
        }

    def _events(self, table: Table, agent: Agent | None, query: Mapping[str, str]) -> Json:
        after, limit = int(query.get("after", 0)), int(query.get("limit", 200))
        events = table.events_for(table.viewer(agent))
        page = events[after : after + limit]
        return {
            "events": page,
            "next": after + len(page),
            "more": after + len(page) < len(events),
            "server_now": now_ms(),
        }

    def _replay(self, table: Table) -> Json:
        if table.match is None or not table.match.over:
            raise Problem(409, "match_not_over")
        return {
            "format": "lanternwell-replay-1",
            "match_id": table.match_id,
            "ruleset": table.ruleset,
            "options": table.options,
            "seed": table.seed,
            "commitment": werewolf.commitment(table.seed),
            "players": [
                {"seat": seat, "agent_id": p.agent_id, "name": p.name}
                for seat, p in enumerate(table.players)
            ],
            "moves": table.moves,
            "events": [
                {"at": at, "type": e.type, "data": dict(e.data), "audience": e.audience}
                for at, e in table.log
            ],
            "winner": table.match.winner,
            "ranking": table.match.ranking,
        }

    def _move(self, table: Table, agent: Agent, body: Json, *, dry: bool = False) -> Json:
        if table.match is None:
            raise Problem(409, "match_not_running")
        if agent not in table.players:
            raise Problem(403, "not_seated")
        self._expire(table)
        seat = table.players.index(agent)
        turn_id, move = body.pop("turn_id"), body
        print_ = json.dumps(move, sort_keys=True)
        last = table.receipts.get(seat)
        turn = werewolf.turn(table.match, seat)
        if last is not None and last[0] == turn_id:
            if last[2] is None:
                raise Problem(409, "deadline_passed")
            if last[1] != print_:
                raise Problem(409, "turn_used")
            return last[2]
        if turn is None or turn.turn_id != turn_id:
            raise Problem(409, "not_your_turn" if turn is None else "turn_over")
        try:
            played = werewolf.act(table.match, seat, move, now=now_ms())
        except werewolf.IllegalMove as error:
            status = {"malformed": 400}.get(error.code, 422)
            raise Problem(
                status, error.code, legal_actions=list(error.legal_actions), field=error.field
            ) from error
        receipt = {"match_id": table.match_id, "turn_id": turn_id, "seat": seat}
        if dry:
            return receipt | {"would_be": "accepted"}
        self._commit(table, played.match, list(played.events))
        receipt |= {"outcome": "accepted", "seq": len(table.events_for(seat))}
        table.receipts[seat] = (turn_id, print_, receipt)
        table.moves.append({"at": now_ms(), "seat": seat, "move": move, "by": "player"})
        return receipt

    # ---- the clock and the commit --------------------------------------------------------------

    def _expire(self, table: Table) -> None:
        if table.match is None or table.match.deadline is None:
            return
        late = {seat: turn["turn_id"] for seat, turn in table.turns().items()}
        passed = werewolf.expire(table.match, now=now_ms())
        if passed.events:
            for seat, turn_id in late.items():
                table.receipts[seat] = (turn_id, "", None)
            self._commit(table, passed.match, list(passed.events))

    def _commit(
        self, table: Table, match: werewolf.Match | None, events: list[werewolf.Event]
    ) -> None:
        before = table.turns()
        if match is not None:
            table.match = match
        table.log.extend((now_ms(), event) for event in events)
        after = table.turns()
        fresh = {
            seat: turn
            for seat, turn in after.items()
            if before.get(seat, {}).get("turn_id") != turn["turn_id"]
        }
        for watcher in self._watchers:
            if watcher.table is table:
                self._push(watcher, len(events), fresh)
        for seat, turn in fresh.items():
            if table.players[seat].bot:
                asyncio.get_running_loop().call_soon(self._play_bot, table, seat, turn)
        if table.clock is None and table.match is not None:
            table.clock = asyncio.create_task(self._run_clock(table))

    def _push(self, watcher: Watcher, count: int, fresh: Mapping[int, Json]) -> None:
        table = watcher.table
        viewer = table.viewer(watcher.agent)
        new = sum(
            werewolf.visible_to(event, viewer) for _, event in table.log[len(table.log) - count :]
        )
        events = table.events_for(viewer)
        for event in events[len(events) - new :]:
            watcher.frames.put_nowait(_event_frame(table, event))
        if viewer in fresh:
            watcher.frames.put_nowait(
                {
                    "type": "your_turn",
                    "match_id": table.match_id,
                    "turn": fresh[viewer],  # type: ignore[index]
                    "server_now": now_ms(),
                }
            )

    def _play_bot(self, table: Table, seat: int, turn: Json) -> None:
        now = table.turns().get(seat)
        if now is None or now["turn_id"] != turn["turn_id"]:
            return
        assert table.match is not None
        view = werewolf.view(table.match, [event for _, event in table.log], seat)
        dice = Random(f"{table.seed}/{seat}/{turn['turn_id']}")
        move = bots.choose(now, view, dice, bots.VOICES[seat % len(bots.VOICES)])
        self._move(table, table.players[seat], {**move, "turn_id": turn["turn_id"]})

    async def _run_clock(self, table: Table) -> None:
        while table.match is not None and table.match.deadline is not None:
            await asyncio.sleep(max(0.001, (table.match.deadline - now_ms()) / 1000))
            self._expire(table)

    # ---- WebSocket -----------------------------------------------------------------------------

    def _authorize(self, _connection: ServerConnection, request: Request) -> Response | None:
        if self.faults.refuse_socket():
            return Response(503, "Service Unavailable", Headers())
        authorization = request.headers.get("Authorization")
        if authorization and authorization.removeprefix("Bearer ") not in self.agents:
            return Response(403, "Forbidden", Headers())
        return None

    async def _serve_socket(self, connection: ServerConnection) -> None:
        assert connection.request is not None
        authorization = connection.request.headers.get("Authorization", "")
        agent = self.agents.get(authorization.removeprefix("Bearer "))
        asked = json.loads(await connection.recv())
        table = self.tables.get(asked["match_id"])
        if table is None:
            await connection.send(json.dumps({"type": "error", "code": "not_found"}))
            return
        watcher = Watcher(table, agent)
        try:
            while not self._subscribe(watcher, asked["after"]):
                while not watcher.frames.empty():
                    await connection.send(json.dumps(watcher.frames.get_nowait()))
                asked = json.loads(await connection.recv())
            await self._send_frames(connection, watcher)
        except ConnectionClosed:
            pass
        finally:
            self._watchers.discard(watcher)

    def _subscribe(self, watcher: Watcher, after: int) -> bool:
        """Queue what lies behind, three events to a frame; whether that was all of it."""
        table, agent = watcher.table, watcher.agent
        self.subscriptions += 1
        viewer = table.viewer(agent)
        events = table.events_for(viewer)
        watcher.frames.put_nowait(
            {
                "type": "subscribed",
                "match_id": table.match_id,
                "viewer": viewer,
                "seq": len(events),
            }
        )
        for first in range(after, len(events), EVENTS_PER_FRAME):
            if first > after and self.faults.fall_behind():
                watcher.frames.put_nowait(
                    {"type": "behind", "match_id": table.match_id, "seq": first}
                )
                return False
            due = events[first : first + EVENTS_PER_FRAME]
            watcher.frames.put_nowait(
                {"type": "events", "match_id": table.match_id, "events": due}
                if len(due) > 1
                else _event_frame(table, due[0])
            )
        self._watchers.add(watcher)
        return True

    async def _send_frames(self, connection: ServerConnection, watcher: Watcher) -> None:
        hangup = asyncio.create_task(connection.wait_closed())
        try:
            while True:
                waiting = asyncio.create_task(watcher.frames.get())
                await asyncio.wait({hangup, waiting}, return_when=asyncio.FIRST_COMPLETED)
                if not waiting.done():
                    waiting.cancel()
                    return
                frame = waiting.result()
                if self.faults.cut():
                    connection.transport.abort()
                    return
                if not self.faults.lose_frame(frame):
                    await connection.send(json.dumps(frame))
                if self.faults.repeat_frame(frame):
                    await connection.send(json.dumps(frame))
        finally:
            hangup.cancel()


@contextmanager
def running_in_a_thread(faults: Faults | None = None) -> Iterator[FakeService]:
    """The service beside a test that waits."""
    service, up, over = FakeService(faults), threading.Event(), asyncio.Event()
    loop = asyncio.new_event_loop()

    async def serve() -> None:
        async with service.running():
            up.set()
            await over.wait()

    thread = threading.Thread(target=lambda: loop.run_until_complete(serve()))
    thread.start()
    try:
        assert up.wait(10)
        yield service
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join(10)
        loop.close()


def _ruleset(name: str) -> Json:
    ruleset = werewolf.RULESETS[name]
    return {
        "id": ruleset.id,
        "title": ruleset.title,
        "seats": ruleset.seats._asdict(),
        "options": {option: kind.manifest() for option, kind in ruleset.options.items()},
    }


def _event_frame(table: Table, event: Json) -> Json:
    return {"type": "event", "match_id": table.match_id, "event": event}


def _port(server: Server) -> int:
    return int(next(iter(server.sockets)).getsockname()[1])
