"""Where the local cloud's tools are: two environments of their own, made by ``make install``."""

from pathlib import Path

from local.errors import LocalCloudError

ROOT = Path(__file__).resolve().parent.parent
"""The repository's top folder."""

STATE = ROOT / ".local"
"""Environments and builds; ignored by git."""


def cloud_python() -> Path:
    """The interpreter of ministack, which runs the functions too."""
    return _tool("cloud-venv", "python")


def sam() -> Path:
    """The SAM command line."""
    return _tool("sam-venv", "sam")


def _tool(environment: str, name: str) -> Path:
    path = STATE / environment / "bin" / name
    if not path.exists():
        raise LocalCloudError(f"{path.relative_to(ROOT)} is missing; run: make install")
    return path
