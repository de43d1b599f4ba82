"""Where the story is shown: a live terminal, or plain lines for a file or a pipe."""

import sys
from io import TextIOWrapper
from typing import Final, Protocol, TextIO

from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from lanternwell.show.story import Line, Story, Tone

STYLES: Final = {
    Tone.CHAPTER: "bold",
    Tone.TOLD: "",
    Tone.SPOKEN: "",
    Tone.QUIET: "dim",
    Tone.WARNING: "yellow",
    Tone.DEATH: "bold red",
    Tone.VOTES: "cyan",
    Tone.PRIVATE: "italic magenta",
    Tone.ASKED: "bold yellow",
    Tone.END: "bold green",
}
SEAT_STYLES: Final = (
    "cyan",
    "magenta",
    "green",
    "yellow",
    "blue",
    "bright_red",
    "bright_cyan",
    "bright_magenta",
    "bright_green",
    "bright_yellow",
)
MARKS: Final = {
    Tone.WARNING: "! ",
    Tone.DEATH: "x ",
    Tone.VOTES: "  ",
    Tone.PRIVATE: "~ ",
    Tone.ASKED: "> ",
    Tone.END: "* ",
}
BAR: Final = 20
NO_PHASE: Final = frozenset({"lobby", "deal", "over"})

WAITING_MS: Final = (1_000, 5_000)
"""Somebody is waited for a third of its time, but at least and at most so long, until that is
said."""

NIGHT_STEP_S: Final = 15
"""How often it is said that the night goes on."""

LEFT_S: Final = (60, 30, 10)
"""Of a clock that all share it is said when so much is left."""


class Screen(Protocol):
    """Something that shows a story."""

    def tell(self, line: Line, story: Story) -> None:
        """Show a new line."""

    def refresh(self, story: Story, now: int) -> None:
        """Show where the match stands; `now` is the service's time in milliseconds."""

    def say(self, text: str = "") -> None:
        """Show something that is not part of the story."""

    def close(self) -> None:
        """Leave the terminal in order. The story is told; `say` may still be called."""


def screen_for(stream: TextIO, *, plain: bool = False) -> Screen:
    """Live where the stream is a terminal that can do it, plain lines everywhere else."""
    return LiveScreen(_console(stream)) if can_colour(stream) and not plain else PlainScreen(stream)


def can_colour(stream: TextIO) -> bool:
    """Whether the stream is a terminal that can show more than plain lines."""
    console = _console(stream)
    return console.is_terminal and not console.is_dumb_terminal


def _console(stream: TextIO) -> Console:
    return Console(file=stream, highlight=False, markup=False, emoji=False)


def safe_stdout(stream: TextIO) -> TextIO:
    """The stream, in which what its encoding does not know can do no harm."""
    if isinstance(stream, TextIOWrapper):
        stream.reconfigure(errors="replace")  # a narrow encoding must not end the match
    return stream


class PlainScreen:
    """One line after the other, without colour, at any width."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stdout
        self._progress: tuple[int, str, int] | None = None
        self._waiting = Waiting()

    def tell(self, line: Line, story: Story) -> None:
        """One line of the story, and before what somebody does where that stands."""
        done_by_somebody = line.seat is not None and line.tone is not Tone.DEATH
        if done_by_somebody:
            self._stand(story)
        if line.tone is Tone.CHAPTER:
            self.say()
            self.say(f"== {line.text} ==")
        elif line.tone in (Tone.SPOKEN, Tone.QUIET) and line.seat is not None:
            self.say(f"  {line.seat} {story.name(line.seat)}: {line.text}")
        else:
            self.say(f"  {MARKS.get(line.tone, '')}{line.text}")

    def refresh(self, story: Story, now: int) -> None:
        """A progress line per phase and round, and a line when all have to wait."""
        self._stand(story)
        if note := self._waiting.note(story, now):
            self.say(f"  ... {note}")

    def _stand(self, story: Story) -> None:
        progress = (story.day, story.phase, story.talk_round)
        if story.phase not in NO_PHASE and progress != self._progress:
            self._progress = progress
            self.say(f"  [{standing(story)}]")

    def say(self, text: str = "") -> None:
        """A line of its own."""
        print(text, file=self._stream, flush=True)

    def close(self) -> None:
        """Nothing is left behind."""


class LineScreen:
    """Coloured lines one after the other, with nothing that moves: for who types in between."""

    def __init__(self, stream: TextIO) -> None:
        self._console = _console(stream)
        self._waiting = Waiting()

    def tell(self, line: Line, story: Story) -> None:
        """One line of the story."""
        self._console.print(_rendered(line, story))

    def refresh(self, story: Story, now: int) -> None:
        """A line when all have to wait."""
        if note := self._waiting.note(story, now):
            self._console.print(Text(f"  ... {note}", style="dim"))

    def say(self, text: str = "") -> None:
        """A line of its own."""
        self._console.print(Text(text), soft_wrap=True)  # so that it can be copied

    def close(self) -> None:
        """Nothing is left behind."""


class LiveScreen:
    """The story scrolls by; below it stands where the match is."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._live = Live(console=console, auto_refresh=False, transient=True)
        self._live.start()

    def tell(self, line: Line, story: Story) -> None:
        """One line of the story, above the standing part."""
        self._console.print(_rendered(line, story))

    def refresh(self, story: Story, now: int) -> None:
        """Draw the standing part anew."""
        self._live.update(_standing_part(story, now), refresh=True)

    def say(self, text: str = "") -> None:
        """A line of its own."""
        self._console.print(Text(text), soft_wrap=True)  # so that it can be copied

    def close(self) -> None:
        """Take the standing part away."""
        self._live.stop()


