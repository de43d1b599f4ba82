"""No document points to something that is not there."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TRACKED = subprocess.run(
    ["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True
).stdout.split()
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)(?:#[^)]*)?\)")


@pytest.mark.parametrize("page", TRACKED)
def test_relative_links_lead_somewhere(page: str) -> None:
    path = ROOT / page
    targets = [t for t in LINK.findall(path.read_text("utf-8")) if "://" not in t and t[0] != "/"]
    missing = [target for target in targets if not (path.parent / target).exists()]
    assert not missing
