"""Whatever is allowed fits into a body, in every spelling of JSON that clients commonly write."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from edge.gate import admit
from protocol import limits
from tests.functions.house import ROOT, House, http, register, request, running
from tests.functions.test_sockets import CONNECTION, connect, send
from werewolf import RULESETS

LETTERS = ("a", '"', "/", "\n", "é", "狼", "🐺")
"""One to four bytes of UTF-8, and ASCII that is escaped."""

SPELLINGS: Mapping[str, Callable[[Any], str]] = {
    "plain": lambda body: json.dumps(body, ensure_ascii=False),
    "escaped": json.dumps,
    "in capitals": lambda body: re.sub(
        r"\\u[0-9a-f]{4}", lambda found: found[0].upper().replace("U", "u"), json.dumps(body)
    ),
    "slashes escaped": lambda body: json.dumps(body).replace("/", "\\/"),
    "indented": lambda body: json.dumps(body, indent=4),
}


def text(limit: int, unit: str, letter: str) -> str:
    return letter * (limit // (len(letter.encode()) if unit == "bytes" else 1))


def largest_sheet(letter: str) -> dict[str, Any]:
    return {
        "name": text(limits.CHARACTER_NAME, "bytes", "a" if letter == "\n" else letter),
        "archetype": "watcher",
        "backstory": text(limits.BACKSTORY, "bytes", letter),
        "personality": text(limits.PERSONALITY, "bytes", letter),
        "strategy": dict.fromkeys(RULESETS, text(limits.STRATEGY, "bytes", letter)),
    }


def largest_moves(letter: str) -> Iterator[dict[str, Any]]:
    for rules in RULESETS.values():
        manifest = rules.manifest()
        for phase in manifest["phases"]:
            for action in phase["actions"]:
                fields = {**action["fields"], **manifest["any_move_may_carry"]}
                filled = {name: largest_field(field, letter) for name, field in fields.items()}
                yield {"turn_id": letter * 64, "action": action["action"], **filled}


def largest_field(field: Mapping[str, Any], letter: str) -> Any:
    if field["type"] == "text":
        unit = "bytes" if "max_bytes" in field else "chars"
        return text(field[f"max_{unit}"], unit, letter)
    return 63 if field["type"] == "seat" else max(field["among"], key=len)


def largest(schema: Mapping[str, Any], letter: str) -> Any:
    """As much as a schema lets through."""
    if "$ref" in schema:
        return largest(OPENAPI["components"]["schemas"][schema["$ref"].rpartition("/")[2]], letter)
    if "anyOf" in schema:
        spelled = [largest(one, letter) for one in schema["anyOf"]]
        return max(spelled, key=lambda value: len(json.dumps(value)))
    if schema.get("type") == "object" and "properties" in schema:
        return {name: largest(one, letter) for name, one in schema["properties"].items()}
    if schema.get("type") == "object":  # the options of a table
        options = max((rules.options for rules in RULESETS.values()), key=len)
        return dict.fromkeys(options, 10**9)
    if "pattern" in schema:
        letter = "a"
    kinds = {"string": letter * schema.get("maxLength", 64), "boolean": False, "null": None}
    return kinds.get(schema["type"], 10**9)


OPENAPI = json.loads((ROOT / "functions/api/documents/openapi.json").read_text())
BODIES = [
    (f"{method.upper()} {path}", operation["requestBody"]["content"]["application/json"]["schema"])
    for path, methods in OPENAPI["paths"].items()
    for method, operation in methods.items()
    if "requestBody" in operation
]


def bodies(schema: Mapping[str, Any], letter: str) -> Iterator[Any]:
    model = schema.get("$ref", "").rpartition("/")[2]
    if model == "CharacterSheet":
        yield largest_sheet(letter)
    elif model == "Move":
        yield from largest_moves(letter)
    else:
        yield largest(schema, letter)


@pytest.mark.parametrize(("route", "schema"), BODIES, ids=[route for route, _ in BODIES])
def test_the_largest_body_of_every_route_is_let_in(route: str, schema: Mapping[str, Any]) -> None:
    for letter in LETTERS:
        for body in bodies(schema, letter):
            for name, spell in SPELLINGS.items():
                spelled = spell(body)
                assert json.loads(spelled) == body
                assert len(spelled.encode()) <= limits.BODY_BYTES, (letter, name)
                assert admit({"body": spelled})["body"] == spelled


def test_the_largest_move_fits_into_a_frame() -> None:
    for letter in LETTERS:
        for move in largest_moves(letter):
            frame = {
                "action": "move",
                "match_id": "k3jw7qzm5c2xdn4a",
                "turn_id": move.pop("turn_id"),
                "move": move,
                "request_id": letter * 64,
            }
            for name, spell in SPELLINGS.items():
                assert len(spell(frame).encode()) <= limits.BODY_BYTES, (letter, name)


def test_characters_of_the_largest_kind_are_created(shared_house: House) -> None:
    player = register("Largest")
    for letter in LETTERS:
        shared_house.time += 60_000  # so many a minute
        for spell in SPELLINGS.values():
            event = request(
                "POST", "/characters", text=spell(largest_sheet(letter)), token=player.token
            )
            answer = http(event)
            assert answer.status == 201, (letter, answer.text)
            kept = answer.body
            delete = f"/characters/{kept['character_id']}"
            assert http(request("DELETE", delete, token=player.token)).status == 200
            assert kept["strategy"]["house-9"] == text(limits.STRATEGY, "bytes", letter)


def test_moves_of_the_largest_kind_count(shared_house: House) -> None:
    match = running(seats=8, ruleset="house-9")
    for letter in LETTERS:
        player, turn = match.on_turn()
        connect(player)
        move = {
            "action": "introduce",
            "message": text(320, "bytes", "a" if letter == "\n" else letter),
            "thinking": text(8_000, "bytes", letter),
        }
        for spell in SPELLINGS.values():
            body = spell({"turn_id": turn["turn_id"], **move})
            event = request("POST", f"{match.path}/moves", text=body, token=player.token)
            assert http(event).status == 200, letter
            names = {"action": "move", "match_id": match.match_id, "turn_id": turn["turn_id"]}
            send(player, spell({**names, "move": move}))
            assert shared_house.fake_sockets.last(CONNECTION)["type"] == "move_accepted"
