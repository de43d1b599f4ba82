"""The tokens that were registered from here, each in a file that only its owner can read.

They lie in `<config>/lanternwell/<service>/<name>.token`. Whoever has a token can play in that
agent's name, so none is printed unasked.
"""

import hashlib
import os
import re
import secrets
from contextlib import suppress
from pathlib import Path


def keep(file: Path, token: str) -> None:
    """Write a token, in place of an older one."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    new = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    try:
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as opened:
            opened.write(f"{token}\n")
        new.replace(file)
    finally:
        new.unlink(missing_ok=True)


def read(file: Path) -> str:
    """The token in a file. Raises `OSError`, or `ValueError` when there is none in it."""
    token = file.read_text(encoding="utf-8").strip()
    if not token or not token.isascii() or not token.isprintable() or " " in token:
        raise ValueError(f"there is no token in {file}")
    return token


def file_of(http: str, name: str) -> Path:
    """Where the token of a name at a service is kept."""
    safe = re.sub(r"[^\w .-]", "_", name).strip() or "_"
    return _folder(http) / f"{safe}.token"


def latest(http: str) -> Path | None:
    """The file that was written last for a service."""
    found: list[tuple[float, Path]] = []
    with suppress(OSError):
        found = [(file.stat().st_mtime, file) for file in _folder(http).glob("*.token")]
    return max(found, default=(0.0, None))[1]


def _folder(http: str) -> Path:
    configured = os.environ.get("XDG_CONFIG_HOME") or os.environ.get("APPDATA")
    base = Path(configured) if configured else Path.home() / ".config"
    host = re.sub(r"[^A-Za-z0-9.]+", "-", re.sub(r"^\w+://", "", http))[:40].strip("-.")
    return base / "lanternwell" / f"{host}-{hashlib.sha256(http.encode()).hexdigest()[:8]}"
