"""The comparison of two versions finds nothing where they are the same, and else what differs."""

import shutil
from pathlib import Path

import pytest

from benchmarks.same_events import first_difference
from werewolf.match import REVISION

ROOT = Path(__file__).parents[2]


def copied(folder: Path, **changed: tuple[str, str]) -> Path:
    """The engine in another folder; by the name of a module, what is changed in it."""
    engine = folder / "layers" / "engine" / "werewolf"
    shutil.copytree(ROOT / "layers" / "engine" / "werewolf", engine)
    for name, (old, new) in changed.items():
        (file,) = engine.rglob(f"{name}.py")
        text = file.read_text("utf-8")
        assert old in text
        file.write_text(text.replace(old, new), "utf-8")
    return folder


@pytest.mark.parametrize("revision", [None, REVISION])
def test_a_version_plays_as_itself(tmp_path: Path, revision: int | None) -> None:
    assert first_difference(ROOT, copied(tmp_path), matches=3, revision=revision) is None


@pytest.mark.parametrize(
    ("module", "old", "new", "where"),
    [
        ("house_9", "SHARE_BYTES = 400", "SHARE_BYTES = 401", "house-9"),
        ("arena_1", '"tie" if counts', '"draw" if counts', "arena-1"),
        ("tally", "reverse=True", "reverse=False", ""),
    ],
)
def test_another_version_is_found_out(
    tmp_path: Path, module: str, old: str, new: str, where: str
) -> None:
    found = first_difference(ROOT, copied(tmp_path, **{module: (old, new)}), matches=40)
    assert found is not None
    assert found[0].startswith(where)
    assert found[1] != found[2]
