"""The layer that `sam build` makes for Lambda."""

import os
import subprocess
from pathlib import Path

import pytest

from local import tools
from tests.template.platform import ROOT, resources, template

LIMIT_BYTES = 100 * 1024 * 1024
"""Lambda unpacks 250 MB at most; far less is wanted for quick starts."""

MACHINE_ARM64 = 183
"""`e_machine` in an ELF header."""

PYTHON_FOR_LAMBDA = "cpython-313"


@pytest.fixture(scope="module")
def layer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("build")
    environment = {name: value for name, value in os.environ.items() if name != "LAYER_PYTHON"}
    subprocess.run(
        [tools.sam(), "build", "EngineLayer", "--build-dir", folder],
        cwd=ROOT,
        env={**environment, "SAM_CLI_TELEMETRY": "0"},
        check=True,
        capture_output=True,
    )
    return folder / "EngineLayer" / "python"


@pytest.mark.e2e
def test_compiled_parts_are_for_lambda_and_not_for_this_machine(layer: Path) -> None:
    compiled = list(layer.rglob("*.so"))
    assert compiled  # pydantic-core at least
    for path in compiled:
        header = path.read_bytes()[:20]
        assert header[:4] == b"\x7fELF", path
        assert int.from_bytes(header[18:20], "little") == MACHINE_ARM64, path
        assert PYTHON_FOR_LAMBDA in path.name or ".abi3." in path.name, path


@pytest.mark.e2e
def test_the_layer_holds_our_code_and_leaves_botocore_to_the_runtime(layer: Path) -> None:
    names = {path.name for path in layer.iterdir()}
    assert {
        "werewolf",
        "protocol",
        "hosting",
        "edge",
        "pydantic",
        "aws_lambda_powertools",
    } <= names
    assert not {"boto3", "botocore", "urllib3"} & names
    assert sum(path.stat().st_size for path in layer.rglob("*")) < LIMIT_BYTES


def test_the_layer_is_for_the_functions() -> None:
    (layer,) = resources("AWS::Serverless::LayerVersion").values()
    everywhere = template()["Globals"]["Function"]
    assert layer["CompatibleRuntimes"] == [everywhere["Runtime"]]
    assert layer["CompatibleArchitectures"] == everywhere["Architectures"]
    assert everywhere["Runtime"] == f"python3.{PYTHON_FOR_LAMBDA.removeprefix('cpython-3')}"


@pytest.mark.parametrize("name", ["runtime", "dev", "cloud", "sam"])
def test_every_requirement_is_pinned_with_hashes_and_names_no_address(name: str) -> None:
    text = (ROOT / f"requirements/{name}.txt").read_text()
    requirements = [
        part
        for part in text.replace("\\\n", " ").splitlines()
        if part.strip() and not part.lstrip().startswith("#")
    ]
    assert requirements
    for requirement in requirements:
        assert "==" in requirement, requirement
        assert "--hash=sha256:" in requirement, requirement
    assert "://" not in text
