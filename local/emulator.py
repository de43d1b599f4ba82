"""The ministack process: started on loopback with a folder of its own, stopped with all it made."""

import contextlib
import os
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

from local import tools
from local.errors import LocalCloudError, PortTakenError

REGION = "eu-central-1"
CREDENTIALS = {
    "AWS_ACCESS_KEY_ID": "local",
    "AWS_SECRET_ACCESS_KEY": "local",
    "AWS_DEFAULT_REGION": REGION,
}
_START_SECONDS = 60
_STOP_SECONDS = 5
_FREE_PORT_TRIES = 5


class Ministack:
    """A running ministack; ``start`` begins it, ``stop`` ends it and removes its files."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        port: int,
        folder: tempfile.TemporaryDirectory[str],
    ) -> None:
        self._process = process
        self.port = port
        self._folder = folder  # Python removes it at its end, should nobody come to stop this
        self.log = Path(folder.name, "ministack.log")

    @classmethod
    def start(cls, port: int | None) -> "Ministack":
        """Start on ``port``, or on a free one.

        Raises ``PortTakenError`` or ``LocalCloudError``.
        """
        python = tools.cloud_python()
        if port is not None:
            return cls._start_on(python, port)
        for _ in range(_FREE_PORT_TRIES):
            try:
                return cls._start_on(python, _free_port())
            except PortTakenError:
                continue  # somebody was faster
        raise LocalCloudError("no free port was found on 127.0.0.1")

    @classmethod
    def _start_on(cls, python: Path, port: int) -> "Ministack":
        if _is_taken(port):
            raise PortTakenError(port)
        temporary = tempfile.TemporaryDirectory(
            prefix="lanternwell-cloud-", ignore_cleanup_errors=True
        )
        folder = Path(temporary.name)
        with (folder / "ministack.log").open("wb") as log:
            process = subprocess.Popen(
                [python, "-P", Path(__file__).with_name("emulator_process.py")],
                cwd=folder,
                env=_environment(port, folder),
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        ministack = cls(process, port, temporary)
        try:
            ministack._wait_until_ready()
        except BaseException:
            ministack.stop()
            raise
        return ministack

    def _wait_until_ready(self) -> None:
        url = f"http://127.0.0.1:{self.port}/_ministack/health"
        end = time.monotonic() + _START_SECONDS
        while time.monotonic() < end:
            if self._process.poll() is not None:
                output = self.log.read_text(errors="replace")
                if "already in use" in output or "Errno 98" in output:
                    raise PortTakenError(self.port)
                lines = output.strip().splitlines() or ["no message"]
                raise LocalCloudError(f"ministack ended while starting: {lines[-1]}")
            try:
                with urllib.request.urlopen(url, timeout=1):
                    return
            except (urllib.error.URLError, OSError):
                time.sleep(0.05)
        raise LocalCloudError(f"ministack did not answer within {_START_SECONDS} seconds")

    def stop(self) -> None:
        """End the process and the function processes under it, and remove their files."""
        group = self._process.pid  # the process leads a session, so its group has its id
        _signal_group(group, signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_STOP_SECONDS)
        _signal_group(group, signal.SIGKILL)
        self._process.wait()
        if self._process.stdin:
            self._process.stdin.close()
        self._folder.cleanup()


def _environment(port: int, folder: Path) -> dict[str, str]:
    """What ministack and the functions see: nothing of the caller's AWS or Python settings."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("AWS_", "PYTHON", "LAMBDA_", "MINISTACK_", "POWERTOOLS_"))
    }
    return {
        **kept,
        **CREDENTIALS,
        "GATEWAY_PORT": str(port),
        "BIND_HOST": "127.0.0.1",
        "MINISTACK_HOST": "127.0.0.1",
        "MINISTACK_REGION": REGION,
        "LOG_LEVEL": "INFO",
        "AUTH": "true",  # the functions may do what their roles allow, and no more
        "TMPDIR": str(folder),
        "STATE_DIR": str(folder / "state"),
        "S3_DATA_DIR": str(folder / "s3"),
        "LAMBDA_EXECUTOR": "local",
        "DOCKER_HOST": f"unix://{folder}/no-docker",
        "SFTP_ENABLED": "0",
        "IOT_MTLS_ENABLED": "0",
        "PYTHONUNBUFFERED": "1",
    }


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _is_taken(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return True
    return False


def _signal_group(group: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, number)
