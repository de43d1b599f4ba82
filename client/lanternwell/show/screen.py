"""Where the story is shown: a live terminal, or plain lines for a file or a pipe."""

import sys
from io import TextIOWrapper
from typing import Final, Protocol, TextIO

from rich.console import Console, Group, RenderableType
from rich.live import Live
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
WAITING_S: Final = 1.0
"""How long somebody is waited for until plain lines say so."""


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
        self._noted: tuple[int, str, int] | None = None

    def tell(self, line: Line, story: Story) -> None:
        """One line of the story."""
        if line.tone is Tone.CHAPTER:
            self.say()
            self.say(f"== {line.text} ==")
        elif line.tone in (Tone.SPOKEN, Tone.QUIET) and line.seat is not None:
            self.say(f"  {line.seat} {story.name(line.seat)}: {line.text}")
        else:
            self.say(f"  {MARKS.get(line.tone, '')}{line.text}")

    def refresh(self, story: Story, now: int) -> None:
        """A progress line per phase and round, and a line when somebody keeps all waiting."""
        progress = (story.day, story.phase, story.talk_round)
        if story.day and progress != self._progress:
            self._progress = progress
            self.say(f"  [{standing(story)}]")
        turn = story.on_turn
        if turn is None or turn.deadline is None or now - turn.began < WAITING_S * 1000:
            return
        noted = (story.day, story.phase, turn.number)
        if noted != self._noted:
            self._noted = noted
            left = max(0.0, (turn.deadline - now) / 1000)
            self.say(f"  ... waiting for {story.name(turn.seat)}, about {left:.1f} s left")

    def say(self, text: str = "") -> None:
        """A line of its own."""
        print(text, file=self._stream, flush=True)

    def close(self) -> None:
        """Nothing is left behind."""


class LineScreen:
    """Coloured lines one after the other, with nothing that moves: for who types in between."""

    def __init__(self, stream: TextIO) -> None:
        self._console = _console(stream)

    def tell(self, line: Line, story: Story) -> None:
        """One line of the story."""
        self._console.print(_rendered(line, story))

    def refresh(self, story: Story, now: int) -> None:
        """Nothing stands still here."""

    def say(self, text: str = "") -> None:
        """A line of its own."""
        self._console.print(Text(text))

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
        self._console.print(Text(text))

    def close(self) -> None:
        """Take the standing part away."""
        self._live.stop()


def standing(story: Story) -> str:
    """Day, phase and who is left, in one line."""
    phase = story.phase
    if phase == "talk" and story.talk_rounds:
        phase = f"talk, round {story.talk_round} of {story.talk_rounds}"
    wolves = "" if story.wolves_left is None else f", werewolves left: {story.wolves_left}"
    return f"day {story.day}, {phase}, alive: {len(story.alive)} of {len(story.names)}{wolves}"


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
    return Text(f"  {MARKS.get(line.tone, '')}{line.text}", style=style)


def _standing_part(story: Story, now: int) -> RenderableType:
    players = Text()
    for seat, name in sorted(story.names.items()):
        on_turn = story.on_turn is not None and story.on_turn.seat == seat
        mark = ">" if on_turn else " "
        if seat in story.alive:
            strikes = "!" * story.strikes.get(seat, 0)
            players.append(f"{mark}{seat} {name}{strikes}  ", style=_seat_style(seat))
        else:
            role = story.roles.get(seat, "out")
            players.append(f"{mark}{seat} {name} ({role})  ", style="dim strike")
    head = Text("─" * 60, style="dim")
    return Group(head, Text(standing(story), style="bold"), players, Text(_clock(story, now)))


def _clock(story: Story, now: int) -> str:
    turn = story.on_turn
    if turn is None:
        return "the village sleeps" if story.phase == "night" else ""
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
