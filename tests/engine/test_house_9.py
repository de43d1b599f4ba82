"""What must hold in every match of house-9: bytes to the byte, a fair floor, short chains."""

import json
import unicodedata
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import werewolf
from tests.engine.random_play import scripts
from tests.examples import examples
from werewolf import IllegalMove, Input, InvalidOptions, Match, dice
from werewolf.checking.matches import NOW, Script, Table, play
from werewolf.checking.moves import legal_move
from werewolf.rulesets.floor import LONGEST_CHAIN

RULES = werewolf.RULESETS["house-9"]
SEED = "0f" * 32
ROLES = ["werewolf", "werewolf", "seer", "doctor", "villager", "villager", "villager"]
MOST = 320
SHARE = 400
unhurried = settings(deadline=None)


def begun(roles: list[str] = ROLES, seed: str = SEED, **options: Any) -> Match:
    return Table("house-9", len(roles), seed, options).start(roles).match


def moved(match: Match, **move: Any) -> werewolf.Transition:
    return werewolf.act(match, match.awaiting[0], move, now=NOW)


def first_talk(**options: Any) -> Match:
    """The first day's talk, with everybody alive."""
    match = begun(**options)
    while match.phase == "introductions":
        match = moved(match, action="pass").match
    for _ in range(2):
        match = moved(match, action="propose", target=4).match
    match = moved(match, action="investigate", target=0).match
    return moved(match, action="protect", target=4).match


# ---- bytes --------------------------------------------------------------------------------------

