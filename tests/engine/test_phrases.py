"""What bots say, and what they understand: their own phrases and plain sentences, as a whole."""

import json
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bots
import werewolf
from bots.phrases import BOOK, MEANINGS, PLAIN, Phrase, pattern_of, say, understood
from werewolf.moves import Text

DATA = json.loads((Path(bots.__file__).parent / "phrases.json").read_text("utf-8"))
PAGE = Path(__file__).parents[2] / "docs/agents.md"


def spoken(phrase: Phrase, who: int = 3, by: int = 12) -> str:
    text = phrase.text.format(who=f"seat {who}", by=f"seat {by}")
    return text[0].upper() + text[1:]


def test_the_book_is_whole() -> None:
    kinds = [set(voice) for voice in DATA["voices"].values()]
    assert all(some == kinds[0] for some in kinds)
    texts = [text for voice in DATA["voices"].values() for kind in voice.values() for text in kind]
    assert len(texts) == len(BOOK), "two phrases are the same"
    assert not BOOK.keys() & PLAIN.keys()
    assert {phrase.kind for phrase in PLAIN.values()} <= set(MEANINGS)


def test_every_phrase_fits_where_bots_speak() -> None:
    limits = {
        field.limit
        for ruleset in bots.RULESETS
        for phase in werewolf.RULESETS[ruleset].phases.values()
        for _, action in phase.menu
        for field in action.fields
        if isinstance(field, Text) and field.name == "message"
    }
    assert limits
    for phrase in BOOK.values():
        text = spoken(phrase)
        assert text.isascii()
        assert text.isprintable()
        assert len(text) <= min(limits)


@pytest.mark.parametrize("phrase", [*BOOK.values(), *PLAIN.values()], ids=lambda one: one.text[:30])
def test_every_phrase_is_understood_as_it_is_meant(phrase: Phrase) -> None:
    meant = tuple((m, None if m == "seer" else 3) for m in MEANINGS.get(phrase.kind, ()))
    assert understood(spoken(phrase)) == meant
    assert understood(spoken(phrase).upper() + "!") == meant
    if "seer" in MEANINGS.get(phrase.kind, ()):
        assert "i am the seer" in phrase.text.casefold().replace("i'm", "i am")


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("I am the seer. Seat 4 is a werewolf.", [("seer", None), ("accuse", 4)]),
        (
            "I\u2019m the seer and seat 4 is a wolf, vote seat 4",
            [("seer", None)] + [("accuse", 4)] * 2,
        ),
        ("SEAT 1 is innocent; seat 2 is a werewolf", [("trust", 1), ("accuse", 2)]),
        ("I do not trust seat 2!", [("accuse", 2)]),
    ],
)
def test_plain_sentences_may_stand_in_a_row(text: str, meaning: object) -> None:
    assert list(understood(text)) == meaning


@pytest.mark.parametrize(
    "text",
    [
        "",
        "...",
        "seat 3 (seat 4) is a werewolf",
        "not a werewolf (seat 3) is a werewolf",
        "I do not believe that seat 3 is a werewolf",
        "Is seat 3 a werewolf?",
        "Seat 3 is a werewolf?",
        'He says "seat 3 is a werewolf"',
        "Nice weather, seat 3 is a werewolf.",
        "I am the seer, or not.",
        "# is a werewolf",
        "# is a werewolf, and so is seat 3",
        "{who} is a werewolf",
        "seat 300 is a werewolf",
        "seat -1 is a werewolf",
        "seat \u0663 is a werewolf",
        "We have lost seat 3, and with seat 4 a vote.",
        "seat 3 is a were\u202ewolf",
    ],
)
def test_what_is_not_understood_as_a_whole_means_nothing(text: str) -> None:
    assert understood(text) == ()


@given(st.sampled_from([*BOOK.values()]), st.text(max_size=20), st.text(max_size=20))
def test_a_phrase_inside_other_words_means_nothing(phrase: Phrase, before: str, after: str) -> None:
    text = f"{before} the {spoken(phrase)} {after} oh"
    assert understood(text) == ()


def test_what_was_said_least_comes_first_then_the_own_voice() -> None:
    def said(voice: str, *, times: int) -> list[str]:
        dice, heard = Random(7), bots.phrases.Counter()
        texts = []
        for _ in range(times):
            text = say(["introduce"], voice, dice, heard, 280)
            assert text is not None
            texts.append(pattern_of(text))
            heard[texts[-1]] += 1
        return texts

    book = [pattern for pattern, phrase in BOOK.items() if phrase.kind == "introduce"]
    for voice in bots.VOICES:
        own = {pattern for pattern in book if BOOK[pattern].voice == voice}
        texts = said(voice, times=len(book) + len(own))
        assert set(texts[: len(own)]) == own == set(texts[len(book) :])
        assert sorted(texts[: len(book)]) == sorted(book)


def test_what_does_not_fit_is_not_said() -> None:
    heard = bots.phrases.Counter[str]()
    assert say(["pack"], "blunt", Random(1), heard, 3) is None
    assert say(["pack"], "formal", Random(1), heard, 9) == "I concur."


def test_the_page_tells_what_bots_understand() -> None:
    told = PAGE.read_text("utf-8").partition("### What bots understand")[2].partition("\n#")[0]
    sentences = told.partition("```text\n")[2].partition("```")[0].splitlines()
    assert len(sentences) > 3
    assert all(understood(sentence) for sentence in sentences)
    assert {remark for sentence in sentences for remark, _ in understood(sentence)} == {
        "seer",
        "accuse",
        "trust",
    }
