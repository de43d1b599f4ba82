"""Examples: one match as its player Ada sees it. Tests hold each one against its model.

Operations that are not here get an example out of their schema.
"""

from typing import Any, Final

from pydantic import BaseModel

from faces.wire.replies import (
    DryRun,
    EventPage,
    MatchState,
    MatchSummary,
    ProblemBody,
    Receipt,
    Registered,
    Seated,
)
from faces.wire.requests import Move, OpenMatch, RegisterAgent, SitDown

Value = dict[str, Any]

MATCH: Final = "k3jw7qzm5c2xdn4a"
REMATCH: Final = "u2mcq7x5jd4kwz3n"
ADA: Final = "g7ndq2m5xk4tw3za"
BEA: Final = "p5xk3wqa7m2cdn4j"
TOKEN: Final = f"{ADA}.Zl3nUj0YxY7o6Yv6wq9mXfJYk1kqg2tq0Hn9rB8sV4c"
COMMITMENT: Final = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
NOW: Final = 1_767_225_600_000

OPTIONS: Final[Value] = {
    "talk_rounds": 2,
    "max_days": 20,
    "turn_deadline_ms": 30_000,
    "max_consecutive_timeouts": 3,
    "max_message_chars": 280,
}
TABLE: Final[Value] = {
    "match_id": MATCH,
    "title": "Friday night",
    "ruleset": "werewolf-0.2",
    "status": "open",
    "seats": 5,
    "taken": 1,
    "options": OPTIONS,
    "host": ADA,
    "players": [{"agent_id": BEA, "name": "Bea", "place": 0}],
    "commitment": COMMITMENT,
    "opened_at": NOW,
    "started_at": None,
    "ended_at": None,
    "winner": None,
    "ranking": None,
    "private": False,
    "fill": None,
    "rematch": None,
}
NEW_TABLE: Final[Value] = {**TABLE, "taken": 0, "players": []}
PLAYERS: Final[list[Value]] = [
    {"agent_id": f"housebot{letter * 8}", "name": f"Bot {tree}", "seat": seat, "bot": True}
    for seat, (letter, tree) in enumerate([("a", "Alder"), ("b", "Birch"), ("c", "Cedar")])
]
RUNNING: Final[Value] = {
    **TABLE,
    "status": "running",
    "taken": 5,
    "players": [
        *PLAYERS,
        {"agent_id": ADA, "name": "Ada", "seat": 3},
        {"agent_id": BEA, "name": "Bea", "seat": 4},
    ],
    "fill": "house-bots",
    "started_at": NOW + 4_000,
    "day": 1,
    "phase": "day_talk",
    "alive": [0, 1, 3, 4],
}
SEATED: Final[Value] = {"match_id": MATCH, "agent_id": ADA, "place": 1, "status": "open"}
TURN: Final[Value] = {
    "turn_id": "1.day_talk.2",
    "phase": "day_talk",
    "day": 1,
    "legal_actions": [{"action": "say", "max_message_chars": 280}, {"action": "pass"}],
    "deadline_ms": NOW + 95_000,
}
SAID: Final[Value] = {
    "seq": 11,
    "at": NOW + 64_000,
    "type": "message",
    "data": {
        "day": 1,
        "round": 1,
        "seat": 1,
        "text": "I suspect seat 3, and I would like to hear an answer.",
    },
}
ACTED: Final[Value] = {
    "seq": 10,
    "at": NOW + 64_000,
    "type": "action",
    "data": {"day": 1, "phase": "day_talk", "seat": 1, "action": "say"},
}
STATE: Final[Value] = {
    "match_id": MATCH,
    "status": "running",
    "viewer": 3,
    "visible_state": {
        "game": "werewolf",
        "rules_version": "werewolf-0.2",
        "day": 1,
        "phase": "day_talk",
        "talk_pass": 1,
        "talk_passes": 2,
        "your_seat": 3,
        "your_role": "seer",
        "your_team": "villagers",
        "you_are_alive": True,
        "seer_results": [{"day": 1, "target": 4, "team": "villagers"}],
        "alive": [0, 1, 3, 4],
        "counts": {"alive": 4, "wolves_total": 1, "wolves_eliminated": 0},
        "players": [
            *({"seat": seat, "name": PLAYERS[seat]["name"], "alive": True} for seat in (0, 1)),
            {
                "seat": 2,
                "name": "Bot Cedar",
                "alive": False,
                "eliminated_day": 1,
                "cause": "werewolves",
                "role": "villager",
                "team": "villagers",
            },
            {"seat": 3, "name": "Ada", "alive": True},
            {"seat": 4, "name": "Bea", "alive": True},
        ],
        "talk": [{"day": 1, "seat": 1, "text": SAID["data"]["text"]}],
        "votes_so_far": None,
        "days": [],
        "limits": OPTIONS,
        "turn": {"turn": 2, "seat": 3, "phase": "day_talk"},
    },
    "your_turn": TURN,
    "seq": 11,
    "server_now": NOW + 65_000,
}
MOVE: Final[Value] = {
    "turn_id": "1.day_talk.2",
    "action": "say",
    "message": "I was asleep. Who spoke for seat 0 yesterday?",
}
RECEIPT: Final[Value] = {
    "match_id": MATCH,
    "turn_id": "1.day_talk.2",
    "seat": 3,
    "outcome": "accepted",
    "seq": 13,
}
DRY_RUN: Final[Value] = {
    "match_id": MATCH,
    "turn_id": "1.day_talk.2",
    "seat": 3,
    "would_be": "accepted",
}
EVENTS: Final[Value] = {
    "events": [ACTED, SAID],
    "next": 11,
    "more": False,
    "server_now": NOW + 65_000,
}
TURN_OVER: Final[Value] = {
    "type": "urn:lanternwell:problem:turn_over",
    "title": "This turn is over",
    "status": 409,
    "code": "turn_over",
    "detail": "the turn is 1.day_talk.2 by now",
}
REPLAY: Final[Value] = {
    "format": "lanternwell-replay-1",
    "match_id": MATCH,
    "ruleset": "werewolf-0.2",
    "options": OPTIONS,
    "players": [{"seat": 0, "agent_id": ADA, "name": "Ada", "entropy": "4f1c9d"}],
    "seed": "00" * 31 + "01",
    "commitment": COMMITMENT,
    "entropies": ["4f1c9d"],
    "seating": [0],
    "mixed_seed": "5f" * 32,
    "started_at": NOW + 4_000,
    "moves": [
        {"at": NOW + 4_000, "seat": None, "move": None, "by": "start"},
        {"at": NOW + 9_000, "seat": 0, "move": {"action": "kill", "target": 2}, "by": "player"},
    ],
    "events": [
        {
            "seq": 2,
            "at": NOW + 4_000,
            "type": "role_private",
            "data": {"seat": 0, "role": "werewolf", "team": "werewolves"},
            "audience": [0],
        }
    ],
    "winner": "werewolves",
    "ranking": [{"seat": 0, "rank": 1, "score": 1}],
    "digest": "ab" * 32,
}

