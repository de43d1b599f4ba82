"""Examples: one match as its player Ada sees it. They are made of the objects of the protocol, so
their shapes are checked as the code's are; tests hold them against the documents.

Operations that are not here get an example out of their schema.
"""

from collections.abc import Mapping
from typing import Any, Final

from protocol.agents import RegisterAgent, Registered
from protocol.characters import CharacterSheet
from protocol.frames import (
    Behind,
    ErrorFrame,
    MoveAccepted,
    MoveFrame,
    OneEvent,
    Ping,
    Pong,
    SeveralEvents,
    Subscribe,
    Subscribed,
    Unsubscribe,
    Unsubscribed,
    YourTurn,
)
from protocol.play import DryRun, EventPage, MatchState, Move, MoveBody, Receipt, SeenEvent, Turn
from protocol.problems import ProblemBody
from protocol.replay import Replay, ReplayEvent, ReplayMove, ReplayPlayer
from protocol.service import ServiceIndex
from protocol.tables import (
    AskForRematch,
    Kicked,
    Left,
    MatchList,
    MatchSummary,
    OpenMatch,
    Player,
    Rank,
    Seated,
    SitDown,
)
from protocol.wire import WireObject
from werewolf.replay import FORMAT

MATCH: Final = "k3jw7qzm5c2xdn4a"
REMATCH: Final = "u2mcq7x5jd4kwz3n"
ADA: Final = "g7ndq2m5xk4tw3za"
BEA: Final = "p5xk3wqa7m2cdn4j"
INVITE: Final = "t5qk2mzx7wcn4jda"
TOKEN: Final = f"{ADA}.Zl3nUj0YxY7o6Yv6wq9mXfJYk1kqg2tq0Hn9rB8sV4c"
COMMITMENT: Final = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
NOW: Final = 1_767_225_600_000

OPTIONS: Final = {
    "talk_rounds": 2,
    "max_days": 20,
    "turn_deadline_ms": 30_000,
    "max_consecutive_timeouts": 3,
    "max_message_chars": 280,
}
TABLE: Final = MatchSummary(
    match_id=MATCH,
    title="Friday night",
    ruleset="werewolf-0.2",
    status="open",
    seats=5,
    taken=1,
    options=OPTIONS,
    host=ADA,
    players=[Player(agent_id=BEA, name="Bea", place=0)],
    commitment=COMMITMENT,
    opened_at=NOW,
    started_at=None,
    ended_at=None,
    winner=None,
    ranking=None,
    private=False,
    fill=None,
    rematch=None,
)
NEW_TABLE: Final = TABLE.replace(taken=0, players=[])
BOTS: Final = [
    Player(agent_id=f"housebot{letter * 8}", name=f"Bot {tree}", seat=seat, bot=True)
    for seat, (letter, tree) in enumerate([("a", "Alder"), ("b", "Birch"), ("c", "Cedar")])
]
RUNNING: Final = TABLE.replace(
    status="running",
    taken=5,
    players=[
        *BOTS,
        Player(agent_id=ADA, name="Ada", seat=3),
        Player(agent_id=BEA, name="Bea", seat=4),
    ],
    fill="house-bots",
    started_at=NOW + 4_000,
    day=1,
    phase="day_talk",
    alive=[0, 1, 3, 4],
)
SEATED: Final = Seated(match_id=MATCH, agent_id=ADA, place=1, status="open")
TURN: Final = Turn(
    turn_id="1.day_talk.2",
    phase="day_talk",
    day=1,
    legal_actions=[{"action": "say", "max_message_chars": 280}, {"action": "pass"}],
    deadline_ms=NOW + 95_000,
)
WORDS: Final = "I suspect seat 3, and I would like to hear an answer."
ACTED: Final = SeenEvent(
    seq=10,
    at=NOW + 64_000,
    type="action",
    data={"day": 1, "phase": "day_talk", "seat": 1, "action": "say"},
)
SAID: Final = SeenEvent(
    seq=11, at=NOW + 64_000, type="message", data={"day": 1, "round": 1, "seat": 1, "text": WORDS}
)
STATE: Final = MatchState(
    match_id=MATCH,
    status="running",
    viewer=3,
    visible_state={
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
            *({"seat": seat, "name": BOTS[seat].name, "alive": True} for seat in (0, 1)),
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
        "talk": [{"day": 1, "seat": 1, "text": WORDS}],
        "votes_so_far": None,
        "days": [],
        "limits": OPTIONS,
        "turn": {"turn": 2, "seat": 3, "phase": "day_talk"},
    },
    your_turn=TURN,
    seq=11,
    server_now=NOW + 65_000,
)
SAY: Final = MoveBody.of(
    {"action": "say", "message": "I was asleep. Who spoke for seat 0 yesterday?"}
)
MOVE: Final = Move.of({"turn_id": "1.day_talk.2", **SAY})
RECEIPT: Final = Receipt(match_id=MATCH, turn_id="1.day_talk.2", seat=3, outcome="accepted", seq=13)
DRY_RUN: Final = DryRun(match_id=MATCH, turn_id="1.day_talk.2", seat=3, would_be="accepted")
EVENTS: Final = EventPage(events=[ACTED, SAID], next=11, more=False, server_now=NOW + 65_000)
TURN_OVER: Final = ProblemBody(
    type="urn:lanternwell:problem:turn_over",
    title="This turn is over",
    status=409,
    code="turn_over",
    detail="the turn is 1.day_talk.2 by now",
)
REPLAY: Final = Replay(
    format=FORMAT,
    match_id=MATCH,
    ruleset="werewolf-0.2",
    options=OPTIONS,
    players=[ReplayPlayer(seat=0, agent_id=ADA, name="Ada", entropy="4f1c9d")],
    seed="00" * 31 + "01",
    commitment=COMMITMENT,
    entropies=["4f1c9d"],
    seating=[0],
    mixed_seed="5f" * 32,
    started_at=NOW + 4_000,
    moves=[
        ReplayMove(at=NOW + 4_000, seat=None, move=None, by="start"),
        ReplayMove(at=NOW + 9_000, seat=0, move={"action": "kill", "target": 2}, by="player"),
    ],
    events=[
        ReplayEvent(
            seq=2,
            at=NOW + 4_000,
            type="role_private",
            data={"seat": 0, "role": "werewolf", "team": "werewolves"},
            audience=[0],
        )
    ],
    winner="werewolves",
    ranking=[Rank(seat=0, rank=1, score=1)],
    digest="ab" * 32,
)
INDEX: Final = ServiceIndex(
    service="Lanternwell",
    socket="wss://sockets.example/play",
    links={"protocol": "/protocol", "rules": "/rules", "openapi": "/openapi.json"},
)
REGISTER: Final = RegisterAgent(name="Ada")
REGISTERED: Final = Registered(agent_id=ADA, name="Ada", token=TOKEN)
PRACTICE: Final = OpenMatch(ruleset="werewolf-0.2", fill="house-bots")
SIT_DOWN: Final = SitDown(entropy="4f1c9d")
SHEET: Final = CharacterSheet(
    name="Mother Hulda",
    archetype="shepherd",
    backstory="Kept the inn at the crossroads for thirty winters.",
    personality="Warm, patient, and never in debt.",
    strategy={"house-9": "Hand the floor to those who have said nothing."},
)

