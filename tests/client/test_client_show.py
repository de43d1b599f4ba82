"""The show: what a spectator is told, how it is shown, and a whole one on the fake service."""

import asyncio
import io
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from rich.console import Console

import lanternwell
import werewolf
from lanternwell import Agent, AsyncClient, Event, State, Turn, View, every_move
from lanternwell.show.__main__ import main
from lanternwell.show.screen import PlainScreen, Waiting, bar, screen_for, when
from lanternwell.show.story import PHASES, WORDLESS, Story, Tone, clean
from tests.client.service import Faults, Service

DEALT = {
    "players": [
        {"seat": 0, "name": "Mira"},
        {"seat": 1, "name": "Odo"},
        {"seat": 2, "name": "Ilse"},
    ],
    "roles": {"werewolf": 1, "villager": 2},
}


def event(kind: str, **data: Any) -> Event:
    return Event(seq=1, at=0, type=kind, data=data)


def told(story: Story, *events: Event) -> list[str]:
    return [line.text for each in events for line in story.feed(each)]


def at_day_one() -> Story:
    story = Story()
    told(
        story,
        event("roles_dealt", **DEALT),
        event("night_start", day=1),
        event("day_start", day=1),
        event("talk_round", day=1, round=1, rounds=2),
    )
    return story


def state(seat: int, number: int, now: int) -> State:
    view = {
        "phase": "day_talk",
        "turn": {"turn": number, "seat": seat, "phase": "day_talk"},
        "limits": {"turn_deadline_ms": 4000},
        "counts": {"wolves_total": 1, "wolves_eliminated": 0},
    }
    return seen(view, 4, now)


def seen(view: View, seq: int, now: int) -> State:
    return State(
        match_id="m",
        status="running",
        viewer="spectator",
        visible_state=view,
        your_turn=None,
        seq=seq,
        server_now=now,
    )


def test_strikes_and_the_clock_that_strikes_out() -> None:
    story = at_day_one()
    lines = told(
        story,
        event("timeout", day=1, phase="day_talk", seat=1, strikes=1),
        event("timeout", day=1, phase="day_vote", seat=1, strikes=2),
        event("elimination", day=1, seat=1, cause="left", role="werewolf", team="werewolves"),
    )
    assert lines == [
        "Odo lets the time run out: strike 1.",
        "Odo lets the time run out: strike 2.",
        "Odo is struck out by the clock. The card: werewolf.",
    ]
    assert story.struck_out == [1]
    assert story.fates == {1: "struck out, day 1"}
    assert story.wolves_left == 0
    assert story.alive == {0, 2}


def test_who_leaves_by_itself_is_not_struck_out() -> None:
    story = at_day_one()
    lines = told(
        story,
        event("timeout", day=1, phase="day_talk", seat=1, strikes=1),
        event("action", day=1, phase="day_talk", seat=1, action="pass"),
        event("elimination", day=1, seat=1, cause="left", role="villager", team="villagers"),
    )
    assert lines[-1] == "Odo leaves the match. The card: villager."
    assert story.struck_out == []


def test_votes_are_told_by_target() -> None:
    votes = [{"seat": 0, "target": 1}, {"seat": 1, "target": None}, {"seat": 2, "target": 1}]
    assert told(at_day_one(), event("votes_revealed", day=1, votes=votes, tally=[])) == [
        "The ballots are opened:",
        "Odo: 2 (Mira, Ilse)",
        "abstained: Odo",
    ]


def test_a_vote_that_does_not_count_is_told_with_the_reason() -> None:
    story = at_day_one()
    told(story, event("elimination", day=1, seat=2, cause="left", role="villager"))
    votes = [
        {"seat": 0, "target": 2, "void": True},
        {"seat": 1, "target": 0},
        {"seat": 2, "target": None},
    ]
    assert told(story, event("votes_revealed", day=1, votes=votes, tally=[])) == [
        "The ballots are opened:",
        "Mira: 1 (Odo)",
        "out before the votes were opened: Ilse",
        "void: the vote of Mira for Ilse, since Ilse is out",
    ]
    votes = [
        {"seat": 0, "target": None, "unavailable": True},
        {"seat": 1, "target": "no_lynch"},
        {"seat": 2, "target": 0, "void": True},
    ]
    assert told(story, event("votes_revealed", day=1, votes=votes, tally=[])) == [
        "The ballots are opened:",
        "nobody: 1 (Odo)",
        "let the time run out: Mira",
        "void: the vote of Ilse for Mira, since Ilse is out",
    ]


def test_how_many_werewolves_are_left_is_not_guessed() -> None:
    story = at_day_one()
    assert story.wolves_left == 1
    told(story, event("elimination", day=1, seat=1, cause="vote"))  # its role stays hidden
    assert story.wolves_left is None


