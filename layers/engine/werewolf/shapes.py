"""The shapes of what rule sets tell: typed dictionaries, and the JSON schemas made of them.

    class Dawn(TypedDict):
        "Night is over."

        day: Day
        killed: Annotated[Seat | None, "Who died in the night; null: nobody"]

A string beside a type says what the field means, a `Kind` what kind of value it is, and an `Only`
which viewers have the field. Shapes are made of `int`, `str`, `bool`, `None`, `Literal`, `list`,
`Mapping` with string keys, unions, and typed dictionaries, which may be generic.
"""

from collections.abc import Callable, Mapping, Sequence
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    NamedTuple,
    NotRequired,
    Required,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

Schema = dict[str, Any]
"""A JSON schema (draft 2020-12): `type`, `enum`, `anyOf`, `properties`, `items` and the like."""

Words = Mapping[str, Sequence[str]]
"""By the title of a kind: the words that a rule set has for it, such as its phases."""

_PLAIN: Final = {int: "integer", str: "string", bool: "boolean", NoneType: "null"}


class Kind(NamedTuple):
    """A kind of value. `title` names it, with its unit; numbers have a `minimum`."""

    title: str
    minimum: int | None = None


class Only(NamedTuple):
    """The field is there for some viewers alone: for which, in words, and whether for this one.

    `has` is called with the match and the viewer.
    """

    viewers: str
    has: Callable[[Any, Any], bool]


Day = Annotated[int, Kind("day", 1)]
Seat = Annotated[int, Kind("seat", 0)]
Count = Annotated[int, Kind("number", 0)]
Moment = Annotated[int, Kind("milliseconds since the epoch", 0)]
Duration = Annotated[int, Kind("milliseconds", 0)]
Bytes = Annotated[int, Kind("bytes", 0)]
Role = Annotated[str, Kind("role")]
Team = Annotated[Literal["werewolves", "villagers"], Kind("team")]
Phase = Annotated[str, Kind("phase")]
ActionName = Annotated[str, Kind("action")]
Mark = Literal[True]
"""There and true, or not there."""


def schema_of(shape: Any, words: Words | None = None) -> Schema:
    """The JSON schema of a shape. Objects are closed: no field but those that are declared.

    `words` fills in what a rule set alone knows. Raises `TypeError` for what is no shape.
    """
    return _schema(shape, words or {}, {})


def _schema(shape: Any, words: Words, bound: Mapping[Any, Any]) -> Schema:
    if isinstance(shape, TypeVar) and shape in bound:
        return _schema(bound[shape], words, {})
    origin, arguments = get_origin(shape), get_args(shape)
    if is_typeddict(shape) or is_typeddict(origin):
        return _object(shape, words, bound)
    if shape in _PLAIN:
        return {"type": _PLAIN[shape]}
    if origin is Annotated:
        return _annotated(arguments[0], arguments[1:], words, bound)
    if origin is Literal:
        return _enum(list(arguments))
    if origin in (Union, UnionType):
        return {"anyOf": [_schema(one, words, bound) for one in arguments]}
    if origin is list:
        return {"type": "array", "items": _schema(arguments[0], words, bound)}
    if origin is Mapping and arguments[0] is str:
        return {"type": "object", "additionalProperties": _schema(arguments[1], words, bound)}
    raise TypeError(f"{shape!r} is no shape")


def _enum(values: list[Any]) -> Schema:
    (kind,) = {_PLAIN[type(value)] for value in values}
    return {"type": kind, "enum": values}


def _annotated(inner: Any, notes: Sequence[Any], words: Words, bound: Mapping[Any, Any]) -> Schema:
    schema = _schema(inner, words, bound)
    for note in notes:
        if isinstance(note, str):
            schema["description"] = note
        elif isinstance(note, Kind):
            schema["title"] = note.title
            if note.minimum is not None:
                schema["minimum"] = note.minimum
            if note.title in words:
                schema["enum"] = list(words[note.title])
    for note in notes:
        if isinstance(note, Only):
            schema["description"] = f"For {note.viewers} alone. {schema.get('description', '')}"
    return schema


