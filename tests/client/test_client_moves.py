"""Reading `legal_actions`, and making moves out of them."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from lanternwell import Turn, every_move, make, offered, quiet_move
from lanternwell.moves import TextLimit, choices, text_limits

SAY = {"action": "say", "max_message_chars": 280}
VOTE = {"action": "vote", "targets": [1, 2]}


def turn(*legal_actions: dict[str, Any]) -> Turn:
    return Turn(
        turn_id="1.day_talk.0",
        phase="day_talk",
        day=1,
        legal_actions=legal_actions,
        deadline_ms=None,
    )


def test_every_choice_becomes_a_move() -> None:
    assert list(every_move(turn(VOTE, {"action": "abstain"}), say="?")) == [
        {"action": "vote", "target": 1},
        {"action": "vote", "target": 2},
        {"action": "abstain"},
    ]
    claim = {"action": "claim", "roles": ["seer", "doctor"], "max_message_bytes": 4}
    assert list(every_move(turn(claim), say="hello")) == [
        {"action": "claim", "role": "seer", "message": "hell"},
        {"action": "claim", "role": "doctor", "message": "hell"},
    ]


def test_the_quietest_move() -> None:
    assert quiet_move(turn(SAY, {"action": "pass"})) == {"action": "pass"}
    assert quiet_move(turn(VOTE, {"action": "abstain"})) == {"action": "abstain"}
    assert quiet_move(turn({"action": "abstain"}, {"action": "lock"})) == {"action": "lock"}
    assert quiet_move(turn(VOTE)) == {"action": "vote", "target": 1}
    assert quiet_move(turn()) is None


def test_the_first_action_that_is_offered() -> None:
    assert offered(turn(VOTE, SAY), "kill", "say", "vote") == SAY
    assert offered(turn(VOTE), "kill") is None


def test_words_go_only_where_words_are_possible() -> None:
    assert make(VOTE, say="why", target=1) == {"action": "vote", "target": 1}
    assert make(SAY, say="why") == {"action": "say", "message": "why"}


def test_fields_and_limits_of_an_entry() -> None:
    entry = {"action": "say", "to": [3], "max_message_bytes": 320, "max_cue_chars": 120}
    assert choices(entry) == {"to": [3]}
    assert choices({"action": "propose", "targets": [3]}) == {"target": [3]}
    assert text_limits(entry) == {
        "message": TextLimit("message", 320, "bytes"),
        "cue": TextLimit("cue", 120, "chars"),
    }


@given(st.text(max_size=60), st.integers(4, 40), st.sampled_from(["chars", "bytes"]))
def test_a_text_is_made_to_fit_without_breaking_a_character(
    text: str, limit: int, unit: str
) -> None:
    fitted = TextLimit("message", limit, unit).fit(text)
    size = len(fitted.encode()) if unit == "bytes" else len(fitted)
    assert size <= limit
    if fitted != text:
        assert set(fitted.removesuffix("…")) <= {*text, " "}
