"""The commands that talk to a service, from registering to the end of a match."""

import asyncio
import hashlib
import io
import os
import re
import stat
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from lanternwell import AsyncClient, Turn, take_seat
from lanternwell.agents import RandomAgent
from lanternwell.cli import connection, main, tokens
from lanternwell.cli.keyboard import Keyboard
from lanternwell.cli.play import UNFINISHED, Person, Quit
from lanternwell.cli.typing_moves import Unclear, menu, read_move
from lanternwell.clock import ServiceClock
from lanternwell.loading import NoAgent, load_agent
from lanternwell.pacing import Paced
from lanternwell.show.screen import PlainScreen
from lanternwell.show.watcher import Watcher
from tests.client.service import Service, running_in_a_thread

TEN_LINES = """
import random
from lanternwell import Agent, every_move

class Mine(Agent):
    def on_turn(self, turn, view):
        return random.choice(list(every_move(turn, say="I am new here.")))
"""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of one's own."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv(connection.HTTP, raising=False)
    monkeypatch.delenv(connection.WS, raising=False)
    return tmp_path


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    with running_in_a_thread() as service:
        monkeypatch.setenv(connection.HTTP, service.http_url)
        monkeypatch.setenv(connection.WS, service.ws_url)
        yield service


@pytest.fixture
def mine(tmp_path: Path) -> str:
    file = tmp_path / "mine.py"
    file.write_text(TEN_LINES)
    return str(file)


# ---- refusals -----------------------------------------------------------------------------------


def test_a_refusal_names_the_place(service: Service, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["register", "Ada"]) == 0
    for value in ("abc", "0", "21", "true"):
        capsys.readouterr()
        assert main(["open", "arena-1", "--option", f"max_days={value}"]) == 2
        assert capsys.readouterr().err == (
            "lanternwell open: options.max_days: must be a whole number from 1 to 20 (malformed)\n"
        )


def test_a_token_of_a_service_that_is_gone(
    service: Service, capsys: pytest.CaptureFixture[str], home: Path
) -> None:
    file = home / "a.token"
    assert main(["register", "Ada B"]) == 0
    assert main(["register", "Bea", "--token-file", str(file)]) == 0
    service.forget_everybody()
    capsys.readouterr()
    assert main(["open"]) == 2
    told = capsys.readouterr().err
    assert "Ada B.token (a local service forgets everybody when it ends)." in told
    assert told.endswith("Register again: lanternwell register 'Ada B'\n")
    for command in (["tables", "--mine"], ["join", "k3jw7qzm5c2xdn4a"], ["run", "random"]):
        assert main([*command, "--token-file", str(file)]) == 2
        told = capsys.readouterr().err
        assert f"does not know the token in {file}" in told
        assert told.count("\n") == 1


# ---- registering --------------------------------------------------------------------------------


def test_a_token_is_kept_for_its_owner_alone(
    service: Service, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["register", "Ada"]) == 0
    (agent,) = service.agents
    out, err = capsys.readouterr()
    (file,) = (home / "config").rglob("*.token")
    assert str(file) in out
    token = tokens.read(file)
    assert token not in out + err
    assert hashlib.sha256(token.encode()).digest() == agent.digest
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert list(file.parent.iterdir()) == [file]