class Waiting:
    """What all have to wait for, said once for each turn, and now and then while a phase lasts.

    It says what the viewer may know: at night a spectator knows how long it has lasted.
    """

    def __init__(self) -> None:
        self._noted: tuple[object, ...] | None = None

    def note(self, story: Story, now: int) -> str | None:
        """What is to be said now, if anything is."""
        found = _wait_for_turn(story, now) if story.on_turn else _wait_for_clock(story, now)
        if found is None:
            return None
        step, text = found
        noted = (story.day, story.phase, step)
        if noted == self._noted:
            return None
        self._noted = noted
        return text


def _wait_for_turn(story: Story, now: int) -> tuple[int, str] | None:
    turn = story.on_turn
    if turn is None or turn.deadline is None or turn.seat == story.you:
        return None
    least, most = WAITING_MS
    if now - turn.began < min(most, max(least, (turn.deadline - turn.began) / 3)):
        return None
    left_s = max(0.0, (turn.deadline - now) / 1000)
    return turn.number, f"waiting for {story.name(turn.seat)}, about {left_s:.0f} s left"


def _wait_for_clock(story: Story, now: int) -> tuple[int, str] | None:
    clock = story.clock
    if clock is None:
        return None
    if clock.until is not None:
        left_s = max(0.0, (clock.until - now) / 1000)
        whole_s = (clock.until - clock.began) / 1000
        passed = [least for least in LEFT_S if left_s <= least < 0.75 * whole_s]
        return (passed[-1], f"{left_s:.0f} s left of the {period(story)}") if passed else None
    step = (now - clock.began) // (NIGHT_STEP_S * 1000)
    return (step, night(story, now)) if story.phase == "night" and step > 0 else None


def period(story: Story) -> str:
    """Day or night."""
    return "night" if story.phase == "night" else "day"


def night(story: Story, now: int) -> str:
    """How long the night has lasted, and what one may expect of it."""
    lasted = (
        f"the village has slept for {(now - story.clock.began) // 1000 if story.clock else 0} s"
    )
    if story.limit_ms is None:
        return lasted
    return f"{lasted}; whoever is awake has {story.limit_ms / 1000:g} s for a turn"


def when(story: Story) -> str:
    """Which day or night it is, and which part of it."""
    if story.phase == "introductions":
        return story.phase
    phase = f", {story.phase}"
    if story.phase == "talk" and story.talk_rounds:
        phase = f", talk, round {story.talk_round} of {story.talk_rounds}"
    elif story.phase == "night" or (story.clock and story.clock.until):
        phase = ""
    return f"{period(story)} {story.day}{phase}"


def standing(story: Story) -> str:
    """Day, phase and who is left, in one line."""
    wolves = "" if story.wolves_left is None else f", werewolves left: {story.wolves_left}"
    return f"{when(story)}, alive: {len(story.alive)} of {len(story.names)}{wolves}"


def bar(part: float, *, width: int = BAR) -> str:
    """How much of something is done (0 to 1)."""
    full = round(width * min(1.0, max(0.0, part)))
    return "█" * full + "░" * (width - full)


def _rendered(line: Line, story: Story) -> RenderableType:
    style = STYLES[line.tone]
    if line.tone is Tone.CHAPTER:
        return Text(f"\n── {line.text} " + "─" * max(0, 40 - len(line.text)), style=style)
    if line.tone in (Tone.SPOKEN, Tone.QUIET) and line.seat is not None:
        row = Table.grid(padding=(0, 1))
        row.add_column(width=2, justify="right")
        row.add_column(width=max(map(len, story.names.values()), default=4))
        row.add_column(ratio=1)
        name = Text(story.name(line.seat), style=_seat_style(line.seat))
        row.add_row(str(line.seat), name, Text(line.text, style=style))
        return row
    return Padding(Text(f"{MARKS.get(line.tone, '')}{line.text}", style=style), (0, 0, 0, 2))


def _standing_part(story: Story, now: int) -> RenderableType:
    players = []
    for seat in sorted(story.names):
        mark = ">" if story.on_turn is not None and story.on_turn.seat == seat else " "
        if seat in story.alive:
            strikes = "!" * story.strikes.get(seat, 0)
            players.append(Text(f"{mark}{story.called(seat)}{strikes}", style=_seat_style(seat)))
        else:
            role = story.roles.get(seat, "out")
            players.append(Text(f"{mark}{story.called(seat)} ({role})", style="dim strike"))
    head = Text("─" * 60, style="dim")
    if story.phase in NO_PHASE:
        return head
    return Group(
        head,
        Text(standing(story), style="bold"),
        Columns(players, padding=(0, 2)),
        Text(_clock(story, now)),
    )


def _clock(story: Story, now: int) -> str:
    turn, clock = story.on_turn, story.clock
    if turn is None and clock is not None and clock.until is not None:
        left = max(0, clock.until - now)
        part = left / max(1, clock.until - clock.began)
        return f"{bar(part)} {left / 1000:.0f} s left of the {period(story)} at most"
    if turn is None:
        return night(story, now) if story.phase == "night" else ""
    done = story.phase
    if turns := story.turns_of_phase:
        done = f"{bar(turn.number / turns, width=10)} {done}"
    if turn.deadline is None:
        return f"{done}   {story.name(turn.seat)} is on turn"
    left = max(0, turn.deadline - now)
    part = left / max(1, turn.deadline - turn.began)
    return f"{done}   {story.name(turn.seat)} is on turn  {bar(part)} {left / 1000:.1f} s left"


def _seat_style(seat: int) -> str:
    return SEAT_STYLES[seat % len(SEAT_STYLES)]
