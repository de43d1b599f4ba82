"""Write the documents: `python -m documents` (or `make docs`)."""

from documents.build import FOLDER, built


def main() -> None:
    """Write what has changed."""
    FOLDER.mkdir(exist_ok=True)
    made = built()
    for name, text in made.items():
        path = FOLDER / name
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")
            print(f"written: {path.name}")
    for path in FOLDER.iterdir():
        if path.name not in made:
            path.unlink()
            print(f"removed: {path.name}")


if __name__ == "__main__":
    main()
