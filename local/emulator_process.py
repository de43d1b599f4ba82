"""Runs ministack until it is stopped or its starter is gone, however the starter ended.

A program for ministack's own environment: started with a pipe as standard input, in a session of
its own. When the other end of the pipe closes, it ends its whole process group.
"""

import os
import signal
import sys
import threading


def _end_with_starter() -> None:
    while os.read(0, 1024):
        pass
    os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    from ministack.app import main  # type: ignore[import-not-found]

    threading.Thread(target=_end_with_starter, daemon=True).start()
    sys.argv = ["ministack"]
    main()