@pytest.mark.parametrize("ruleset", werewolf.RULESETS)
def test_every_event_has_words_or_needs_none(ruleset: str) -> None:
    told = {kind for kind in werewolf.RULESETS[ruleset].events if hasattr(Story, f"_{kind}")}
    assert told | WORDLESS >= werewolf.RULESETS[ruleset].events.keys()
    assert not told & WORDLESS


@pytest.mark.parametrize("ruleset", werewolf.RULESETS)
def test_the_phase_is_told_as_it_is(ruleset: str) -> None:
    """To a spectator, who looks after each change."""
    rules, dice, story = werewolf.RULESETS[ruleset], Random(ruleset), Story()
    names = [f"player {seat}" for seat in range(rules.seats.min)]
    transition = werewolf.start(ruleset, names, seed="5e" * 32, now=0)
    log: list[werewolf.Event] = []
    now, phases = 0, set()
    while True:
        match = transition.match
        for each in transition.events:
            if werewolf.visible_to(each, "spectator"):
                story.feed(Event(seq=len(log), at=now, type=each.type, data=each.data))
        log += transition.events
        if match.over:
            break
        view = werewolf.view(match, log, "spectator")
        story.look(seen(view, len(log), now))
        assert story.phase == PHASES[view["phase"]]
        assert when(story).startswith(("night ", "day ", "introductions"))
        phases.add(story.phase)
        now += 1000
        seat = dice.choice(match.awaiting) if match.awaiting else None
        turn = None if seat is None else werewolf.turn(match, seat)
        if seat is None or turn is None or (match.deadline is not None and now >= match.deadline):
            now = max(now, match.deadline or 0)
            transition = werewolf.expire(match, now=now)
        else:
            moves = list(every_move(Turn.read(turn.as_dict()), say="I wonder."))
            transition = werewolf.act(match, seat, dice.choice(moves), now=now)
    assert {"night", "talk"} <= phases
    assert story.phase == "over"


def test_a_night_tells_how_long_it_has_lasted() -> None:
    story, waiting = Story(limit_ms=30_000), Waiting()
    told(
        story,
        event("roles_dealt", **DEALT),
        Event(seq=2, at=100_000, type="night_start", data={"day": 1}),
    )
    notes = [waiting.note(story, 100_000 + 1000 * second) for second in range(46)]
    assert [note for note in notes if note] == [
        f"the village has slept for {seconds} s; whoever is awake has 30 s for a turn"
        for seconds in (15, 30, 45)
    ]


def test_a_clock_that_all_share_tells_what_is_left() -> None:
    story, waiting = Story(), Waiting()
    clock = {"day": 1, "earliest_ms": 20_000, "latest_ms": 60_000}
    told(story, event("roles_dealt", **DEALT), event("night_start", **clock))
    notes = [waiting.note(story, 1000 * second) for second in range(60)]
    assert [note for note in notes if note] == ["30 s left of the night", "10 s left of the night"]
    told(story, event("paused", day=1, phase="night", waiting_for=[1]))
    assert waiting.note(story, 59_000) is None


def test_nobody_is_told_to_wait_for_himself() -> None:
    story, waiting = at_day_one(), Waiting()
    story.look(state(1, 1, 10_000))
    story.you = 1
    assert waiting.note(story, 13_000) is None
    story.you = 0
    assert waiting.note(story, 13_000) == "waiting for Odo, about 1 s left"


def test_an_event_that_the_show_does_not_know_is_no_trouble() -> None:
    assert Story().feed(event("something_new", a=1)) == []


def test_a_strangers_text_cannot_touch_the_terminal() -> None:
    assert clean("a\x1b[2Jb\r\nc\u202ed") == "a[2Jb cd"
    story = at_day_one()
    (line,) = story.feed(event("message", day=1, round=1, seat=0, text="[red]x[/red] \x9bz"))
    assert line.text == "[red]x[/red] z"


def test_plain_lines_have_no_colour_and_say_who_is_waited_for() -> None:
    out, story = io.StringIO(), at_day_one()
    screen = screen_for(out)
    assert isinstance(screen, PlainScreen)
    for line in story.feed(event("message", day=1, round=1, seat=0, text="Good morning.")):
        screen.tell(line, story)
    story.look(state(1, 1, 10_000))
    screen.refresh(story, 10_500)
    screen.refresh(story, 11_500)
    screen.refresh(story, 12_000)
    assert out.getvalue().splitlines() == [
        "  [day 1, talk, round 1 of 2, alive: 3 of 3, werewolves left: 1]",
        "  0 Mira: Good morning.",
        "  ... waiting for Odo, about 2 s left",
    ]


def test_the_live_screen_shows_who_is_on_turn_and_the_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")
    out, story = io.StringIO(), at_day_one()
    screen = screen_for(out)
    assert not isinstance(screen, PlainScreen)
    try:
        story.look(state(1, 1, 10_000))
        screen.refresh(story, 11_000)
    finally:
        screen.close()
    shown = out.getvalue()
    assert "Odo is on turn" in shown
    assert "3.0 s left" in shown
    assert "day 1, talk, round 1 of 2" in shown


