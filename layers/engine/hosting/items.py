"""How a match lies in the table: items of plain values (str, int, bytes, sets of str).

What grows or nests is one JSON string per attribute: that is smaller than a native map, and costs
a tenth of its (de)serialisation. An attribute that would hold nothing is left out.
"""

import json
from collections.abc import Mapping
from typing import Any, Final

import werewolf
from hosting.model import (
    Commit,
    Kept,
    LogEntry,
    PlayedMove,
    Player,
    Receipt,
    State,
    Table,
    TableChange,
)
from hosting.tables.events import CHARACTER, STRATEGY
from hosting.views.sequences import is_aside
from protocol.terms import Mode, Outcome
from werewolf import Event

Value = str | int | bytes | frozenset[str]
Item = dict[str, Value]

STATE: Final = "STATE"
TABLE: Final = "TABLE"
LOG: Final = "LOG#"

KEPT: Final = "KEPT#"
"""Beside the log, the events that views show on later days too: those of the start under version
0, those of a later entry under its own."""

TOLD: Final = ("PK", "SK", "version", "at", "commit", "events", "before", "clock")
"""The attributes of a log entry that hold what viewers are told: neither moves nor thoughts, which
are by far the most of it, and no turns."""

_OUTCOMES: Final[Mapping[str, Outcome]] = {"a": "accepted", "f": "forfeit"}
_LETTERS: Final = {outcome: letter for letter, outcome in _OUTCOMES.items()}
_MODES: Final[Mapping[str, Mode]] = {"m": "mystery", "o": "omniscient"}


def match_key(match_id: str) -> str:
    """The partition key of everything that belongs to a match."""
    return f"MATCH#{match_id}"


def log_key(version: int) -> str:
    """The sort key of a log entry; sorts as the versions do."""
    return f"{LOG}{version:08d}"


def listed(table: Table) -> str:
    """The sort key in the index of tables."""
    return f"{table.ruleset}#{table.opened_at:013d}#{table.match_id}"


def state_item(state: State) -> Item:
    """The hot item."""
    return {"PK": match_key(state.match_id), "SK": STATE, **state_values(state)}


def state_values(state: State) -> Item:
    """The attributes of the hot item beside its key; without those that hold nothing."""
    values: dict[str, Value | None] = {
        "version": state.version,
        "status": state.status,
        "ruleset": state.ruleset,
        "keys": state.keys or None,
        "seen": _json(state.seen),
        "deadline": state.deadline,
        "clock": state.clock,
        "match": state.match,
        "receipts": _json([_receipt_value(receipt) for receipt in state.receipts]),
        "missed": _json(state.missed),
        "host": state.host or None,
        "mode": None if state.mode is None else state.mode[0],
    }
    return _held(values)


def read_state(item: Mapping[str, Any]) -> State:
    """The hot item that was written."""
    deadline = item.get("deadline")
    return State(
        match_id=_match_id(item),
        version=int(item["version"]),
        status=item["status"],
        ruleset=item["ruleset"],
        keys=item.get("keys", b""),
        seen=tuple(json.loads(item["seen"])),
        deadline=None if deadline is None else int(deadline),
        clock=int(item["clock"]),
        match=item.get("match"),
        receipts=tuple(_receipt(value) for value in json.loads(item["receipts"])),
        missed=tuple(json.loads(item["missed"])),
        host=item.get("host", b""),
        mode=_MODES.get(item.get("mode", "")),
    )


def table_item(table: Table) -> Item:
    """The cold item."""
    return {
        "PK": match_key(table.match_id),
        "SK": TABLE,
        "title": table.title,
        "ruleset": table.ruleset,
        "host": table.host,
        "seats": table.seats,
        "options": _json(table.options),
        "seed": table.seed,
        "commitment": table.commitment,
        "opened_at": table.opened_at,
        "listed": listed(table),
        **_held(
            {
                "fill": 1 if table.fill else None,
                "invite": table.invite,
                "reserved": _json(table.reserved) if table.reserved else None,
                "rematch": table.rematch,
            }
        ),
        **table_values(
            TableChange(
                status=table.status,
                players=table.players,
                entropies=table.entropies,
                started_at=table.started_at,
                cast=table.cast,
                ended_at=table.ended_at,
                winner=table.winner,
                ranking=table.ranking,
            )
        ),
    }


def table_values(change: TableChange) -> Item:
    """The attributes of the cold item that a change sets. Its status is its key in the index."""
    values: dict[str, Value | None] = {
        "listing": change.status,
        "started_at": change.started_at,
        "cast": change.cast,
        "ended_at": change.ended_at,
        "winner": change.winner,
    }
    if change.players is not None:
        values["players"] = _json(
            [
                [player.agent_id, player.name, player.place, player.character_id]
                for player in change.players
            ]
        )
    if change.entropies is not None:
        values["entropies"] = _json(change.entropies)
    if change.ranking is not None:
        values["ranking"] = _json(change.ranking)
    return _held(values)


