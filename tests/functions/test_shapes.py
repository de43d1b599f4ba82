"""What the platform answers is what the documents say: the two are written down apart."""

import types
import typing
from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args, get_origin

import pytest
from pydantic import BaseModel

from faces.wire import replies
from hosting import answers

PAIRS = {
    answers.Registered: replies.Registered,
    answers.Summary: replies.MatchSummary,
    answers.MatchList: replies.MatchList,
    answers.SeatAnswer: replies.Seated,
    answers.DryRun: replies.DryRun,
    answers.Left: replies.Left,
    answers.PutOut: replies.PutOut,
    answers.MoveReceipt: replies.Receipt,
    answers.StateView: replies.MatchState,
    answers.SeenEvent: replies.SeenEvent,
    answers.EventPage: replies.EventPage,
    answers.ReplayPlayer: replies.ReplayPlayer,
    answers.ReplayMove: replies.ReplayMove,
    answers.ReplayEvent: replies.ReplayEvent,
    answers.Replay: replies.Replay,
}
MODELS = {shape.__name__: model for shape, model in PAIRS.items()}


@pytest.mark.parametrize("shape", PAIRS, ids=lambda shape: shape.__name__)
def test_an_answer_and_its_model_agree_field_for_field(shape: Any) -> None:
    model: type[BaseModel] = PAIRS[shape]
    told = typing.get_type_hints(shape)
    documented = {
        name: hint
        for name, hint in typing.get_type_hints(model).items()
        if name in model.model_fields
    }
    assert set(told) == set(documented)
    for name, annotation in told.items():
        assert kinds(annotation) <= kinds(documented[name]), name
        may_be_missing = name in shape.__optional_keys__
        assert may_be_missing <= (not model.model_fields[name].is_required()), name


def test_no_answer_that_goes_out_is_left_out() -> None:
    elsewhere = {
        *("PublicCharacter", "SeatedCharacter", "CharacterAnswer", "CharacterList", "Removed"),
        "PlayerRow",  # two models, for before and after the start
    }
    inside = {"Wake", "Swept"}
    shapes = {
        name
        for name, shape in vars(answers).items()
        if typing.is_typeddict(shape) and shape.__module__ == answers.__name__
    }
    assert shapes == set(MODELS) | elsewhere | inside


def kinds(annotation: Any) -> set[str]:
    """Which kinds of JSON a value may be, and of what: `{"list of int", "null"}`."""
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return {repr(value) for value in inner}
    if origin in (typing.Union, types.UnionType):
        return set().union(*map(kinds, inner))
    if origin in (list, tuple, Sequence) or annotation in (list, tuple):
        return {f"list of {kind}" for kind in kinds(inner[0] if inner else Any)}
    if annotation is Any or origin in (dict, Mapping):
        return {"object"}
    if typing.is_typeddict(annotation) or isinstance(annotation, type(BaseModel)):
        return {"object"}
    return {{type(None): "null"}.get(annotation, annotation.__name__)}