@pytest.mark.parametrize("tone", list(Tone))
def test_every_tone_can_be_read_without_colour(tone: Tone) -> None:
    from lanternwell.show.screen import LiveScreen
    from lanternwell.show.story import Line

    out = io.StringIO()
    screen = LiveScreen(Console(file=out, width=80, no_color=True, force_terminal=True))
    screen.tell(Line(tone, "the words", 1), at_day_one())
    screen.close()
    assert "the words" in out.getvalue()


def test_a_bar_is_never_shorter_or_longer_than_it_should_be() -> None:
    assert [bar(part, width=4) for part in (-1, 0, 0.5, 1, 7)] == [
        "░░░░",
        "░░░░",
        "██░░",
        "████",
        "████",
    ]


def shown(service_faults: Faults, *arguments: str) -> int:
    async def show() -> int:
        async with Service(service_faults).running() as service:
            addresses = ["--http", service.http_url, "--ws", service.ws_url]
            return await asyncio.to_thread(main, [*addresses, *arguments])

    return asyncio.run(show())


def test_a_whole_show(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    replay = tmp_path / "replay.json"
    deadline = ("--turn-deadline-ms", "1500")
    assert shown(Faults(), "--short", *deadline, "--seed", "a", "--save", str(replay)) == 0
    out, err = capsys.readouterr()
    assert not err
    for words in (
        "== Night 1 ==",
        "== Day 1 ==",
        "lets the time run out: strike 1.",
        "lets the time run out: strike 3.",
        "is struck out by the clock. The card: werewolf.",
        "The ballots are opened:",
        "== The end ==",
        "Result: the ",
        "Commitment  ",
        "            lanternwell verify http://127.0.0.1:",
    ):
        assert words in out
    assert "\x1b" not in out
    saved = json.loads(replay.read_text())
    assert saved["seed"] in out
    secrets = {"action_private", "message_private", "seer_result_private", "role_private"}
    assert secrets & {each["type"] for each in saved["events"]}
    during = out[: out.index("== The end ==")]
    for each in saved["events"]:
        if each["type"] == "message_private":
            assert each["data"]["text"] not in during


def stay(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C comes as soon as the show says that it stays."""

    async def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("lanternwell.show.__main__._forever", interrupted)


def test_who_stays_does_so_whatever_becomes_of_the_match(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stay(monkeypatch)

    def refuse(method: str, path: str) -> tuple[int, dict[str, str]] | None:
        return (409, {}) if path.endswith("/seats") else None

    assert shown(Faults(answer_instead=refuse), "--short", "--stay") == 1
    out, err = capsys.readouterr()
    assert err == "lanternwell.show: in_trouble\n"
    assert out.splitlines()[-1].endswith(" until Ctrl-C.")

    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("lanternwell.show.__main__.performers", broken)
    assert shown(Faults(), "--short", "--stay") == 1
    out, err = capsys.readouterr()
    assert err.startswith("lanternwell.show: it failed\nTraceback ")
    assert err.endswith("ZeroDivisionError\n")
    assert "The service stays up at http://" in out


def test_a_player_who_does_not_notice_the_end_hides_no_result(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """All is told before the show waits for the players."""
    monkeypatch.setattr("lanternwell.show.__main__.FAREWELL_S", 0.0)
    stay(monkeypatch)

    async def play(agent: Agent, client: AsyncClient, match_id: str, **how: Any) -> None:
        await lanternwell.play(agent, client, match_id, **how)
        await asyncio.Event().wait()

    monkeypatch.setattr("lanternwell.show.__main__.play", play)
    options = ["--turn-deadline-ms", "1500", "--seed", "a"]
    assert shown(Faults(), "--short", "--stay", *options) == 1
    out, err = capsys.readouterr()
    assert "Result: the " in out
    assert "class Mine(Agent):" in out
    assert "The service stays up at http://" in out
    assert err == "lanternwell.show: the match is over, but not every player has noticed\n"


def test_nothing_listens(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--http", "http://127.0.0.1:9", "--ws", "ws://127.0.0.1:9"]) == 1
    out, err = capsys.readouterr()
    assert not out
    assert err.startswith("lanternwell.show: GET http://127.0.0.1:9/matches: ")
    assert len(err.splitlines()) == 1


def test_a_service_that_refuses_ends_the_show_with_one_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def refuse(method: str, path: str) -> tuple[int, dict[str, str]] | None:
        return (409, {}) if path.endswith("/seats") else None

    assert shown(Faults(answer_instead=refuse), "--short") == 1
    err = capsys.readouterr().err
    assert err == "lanternwell.show: in_trouble\n"