PIECES = st.characters(exclude_categories=["Cs", "Cc"]) | st.sampled_from(
    ["\n", "🐺", "👩\u200d🚀", "e\u0301", "\U0010ffff", "x", "é", "狼", "\u200b", "\u2003"]
)
TEXTS = st.lists(PIECES, max_size=90).map("".join) | st.builds(
    lambda letter, size, end: letter * (size // len(letter.encode())) + end,
    st.sampled_from(["x", "é", "狼", "🐺", "e\u0301", "\U0010ffff", "👩\u200d🚀"]),
    st.integers(MOST - 6, MOST + 3),
    st.sampled_from(["", "x", "é", "狼", "🐺", "\u0301"]),
)


def readable(text: str) -> bool:
    """Whether there is anything to read: more than white space and invisible marks."""
    return any(not ch.isspace() and unicodedata.category(ch) != "Cf" for ch in text)


@unhurried
@given(st.lists(TEXTS, min_size=1, max_size=12))
def test_the_budget_is_exact_to_the_byte(texts: list[str]) -> None:
    match = first_talk()
    left = SHARE * len(match.alive)
    for text in texts:
        if match.phase != "day_talk":
            break
        assert match.notes["bytes_left"] == left >= MOST
        size = len(text.encode("utf-8"))
        if size > MOST or not readable(text):
            with pytest.raises(IllegalMove) as refusal:
                moved(match, action="say", message=text)
            code = "message_too_long" if size > MOST else "message_required"
            assert refusal.value.code == code
            continue
        after = moved(match, action="say", message=text)
        (said,) = [event.data for event in after.events if event.type == "message"]
        left -= size
        assert (said["text"], said["bytes_left"]) == (text, left)
        match = after.match
        assert (match.phase == "day_vote") == (left < MOST)


@unhurried
@given(TEXTS)
def test_every_message_has_the_same_limit(text: str) -> None:
    """Introductions, proposals and ballots are counted like what is said."""
    too_long = len(text.encode("utf-8")) > MOST
    match = begun()
    asked = [(match, {"action": "introduce", "message": text}, False)]
    while match.phase == "introductions":
        match = moved(match, action="pass").match
    asked.append((match, {"action": "propose", "target": 4, "message": text}, True))
    match = first_talk()
    while match.phase == "day_talk":
        match = moved(match, action="pass").match
    target = next(seat for seat in match.alive if seat != match.awaiting[0])
    asked.append((match, {"action": "vote", "target": target, "message": text}, True))
    asked.append((match, {"action": "abstain", "message": text}, True))
    for position, move, may_be_blank in asked:
        if too_long or not (may_be_blank or readable(text)):
            with pytest.raises(IllegalMove) as refusal:
                moved(position, **move)
            assert refusal.value.code == ("message_too_long" if too_long else "message_required")
            continue
        texts = [event.data["text"] for event in moved(position, **move).events if said(event)]
        assert texts == ([text] if readable(text) else [])


def said(event: werewolf.Event) -> bool:
    return "text" in event.data and event.type in ("message", "message_private", "ballot")


@pytest.mark.parametrize("letter", ["x", "🐺"])
def test_thinking_is_counted_in_bytes_and_a_cue_in_code_points(letter: str) -> None:
    match = first_talk()
    longest = letter * (8_000 // len(letter.encode()))
    free = moved(match, action="pass", thinking=longest)
    assert free.match == moved(match, action="pass").match
    (thought,) = [event for event in free.events if event.type == "thinking"]
    assert thought.data["text"] == longest
    assert thought.audience == ()
    cued = moved(match, action="say", message="Hm.", cue=letter * 120).match
    assert cued.notes["bytes_left"] == SHARE * 7 - 3
    for move in ({"thinking": longest + "x"}, {"cue": letter * 121}):
        with pytest.raises(IllegalMove) as refusal:
            moved(match, action="say", message="Hm.", **move)
        assert refusal.value.code == "message_too_long"
        assert refusal.value.field in move


# ---- the floor ----------------------------------------------------------------------------------


def talks(script: Script) -> Iterator[tuple[Match, Input, Match]]:
    """Every step of the discussions of a random match."""
    for step in play(script):
        if step.refusal is None and step.before.phase == "day_talk" and step.did.by != "start":
            yield step.before, step.did, step.after


def handed_to(did: Input) -> int | None:
    to: int | None = did.move.get("to") if did.by == "player" else None
    return to


@unhurried
@given(scripts("house-9"))
def test_the_floor_is_fair(script: Script) -> None:
    """While somebody waits, nobody else is offered the floor twice but by a handoff."""
    waited: dict[int, list[int]] = {}
    for before, did, after in talks(script):
        if sum(before.moves) == 0 and before.awaiting != after.awaiting:
            waited = {seat: [before.awaiting[0]] for seat in before.alive}
            waited[before.awaiting[0]] = []
        if after.phase != "day_talk" or before.awaiting == after.awaiting:
            continue
        holder = after.awaiting[0]
        if handed_to(did) is None:
            for seat in after.alive:
                assert seat == holder or holder not in waited[seat]
                waited[seat] = [*waited[seat], holder]
        else:
            assert handed_to(did) == holder
        waited[holder] = []


@unhurried
@given(scripts("house-9"))
def test_the_fourth_of_a_chain_turns_elsewhere(script: Script) -> None:
    """No four handoffs in a row, the last of which goes back to the one who made the third."""
    chain: list[int] = []
    for before, did, after in talks(script):
        to = handed_to(did)
        if did.by == "leave" and before.awaiting == after.awaiting:
            continue
        if to is None or after.phase != "day_talk":
            chain = []
        elif len(chain) == LONGEST_CHAIN:
            assert to != chain[-1]
            chain = []
        else:
            chain.append(before.awaiting[0])
        if after.phase == "day_talk" and len(chain) == LONGEST_CHAIN and chain[-1] in after.alive:
            with pytest.raises(IllegalMove) as refusal:
                moved(after, action="say", message="No, you.", to=chain[-1])
            assert refusal.value.code == "illegal_target"


@unhurried
@given(scripts("house-9"))
def test_whoever_has_the_floor_may_always_speak(script: Script) -> None:
    """The budget never goes negative, and nobody on turn is refused for it."""
    for match, _, _ in talks(script):
        assert MOST <= match.notes["bytes_left"] <= match.notes["allowance"]
        assert moved(match, action="say", message="x" * MOST).match != match
        assert moved(match, action="pass").match != match


@given(st.integers(0, 2**32), st.integers(6, 8))
@settings(unhurried, max_examples=examples(25))
def test_a_long_talk_ends_and_leaves_a_small_state(number: int, seats: int) -> None:
    """A whole match in which everybody has much to say."""
    rng = Random(number)
    match = (
        Table("house-9", seats, f"{number:064x}", {"turn_deadline_ms": 86_400_000}).start().match
    )
    sizes = []
    while not match.over:
        move = legal_move(match, match.awaiting[0], rng)
        if move["action"] == "pass":
            move = {"action": "introduce" if match.phase == "introductions" else "say"}
            move["message"] = "🐺" * rng.choice([1, 80])
        match = werewolf.act(match, match.awaiting[0], move, now=NOW).match
        sizes.append(len(match.to_json().encode()))
    assert max(sizes) <= 900


# ---- the table ----------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [6, 7, 8])
@pytest.mark.parametrize("wolves", [1, 2])
@pytest.mark.parametrize("seer", [True, False])
@pytest.mark.parametrize("doctor", [True, False])
def test_the_deal(seats: int, wolves: int, seer: bool, doctor: bool) -> None:
    options = {"wolves": wolves, "seer": seer, "doctor": doctor}
    roles = Table("house-9", seats, SEED, options).start().match.roles
    assert len(roles) == seats
    assert roles.count("werewolf") == wolves
    assert roles.count("seer") == seer
    assert roles.count("doctor") == doctor


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("wolves", 0),
        ("wolves", 3),
        ("wolves", True),
        ("seer", 1),
        ("doctor", None),
        ("max_days", 0),
        ("max_days", 21),
        ("turn_deadline_ms", 999),
        ("turn_deadline_ms", 86_400_001),
        ("max_consecutive_timeouts", 0),
        ("omniscient", "yes"),
        ("captured_thinking", 0),
        ("talk_rounds", 2),
    ],
)
def test_options_out_of_bounds(name: str, value: object) -> None:
    with pytest.raises(InvalidOptions) as refusal:
        werewolf.check_options("house-9", {name: value})
    assert refusal.value.field == name


