"""What an action is made of, how it is offered, and how a move is read.

One description serves three ends: `blank`, `words` and `choices` make up the offer to a seat,
`read_move` judges what it sends, and `manifest` tells agents in advance.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeGuard

from werewolf.draft import Position
from werewolf.errors import IllegalMove, shown
from werewolf.shapes import Schema, schema_of
from werewolf.shapes import Seat as SeatNumber
from werewolf.texts import Unit, check_text

Move = dict[str, Any]
"""A move that was read: `action`, and the fields that it carries."""


Choices = Callable[[Position, int], tuple[int, ...]]
"""The seats that a seat may name in a position."""


class Field(Protocol):
    """One field of an action."""

    @property
    def name(self) -> str:
        """The key of the field in a move."""

    @property
    def required(self) -> bool:
        """Whether a move must carry it."""

    @property
    def offered_as(self) -> str:
        """The key under which an offer tells what may be chosen."""

    @property
    def choices(self) -> int | tuple[str, ...] | Choices:
        """What may be chosen: a limit, some words, or what depends on the position."""

    def read(self, value: object, position: Position, seat: int) -> Any:
        """The value, or `IllegalMove`."""

    def missing(self) -> IllegalMove:
        """The refusal of a move that lacks this field."""

    def manifest(self) -> Mapping[str, Any]:
        """The field as JSON, for those who read before they play."""

    def offered(self) -> Schema:
        """The JSON schema of what an offer tells."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat out of those that may be named now."""

    among: Choices
    about: str
    name: str = "target"
    offered_as: str = "targets"
    required: bool = True

    @property
    def choices(self) -> Choices:
        """The seats that may be named."""
        return self.among

    def read(self, value: object, position: Position, seat: int) -> int:
        """The seat, or `illegal_target`."""
        if type(value) is not int:
            raise IllegalMove("malformed", f"{self.name} must be a seat number", field=self.name)
        if value not in self.among(position, seat):
            raise IllegalMove("illegal_target", "that seat may not be named here")
        return value

    def missing(self) -> IllegalMove:
        """The refusal of a move that names no seat."""
        return IllegalMove("malformed", f"{self.name} is missing", field=self.name)

    def manifest(self) -> Mapping[str, Any]:
        """The field as JSON."""
        return {"type": "seat", "required": self.required, "among": self.about}

    def offered(self) -> Schema:
        """The seats that may be named."""
        seats = schema_of(list[SeatNumber])
        return seats | {"description": f"`{self.name}`: {self.about}"}


@dataclass(frozen=True, slots=True)
class Text:
    """A text up to a limit, in code points or in bytes of UTF-8."""

    limit: int
    unit: Unit = "chars"
    name: str = "message"
    required: bool = True
    may_be_blank: bool = False

    @property
    def offered_as(self) -> str:
        """The key of the limit in an offer."""
        return f"max_{self.name}_{self.unit}"

    @property
    def choices(self) -> int:
        """The limit."""
        return self.limit

    def read(self, value: object, _position: Position, _seat: int) -> str:
        """The text, or `message_required`, `message_too_long`, `malformed`."""
        return check_text(
            value,
            field=self.name,
            limit=self.limit,
            unit=self.unit,
            may_be_blank=self.may_be_blank,
        )

    def missing(self) -> IllegalMove:
        """The refusal of a move without the text."""
        return IllegalMove("message_required", f"{self.name} is missing")

    def manifest(self) -> Mapping[str, Any]:
        """The field as JSON."""
        return {
            "type": "text",
            "required": self.required,
            f"max_{self.unit}": self.limit,
            "may_be_blank": self.may_be_blank,
        }

    def offered(self) -> Schema:
        """The limit."""
        unit = {"chars": "code points", "bytes": "bytes of UTF-8"}[self.unit]
        limit: Schema = {"type": "integer", "enum": [self.limit]}
        return limit | {"description": f"`{self.name}`: at most so many {unit}"}


@dataclass(frozen=True, slots=True)
class Word:
    """One of a few words."""

    name: str
    offered_as: str
    among: tuple[str, ...]
    required: bool = True

    @property
    def choices(self) -> tuple[str, ...]:
        """The words."""
        return self.among

    def read(self, value: object, _position: Position, _seat: int) -> str:
        """The word, or `illegal_target`."""
        if not isinstance(value, str):
            raise IllegalMove("malformed", f"{self.name} must be a string", field=self.name)
        if value not in self.among:
            raise IllegalMove("illegal_target", f"{self.name} must be one of {self.among}")
        return value

    def missing(self) -> IllegalMove:
        """The refusal of a move without the word."""
        return IllegalMove("malformed", f"{self.name} is missing", field=self.name)

    def manifest(self) -> Mapping[str, Any]:
        """The field as JSON."""
        return {"type": "word", "required": self.required, "among": list(self.among)}

    def offered(self) -> Schema:
        """The words."""
        words: Schema = {"type": "array", "items": {"type": "string", "enum": list(self.among)}}
        return words | {"description": f"`{self.name}`: one of these words"}


