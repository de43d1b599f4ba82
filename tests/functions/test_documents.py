"""The documents that are served agree with the code, with the service, and with themselves."""

import json
import re
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from documents.build import FOLDER, ROOT, built
from documents.examples import OPERATIONS, SHOWN
from edge.frames import read_frame
from local.functions import load
from protocol.codes import CODES
from protocol.frames import RECEIVED, SENT
from protocol.schemas import adapter
from tests.functions.house import House, http, request

SERVED = {
    "/protocol": ("protocol.md", "text/markdown; charset=utf-8"),
    "/fairness": ("fairness.md", "text/markdown; charset=utf-8"),
    "/openapi.json": ("openapi.json", "application/json"),
    "/asyncapi.json": ("asyncapi.json", "application/json"),
    "/llms.txt": ("llms.txt", "text/plain; charset=utf-8"),
    "/skill.md": ("skill.md", "text/markdown; charset=utf-8"),
}
PAGES = ("protocol.md", "skill.md", "llms.txt")
OPENAPI: Any = json.loads((FOLDER / "openapi.json").read_text("utf-8"))
ASYNCAPI: Any = json.loads((FOLDER / "asyncapi.json").read_text("utf-8"))
BLOCK = re.compile(r"```json (\w+)\n(.*?)\n```", re.DOTALL)


def test_the_documents_are_those_of_this_code() -> None:
    load("api")
    stored = {path.name: path.read_text("utf-8") for path in FOLDER.iterdir()}
    made = built()
    assert set(stored) == set(made)
    stale = [name for name in made if made[name] != stored[name]]
    assert stale == [], "run: make docs"


@pytest.mark.parametrize("path", SERVED)
def test_each_document_is_served_as_it_is(path: str, house: House) -> None:
    name, kind = SERVED[path]
    answer = http(request("GET", path))
    assert (answer.status, answer.headers["content-type"]) == (200, kind)
    stored = (FOLDER / name).read_text("utf-8")
    if path == "/asyncapi.json":
        served = answer.body
        assert served.pop("servers") == {
            "socket": {"host": "sockets.example", "protocol": "wss"},
        }
        assert served["channels"]["socket"].pop("address") == "/play"
        document = json.loads(stored)
        del document["channels"]["socket"]["address"]
        assert served == document
    else:
        assert answer.text == stored
    packed = http(request("GET", path, headers={"accept-encoding": "gzip"}))
    assert packed.text == answer.text


def test_the_index_names_the_socket_and_where_to_read_on(house: House) -> None:
    index = http(request("GET", "/")).body
    assert index["socket"] == "wss://sockets.example/play"
    assert set(index["links"].values()) >= set(SERVED)
    for link in index["links"].values():
        assert http(request("GET", link)).status == 200, link


def test_every_code_is_told_with_a_call_or_a_frame() -> None:
    text = json.dumps(OPENAPI) + json.dumps(ASYNCAPI)
    assert [code for code in CODES if f"`{code}`" not in text] == []


def test_every_file_is_served() -> None:
    assert {name for name, _ in SERVED.values()} == {path.name for path in FOLDER.iterdir()}


@pytest.mark.parametrize("name", PAGES)
def test_every_example_in_a_page_is_one_of_ours(name: str) -> None:
    text = (FOLDER / name).read_text("utf-8")
    blocks = BLOCK.findall(text)
    assert text.count("```json") == len(blocks)
    for model, example in blocks:
        assert json.loads(example) == SHOWN[model]
        adapter(type(SHOWN[model])).validate_json(example)
    assert "{{" not in text


def test_the_protocol_shows_every_frame_and_every_code() -> None:
    text = (FOLDER / "protocol.md").read_text("utf-8")
    shown = {name for name, _ in BLOCK.findall(text)}
    assert shown >= set(SHOWN)
    assert [code for code in CODES if f"`{code}`" not in text] == []


