"""Validators and JSON schemas of the objects on the wire, by pydantic.

Only the edge of the service and its documents need them; nothing else here imports pydantic.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from types import UnionType
from typing import Annotated, Any, NotRequired, Union, get_args, get_origin

from pydantic import ConfigDict, Field, GetCoreSchemaHandler, TypeAdapter
from pydantic_core import CoreSchema, core_schema
from typing_extensions import TypedDict

from protocol.wire import REQUIRED, Request, Value, WireObject, members_of


def core_schema_of(shape: type[WireObject], handler: GetCoreSchemaHandler) -> CoreSchema:
    """What pydantic makes of an object: strict for what strangers send, and closed unless open."""
    schema = handler.generate_schema(_typed_dict(shape))
    if issubclass(shape, Request):
        return core_schema.no_info_after_validator_function(shape.of, schema)
    return schema


@cache
def adapter(shape: type[WireObject]) -> TypeAdapter[Any]:
    """The validator of an object."""
    return TypeAdapter(shape)


def json_schemas(shapes: Sequence[type[WireObject]], template: str) -> dict[str, Any]:
    """The JSON schemas of objects and of all that they hold, by name.

    `template` is where references lead, with `{model}` for the name.
    """
    inputs = [(shape, "validation", adapter(shape)) for shape in shapes]
    _, found = TypeAdapter.json_schemas(inputs, ref_template=template)  # type: ignore[arg-type]
    schemas: dict[str, Any] = found["$defs"]
    return schemas


@cache
def _typed_dict(shape: type[WireObject]) -> Any:
    """The same object in pydantic's words."""
    members = {name: _member(shape, name, _plain(kind)) for name, kind in members_of(shape).items()}
    made = TypedDict(shape.__name__, members)  # type: ignore[misc]
    made.__module__ = shape.__module__
    made.__doc__ = shape.__doc__
    made.__pydantic_config__ = ConfigDict(  # type: ignore[attr-defined]
        extra="forbid" if shape.closed else "allow", strict=issubclass(shape, Request)
    )
    return made


def _member(shape: type[WireObject], name: str, kind: Any) -> Any:
    default = shape.declared[name]
    if issubclass(shape, Request):
        return kind if default is REQUIRED else NotRequired[kind]
    return NotRequired[_never_null(kind)] if default is None else kind


def _never_null(kind: Any) -> Any:
    if get_origin(kind) is Annotated:
        inner, *notes = get_args(kind)
        return Annotated[(_never_null(inner), *notes)]
    return Union[tuple(one for one in get_args(kind) if one is not type(None))]  # noqa: UP007


def _plain(kind: Any) -> Any:
    """A type with what stands beside it in pydantic's words."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return Annotated[(_plain(arguments[0]), *map(_note, arguments[1:]))]
    if origin is Sequence:
        return list[_plain(arguments[0])]  # type: ignore[misc]
    if origin is Mapping:
        return dict[str, _plain(arguments[1])]  # type: ignore[misc]
    if origin in (Union, UnionType):
        return Union[tuple(map(_plain, arguments))]  # noqa: UP007
    return kind


def _note(note: Any) -> Any:
    if isinstance(note, str):
        return Field(description=note)
    assert isinstance(note, Value)
    return Field(
        ge=note.minimum,
        le=note.maximum,
        min_length=note.shortest,
        max_length=note.longest,
        pattern=note.pattern,
        examples=None if note.example is None else [note.example],
    )
