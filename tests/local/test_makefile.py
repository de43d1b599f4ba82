"""What `make` says about the interpreter that somebody names."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from local.tools import ROOT


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A folder in which all environments exist."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    shutil.copytree(ROOT / "requirements", tmp_path / "requirements")
    (tmp_path / ".venv/bin").mkdir(parents=True)
    (tmp_path / ".venv/bin/python").symlink_to(sys.executable)
    for folder in (".venv", ".local/cloud-venv", ".local/sam-venv"):
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
        (tmp_path / folder / ".installed").touch()
    return tmp_path


def make(folder: Path, python: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["make", "install", f"PYTHON={python}"],
        cwd=folder,
        check=False,
        capture_output=True,
        text=True,
    )


def test_the_interpreter_of_the_environments_will_do(installed: Path) -> None:
    done = make(installed, sys.executable)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("python", ["no-such-python", "false"])
def test_one_that_cannot_be_used_is_told_although_nothing_is_to_be_installed(
    installed: Path, python: str
) -> None:
    done = make(installed, python)
    assert done.returncode == 2
    assert done.stderr.startswith(f"Lanternwell needs Python 3.11 or later ({python}: ")


def test_another_version_than_that_of_the_environments_is_told(installed: Path) -> None:
    other = installed / "other"
    other.write_text('#!/bin/sh\n[ "$1" != --version ] || echo Python 3.99.0\n')
    other.chmod(0o755)
    done = make(installed, str(other))
    assert done.returncode == 2
    assert "to make them of Python 3.99.0, run make clean first" in done.stderr
