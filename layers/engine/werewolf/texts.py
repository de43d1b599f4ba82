"""What counts as a text that may be said.

Source: rulings, "All rule sets", on texts.
"""

import unicodedata
from typing import Final, Literal

from werewolf.errors import IllegalMove

Unit = Literal["chars", "bytes"]


def length(text: str, unit: Unit) -> int:
    """How long a text is, in code points or in bytes of UTF-8."""
    return len(text) if unit == "chars" else len(text.encode())


_UNSEEN: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and symbols that show nothing: fillers, and the empty pattern of braille."""


def is_blank(text: str) -> bool:
    """Whether there is nothing to see: white space, fillers and marks without a letter alone."""
    return all(
        ch.isspace() or ch in _UNSEEN or unicodedata.category(ch) in ("Cf", "Mn") for ch in text
    )


def check_text(text: object, *, field: str, limit: int, unit: Unit, may_be_blank: bool) -> str:
    """The text itself, whole, or `IllegalMove`: nothing is ever cut or changed.

    Refused are: what is no string, control characters other than a line feed, lone surrogates
    (`malformed`), blank texts (`message_required`), and texts over the limit (`message_too_long`).
    """
    if not isinstance(text, str):
        raise IllegalMove("malformed", f"{field} must be a string", field=field)
    if not text.isprintable():
        for ch in text:
            category = unicodedata.category(ch)
            if category == "Cs" or (category == "Cc" and ch != "\n"):
                raise IllegalMove(
                    "malformed", f"{field} holds the character U+{ord(ch):04X}", field=field
                )
    if length(text, unit) > limit:
        raise IllegalMove("message_too_long", f"{field} is longer than {limit} {unit}", field=field)
    if not may_be_blank and is_blank(text):
        raise IllegalMove("message_required", f"{field} has nothing to read", field=field)
    return text