@pytest.mark.parametrize("name", PAGES)
def test_every_path_that_a_page_names_is_there(name: str) -> None:
    text = (FOLDER / name).read_text("utf-8")
    links = set(re.findall(r"\]\((/[^)]*)\)", text))
    calls = set(re.findall(r"`(GET|POST|DELETE|PUT) (/[^`?]*)[^`]*`", text))
    app = load("api").app
    assert links
    for link in links:
        assert app.methods(link) == ["GET"], link
    for method, path in calls:
        real = re.sub(r"\{\w+\}", "werewolf-0.2", path)
        assert method in app.methods(real), (method, path)


def test_fairness_is_the_page_in_docs() -> None:
    assert (ROOT / "docs/fairness.md").read_text() == (FOLDER / "fairness.md").read_text()


def operations() -> list[tuple[str, Any]]:
    return [
        (operation["operationId"], operation)
        for methods in OPENAPI["paths"].values()
        for operation in methods.values()
    ]


def whole(schema: Any) -> Draft202012Validator:
    return Draft202012Validator({**schema, "components": OPENAPI["components"]})


@pytest.mark.parametrize(("name", "operation"), operations(), ids=lambda value: str(value)[:20])
def test_every_operation_has_examples_that_fit(name: str, operation: Any) -> None:
    bodies = [operation["requestBody"]] if "requestBody" in operation else []
    for told in (*bodies, *operation["responses"].values()):
        for kind, content in told.get("content", {}).items():
            if kind.endswith("json"):
                assert content["examples"], (name, kind)
                for example in content["examples"].values():
                    whole(content["schema"]).validate(example["value"])
    for parameter in operation.get("parameters", ()):
        whole(parameter["schema"]).validate(parameter["example"])


@pytest.mark.parametrize(("name", "operation"), operations(), ids=lambda value: str(value)[:20])
def test_every_error_of_an_operation_has_an_example(name: str, operation: Any) -> None:
    for status, response in operation["responses"].items():
        if int(status) < 400:
            continue
        examples = response["content"]["application/problem+json"]["examples"]
        assert set(examples) == set(re.findall(r"`(\w+)`:", response["description"]))
        for code, example in examples.items():
            assert (example["value"]["status"], example["value"]["code"]) == (int(status), code)


def test_no_example_is_of_an_operation_that_is_gone() -> None:
    known = dict(operations())
    for name, examples in OPERATIONS.items():
        assert set(examples.get("responses", {})) <= set(known[name]["responses"])
        assert "requests" not in examples or "requestBody" in known[name]


# ---- the socket ---------------------------------------------------------------------------------


def test_every_example_of_a_frame_is_read_by_the_readers() -> None:
    for message, described in ASYNCAPI["components"]["messages"].items():
        side, _, name = message.partition(".")
        assert described["examples"]
        for example in described["examples"]:
            frame = example["payload"]
            schema = {**described["payload"], "components": ASYNCAPI["components"]}
            Draft202012Validator(schema).validate(frame)
            if side == "client":
                assert type(read_frame(dict(frame))) is RECEIVED[name]
                assert frame["action"] == name
            else:
                adapter(SENT[name]).validate_python(frame)
                assert frame["type"] == name


def test_every_reference_of_the_asyncapi_document_leads_somewhere() -> None:
    def walk(value: Any) -> None:
        if isinstance(value, dict):
            if "$ref" in value:
                found = ASYNCAPI
                for part in value["$ref"].removeprefix("#/").split("/"):
                    found = found[part]
            for below in value.values():
                walk(below)
        elif isinstance(value, list):
            for below in value:
                walk(below)

    walk(ASYNCAPI)
    assert ASYNCAPI["asyncapi"] == "3.0.0"
    told = ASYNCAPI["operations"].values()
    received = {op["messages"][0]["$ref"] for op in told if op["action"] == "receive"}
    assert len(received) == len(RECEIVED)


def test_whatever_tells_a_deadline_tells_the_servers_time() -> None:
    schemas = {**OPENAPI["components"]["schemas"], **ASYNCAPI["components"]["schemas"]}
    with_a_turn = {
        name: schema
        for name, schema in schemas.items()
        if "schemas/Turn" in json.dumps(schema.get("properties", {}))
    }
    assert {"MatchState", "YourTurn"} <= set(with_a_turn)
    for name, schema in with_a_turn.items():
        assert "server_now" in schema["required"], name