def _object(shape: Any, words: Words, bound: Mapping[Any, Any]) -> Schema:
    origin = get_origin(shape) or shape
    inner = _bound_in(shape, bound)
    hints = fields_of(shape)
    return {
        "type": "object",
        "description": about(shape),
        "properties": {name: _schema(hint, words, inner) for name, hint in hints.items()},
        "required": [name for name in hints if name in origin.__required_keys__],
        "additionalProperties": False,
    }


def _bound_in(shape: Any, bound: Mapping[Any, Any]) -> dict[Any, Any]:
    """What the variables of a generic typed dictionary, and of those it extends, stand for."""
    origin, arguments = get_origin(shape), get_args(shape)
    given = [bound.get(argument, argument) for argument in arguments]
    inner = dict(zip(getattr(origin, "__parameters__", ()), given, strict=True))
    for base in getattr(origin or shape, "__orig_bases__", ()):
        if is_typeddict(get_origin(base)):
            inner |= _bound_in(base, inner)
    return inner


def about(shape: Any) -> str:
    """What a typed dictionary says of itself, in one line."""
    return " ".join(((get_origin(shape) or shape).__doc__ or "").split())


def fields_of(shape: Any) -> dict[str, Any]:
    """The fields of a typed dictionary with their annotated types."""
    hints = get_type_hints(get_origin(shape) or shape, include_extras=True)
    return {
        name: get_args(hint)[0] if get_origin(hint) in (Required, NotRequired) else hint
        for name, hint in hints.items()
    }


def only_for(shape: Any) -> dict[str, Only]:
    """The fields that some viewers alone have."""
    return {
        name: note
        for name, hint in fields_of(shape).items()
        for note in getattr(hint, "__metadata__", ())
        if isinstance(note, Only)
    }


# ---- judging a value -----------------------------------------------------------------------------


def fault(value: object, schema: Mapping[str, Any], place: str = "") -> str | None:
    """What is wrong with a value, with the place; None when it fits its schema.

    Knows the words of JSON Schema that `schema_of` uses, and no others.
    """
    here = place or "it"
    if "anyOf" in schema:
        faults = [fault(value, one, place) for one in schema["anyOf"]]
        return None if None in faults else " and ".join(dict.fromkeys(map(str, faults)))
    kind = schema.get("type")
    if kind is not None and not _is_a(value, kind):
        return f"{here} is {value!r}, no {kind}"
    if "enum" in schema and value not in schema["enum"]:
        return f"{here} is {value!r}, none of {schema['enum']}"
    if "minimum" in schema and isinstance(value, int) and value < schema["minimum"]:
        return f"{here} is {value}, less than {schema['minimum']}"
    if isinstance(value, Mapping):
        return _fault_of_object(value, schema, place)
    if isinstance(value, list) and "items" in schema:
        each = (fault(one, schema["items"], f"{place}[{i}]") for i, one in enumerate(value))
        return next((found for found in each if found), None)
    return None


def _is_a(value: object, kind: str) -> bool:
    match kind:
        case "integer":
            return isinstance(value, int) and not isinstance(value, bool)
        case "object":
            return isinstance(value, Mapping)
        case _:
            types = {"string": str, "boolean": bool, "null": NoneType, "array": list}
            return isinstance(value, types[kind])


def _fault_of_object(value: Mapping[Any, Any], schema: Mapping[str, Any], place: str) -> str | None:
    properties = schema.get("properties", {})
    others = schema.get("additionalProperties", True)
    for name in schema.get("required", ()):
        if name not in value:
            return f"{place or 'it'} lacks {name}"
    for name, inner in value.items():
        where = f"{place}.{name}".lstrip(".")
        declared = properties.get(name, others)
        if declared is False:
            return f"{where} is not declared"
        if isinstance(declared, Mapping) and (found := fault(inner, declared, where)):
            return found
    return None
