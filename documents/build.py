"""All documents, by their file names."""

import json
import sys
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
FOLDER: Final = ROOT / "functions" / "api" / "documents"

sys.path[:0] = [
    path
    for path in (str(ROOT / "layers" / "engine"), str(ROOT / "functions" / "api"))
    if path not in sys.path
]

from documents.asyncapi import asyncapi  # noqa: E402
from documents.openapi import openapi  # noqa: E402
from documents.pages import page  # noqa: E402


def built() -> dict[str, str]:
    """File name to text."""
    from app import app

    described = openapi(app)
    return {
        "openapi.json": _json(described),
        "asyncapi.json": _json(asyncapi(described)),
        "protocol.md": page("protocol.md", described),
        "llms.txt": page("llms.txt", described),
        "skill.md": page("skill.md", described),
        "fairness.md": (ROOT / "docs" / "fairness.md").read_text("utf-8"),
    }


def _json(document: dict[str, Any]) -> str:
    """One line to a value, so that a change shows as what it is."""
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"
