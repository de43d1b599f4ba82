"""``sam build`` and packaging for the local cloud, kept by the hash of all that goes in."""

import hashlib
import json
import os
import shutil
import subprocess
import time
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from filelock import FileLock

from local import tools
from local.errors import LocalCloudError

BUCKET = "lanternwell-artifacts"
"""The bucket in the local cloud that the packaged template points to."""

_INPUTS = (
    "functions",
    "layers/engine",
    "requirements/runtime.txt",
    "samconfig.toml",
    "statemachines",
    "template.yaml",
)
_ARTIFACTS = {
    "AWS::Serverless::Function": "CodeUri",
    "AWS::Serverless::LayerVersion": "ContentUri",
    "AWS::Serverless::StateMachine": "DefinitionUri",
}
_WEEK_SECONDS = 7 * 86_400


@dataclass(frozen=True)
class Package:
    """A built template and its artifacts: every file of ``folder`` goes into ``BUCKET``."""

    folder: Path

    TEMPLATE = "template.json"

    @property
    def files(self) -> list[Path]:
        """The template and what it points to."""
        return sorted(path for path in self.folder.iterdir() if path.is_file())

    @property
    def template(self) -> dict[str, Any]:
        """The template as it is deployed."""
        template: dict[str, Any] = json.loads((self.folder / self.TEMPLATE).read_text())
        return template


def build() -> Package:
    """The package of the present sources, built unless it is there already.

    Raises ``LocalCloudError`` where ``sam build`` is missing or fails.
    """
    python, sam = tools.cloud_python(), tools.sam()
    builds = tools.STATE / "builds"
    builds.mkdir(parents=True, exist_ok=True)
    folder = builds / _digest(python)
    with FileLock(builds / "lock"):
        if not folder.is_dir():
            _forget_old(builds)
            scratch = builds / f"{folder.name}.part"
            shutil.rmtree(scratch, ignore_errors=True)
            try:
                _package(_sam_build(sam, python, scratch / "sam"), scratch / "package", folder)
                (scratch / "package").rename(folder)
            finally:
                shutil.rmtree(scratch, ignore_errors=True)
        os.utime(folder)
    return Package(folder)


def sources(top: Path) -> Iterator[Path]:
    """The files of a folder, in order, without what Python leaves there; a file is itself."""
    if top.is_file():
        yield top
        return
    for path in sorted(top.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path


def _digest(python: Path) -> str:
    version = subprocess.run([python, "-VV"], check=True, capture_output=True).stdout
    digest = hashlib.sha256(version)
    digest.update(Path(__file__).read_bytes())
    for name in _INPUTS:
        for path in sources(tools.ROOT / name):
            content = path.read_bytes()
            digest.update(f"{path.relative_to(tools.ROOT)}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()[:16]


def _forget_old(builds: Path) -> None:
    for old in builds.iterdir():
        if old.is_dir() and old.stat().st_mtime < time.time() - _WEEK_SECONDS:
            shutil.rmtree(old, ignore_errors=True)


def _sam_build(sam: Path, python: Path, folder: Path) -> Path:
    done = subprocess.run(
        [sam, "build", "--build-dir", folder, "--cache-dir", folder.parent / "cache"],
        cwd=tools.ROOT,
        env={**os.environ, "LAYER_PYTHON": str(python), "SAM_CLI_TELEMETRY": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line.strip()] or ["no message"]
        raise LocalCloudError(f"sam build failed: {lines[-1].strip()}")
    return folder / "template.yaml"


def _package(built: Path, folder: Path, final: Path) -> None:
    """Does what ``sam package`` does: artifacts beside the template, and addresses in it.

    ``final`` is where the folder will be in the end.
    """
    folder.mkdir(parents=True)
    template: dict[str, Any] = yaml.safe_load(built.read_text())
    for name, resource in template["Resources"].items():
        key = _ARTIFACTS.get(resource["Type"])
        if key is None:
            continue
        source = (built.parent / resource["Properties"][key]).resolve()
        if resource["Type"] == "AWS::Serverless::LayerVersion":
            artifact = folder / f"{name}.zip"
            _zip_reference(source, artifact, final / name)
            source.rename(folder / name)
        elif source.is_dir():
            artifact = folder / f"{name}.zip"
            _zip(source, artifact)
        else:
            artifact = folder / f"{name}{source.suffix}"
            shutil.copyfile(source, artifact)
        resource["Properties"][key] = {"Bucket": BUCKET, "Key": artifact.name}
        if resource["Type"] != "AWS::Serverless::StateMachine":
            resource["Properties"][key] = f"s3://{BUCKET}/{artifact.name}"
    (folder / Package.TEMPLATE).write_text(json.dumps(template))


def _zip(source: Path, target: Path) -> None:
    with zipfile.ZipFile(target, "w") as archive:
        for path in sources(source):
            archive.write(path, path.relative_to(source))


def _zip_reference(layer: Path, target: Path, final: Path) -> None:
    """A layer that stands for the built one where it lies.

    ministack unpacks a layer anew for each function process, and with thousands of files that
    would be most of a cold start. It honours ``.pth`` files where Lambda does, so one of them
    leads to the files instead.
    """
    path = final / "python"
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr(
            f"python/lib/python3/site-packages/{layer.name}.pth",
            f"import sys; sys.path.insert(0, {str(path)!r})\n",
        )
