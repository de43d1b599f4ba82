"""docs/fairness.md says all that is needed: a second implementation, written from that page alone,
agrees with its test vectors, with the engine, and with whole matches."""

import hashlib
import hmac
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import werewolf
from tests.engine.random_play import scripts
from tests.engine.test_replay import recorded
from tests.examples import examples
from werewolf import replay
from werewolf.checking.matches import Script, Table, play

PAGE = Path(__file__).resolve().parents[2] / "docs" / "fairness.md"


# ---- the second implementation: standard hashes and this page, nothing of the engine -------------


def mixed_of(seed: str, entropies: list[str]) -> str:
    message = b""
    for entropy in entropies:
        raw = entropy.encode("utf-8")
        message += bytes([len(raw) >> 24 & 255, len(raw) >> 16 & 255, len(raw) >> 8 & 255])
        message += bytes([len(raw) & 255]) + raw
    return hmac.new(bytes.fromhex(seed), message, hashlib.sha256).hexdigest()


class Dice:
    """Throws with one counter."""

    def __init__(self, mixed: str, counter: int = 0) -> None:
        self.key = bytes.fromhex(mixed)
        self.counter = counter

    def throw(self, label: str, sides: int) -> int:
        while True:
            message = f"{label}#{self.counter}".encode("ascii")
            x = int(hmac.new(self.key, message, hashlib.sha256).hexdigest(), 16)
            self.counter += 1
            if x < sides * (2**256 // sides):
                return x % sides

    def shuffle(self, label: str, things: list[Any]) -> list[Any]:
        things = list(things)
        i = len(things) - 1
        while i >= 1:
            j = self.throw(label, i + 1)
            things[i], things[j] = things[j], things[i]
            i -= 1
        return things

    def choose(self, label: str, things: list[Any]) -> Any:
        return things[0] if len(things) == 1 else things[self.throw(label, len(things))]


def roles_before(ruleset: str, seats: int, options: dict[str, Any]) -> list[str]:
    if ruleset == "werewolf-0.2":
        special = ["werewolf"] * (seats // 3) + ["seer"]
    elif ruleset == "arena-1":
        special = ["werewolf", "werewolf", "seer", "doctor"]
    else:
        special = ["werewolf"] * options["wolves"]
        special += ["seer"] if options["seer"] else []
        special += ["doctor"] if options["doctor"] else []
    return special + ["villager"] * (seats - len(special))


def written(value: Any) -> str:
    """The canonical form."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        short = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r"}
        short["\t"] = "\\t"
        return (
            '"'
            + "".join(short.get(c, c if ord(c) >= 32 else f"\\u00{ord(c):02x}") for c in value)
            + '"'
        )
    if isinstance(value, list):
        return "[" + ",".join(map(written, value)) + "]"
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: [ord(c) for c in name])
        return "{" + ",".join(f"{written(name)}:{written(value[name])}" for name in names) + "}"
    return repr(value)


def digest_of(document: dict[str, Any]) -> str:
    rest = {name: value for name, value in document.items() if name != "digest"}
    return hashlib.sha256(written(rest).encode("utf-8")).hexdigest()


# ---- the vectors --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def vectors() -> dict[str, Any]:
    (block,) = re.findall(r"```json\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    told: dict[str, Any] = json.loads(block)
    return told


def test_seeds(vectors: dict[str, Any]) -> None:
    seed, entropies = vectors["seed"], vectors["entropies"]
    commitment = hashlib.sha256(bytes.fromhex(seed)).hexdigest()
    assert vectors["commitment"] == commitment == werewolf.commitment(seed)
    assert vectors["mixed_seed"] == mixed_of(seed, entropies)
    assert vectors["mixed_seed"] == werewolf.mix_seed(seed, entropies)


def test_throws(vectors: dict[str, Any]) -> None:
    discarded = 0
    for told in vectors["throws"]:
        dice = Dice(vectors["mixed_seed"], told["counter"])
        assert dice.throw(told["label"], int(told["sides"])) == int(told["value"])
        assert dice.counter == told["next_counter"]
        discarded += dice.counter - told["counter"] - 1
    assert discarded, "no vector shows a throw that is discarded"


def test_shuffle(vectors: dict[str, Any]) -> None:
    told = vectors["shuffle"]
    dice = Dice(vectors["mixed_seed"], told["counter"])
    assert dice.shuffle(told["label"], told["things"]) == told["order"]
    assert dice.counter == told["next_counter"]


def test_seatings(vectors: dict[str, Any]) -> None:
    mixed = vectors["mixed_seed"]
    for told in vectors["seatings"]:
        places = list(range(told["players"]))
        assert Dice(mixed).shuffle("seating", places) == told["seating"]
        assert list(werewolf.seating(mixed, len(places))) == told["seating"]


def test_deals(vectors: dict[str, Any]) -> None:
    assert {told["ruleset"] for told in vectors["deals"]} == set(werewolf.RULESETS)
    for told in vectors["deals"]:
        ruleset, seats = told["ruleset"], told["seats"]
        options = werewolf.check_options(ruleset, told["options"])
        dice = Dice(vectors["mixed_seed"])
        assert dice.shuffle("deal", roles_before(ruleset, seats, options)) == told["roles"]
        assert dice.counter == told["throws"]
        table = Table(ruleset, seats, vectors["mixed_seed"], told["options"])
        assert list(table.start().match.roles) == told["roles"]


def test_canonical_form_and_digest(vectors: dict[str, Any]) -> None:
    told = vectors["canonical"]
    assert written(told["document"]) == replay.canonical(told["document"]) == told["text"]
    assert digest_of(told["document"]) == replay.digest_of(told["document"]) == told["digest"]


# ---- whole matches ------------------------------------------------------------------------------

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    # lone surrogates are no text
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"]), max_size=4), inner)
    ),
    max_leaves=8,
)


@given(json_values)
def test_there_is_one_way_to_write_a_value(value: Any) -> None:
    assert written(value) == replay.canonical(value)
    assert written(json.loads(written(value))) == written(value)


@pytest.mark.parametrize("ruleset", sorted(werewolf.RULESETS))
@settings(max_examples=examples(40))
@given(st.data())
def test_replays_follow_from_the_page(ruleset: str, data: st.DataObject) -> None:
    told = recorded(data.draw(scripts(ruleset)))
    mixed = mixed_of(told["seed"], told["entropies"])
    assert told["mixed_seed"] == mixed
    assert told["commitment"] == hashlib.sha256(bytes.fromhex(told["seed"])).hexdigest()
    assert told["seating"] == Dice(mixed).shuffle("seating", list(range(len(told["players"]))))
    assert told["digest"] == digest_of(told)
    roles = roles_before(ruleset, len(told["players"]), told["options"])
    dealt = [event["data"]["role"] for event in told["events"] if event["type"] == "role_private"]
    assert dealt == Dice(mixed).shuffle("deal", roles)


@settings(max_examples=examples(60))
@given(scripts("werewolf-0.2"))
def test_picks_and_ties_of_the_night_follow_from_the_page(script: Script) -> None:
    script = Script(script.table, script.choices, silences=script.silences)
    steps = list(play(script))
    dice = Dice(script.table.seed)
    roles = dice.shuffle("deal", roles_before("werewolf-0.2", script.table.seats, {}))
    picks: dict[int, int] = {}
    alive = list(range(script.table.seats))
    for step in steps:
        for event in step.events:
            if event.type == "night_start":
                picks = {}
            elif event.type == "action_private" and event.data["action"] == "kill":
                target = event.data["target"]
                if event.data.get("timeout"):
                    prey = [seat for seat in alive if roles[seat] != "werewolf"]
                    standing = [t for t in picks.values() if t in alive]
                    assert target == (standing[0] if standing else dice.choose("pick", prey))
                picks[event.data["seat"]] = target
            elif event.type == "elimination":
                alive.remove(event.data["seat"])
            elif event.type == "dawn":
                votes = Counter(target for target in picks.values() if target in alive)
                most = max(votes.values(), default=0)
                first = sorted(t for t, count in votes.items() if count == most)
                assert event.data["killed"] == (dice.choose("night_tie", first) if first else None)
    assert dice.counter == steps[-1].after.throws


@settings(max_examples=examples(40))
@given(scripts("house-9"))
def test_orders_of_house_9_follow_from_the_page(script: Script) -> None:
    dice = Dice(script.table.seed)
    steps = list(play(Script(script.table, script.choices)))
    seats = list(range(script.table.seats))
    options = dict(steps[0].after.options)
    dice.shuffle("deal", roles_before("house-9", len(seats), options))
    order = dice.shuffle("order", seats)  # of the introductions
    for step in steps:
        phase = step.after.phase
        for event in step.events:
            if event.type in ("night_start", "day_start", "vote_start"):
                order = dice.shuffle("order", seats)
        if phase in ("introductions", "night_wolves", "day_vote"):
            line = [*step.after.awaiting, *step.after.upcoming]
            assert line == [seat for seat in order if seat in line]
    assert dice.counter == steps[-1].after.throws