@pytest.mark.parametrize("seats", [5, 9])
def test_too_few_and_too_many(seats: int) -> None:
    with pytest.raises(InvalidOptions):
        Table("house-9", seats, SEED, {}).start()


def quiet_move(match: Match) -> dict[str, Any]:
    """A move after which, made by all, nobody has died: everybody is after the same villager."""
    villager = match.roles.index("villager")
    turn = werewolf.turn(match, match.awaiting[0])
    assert turn is not None
    action = turn.legal_actions[0]["action"]
    if action in ("propose", "protect", "investigate"):
        return {"action": action, "target": villager}
    return {"action": "abstain" if action == "vote" else "pass"}


@unhurried
@given(st.integers(0, 2**256 - 1), st.integers(6, 8))
def test_the_orders_can_be_drawn_again(number: int, seats: int) -> None:
    """The deal, then an order of all seats for each phase that has one, on one counter."""
    seed = f"{number:064x}"
    match = Table("house-9", seats, seed, {}).start().match
    _, counter = dice.shuffled(seed, "deal", 0, match.roles)
    for phase in ("introductions", "night_wolves", "day_talk", "day_vote"):
        order, counter = dice.shuffled(seed, "order", counter, range(seats))
        while match.phase != phase:
            match = moved(match, **quiet_move(match)).match
        taking_part = set(match.awaiting) | set(match.upcoming)
        queue = match.notes["floor"][0] if phase == "day_talk" else []
        expected = [seat for seat in order if seat in {*taking_part, *queue}]
        assert [*match.awaiting, *match.upcoming, *queue[:-1]] == expected


def test_the_options_stay_with_the_match() -> None:
    match = begun(max_days=3)
    assert json.loads(match.to_json())["options"] == {
        "wolves": 2,
        "seer": True,
        "doctor": True,
        "max_days": 3,
        "turn_deadline_ms": 60_000,
        "max_consecutive_timeouts": 3,
        "omniscient": False,
        "captured_thinking": True,
    }


def test_the_page_names_every_option_event_and_action() -> None:
    page = RULES.page
    played = {
        event.type
        for number in range(20)
        for step in play(Script(Table("house-9", 7, f"{number:064x}", {}), number, silences=50))
        for event in step.events
    }
    actions = {"introduce", "pass", "propose", "investigate", "protect", "say", "vote", "abstain"}
    for word in (*RULES.options, *RULES.phases, *played, *actions):
        assert f"`{word}`" in page, word