def test_a_token_file_of_ones_own(
    service: Service, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = home / "ada.token"
    assert main(["register", "Ada", "--token-file", str(file), "--show-token"]) == 0
    assert tokens.read(file) in capsys.readouterr().out
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert main(["register", "Bea", "--token-file", str(file)]) == 2
    assert "is there already" in capsys.readouterr().err
    assert [agent.name for agent in service.agents] == ["Ada"]
    assert main(["open", "--token-file", str(file)]) == 0
    (table,) = service.matches.values()
    assert table.host == tokens.read(file).partition(".")[0]


def test_a_name_that_is_taken(service: Service, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["register", "Ada"]) == 0
    assert main(["register", "Ada"]) == 2
    assert capsys.readouterr().err == (
        "lanternwell register: another agent has this name (name_taken)\n"
    )


@pytest.mark.parametrize("name", ["../../x", "..", ".", "a/b", "", "Äda", "a" * 24])
def test_no_name_leaves_the_folder(name: str) -> None:
    file = tokens.file_of("http://x", name)
    assert file.parent == tokens.file_of("http://x", "y").parent
    assert file.resolve().parent == file.parent.resolve()


def test_services_are_kept_apart() -> None:
    assert tokens.file_of("http://x:1", "Ada") != tokens.file_of("http://x:2", "Ada")


# ---- errors -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["tables"], "where is the service? Say --http URL, or set LANTERNWELL_HTTP"),
        (["open", "--http", "http://x"], "who are you? Register first: lanternwell register NAME"),
        (["join", "m", "--http", "http://x", "--as", "Zoe"], "'Zoe' was not registered from here"),
        (["run", "nothing.py", "--http", "http://x"], "there is no file nothing.py"),
    ],
)
def test_errors_are_one_line(
    arguments: list[str],
    told: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("lanternwell.exchange.Backoff.pause", lambda *_: 0.0)
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert not out
    assert err.startswith(f"lanternwell {arguments[0]}: ")
    assert len(err.splitlines()) == 1
    assert told in err


@pytest.mark.parametrize("option", ["max_days", "=1", ""])
def test_an_option_has_a_name_and_a_value(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["open", "--http", "http://x", "--option", option])
    assert caught.value.code == 2
    assert "must be NAME=VALUE" in capsys.readouterr().err


def test_an_empty_token_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "empty"
    file.write_text("\n")
    assert main(["open", "--http", "http://x", "--token-file", str(file)]) == 2
    assert "there is no token in" in capsys.readouterr().err


def test_a_match_that_is_not_there(service: Service, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["watch", "nowhere"]) == 2
    assert capsys.readouterr().err == (
        "lanternwell watch: there is no match nowhere here. `lanternwell tables` lists the public "
        "ones\n"
    )


# ---- tables -------------------------------------------------------------------------------------


def test_opening_listing_and_joining(service: Service, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tables"]) == 0
    assert "No table is open." in capsys.readouterr().out
    assert main(["register", "Ada"]) == 0
    assert main(["open", "arena-1", "--title", "A title"]) == 0
    assert main(["open", "--seats", "5", "--option", "talk_rounds=1", "--private"]) == 0
    public, private = service.matches.values()
    public.title = "A \x1b[31mtitle"  # which no service should let through
    assert private.options["talk_rounds"] == 1
    out = capsys.readouterr().out
    (invite,) = re.findall(r"^invite +(\S+)$", out, re.MULTILINE)
    assert main(["tables", "--ruleset", "arena-1"]) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[1].split() == [
        public.match_id,
        *("arena-1", "open", "0", "of", "8", "A", "[31mtitle"),
    ]
    assert "\x1b" not in out
    assert main(["register", "Bea"]) == 0  # the latest one is meant from now on
    assert main(["join", private.match_id]) == 2
    assert main(["join", private.match_id, "--invite", invite]) == 0
    assert main(["join", public.match_id, "--as", "Ada"]) == 0
    assert [player.name for player in private.players] == ["Bea"]
    assert [player.name for player in public.players] == ["Ada"]
    capsys.readouterr()
    assert main(["tables", "--mine"]) == 0
    assert private.match_id in capsys.readouterr().out
    assert main(["join", private.match_id, "--leave"]) == 0
    assert private.players == ()
    assert main(["tables", "--mine"]) == 0
    assert "no seat" in capsys.readouterr().out


def test_the_rules(service: Service, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules"]) == 0
    assert "werewolf-0.2     5 to 10 seats  Werewolf" in capsys.readouterr().out
    assert main(["rules", "arena-1"]) == 0
    assert capsys.readouterr().out.startswith("# Arena (`arena-1`)")
    assert main(["rules", "../agents/me/matches"]) == 2


# ---- running an agent ---------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", ["werewolf-0.2", "arena-1", "house-9"])
def test_an_agent_practises(
    service: Service, mine: str, ruleset: str, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["run", mine, "--practice", "--ruleset", ruleset, "--option", "max_days=2"]
    assert main(arguments) == 0
    out, err = capsys.readouterr()
    (table,) = service.matches.values()
    assert table.status == "over"
    (agent,) = (table.players[seat] for seat in table.people)
    assert err.startswith(f"Registered as {agent.name}; the token is in ")
    assert agent.name.startswith("Mine ")
    assert f"{agent.name} is seated at {table.match_id}" in out
    assert f"Match {table.match_id} is over: " in out
    assert f" {agent.name}: rank " in out


class Still(ServiceClock):
    """A service's clock that stands at noon."""

    def now(self) -> int:
        return 43_200_000


def test_an_agent_at_a_pace_never_misses_its_deadline(service: Service, mine: str) -> None:
    agent = Paced(RandomAgent("s"), 2.0)
    turn = Turn(turn_id="1.day_talk.0", phase="day_talk", day=1, legal_actions=(), deadline_ms=None)
    assert agent.pause_s(turn) == 2.0
    agent.clock = Still()
    pauses = [agent.pause_s(turn.replace(deadline_ms=43_200_000 + ms)) for ms in (9000, 3000, -1)]
    assert pauses == [2.0, 1.5, 0.0]
    assert main(["run", mine, "--practice", "--ruleset", "arena-1", "--pace", "0.001"]) == 0
    (table,) = service.matches.values()
    assert {move["by"] for move in table.moves} == {"player"}


def test_who_is_known_is_not_registered_again(service: Service, mine: str) -> None:
    for _ in range(2):
        assert main(["run", mine, "--practice", "--ruleset", "arena-1", "-q"]) == 0
    assert len(service.agents) == 1
    assert main(["run", mine, "--practice", "--ruleset", "arena-1", "-q", "--as", "Ada"]) == 0
    assert [agent.name for agent in service.agents][1:] == ["Ada"]


def test_who_was_forgotten_is_registered_again(service: Service, mine: str) -> None:
    assert main(["register", "Ada"]) == 0
    service.forget_everybody()
    assert main(["run", mine, "--practice", "--ruleset", "arena-1", "--as", "Ada"]) == 0
    assert [agent.name for agent in service.agents] == ["Ada"]


def test_an_error_of_the_agent_is_told_and_ends_the_run_where_that_is_wanted(
    service: Service,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text(TEN_LINES.replace("return random", "return 1 / 0 or random"))
    arguments = ["run", str(broken), "--practice", "--option", "max_days=1", "-q"]
    arguments += ["--ruleset", "house-9"]  # everybody has a turn before anybody can be killed
    assert main(arguments) == 0
    assert "Traceback" in caplog.text
    assert "ZeroDivisionError" in caplog.text
    capsys.readouterr()
    assert main([*arguments, "--stop-on-error"]) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.splitlines()[-1].startswith("ZeroDivisionError")
    assert "broken.py" in told.err
    assert "lanternwell/player.py" not in told.err


def test_agents_meet_at_an_open_table(service: Service, mine: str, home: Path) -> None:
    assert main(["register", "host"]) == 0
    assert main(["open", "--seats", "5", "--option", "max_days=1"]) == 0
    (table,) = service.matches.values()
    codes: list[int] = []

    def play(number: int) -> None:
        file = home / f"{number}.token"
        assert main(["register", f"agent {number}", "--token-file", str(file)]) == 0
        codes.append(main(["run", mine, "-q", "--token-file", str(file)]))

    threads = [threading.Thread(target=play, args=(number,)) for number in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert codes == [0] * 5
    assert table.status == "over"
    assert len(service.matches) == 1


def test_a_rematch(service: Service, mine: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", mine, "--practice", "--ruleset", "arena-1", "-q"]) == 0
    (first,) = service.matches.values()
    assert main(["join", first.match_id, "--rematch"]) == 0
    assert first.rematch in service.matches
    assert first.rematch in capsys.readouterr().out


@pytest.mark.parametrize(
    ("source", "name", "told"),
    [
        ("x = 1", "", "there is no Agent in "),
        ("from lanternwell.agents import RandomAgent", "", "there is no Agent in "),
        (TEN_LINES + TEN_LINES.replace("Mine", "Yours"), "", "several agents in "),
        (TEN_LINES, ":Yours", "there is no Yours in "),
        (TEN_LINES, ":random", "cannot be called"),
        (TEN_LINES + "    def __init__(self, key): ...", "", "missing 1 required"),
        (TEN_LINES + "    def __init__(self): 1 / 0", "", "agent.py, line 8: ZeroDivisionError: "),
        (TEN_LINES.replace("):", ")", 1), "", "agent.py, line 5: SyntaxError: "),
        ("\nimport no_such_thing", "", "agent.py, line 2: ModuleNotFoundError: "),
        ("import os\nos.environ['NO_SUCH_THING']", "", "agent.py, line 2: KeyError: "),
        ("raise SystemExit('enough')", "", "agent.py, line 1: SystemExit: enough"),
    ],
)
def test_files_without_an_agent(
    source: str,
    name: str,
    told: str,
    service: Service,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """One line, and nobody is registered."""
    file = tmp_path / "odd_agent.py"
    file.write_text(source)
    assert main(["run", f"{file}{name}"]) == 2
    err = capsys.readouterr().err
    assert told in err
    assert err.count("\n") == 1
    assert not service.agents


def test_agents_in_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "beside_me.py").write_text("WORDS = 'from beside'")
    file = tmp_path / "two_agents.py"
    file.write_text(
        "import beside_me\n"
        + TEN_LINES
        + TEN_LINES.replace("Mine", "Yours")
        + "    def __init__(self, seed):\n        self.words = seed + beside_me.WORDS\n"
        + "if __name__ == '__main__':\n    raise SystemExit('run as a program')\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    for spec in (f"{file}:Yours", "two_agents:Yours"):
        agent = load_agent(spec, "a seed ")
        assert type(agent).__name__ == "Yours"
        assert vars(agent)["words"] == "a seed from beside"
    assert type(load_agent("heuristic", "s")).__name__ == "HeuristicAgent"
    with pytest.raises(NoAgent, match=r"'nobody' is no agent: say one of heuristic, llm, random"):
        load_agent("nobody", "s")


# ---- watching and playing -----------------------------------------------------------------------


def test_watching_a_match_to_its_end(
    service: Service, mine: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", mine, "--practice", "-q", "--option", "max_days=1"]) == 0
    (table,) = service.matches.values()
    capsys.readouterr()
    assert main(["watch", table.match_id]) == 0
    out = capsys.readouterr().out
    for words in ("werewolf-0.2, over", "== Night 1 ==", "== The end ==", "Result: the "):
        assert words in out
    assert "Your card" not in out
    assert "\x1b" not in out
    assert main(["watch", table.match_id, "--as", "Mine"]) == 2  # nobody was called just that
    (agent,) = service.agents
    assert main(["watch", table.match_id, "--as", agent.name]) == 0
    assert "Your card: " in capsys.readouterr().out


def typing(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(text))


def test_a_person_plays(
    service: Service, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    targets = [f"1 {seat}" for seat in range(7)]
    turn = ["?", "dance", "table", *targets, "1 I see."]
    typing(monkeypatch, "\n".join(turn * 60))
    options = ["--option", "max_days=1", "--option", "talk_rounds=1"]
    assert main(["play", "--practice", *options]) == 0
    out = capsys.readouterr().out
    (table,) = service.matches.values()
    assert table.status == "over"
    (seat,) = table.people
    assert f"~ You are {seat} " in out
    assert "Result: the " in out
    assert {move["by"] for move in table.moves} == {"player"}
    if any(move["seat"] == seat for move in table.moves):  # unless the pack was quicker
        assert "> Your turn, " in out
        assert "1) " in out
        assert "which action? " in out
        assert " (you): alive, " in out


def test_a_person_is_told_before_it_is_asked() -> None:
    """Also when the stream has not brought a single event yet."""

    async def asked() -> str:
        out = io.StringIO()
        screen = PlainScreen(out)
        async with (
            Service().running() as service,
            AsyncClient(service.http_url) as client,
            Keyboard(io.StringIO("quit\n")) as keyboard,
        ):
            await client.register("Ada")
            match_id = await take_seat(client, practice=True, ruleset="house-9")
            while (state := await client.state(match_id)).turn is None:
                await asyncio.sleep(0.01)
            watcher = Watcher(client, match_id, screen)
            person = Person(client, match_id, keyboard, screen, watcher)
            assert state.view is not None
            with pytest.raises(Quit):
                await person.on_turn(state.turn, state.view)
        return out.getvalue()

    out = asyncio.run(asked())
    assert 0 < out.index("At the table: ") < out.index("Your card: ") < out.index("> Your turn, ")


@pytest.mark.parametrize(("typed", "why"), [("quit\n", "stopped playing"), ("", "nothing more")])
def test_a_person_stops(
    typed: str,
    why: str,
    service: Service,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    typing(monkeypatch, typed)
    assert main(["play", "--practice", "--ruleset", "house-9"]) == UNFINISHED
    out, err = capsys.readouterr()
    (table,) = service.matches.values()
    (agent,) = service.agents
    again = f"lanternwell play {table.match_id} --as '{agent.name}'"
    assert f"Your seat stays yours. To go on: {again}" in out
    assert why in err.splitlines()[-1]


def test_a_person_who_says_nothing_is_played_for(
    service: Service, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    reading, writing = os.pipe()
    with os.fdopen(reading) as silence:
        monkeypatch.setattr("sys.stdin", silence)
        monkeypatch.setattr("lanternwell.cli.play.LOOK_S", 0.1)
        options = ["turn_deadline_ms=1000", "max_consecutive_timeouts=1", "max_days=1"]
        try:
            asked = [part for option in options for part in ("--option", option)]
            assert main(["play", "--practice", "--ruleset", "house-9", *asked]) == 0
        finally:
            os.close(writing)
    out = capsys.readouterr().out
    (table,) = service.matches.values()
    (seat,) = table.people
    assert {move["by"] for move in table.moves if move["seat"] == seat} <= {"timeout"}
    assert "> Your turn, " in out
    assert "> This turn is over." in out


def test_lines_are_read_beside_other_things() -> None:
    async def lines() -> list[str | None]:
        reading, writing = os.pipe()
        with os.fdopen(reading) as stream:
            async with Keyboard(stream) as keyboard:
                os.write(writing, b"one\r\nt")
                first = await keyboard.line()
                os.write(writing, "wö\nthree".encode())
                second = await keyboard.line()
                os.close(writing)
                return [first, second, await keyboard.line(), await keyboard.line()]

    assert asyncio.run(lines()) == ["one", "twö", "three", None]


# ---- moves as they are typed --------------------------------------------------------------------

OFFERS = Turn(
    turn_id="1.day_talk.0",
    phase="day_talk",
    day=1,
    legal_actions=(
        {"action": "say", "to": [1, 2], "intents": ["answer"], "max_message_chars": 20},
        {"action": "vote", "targets": [1, 2, 10]},
        {"action": "no_lynch"},
        {"action": "claim", "roles": ["seer", "doctor"]},
        {"action": "kill", "targets": [1], "max_message_bytes": 9},
    ),
    deadline_ms=None,
)


NAMES = {1: "Ada", 2: "Bea of the Well", 3: "Eve", 10: "3 of the"}
"""A name that begins with a number means nothing by it."""


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("say Hello there", {"action": "say", "message": "Hello there"}),
        ("say @2 And you?", {"action": "say", "to": 2, "message": "And you?"}),
        ("1 3 wolves", {"action": "say", "message": "3 wolves"}),
        ("vote 10", {"action": "vote", "target": 10}),
        ("  VOTE   1 ", {"action": "vote", "target": 1}),
        ("2 2", {"action": "vote", "target": 2}),
        ("v 2", {"action": "vote", "target": 2}),
        ("no", {"action": "no_lynch"}),
        ("claim Seer", {"action": "claim", "role": "seer"}),
        ("kill 1 now", {"action": "kill", "target": 1, "message": "now"}),
        ("kill 1", {"action": "kill", "target": 1}),
        ("kill Ada now", {"action": "kill", "target": 1, "message": "now"}),
        ("vote bea", {"action": "vote", "target": 2}),
        ("vote bea of the well", {"action": "vote", "target": 2}),
        ("say @bea of the well You?", {"action": "say", "to": 2, "message": "You?"}),
        ("say @well You?", {"action": "say", "to": 2, "message": "You?"}),
    ],
)
def test_typed_moves(line: str, move: dict[str, object]) -> None:
    assert read_move(line, OFFERS, NAMES) == move


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("", "which action"),
        ("0", "none of them"),
        ("6", "none of them"),
        ("dance", "which action"),
        ("vote", "which target"),
        ("vote 3", "no target now"),
        ("vote eve", "no target now"),
        ("vote of the", "no target now"),
        ("vote 1 please", "takes no words"),
        ("no_lynch now", "takes no words"),
        ("claim wolf", "no role now"),
        ("say @9 hi", "no to now"),
        ("say " + "x" * 21, "20 chars at most"),
        ("kill 1 äääää", "9 bytes at most"),
        ("²", "which action"),
    ],
)
def test_lines_that_are_no_move(line: str, why: str) -> None:
    with pytest.raises(Unclear, match=why):
        read_move(line, OFFERS, NAMES)


def test_the_menu() -> None:
    assert list(menu(OFFERS, {1: "Ada", 2: "Bea"})) == [
        "1) say [@seat] <words>    to: 1 Ada, 2 Bea",
        "2) vote <target>    target: 1 Ada, 2 Bea, 10",
        "3) no_lynch",
        "4) claim <role>    role: seer, doctor",
        "5) kill <target> <words>    target: 1 Ada",
    ]
