"""One local cloud for several processes: the first starts it and ends it after the last."""

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

from filelock import FileLock

from local.cloud import Cloud, LocalCloud


@contextlib.contextmanager
def shared_cloud(folder: Path) -> Iterator[Cloud]:
    """The cloud of all processes that name the same folder, for the time of the context.

    The process that started it waits at its end for the others, also for one that was killed.
    """
    lock = FileLock(folder / "cloud.lock")
    address, users = folder / "cloud.address", folder / "cloud.users"
    me = users / str(os.getpid())
    own: LocalCloud | None = None
    with lock:
        users.mkdir(exist_ok=True)
        if address.exists():
            cloud = Cloud(address.read_text())
        else:
            cloud = own = LocalCloud().start()
            address.write_text(cloud.endpoint_url)
        me.touch()
    try:
        yield cloud
    finally:
        me.unlink()
        if own:
            while True:
                with lock:
                    if not any(_is_alive(user) for user in users.iterdir()):
                        address.unlink()
                        own.stop()
                        break
                time.sleep(0.1)


def _is_alive(user: Path) -> bool:
    try:
        os.kill(int(user.name), 0)
    except ProcessLookupError:
        return False
    return True
