"""What went wrong in code that somebody else wrote, told without the frames of this package."""

import sysconfig
import traceback
from pathlib import Path
from typing import Final

_OURS: Final = str(Path(__file__).parent)
_LIBRARIES: Final = tuple(sysconfig.get_paths()[name] for name in ("stdlib", "purelib", "platlib"))
_FRAMES: Final = -8
"""Of a long traceback the innermost so many."""


def own_traceback(error: BaseException) -> str:
    """The traceback from the first frame of somebody else's code on, without its first line."""
    start = error.__traceback__
    while start is not None and not _is_own(start.tb_frame.f_code.co_filename):
        start = start.tb_next
    told = traceback.TracebackException(type(error), error, start, limit=_FRAMES, compact=True)
    return "".join(told.format(chain=False)).removeprefix("Traceback (most recent call last):\n")


def one_line(error: BaseException) -> str:
    """Where and what, as `mine.py, line 3: SyntaxError: invalid syntax`."""
    if isinstance(error, SyntaxError):
        return f"{error.filename}, line {error.lineno}: {type(error).__name__}: {error.msg}"
    what = " ".join(f"{type(error).__name__}: {error}".split()).removesuffix(":")
    if isinstance(error, ModuleNotFoundError):
        what += " (is it installed here?)"
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if _is_own(frame.filename):
            return f"{frame.filename}, line {frame.lineno}: {what}"
    return what


def _is_own(file: str) -> bool:
    """Whether the code is neither this package's nor a library's."""
    return not file.startswith(("<", _OURS, *_LIBRARIES))
