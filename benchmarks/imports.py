"""Import time of each function beside a bare `import boto3`, each in fresh processes.

    python benchmarks/imports.py [--runs 7] [--json]

Prints the median over the runs, in milliseconds. The environment names no X-Ray daemon, as on a
developer's machine; `--traced` names one, as Lambda does, so that the X-Ray SDK patches botocore.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

TIMED = "import time; start = time.perf_counter(); {statement}; print(time.perf_counter() - start)"


def statements() -> dict[str, tuple[str, list[Path]]]:
    """What is measured: a name, the statement, and the folders on the path."""
    layer = ROOT / "layers" / "engine"
    timed: dict[str, tuple[str, list[Path]]] = {"import boto3": ("import boto3", [])}
    for folder in sorted((ROOT / "functions").iterdir()):
        if (folder / "app.py").exists():
            timed[folder.name] = ("import app", [folder, layer])
    return timed


def seconds(statement: str, path: list[Path], traced: bool) -> float:
    """How long the statement takes in a new process."""
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(map(str, path)),
        "AWS_DEFAULT_REGION": "eu-central-1",
        "POWERTOOLS_SERVICE_NAME": "benchmark",
    }
    environment.pop("AWS_XRAY_DAEMON_ADDRESS", None)
    if traced:
        environment["AWS_XRAY_DAEMON_ADDRESS"] = "127.0.0.1:2000"
    done = subprocess.run(
        [sys.executable, "-c", TIMED.format(statement=statement)],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return float(done.stdout)


def measure(runs: int, traced: bool) -> dict[str, float]:
    """The median import time of each, in milliseconds; one run before them warms the caches."""
    figures = {}
    for name, (statement, path) in statements().items():
        took = [seconds(statement, path, traced) for _ in range(runs + 1)][1:]
        figures[name] = round(1000 * statistics.median(took), 1)
    return figures


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    options.add_argument("--runs", type=int, default=7)
    options.add_argument("--traced", action="store_true", help="as on Lambda, with X-Ray")
    options.add_argument("--json", action="store_true")
    chosen = options.parse_args()
    figures = measure(chosen.runs, chosen.traced)
    if chosen.json:
        print(json.dumps(figures))
        return
    for name, milliseconds in figures.items():
        print(f"{name:<14} {milliseconds:>7.1f} ms")


if __name__ == "__main__":
    main()
