"""The command line: a replay is fetched as it is and judged, and every failure is one line."""

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from typing import Any

import pytest

import werewolf
from lanternwell.cli import COMMANDS, NOBODY_READS, connection, main
from tests.hosting.world import World, play_out, running
from werewolf.replay import canonical, digest_of


@cache
def a_replay() -> bytes:
    """As the service gives it out."""
    world = World()
    match_id, callers = running(world, 8, ruleset="arena-1")
    play_out(world, match_id, callers, Random(1), silences=0.05)
    return canonical(world.replays.replay(match_id)).encode()


def forged(**changes: Any) -> bytes:
    """With a digest that fits."""
    document = json.loads(a_replay()) | changes
    return canonical(document | {"digest": digest_of(document)}).encode()


def one_line(capsys: pytest.CaptureFixture[str], *words: str) -> None:
    """The command told nothing but one line, and in it these words."""
    seen = capsys.readouterr()
    assert (seen.out, seen.err.count("\n")) == ("", 1)
    for part in words:
        assert part in seen.err


@contextmanager
def service(
    answers: dict[str, tuple[int, bytes]], links: dict[str, str] | None = None
) -> Iterator[str]:
    """Answers these paths, some of them with a link to the next; gives its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, body = answers.get(self.path, (404, b'{"code": "not_found"}'))
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            if links and self.path in links:
                self.send_header("Link", f'<{links[self.path]}>; rel="next"')
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def test_a_true_replay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "replay.json"
    file.write_bytes(a_replay())
    assert main(["verify", str(file)]) == 0
    out = capsys.readouterr().out
    told = json.loads(a_replay())
    assert out.startswith(
        f"TRUE: match {told['match_id']} (arena-1, 8 seats): commitment, seating,"
    )
    assert out.count("\n") == 1
    assert f"{len(told['moves'])} inputs, {len(told['events'])} events" in out


@pytest.mark.parametrize(
    ("text", "where"),
    [
        (forged(winner="nobody"), "winner"),
        (forged(commitment="00" * 32), "commitment"),
        (forged(note="hello"), "note"),
        (a_replay() + b"\n", "byte"),
        (a_replay().replace(b'"sc', b'"\\u0073c', 1), "byte"),
        (forged(seed="00" * 32), "commitment"),
        (forged(entropies=["x"] * 8), "mixed_seed"),
        (forged(seating=[*range(8)]), "seating"),
        (forged(moves=[{"at": 0, "by": "start", "seat": None, "move": None}]), "moves"),
    ],
)
def test_a_replay_that_is_not_true(
    text: bytes, where: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "replay.json"
    file.write_bytes(text)
    assert main(["verify", str(file)]) == 1
    assert capsys.readouterr().out.startswith(f"NOT TRUE: {where}")


def test_the_commitment_must_be_the_one_that_was_noted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "replay.json"
    file.write_bytes(a_replay())
    noted = json.loads(a_replay())["commitment"]
    assert main(["verify", str(file), "--commitment", noted.upper()]) == 0
    assert main(["verify", str(file), "--commitment", "ab" * 32]) == 1
    assert "NOT TRUE: commitment" in capsys.readouterr().out


def test_what_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with service({}) as http:
        for source in (str(tmp_path), str(tmp_path / "none"), f"{http}/none", "http://a:b"):
            assert main(["verify", source]) == 2
            one_line(capsys, "lanternwell verify: ")


@pytest.mark.parametrize("text", [a_replay()[:-1], b"", b"GIF89a", b"[]", b"{}", b'{"format": 2}'])
def test_what_is_no_replay(text: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "replay.json"
    file.write_bytes(text)
    assert main(["verify", str(file)]) == 2
    one_line(capsys, f"lanternwell verify: {file} is no replay that can be read: no JSON")


def test_from_a_service_to_a_file_and_back(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    path = "/matches/aaaaaaaaaaaaaaaa/replay"
    with service({path: (200, a_replay())}) as http:
        assert main(["verify", f"{http}{path}"]) == 0
        assert capfdbinary.readouterr().out.startswith(b"TRUE: ")
        assert main(["replay", "aaaaaaaaaaaaaaaa", "--http", f"{http}/"]) == 0
        assert capfdbinary.readouterr().out == a_replay()
        file = tmp_path / "replay.json"
        assert main(["replay", "aaaaaaaaaaaaaaaa", "--http", http, "-o", str(file)]) == 0
        assert file.read_bytes() == a_replay()
        assert main(["replay", "bbbbbbbbbbbbbbbb", "--http", http]) == 2
        assert b"lanternwell replay: there is no match b" in capfdbinary.readouterr().err


def test_a_long_replay_is_fetched_in_its_parts(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    path = "/matches/aaaaaaaaaaaaaaaa/replay"
    file = a_replay()
    third = len(file) // 3
    parts = [file[:third], file[third : 2 * third], file[2 * third :]]
    answers = {f"{path}?part={number}": (200, part) for number, part in enumerate(parts, 1)}
    answers[path] = (409, b'{"code": "replay_in_parts"}')
    links = {f"{path}?part={number}": f"?part={number + 1}" for number in (1, 2)}
    with service(answers, links) as http:
        assert main(["verify", f"{http}{path}"]) == 0
        assert capfdbinary.readouterr().out.startswith(b"TRUE: ")
        assert main(["replay", "aaaaaaaaaaaaaaaa", "--http", http]) == 0
        assert capfdbinary.readouterr().out == file
        del answers[f"{path}?part=2"]
        assert main(["replay", "aaaaaaaaaaaaaaaa", "--http", http]) == 2
        assert capfdbinary.readouterr().out == b""


def test_as_a_module_reading_from_stdin() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "lanternwell", "verify", "-"],
        input=a_replay(),
        capture_output=True,
        check=False,
        env={"PYTHONPATH": ":".join(sys.path)},
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"TRUE: ")


def test_every_command_explains_itself(capsys: pytest.CaptureFixture[str]) -> None:
    for name in COMMANDS:
        with pytest.raises(SystemExit) as ended:
            main([name, "--help"])
        assert ended.value.code == 0
        assert f"usage: lanternwell {name}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["dance"], "invalid choice: 'dance'"),
        (["watch", ""], "'' is no match id"),
        (["watch", "../rules"], "'../rules' is no match id"),
        (["tables", "-n", "0"], "'0' is no whole number from 1"),
        (["open", "--option", "max_days"], "must be NAME=VALUE"),
        (["run", "random", "--pace", "-1"], "'-1' is no number of seconds"),
    ],
)
def test_arguments_that_make_no_sense(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    one_line(capsys, words, "--help says more")


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("http://127.0.0.1:9", ["no answer from http://127.0.0.1:9 (", "Is the service up"]),
        ("127.0.0.1:80", ["'127.0.0.1:80' is no HTTP address: it begins with http://"]),
        ("http://", ["is no HTTP address"]),
        ("", ["where is the service? Say --http URL"]),
    ],
)
def test_an_address_where_no_service_is(
    address: str,
    words: list[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv(connection.HTTP, raising=False)
    monkeypatch.setattr("lanternwell.backoff.Backoff.pause", lambda *_: 0.0)
    for command in (
        ["tables"],
        ["watch", "aaaaaaaaaaaaaaaa"],
        ["run", "random"],
        ["register", "A"],
    ):
        assert main([*command, "--http", address]) == 2
        one_line(capsys, f"lanternwell {command[0]}: ", *words)


@pytest.mark.parametrize(("status", "body"), [(404, b"<Error/>"), (200, b"<html>"), (200, b"[]")])
def test_an_address_where_something_else_answers(
    status: int, body: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    """Such as that of the local cloud without its path."""
    with service({"/rules": (status, body)}) as http:
        assert main(["rules", "--http", http]) == 2
        one_line(capsys, f"something answers at {http}, but not as Lanternwell", "with its path")


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["rules"], "there is nothing at http://127.0.0.1:"),
        (["rules", "chess-1"], "there is no rule set chess-1 here. `lanternwell rules` lists them"),
        (
            ["watch", "abc"],
            "there is no match abc here. `lanternwell tables` lists the public ones",
        ),
    ],
)
def test_what_is_not_there(
    command: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with service({}) as http:
        assert main([*command, "--http", http]) == 2
        one_line(capsys, words)


def test_nobody_reads_the_output() -> None:
    with (
        service({"/rules/long": (200, b"line\n" * 100_000)}) as http,
        subprocess.Popen(
            [sys.executable, "-m", "lanternwell", "rules", "long", "--http", http],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={"PYTHONPATH": ":".join(sys.path)},
        ) as reading,
    ):
        assert reading.stdout
        assert reading.stderr
        assert reading.stdout.readline() == b"line\n"
        reading.stdout.close()
        assert (reading.stderr.read(), reading.wait()) == (b"", NOBODY_READS)


def test_every_rule_set_can_be_verified(tmp_path: Path) -> None:
    for ruleset, rules in werewolf.RULESETS.items():
        world = World()
        match_id, callers = running(world, rules.seats.min, ruleset=ruleset)
        play_out(world, match_id, callers, Random(2), silences=0.2)
        file = tmp_path / f"{ruleset}.json"
        file.write_bytes(canonical(world.replays.replay(match_id)).encode())
        assert main(["verify", str(file)]) == 0