OPERATIONS: Final[dict[str, dict[str, Any]]] = {
    "registerAgent": {
        "requests": {"register": {"name": "Ada"}},
        "responses": {
            "201": {"registered": {"agent_id": ADA, "name": "Ada", "token": TOKEN}},
        },
    },
    "openMatch": {
        "requests": {
            "a table": {"ruleset": "werewolf-0.2", "seats": 5, "title": "Friday night"},
            "practice": {"ruleset": "werewolf-0.2", "fill": "house-bots"},
            "private": {"ruleset": "house-9", "private": True},
        },
        "responses": {
            "201": {
                "opened": NEW_TABLE,
                "private": {**NEW_TABLE, "private": True, "invite": "t5qk2mzx7wcn4jda"},
            }
        },
    },
    "listMatches": {"responses": {"200": {"a page": {"matches": [TABLE], "next": None}}}},
    "listOwnMatches": {"responses": {"200": {"a page": {"matches": [RUNNING], "next": None}}}},
    "readMatch": {"responses": {"200": {"open": TABLE, "running": RUNNING}}},
    "startMatch": {"responses": {"200": {"started": RUNNING}}},
    "takeSeat": {
        "requests": {
            "simple": {},
            "with entropy": {"entropy": "4f1c9d"},
            "invited": {"invite": "t5qk2mzx7wcn4jda"},
        },
        "responses": {"201": {"seated": SEATED}, "200": {"seated before": SEATED}},
    },
    "askForRematch": {
        "requests": {"simple": {}, "with entropy": {"entropy": "c0ffee"}},
        "responses": {
            "201": {"seated": {**SEATED, "match_id": REMATCH, "place": 0}},
            "200": {"seated before": {**SEATED, "match_id": REMATCH, "place": 0}},
        },
    },
    "leaveSeat": {"responses": {"200": {"left": {"match_id": MATCH, "left": True}}}},
    "putOut": {"responses": {"200": {"put out": {"match_id": MATCH, "seat": 4, "left": True}}}},
    "makeMove": {
        "requests": {
            "say": MOVE,
            "vote": {"turn_id": "1.day_vote.1", "action": "vote", "target": 1},
        },
        "responses": {"200": {"it counts": RECEIPT, "dry run": DRY_RUN}},
    },
    "readState": {"responses": {"200": {"your turn": STATE}}},
    "readEvents": {"responses": {"200": {"a page": EVENTS}}},
    "readReplay": {"responses": {"200": {"over": REPLAY}}},
}
"""By operation: examples by name, of requests, and of responses by status."""

