"""What the wheel is made of. Much of it lies beside this folder: build it inside the repository.

The platform goes into `lanternwell/platform`, which only `lanternwell serve` puts on the path, so
that nobody else meets the names of its packages.
"""

from setuptools import find_namespace_packages, setup

FOLDERS = {
    "lanternwell": "lanternwell",
    "bots": "../layers/engine/bots",
    "protocol": "../layers/engine/protocol",
    "werewolf": "../layers/engine/werewolf",
    "lanternwell.platform.edge": "../layers/engine/edge",
    "lanternwell.platform.functions": "../functions",
    "lanternwell.platform.hosting": "../layers/engine/hosting",
    "lanternwell.platform.local": "../local",
}

packages = [
    f"{package}.{inner}".rstrip(".")
    for package, folder in FOLDERS.items()
    for inner in ("", *find_namespace_packages(folder, exclude=["*__pycache__*"]))
]

setup(
    package_dir=FOLDERS,
    packages=packages,
    package_data={package: ["*.md", "*.json", "*.txt", "py.typed"] for package in packages},
)
