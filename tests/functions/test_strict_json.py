import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edge.strict_json import NotStrictJson, read_object
from protocol import limits

texts = st.text(st.characters(codec="utf-8"), max_size=20)
scalars = (
    st.none()
    | st.booleans()
    | st.integers(-limits.LARGEST_INTEGER, limits.LARGEST_INTEGER)
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=20,
)


def depth(value: object) -> int:
    if isinstance(value, dict):
        return 1 + max(map(depth, value.values()), default=0)
    if isinstance(value, list):
        return 1 + max(map(depth, value), default=0)
    return 0


@given(st.dictionaries(texts, values, max_size=5))
def test_what_is_strict_is_read_as_it_is(value: dict) -> None:
    text = json.dumps(value)
    if depth(value) > limits.NESTING:
        with pytest.raises(NotStrictJson):
            read_object(text)
    else:
        assert read_object(text) == value


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        value = read_object(text)
    except NotStrictJson:
        return
    assert json.dumps(value).encode()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ('{"a":1}x', "not JSON"),
        ("\ufeff{}", "not JSON"),
        ("{'a':1}", "not JSON"),
        ('{"a":"\n"}', "not JSON"),
        ("[]", "object"),
        ('"{}"', "object"),
        ("null", "object"),
        ('{"a":NaN}', "NaN"),
        ('{"a":-Infinity}', "Infinity"),
        ('{"a":1e999}', "range"),
        ('{"a":' + "9" * 5000 + "}", "range"),
        ('{"a":' + str(limits.LARGEST_INTEGER + 1) + "}", "range"),
        ('{"a":1,"a":1}', "repeats"),
        ('{"b":{"a":1,"\\u0061":2}}', "repeats"),
        ('{"a":"\\ud800"}', "surrogate"),
        ('{"\\udfff":1}', "surrogate"),
        ('{"a":["\\ud800"]}', "surrogate"),
        ('{"a":' + "[" * 7000 + "]" * 7000 + "}", "deeper"),
        ('{"a":' + "[" * limits.NESTING + "]" * limits.NESTING + "}", "deeper"),
        ('{"a":' * 3000 + "1" + "}" * 3000, "deeper"),
    ],
)
def test_what_is_refused(text: str, told: str) -> None:
    with pytest.raises(NotStrictJson, match=told):
        read_object(text)


def test_the_bounds_themselves_are_let_in() -> None:
    inner = "[" * (limits.NESTING - 1) + "]" * (limits.NESTING - 1)
    value = read_object(
        '{"a":'
        + inner
        + ',"b":'
        + str(-limits.LARGEST_INTEGER)
        + ',"c":-0.5,"d":"\\ud83d\\udc3a\\u0000"}'
    )
    assert value["b"] == -limits.LARGEST_INTEGER
    assert value["d"] == "🐺\0"
    assert math.isclose(value["c"], -0.5)