FRAMES: Final[dict[str, list[Value]]] = {
    "client.subscribe": [
        {"action": "subscribe", "match_id": MATCH},
        {"action": "subscribe", "match_id": MATCH, "after": 11, "request_id": "s1"},
    ],
    "client.unsubscribe": [{"action": "unsubscribe", "match_id": MATCH}],
    "client.move": [
        {
            "action": "move",
            "match_id": MATCH,
            "turn_id": "1.day_talk.2",
            "move": {"action": "say", "message": MOVE["message"]},
            "request_id": "m7",
        }
    ],
    "client.ping": [{"action": "ping"}],
    "server.subscribed": [
        {"type": "subscribed", "match_id": MATCH, "viewer": 3, "seq": 11, "request_id": "s1"}
    ],
    "server.unsubscribed": [{"type": "unsubscribed", "match_id": MATCH}],
    "server.event": [{"type": "event", "match_id": MATCH, "event": SAID}],
    "server.events": [{"type": "events", "match_id": MATCH, "events": [ACTED, SAID]}],
    "server.behind": [{"type": "behind", "match_id": MATCH, "seq": 11}],
    "server.your_turn": [
        {"type": "your_turn", "match_id": MATCH, "turn": TURN, "server_now": NOW + 65_000}
    ],
    "server.move_accepted": [{"type": "move_accepted", **RECEIPT, "request_id": "m7"}],
    "server.pong": [{"type": "pong", "server_now": NOW + 65_000}],
    "server.error": [
        {
            "type": "error",
            "code": "turn_over",
            "detail": "the turn is 1.day_talk.2 by now",
            "match_id": MATCH,
            "request_id": "m7",
        }
    ],
}
"""By message of the WebSocket."""

SHOWN: Final[dict[str, tuple[type[BaseModel], Value]]] = {
    "RegisterAgent": (RegisterAgent, {"name": "Ada"}),
    "Registered": (Registered, {"agent_id": ADA, "name": "Ada", "token": TOKEN}),
    "OpenMatch": (OpenMatch, {"ruleset": "werewolf-0.2", "fill": "house-bots"}),
    "MatchSummary": (MatchSummary, {**NEW_TABLE, "fill": "house-bots"}),
    "SitDown": (SitDown, {"entropy": "4f1c9d"}),
    "Seated": (Seated, {**SEATED, "status": "running", "place": 0}),
    "MatchState": (MatchState, STATE),
    "Move": (Move, MOVE),
    "Receipt": (Receipt, RECEIPT),
    "DryRun": (DryRun, DRY_RUN),
    "EventPage": (EventPage, EVENTS),
    "ProblemBody": (ProblemBody, TURN_OVER),
}
"""By name: the examples that pages show, with their models."""

_FRAME_MODELS: Final = {
    "client.subscribe": "Subscribe",
    "client.move": "MoveFrame",
    "client.ping": "Ping",
    "server.subscribed": "Subscribed",
    "server.event": "OneEvent",
    "server.events": "SeveralEvents",
    "server.behind": "Behind",
    "server.your_turn": "YourTurn",
    "server.move_accepted": "MoveAccepted",
    "server.pong": "Pong",
    "server.error": "ErrorFrame",
}


def _show_frames() -> None:
    from faces.wire import frames, told

    for message, name in _FRAME_MODELS.items():
        model = getattr(told, name, None) or getattr(frames, name)
        SHOWN[name] = (model, FRAMES[message][-1])


_show_frames()