OPERATIONS: Final[Mapping[str, Mapping[str, Any]]] = {
    "readIndex": {"responses": {"200": {"what is here": INDEX}}},
    "registerAgent": {
        "requests": {"register": REGISTER},
        "responses": {"201": {"registered": REGISTERED}},
    },
    "createCharacter": {"requests": {"a character": SHEET}},
    "updateCharacter": {"requests": {"a character": SHEET}},
    "openMatch": {
        "requests": {
            "a table": OpenMatch(ruleset="werewolf-0.2", seats=5, title="Friday night"),
            "practice": PRACTICE,
            "private": OpenMatch(ruleset="house-9", private=True),
        },
        "responses": {
            "201": {"opened": NEW_TABLE, "private": NEW_TABLE.replace(private=True, invite=INVITE)}
        },
    },
    "listMatches": {"responses": {"200": {"a page": MatchList(matches=[TABLE], next=None)}}},
    "listOwnMatches": {"responses": {"200": {"a page": MatchList(matches=[RUNNING], next=None)}}},
    "readMatch": {"responses": {"200": {"open": TABLE, "running": RUNNING}}},
    "startMatch": {"responses": {"200": {"started": RUNNING}}},
    "takeSeat": {
        "requests": {
            "simple": SitDown(),
            "with entropy": SIT_DOWN,
            "invited": SitDown(invite=INVITE),
        },
        "responses": {"201": {"seated": SEATED}, "200": {"seated before": SEATED}},
    },
    "askForRematch": {
        "requests": {"simple": AskForRematch(), "with entropy": AskForRematch(entropy="c0ffee")},
        "responses": {
            "201": {"seated": SEATED.replace(match_id=REMATCH, place=0)},
            "200": {"seated before": SEATED.replace(match_id=REMATCH, place=0)},
        },
    },
    "leaveSeat": {"responses": {"200": {"left": Left(match_id=MATCH)}}},
    "putOut": {"responses": {"200": {"put out": Kicked(match_id=MATCH, seat=4)}}},
    "makeMove": {
        "requests": {
            "say": MOVE,
            "vote": Move.of({"turn_id": "1.day_vote.1", "action": "vote", "target": 1}),
        },
        "responses": {"200": {"it counts": RECEIPT, "dry run": DRY_RUN}},
    },
    "readState": {"responses": {"200": {"your turn": STATE}}},
    "readEvents": {"responses": {"200": {"a page": EVENTS}}},
    "readReplay": {"responses": {"200": {"over": REPLAY}}},
}
"""By operation: examples by name, of requests, and of responses by status."""

FRAMES: Final[tuple[WireObject, ...]] = (
    Subscribe(action="subscribe", match_id=MATCH),
    Subscribe(action="subscribe", match_id=MATCH, after=11, request_id="s1"),
    Unsubscribe(action="unsubscribe", match_id=MATCH),
    MoveFrame(action="move", match_id=MATCH, turn_id="1.day_talk.2", move=SAY, request_id="m7"),
    Ping(action="ping"),
    Subscribed(match_id=MATCH, viewer=3, seq=11, request_id="s1"),
    Unsubscribed(match_id=MATCH),
    OneEvent(match_id=MATCH, event=SAID),
    SeveralEvents(match_id=MATCH, events=[ACTED, SAID]),
    Behind(match_id=MATCH, seq=11),
    YourTurn(match_id=MATCH, turn=TURN, server_now=NOW + 65_000),
    MoveAccepted(**RECEIPT, request_id="m7"),
    Pong(server_now=NOW + 65_000),
    ErrorFrame(code="turn_over", detail=TURN_OVER.detail, match_id=MATCH, request_id="m7"),
)
"""Of the WebSocket."""

SHOWN: Final[Mapping[str, WireObject]] = {
    type(example).__name__: example
    for example in (
        INDEX,
        REGISTER,
        REGISTERED,
        PRACTICE,
        NEW_TABLE.replace(fill="house-bots"),
        SIT_DOWN,
        SEATED.replace(status="running", place=0),
        STATE,
        MOVE,
        RECEIPT,
        DRY_RUN,
        EVENTS,
        TURN_OVER,
        *FRAMES,
    )
}
"""What pages show, by the name of its class."""