def read_table(item: Mapping[str, Any]) -> Table:
    """The cold item that was written."""
    ranking = item.get("ranking")
    return Table(
        match_id=_match_id(item),
        title=item["title"],
        ruleset=item["ruleset"],
        status=item["listing"],
        host=item["host"],
        seats=int(item["seats"]),
        options=json.loads(item["options"]),
        players=tuple(Player(*row) for row in json.loads(item["players"])),
        commitment=item["commitment"],
        opened_at=int(item["opened_at"]),
        started_at=_int(item.get("started_at")),
        cast=_int(item.get("cast")),
        ended_at=_int(item.get("ended_at")),
        winner=item.get("winner"),
        ranking=None if ranking is None else tuple(json.loads(ranking)),
        seed=item["seed"],
        entropies=tuple(json.loads(item["entropies"])),
        fill="fill" in item,
        invite=item.get("invite"),
        reserved=tuple(json.loads(item.get("reserved", "[]"))),
        rematch=item.get("rematch"),
    )


def row_key(key: bytes) -> str:
    """The sort key of a seat's line in its player's own list."""
    return f"SEAT#{key[:16].hex()}"


def own_list(agent_id: str) -> str:
    """The key in the index of an agent's own list."""
    return f"agent#{agent_id}"


def log_item(entry: LogEntry) -> Item:
    """A log entry's item. Its asides lie apart, each with its place among the events."""
    asides = [
        [place, event.to_json_value()]
        for place, event in enumerate(entry.events)
        if is_aside(event)
    ]
    values: dict[str, Value | None] = {
        "PK": match_key(entry.match_id),
        "SK": log_key(entry.version),
        "version": entry.version,
        "at": entry.at,
        "commit": entry.commit_id,
        "events": _json([event.to_json_value() for event in entry.events if not is_aside(event)]),
        "asides": _json(asides) if asides else None,
        "before": _json(entry.before),
        "turns": _json(entry.turns) if entry.turns else None,
        "moves": _json([[m.by, m.seat, m.move] for m in entry.moves]) if entry.moves else None,
        "effects": entry.effects or None,
        "clock": entry.clock,
        "deadline": entry.deadline,
        "bots": _json([*entry.bots.items()]) if entry.bots else None,
    }
    return _held(values)


def is_log_item(item: Mapping[str, Any]) -> bool:
    """Whether this is a log entry's item, and neither a hot nor a cold one."""
    return str(item["SK"]).startswith(LOG)


def read_log(item: Mapping[str, Any]) -> LogEntry:
    """The log entry that was written, without what was left away when the item was read.

    Numbers may be of any kind that `int` takes.
    """
    events = [Event.from_json_value(value) for value in json.loads(item["events"])]
    for place, value in json.loads(item.get("asides", "[]")):
        events.insert(place, Event.from_json_value(value))
    return LogEntry(
        match_id=_match_id(item),
        version=int(item["version"]),
        at=int(item["at"]),
        commit_id=item["commit"],
        events=tuple(events),
        before=tuple(json.loads(item["before"])),
        turns=tuple((seat, turn) for seat, turn in json.loads(item.get("turns", "[]"))),
        moves=tuple(PlayedMove(*values) for values in json.loads(item.get("moves", "[]"))),
        effects=frozenset(item.get("effects", ())),
        clock=int(item["clock"]),
        deadline=_int(item.get("deadline")),
        bots=_bots(item.get("bots", "[]")),
    )


def kept_key(version: int) -> str:
    """The sort key of the lasting events of an entry; sorts as the versions do."""
    return f"{KEPT}{version:08d}"


def kept_item(commit: Commit) -> Item | None:
    """The item of the events in a commit that views show on later days too; None without any."""
    lasting = werewolf.RULESETS[commit.state.ruleset].lasting | {CHARACTER, STRATEGY}
    events = [event for event in commit.entry.events if event.type in lasting]
    if not events:
        return None
    starts = any(move.by == "start" for move in commit.entry.moves)
    return {
        "PK": match_key(commit.entry.match_id),
        "SK": kept_key(0 if starts else commit.entry.version),
        "version": commit.entry.version,
        "events": _json([event.to_json_value() for event in events]),
    }


def read_kept(item: Mapping[str, Any]) -> Kept:
    """The lasting events that were written."""
    events = (Event.from_json_value(value) for value in json.loads(item["events"]))
    return Kept(int(item["version"]), tuple(events))


def log_entry(image: Mapping[str, Any]) -> LogEntry | None:
    """The log entry in a stream record's new image (plain values, as Powertools gives them).

    None for the other items of the table.
    """
    return read_log(image) if is_log_item(image) else None


def _receipt_value(receipt: Receipt | None) -> list[Any] | None:
    if receipt is None:
        return None
    return [receipt.turn_id, receipt.fingerprint, _LETTERS[receipt.outcome], receipt.seq]


def _receipt(value: list[Any] | None) -> Receipt | None:
    if value is None:
        return None
    turn_id, fingerprint, letter, seq = value
    return Receipt(turn_id, fingerprint, _OUTCOMES[letter], seq)


def _match_id(item: Mapping[str, Any]) -> str:
    return str(item["PK"]).removeprefix("MATCH#")


def _bots(value: str) -> dict[int, float]:
    """Earlier entries name the seats alone: those bots take all of the pace."""
    bots = (bot if isinstance(bot, list) else (bot, 1.0) for bot in json.loads(value))
    return {int(seat): float(pause) for seat, pause in bots}


def _held(values: Mapping[str, Value | None]) -> Item:
    return {name: value for name, value in values.items() if value is not None}


def _int(value: Any) -> int | None:
    return None if value is None else int(value)


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
