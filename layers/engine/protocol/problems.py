"""Refusals over REST (RFC 9457). Their codes are in `protocol.codes`."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from protocol.wire import Reply, Value


class ProblemBody(Reply):
    """A refusal (RFC 9457). Programs go by `code`."""

    type: Annotated[str, Value(example="urn:lanternwell:problem:turn_over")]
    title: Annotated[str, Value(example="This turn is over")]
    status: Annotated[int, Value(example=409)]
    code: Annotated[str, Value(example="turn_over")]
    detail: str
    field: Annotated[str | None, "What is wrong in the request"] = None
    legal_actions: Annotated[
        Sequence[Mapping[str, Any]] | None, "What this seat may do instead"
    ] = None
