import base64
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edge.bearer import has_token_shape, optional_token, required_token
from edge.gate import admit, read_body
from hosting.errors import BodyTooLarge, HostingError, Malformed, Unauthorized
from protocol import limits


def test_a_body_in_base64_is_decoded() -> None:
    body = base64.b64encode('{"name":"Bär"}'.encode()).decode()
    admitted = admit({"body": body, "isBase64Encoded": True, "headers": {"X-A": "b"}})
    assert admitted["body"] == '{"name":"Bär"}'
    assert admitted["isBase64Encoded"] is False
    assert admitted["headers"]["x-a"] == "b"


@pytest.mark.parametrize("event", [{}, {"body": None}, {"body": ""}])
def test_no_body_is_no_body(event: dict) -> None:
    assert admit(event)["body"] is None


@pytest.mark.parametrize("body", ["a" * limits.BODY_BYTES, "ä" * (limits.BODY_BYTES // 2)])
def test_a_body_may_have_just_so_many_bytes(body: str) -> None:
    assert admit({"body": body})["body"] == body
    encoded = base64.b64encode(body.encode()).decode()
    assert admit({"body": encoded, "isBase64Encoded": True})["body"] == body


@pytest.mark.parametrize(
    "body", ["a" * (limits.BODY_BYTES + 1), "ä" * (limits.BODY_BYTES // 2) + "a"]
)
@pytest.mark.parametrize("encoded", [False, True])
def test_one_byte_more_is_too_large(body: str, encoded: bool) -> None:
    sent = base64.b64encode(body.encode()).decode() if encoded else body
    with pytest.raises(BodyTooLarge):
        admit({"body": sent, "isBase64Encoded": encoded})


@pytest.mark.parametrize("body", ["!", "/w==", "YQ", "é"])
def test_bytes_that_are_no_text(body: str) -> None:
    with pytest.raises(Malformed):
        admit({"body": body, "isBase64Encoded": True})


@given(st.text(max_size=200), st.booleans())
def test_any_body_is_let_in_or_refused(body: str, encoded: bool) -> None:
    with suppress(HostingError):
        text = admit({"body": body, "isBase64Encoded": encoded})["body"]
        read_body(text or "")


def test_the_token_of_a_request() -> None:
    assert optional_token({}) is None
    assert optional_token({"authorization": "Bearer ab.c-D_9"}) == "ab.c-D_9"
    assert optional_token({"authorization": "bearer  ab.c "}) == "ab.c"
    with pytest.raises(Unauthorized):
        required_token({})


@pytest.mark.parametrize(
    "header",
    [
        "",
        "Bearer",
        "Bearer ",
        "Basic YTpi",
        "Bearer a b",
        "Bearer a,b",
        "Bearer ä",
        "Bearer a\nb",
        "Bearer \0",
        f"Bearer {'a' * 129}",
        "a" * 9000,
    ],
)
def test_a_header_of_another_shape_is_no_credential(header: str) -> None:
    with pytest.raises(Unauthorized):
        optional_token({"authorization": header})


@given(st.text(max_size=40))
def test_any_header_is_a_token_or_refused(header: str) -> None:
    with suppress(HostingError):
        assert has_token_shape(optional_token({"authorization": header}) or "")
