"""JSON objects on the wire, each declared once for the platform, its documents and its clients.

    class Rank(Reply):
        "How a seat did."

        seat: Seat
        rank: Annotated[int, "1 is best"]

An object *is* the dictionary that is written as JSON, and its members are attributes as well:
`rank.seat` and `rank["seat"]` are the same. Members are given by name: `Rank(seat=3, rank=1)`.

A string beside a type says what the member means, a `Value` what it must keep to. Types are `int`,
`float`, `str`, `bool`, `None`, `Any`, `Literal`, `Sequence`, `Mapping` with string keys, unions,
and other objects. `protocol.schemas` makes JSON schemas and validators of them.
"""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from types import NoneType, UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    Final,
    Literal,
    NamedTuple,
    Self,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

REQUIRED: Final = object()
"""The default of a member that has none."""


class Value(NamedTuple):
    """What a value keeps to: numbers a range, texts a length in code points and a pattern."""

    minimum: int | None = None
    maximum: int | None = None
    shortest: int | None = None
    longest: int | None = None
    pattern: str | None = None
    example: Any = None


@dataclass_transform(kw_only_default=True, frozen_default=True)
class WireObject(dict[str, Any]):
    """The base of all objects. `declared` holds each member's default, `REQUIRED` for none.

    No other members are allowed, unless the class is made with `closed=False`.
    """

    declared: ClassVar[Mapping[str, Any]] = {}
    closed: ClassVar[bool] = True
    tells_defaults: ClassVar[bool] = True

    def __init_subclass__(cls, *, closed: bool = True, tells_defaults: bool = True) -> None:
        super().__init_subclass__()
        declared: dict[str, Any] = {}
        for base in reversed(cls.__bases__):
            declared |= getattr(base, "declared", {})
        for name in cls.__annotations__:
            declared[name] = cls.__dict__.get(name, REQUIRED)
            if name in cls.__dict__:
                delattr(cls, name)  # or it would hide the member
            if hasattr(cls, name):
                raise TypeError(f"{cls.__name__}.{name} would hide a method")
        cls.declared = declared
        cls.closed = closed and cls.closed
        cls.tells_defaults = tells_defaults and cls.tells_defaults

    def __init__(self, **members: Any) -> None:
        super().__init__()
        for name, default in self.declared.items():
            value = members.pop(name, default)
            if value is REQUIRED:
                raise TypeError(f"{type(self).__name__} needs {name}")
            if value != default or (default is not None and self.tells_defaults):
                self[name] = value
        if members and self.closed:
            raise TypeError(f"{type(self).__name__} has no {', '.join(members)}")
        self.update(members)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name in self:
                return self[name]
            default = self.declared.get(name, REQUIRED)
            if default is REQUIRED:
                raise AttributeError(f"{type(self).__name__} has no {name}")
            return default

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is read, not changed")

    def replace(self, **members: Any) -> Self:
        """The same object with these members."""
        return type(self)(**{**self, **members})

    def encoded(self) -> bytes:
        """The object as compact JSON in UTF-8."""
        return json.dumps(self, separators=(",", ":"), ensure_ascii=False).encode()

    @classmethod
    def of(cls, members: Mapping[str, Any]) -> Self:
        """The object with members that were checked already."""
        made = cls.__new__(cls)
        made.update(members)
        return made

    @classmethod
    def read(cls, raw: object) -> Self:
        """The object in somebody else's JSON. Members that are not declared are left out.

        Words that a `Literal` does not have are taken as they are: a list of words grows. Raises
        `ValueError` with the place when a member is missing or of another type.
        """
        return cls._read(raw, cls.__name__)

    @classmethod
    def _read(cls, raw: object, place: str) -> Self:
        if not isinstance(raw, Mapping):
            raise ValueError(f"{place}: an object was expected")  # noqa: TRY004 - of the JSON
        found: dict[str, Any] = {} if cls.closed else dict(raw)
        for name, kind in members_of(cls).items():
            if name in raw and not (raw[name] is None and cls.declared[name] is None):
                found[name] = _read(kind, raw[name], f"{place}.{name}")
            elif cls.declared[name] is REQUIRED:
                raise ValueError(f"{place}: {name} is missing")
        return cls.of(found)

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: Any, handler: Any) -> Any:
        """For pydantic, when it asks; nothing here needs it."""
        from protocol.schemas import core_schema_of

        return core_schema_of(cls, handler)


class Reply(WireObject):
    """What the service sends. A member whose default is None is left out while it is None; every
    other one is always told."""


class Request(WireObject, tells_defaults=False):
    """What a client sends. A member with a default may be left out, and is while it has it."""


@cache
def members_of(shape: type[WireObject]) -> Mapping[str, Any]:
    """The members with their types, as they were declared."""
    hints = get_type_hints(shape, include_extras=True)
    return {name: hints[name] for name in shape.declared}


def _read(kind: Any, raw: object, place: str) -> Any:
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _read(arguments[0], raw, place)
    if kind is Any:
        return raw
    if origin in (Union, UnionType):
        return _read_one_of(arguments, raw, place)
    if origin is Sequence and isinstance(raw, list):
        return [_read(arguments[0], one, f"{place}[{at}]") for at, one in enumerate(raw)]
    if origin is Mapping and isinstance(raw, Mapping):
        return {name: _read(arguments[1], one, f"{place}.{name}") for name, one in raw.items()}
    if isinstance(kind, type) and issubclass(kind, WireObject):
        return kind._read(raw, place)
    plain = {type(word) for word in arguments} if origin is Literal else {kind}
    if type(raw) in (plain | {int} if float in plain else plain):
        return raw
    raise ValueError(f"{place}: {getattr(kind, '__name__', kind)} was expected")


def _read_one_of(kinds: Sequence[Any], raw: object, place: str) -> Any:
    if raw is None and NoneType in kinds:
        return None
    fault: ValueError | None = None
    for kind in kinds:
        if kind is not NoneType:
            try:
                return _read(kind, raw, place)
            except ValueError as error:
                fault = error
    raise fault or ValueError(f"{place}: null was expected")
