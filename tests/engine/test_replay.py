"""A replay is true or it is not: no byte of it can be changed unnoticed."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import werewolf
from tests.engine.random_play import scripts
from tests.examples import examples
from werewolf import replay
from werewolf.checking.matches import NOW, Script, Table, play
from werewolf.inputs import as_played, start_move

SERVER_SEED = "0123456789abcdef" * 4


def recorded(script: Script) -> dict[str, Any]:
    """The replay of a random match, written down while it is played, over or not."""
    entropies = ["", "tea leaves", *[""] * (script.table.seats - 2)]
    mixed = werewolf.mix_seed(SERVER_SEED, entropies)
    table = Table(script.table.ruleset, script.table.seats, mixed, script.table.options)
    first = start_move()
    moves: list[dict[str, Any]] = [{"at": NOW, "by": "start", "seat": None, "move": first}]
    events: list[dict[str, Any]] = []
    for step in play(Script(**{**vars(script), "table": table})):
        did = step.did
        if did.by != "start" and step.refusal is None:
            moves.append(as_played(step.before, did)._asdict())
        events += [
            {"seq": 0, "at": did.at, "type": event.type, "data": event.data}
            | {"audience": event.audience if event.audience == "everyone" else [*event.audience]}
            for event in step.events
        ]
        match = step.after
    for number, event in enumerate(events, 1):
        event["seq"] = number
    document = {
        "format": replay.FORMAT,
        "match_id": "abcdefghijklmnop",
        "ruleset": table.ruleset,
        "options": match.options,
        "players": [
            {
                "seat": seat,
                "agent_id": f"a{seat}",
                "name": f"p{seat}",
                "entropy": entropies[place] or None,
            }
            for seat, place in enumerate(werewolf.seating(mixed, table.seats))
        ],
        "seed": SERVER_SEED,
        "commitment": werewolf.commitment(SERVER_SEED),
        "entropies": entropies,
        "seating": list(werewolf.seating(mixed, table.seats)),
        "mixed_seed": mixed,
        "started_at": NOW,
        "moves": moves,
        "events": events,
        "winner": match.winner,
        "ranking": match.ranking,
    }
    return document | {"digest": replay.digest_of(document)}


def as_file(document: dict[str, Any]) -> bytes:
    return replay.canonical(document).encode()


def signed(document: dict[str, Any]) -> bytes:
    """As a forger would write it: with a digest that fits."""
    return as_file(document | {"digest": replay.digest_of(document)})


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return recorded(Script(Table("werewolf-0.2", 7, "", {}), choices=7, silences=100))


@pytest.mark.parametrize("ruleset", werewolf.RULESETS)
@settings(max_examples=examples(15))
@given(st.data())
def test_what_was_played_is_true(ruleset: str, data: st.DataObject) -> None:
    document = recorded(data.draw(scripts(ruleset)))
    found = replay.first_difference(as_file(document))
    over = document["winner"] or document["events"][-1]["type"] == "match_void"
    assert found is None if over else found is not None


@settings(max_examples=examples(150))
@given(st.data())
def test_any_byte_changed_is_noticed(document: dict[str, Any], data: st.DataObject) -> None:
    text = as_file(document)
    at = data.draw(st.integers(0, len(text) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda value: value != text[at]))
    found = replay.first_difference(text[:at] + bytes([byte]) + text[at + 1 :])
    assert found is not None
    assert found.where


def test_a_match_cut_short_is_no_replay(document: dict[str, Any]) -> None:
    found = replay.first_difference(signed(document | {"moves": document["moves"][:-1]}))
    assert found is not None
    assert found.where == "moves"


@pytest.mark.parametrize("spoil", [b" ", b"\n", b"{}", b"\x00"])
def test_nothing_may_be_added(document: dict[str, Any], spoil: bytes) -> None:
    assert replay.first_difference(as_file(document) + spoil) is not None


def test_the_first_difference_is_named(document: dict[str, Any]) -> None:
    """Also when the forger has written a digest that fits."""
    found = replay.first_difference(signed(document | {"commitment": "00" * 32}))
    assert found == ("commitment", f'"{"00" * 32}"', f'"{document["commitment"]}"')
    found = replay.first_difference(signed(document | {"winner": "draw"}))
    assert found is not None
    assert found.where == "winner"
    forged = json.loads(as_file(document))
    dawn = next(i for i, event in enumerate(forged["events"]) if event["type"] == "dawn")
    forged["events"][dawn]["data"]["killed"] = 99
    found = replay.first_difference(signed(forged))
    assert found is not None
    assert (found.where, found.told) == (f"events[{dawn}].data.killed", "99")


@pytest.mark.parametrize(
    ("name", "value", "where"),
    [
        ("seed", "ff" * 32, "commitment"),
        ("seed", "00" * 32, "commitment"),
        ("seed", "f", "seed"),
        ("entropies", ["x"] * 7, "mixed_seed"),
        ("entropies", [1] * 7, "entropies[0]"),
        ("mixed_seed", "00" * 32, "mixed_seed"),
        ("seating", [0, 1, 2, 3, 4, 5, 6], "seating["),
    ],
)
def test_a_wrong_deal_is_named_before_anything_that_is_played(
    document: dict[str, Any], name: str, value: Any, where: str
) -> None:
    """Also when the moves that follow cannot be played with it."""
    found = replay.first_difference(signed(document | {name: value}))
    assert found is not None
    assert found.where.startswith(where)


def test_a_move_that_was_never_legal_is_named(document: dict[str, Any]) -> None:
    forged = json.loads(as_file(document))
    forged["moves"][1] |= {"by": "player", "seat": 0, "move": {"action": "dance"}}
    found = replay.first_difference(signed(forged))
    assert found is not None
    assert found.where.startswith("moves[1]")


@pytest.mark.parametrize(
    "text",
    [b"", b"[]", b"null", b"{}", b"\xff", b"[" * 100_000, b'{"format":"lanternwell-replay-1"}'],
)
def test_what_is_no_replay_is_told_and_raises_nothing(text: bytes) -> None:
    assert replay.first_difference(text) is not None


def test_a_lone_surrogate_is_told_and_raises_nothing(document: dict[str, Any]) -> None:
    odd = document | {"match_id": "\ud800"}
    odd |= {"digest": replay.digest_of(odd)}
    escaped = json.dumps(odd, sort_keys=True, separators=(",", ":")).encode()
    raw = replay.canonical(odd).encode("utf-8", "surrogatepass")
    for text in (escaped, raw):
        assert replay.first_difference(text) is not None


@pytest.mark.parametrize("name", ["winner", "match_id", "note"])
def test_however_deep_it_nests_nothing_is_raised(document: dict[str, Any], name: str) -> None:
    """Also at the depths that one step can just bear and the next cannot."""
    text = as_file(document | {name: "DEEP"})
    for depth in range(940, 1_000):
        nested = b"[" * depth + b"]" * depth
        assert replay.first_difference(text.replace(b'"DEEP"', nested)) is not None


def test_a_match_is_told_in_one_way_only(document: dict[str, Any]) -> None:
    """`true` is no seat, although it equals 1, also when all that follows from it says so."""
    forged = json.loads(as_file(document))
    moved = next(
        number
        for number, move in enumerate(forged["moves"])
        if move["by"] == "player" and move["seat"] == 1
    )
    forged["moves"][moved]["seat"] = True
    found = replay.first_difference(signed(forged))
    assert found is not None
    assert found.where == f"moves[{moved}]"


@pytest.mark.parametrize("more", [{"note": 1}, {"match_id": 5}])
def test_nothing_but_what_a_replay_holds(document: dict[str, Any], more: dict[str, Any]) -> None:
    found = replay.first_difference(signed(document | more))
    assert found is not None
    assert found.where == next(iter(more))


@given(st.data())
@settings(max_examples=examples(100))
def test_odd_values_raise_nothing(document: dict[str, Any], data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(document.keys() - {"digest", "match_id"})))
    odd = data.draw(
        st.none()
        | st.booleans()
        | st.integers()
        | st.text(max_size=3)
        | st.lists(st.none() | st.integers() | st.text(max_size=3), max_size=3)
        | st.dictionaries(st.text(max_size=3), st.none(), max_size=2)
    )
    if odd != document[name]:
        assert replay.first_difference(signed(document | {name: odd})) is not None