class Action:
    """Something that a seat may do, with its fields.

    `told` says what somebody does who does it, as words behind a name, in which `{target}` and the
    like stand for fields. An action is `quiet` when it is for those with nothing to say and nothing
    to choose.
    """

    __slots__ = ("_names", "_reads", "blank", "choices", "fields", "name", "quiet", "told", "words")

    def __init__(self, name: str, *fields: Field, told: str, quiet: bool = False) -> None:
        self.name = name
        self.fields = fields
        self.told = told
        self.quiet = quiet
        self._names = frozenset({"action", *(field.name for field in fields)})
        self._reads = [(field.name, field.read, field) for field in fields]
        self.blank: dict[str, Any] = {"action": name}
        """The offer, without what is made anew for each."""
        self.words: list[tuple[str, tuple[str, ...]]] = []
        self.choices: list[tuple[str, Choices, bool]] = []
        for field in fields:
            self.blank[field.offered_as] = field.choices
            if isinstance(field.choices, tuple):
                self.words.append((field.offered_as, field.choices))
            elif callable(field.choices):
                self.choices.append((field.offered_as, field.choices, field.required))

    def read(
        self,
        raw: Mapping[str, Any],
        position: Position,
        seat: int,
        asides_of: Callable[[Position], Sequence[Text]],
    ) -> Move:
        """The move with its fields checked, or `IllegalMove`. `asides_of` tells the fields that any
        move may carry."""
        move: Move = {"action": self.name}
        if not raw.keys() <= self._names:
            asides = asides_of(position)
            self._check_names(raw, asides)
            for aside in asides:
                if raw.get(aside.name) is not None:
                    move[aside.name] = aside.read(raw[aside.name], position, seat)
        for name, read, field in self._reads:
            value = raw.get(name)
            if value is not None:
                move[name] = read(value, position, seat)
            elif field.required:
                raise field.missing()
        return move

    def _check_names(self, raw: Mapping[str, Any], asides: Sequence[Text]) -> None:
        for name in raw:
            if name not in self._names and all(name != aside.name for aside in asides):
                field = shown(name)
                raise IllegalMove("malformed", f"{field} is no field of {self.name}", field=field)

    def manifest(self) -> dict[str, Any]:
        """The action as JSON, for those who read before they play."""
        fields = {field.name: field.manifest() for field in self.fields}
        return {"action": self.name, "told": self.told, "quiet": self.quiet, "fields": fields}

    def schema(self) -> Schema:
        """The JSON schema of the entry of `legal_actions` that offers the action."""
        name: Schema = {"type": "string", "enum": [self.name]}
        properties = {"action": name} | {f.offered_as: f.offered() for f in self.fields}
        return {
            "type": "object",
            "properties": properties,
            "required": [*properties],
            "additionalProperties": False,
        }


Menu = Mapping[str, Action]
"""Actions by their names, in the order in which they are offered."""


def menu_of(*actions: Action) -> Menu:
    """These actions by their names."""
    return {action.name: action for action in actions}


def is_object(raw: object) -> TypeGuard[Mapping[str, Any]]:
    """Whether this is an object, as JSON has them. To ask for a `dict` first is much quicker."""
    return type(raw) is dict or isinstance(raw, Mapping)


def read_move(
    raw: object,
    menu: Menu,
    position: Position,
    seat: int,
    asides_of: Callable[[Position], Sequence[Text]],
    vocabulary: Menu,
) -> Move:
    """The move that a seat sends, checked against what is on its menu; or `IllegalMove`.

    `asides_of` tells the fields that any move may carry. An action of the `vocabulary` that is not
    possible now is judged for its form first. A field that is null counts as left out.
    """
    if not is_object(raw):
        raise IllegalMove("malformed", "a move is an object", field="move")
    name = raw.get("action")
    if not isinstance(name, str):
        raise IllegalMove("malformed", "action must be a string", field="action")
    action = menu.get(name)
    if action is not None:
        return action.read(raw, position, seat, asides_of)
    if name in vocabulary:
        vocabulary[name].read(raw, position, seat, asides_of)
    for aside in asides_of(position):
        if raw.get(aside.name) is not None:
            aside.read(raw[aside.name], position, seat)
    raise IllegalMove("illegal_action", f"{shown(name)} is not possible now")
