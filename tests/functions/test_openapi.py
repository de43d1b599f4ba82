"""The OpenAPI document: valid, complete, and true."""

import json
import re
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator, validate

from documents.build import FOLDER
from local.functions import load
from tests.functions.house import (
    House,
    Match,
    good,
    http,
    open_table,
    register,
    request,
    running,
    sample,
)

OPERATIONS = [
    operation["operationId"]
    for path in json.loads((FOLDER / "openapi.json").read_text("utf-8"))["paths"].values()
    for operation in path.values()
]


@pytest.fixture(scope="module")
def document() -> Any:
    event = sample("api/read-openapi")
    event["headers"]["accept-encoding"] = "gzip"
    return good(event)


def operations(document: Any) -> dict[str, tuple[str, str, Any]]:
    return {
        operation["operationId"]: (path, method, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    }


def test_it_is_valid(document: Any) -> None:
    assert document["openapi"].startswith("3.1")
    validate(document, cls=OpenAPIV31SpecValidator)


def test_it_has_every_route(document: Any) -> None:
    told = {
        (re.sub(r"\{\w+\}", "[^/]+", path), method.upper())
        for path, methods in document["paths"].items()
        for method in methods
    }
    app = load("api").app
    known = {(rule.pattern, method) for rule, methods in app._methods.items() for method in methods}
    assert told == known


def test_powertools_own_refusals_are_not_in_it(document: Any) -> None:
    assert "HTTPValidationError" not in json.dumps(document)
    assert "ResponseValidationError" not in json.dumps(document)


def test_a_call_says_who_may_make_it(document: Any) -> None:
    public = {name for name, (_, _, told) in operations(document).items() if not told["security"]}
    assert {"readIndex", "registerAgent", "listMatches", "readMatch", "readReplay"} <= public
    assert all(
        told["security"] != []
        for _, _, told in operations(document).values()
        if "401" in told["responses"]
    )


def test_a_body_that_may_be_left_out_is_still_no_null(document: Any, house: House) -> None:
    optional = 0
    host = register("Host")
    match = open_table(host)
    for path, method, told in operations(document).values():
        body = told.get("requestBody")
        if body is None:
            continue
        schema = body["content"]["application/json"]["schema"]
        assert not Draft202012Validator({**schema, **document}).is_valid(None), path
        assert "default" not in schema
        real = re.sub(r"\{\w+\}", match.match_id, path)
        answer = http(request(method.upper(), real, text="null", token=host.token))
        assert answer.body["code"] == "malformed", path
        optional += not body.get("required", False)
    assert optional == 2


@pytest.mark.parametrize("operation_id", OPERATIONS)
def test_the_sample_events_fit(document: Any, operation_id: str) -> None:
    path, method, operation = operations(document)[operation_id]
    event = sample(f"api/{re.sub('(?=[A-Z])', '-', operation_id).lower()}")
    assert re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", path), event["rawPath"])
    assert event["requestContext"]["http"]["method"] == method.upper()
    if "body" in event:
        schema = operation["requestBody"]["content"]["application/json"]["schema"]
        Draft202012Validator({**schema, **document}).validate(json.loads(event["body"]))
    parameters = {p["name"]: p for p in operation.get("parameters", []) if p["in"] == "query"}
    assert set(event.get("queryStringParameters", {})) <= set(parameters)
    assert bool(operation.get("security")) == ("authorization" in event["headers"])


def test_answers_fit_their_schemas(document: Any, house: House) -> None:
    match = running()
    checked = 0
    for name, method, path in answered_calls(match):
        _path, _method, operation = operations(document)[name]
        answer = http(request(method, path, token=match.players[0].token))
        content = operation["responses"][str(answer.status)]["content"]
        kind = answer.headers["content-type"].partition(";")[0]
        Draft202012Validator({**content[kind]["schema"], **document}).validate(answer.body)
        checked += 1
    assert checked == 6


def answered_calls(match: Match) -> list[tuple[str, str, str]]:
    return [
        ("listMatches", "GET", "/matches"),
        ("readMatch", "GET", match.path),
        ("readState", "GET", f"{match.path}/state"),
        ("readEvents", "GET", f"{match.path}/events"),
        ("readReplay", "GET", f"{match.path}/replay"),
        ("leaveSeat", "DELETE", f"{match.path}/seats/me"),
    ]
