"""The built binary: one process from its start to its end."""

import os
import re
import signal
import subprocess
from pathlib import Path

from .waiting import wait_until

ROOT = Path(__file__).resolve().parents[3]
BINARY = Path(os.environ.get("POSTERN", ROOT / ".build" / "release" / "postern"))


def run(*arguments, environment=None, within: float = 30.0) -> subprocess.CompletedProcess:
    """Runs a command of the binary to its end."""
    return subprocess.run(
        [BINARY, *map(str, arguments)], cwd=ROOT, env=_environment(environment), stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=within)


def _environment(more) -> dict:
    # Nothing that the tests' own environment holds for Postern may leak into it.
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("POSTERN")}
    return inherited | (more or {})


class Postern:
    """A running `postern dev` or `postern serve`. Its output goes to files in `directory`."""

    READY = re.compile(r"^postern: listening on (http://(\S+):(\d+))$", re.MULTILINE)

    def __init__(self, *arguments, directory: Path, environment=None):
        directory.mkdir(parents=True, exist_ok=True)
        self.arguments = [str(argument) for argument in arguments]
        self.directory = directory
        self.environment = environment
        self.process: subprocess.Popen | None = None
        self.url = self.host = ""
        self.port = 0
        self._runs = 0

    def start(self, within: float = 15.0) -> "Postern":
        """Starts the process and waits for the line that says it is ready."""
        self._runs += 1
        with open(self._output("stdout"), "wb") as stdout, open(self._output("stderr"), "wb") as stderr:
            self.process = subprocess.Popen(
                [BINARY, *self.arguments], cwd=ROOT, env=_environment(self.environment), stdin=subprocess.DEVNULL,
                stdout=stdout, stderr=stderr)
        try:
            wait_until(lambda: self.READY.search(self.stdout) or self.process.poll() is not None, within, "the ready line")
            ready = self.READY.search(self.stdout)
            assert ready, f"postern {' '.join(self.arguments)} ended with {self.process.returncode}:\n{self.stdout}{self.stderr}"
        except BaseException:
            self.kill()
            raise
        self.url, self.host, self.port = ready[1], ready[2], int(ready[3])
        return self

    def stop(self, within: float = 15.0) -> int:
        """Asks it to end, and gives its exit status."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(within)
        except subprocess.TimeoutExpired:
            self.kill()
            raise

    def kill(self):
        """Ends it at once, as a power cut would."""
        if self.process and self.process.poll() is None:
            self.process.kill()
        if self.process:
            self.process.wait(10)

    @property
    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    @property
    def stdout(self) -> str:
        return self._output("stdout").read_text(errors="replace")

    @property
    def stderr(self) -> str:
        return self._output("stderr").read_text(errors="replace")

    @property
    def output(self) -> str:
        """All that any run of it has printed."""
        return "".join(path.read_text(errors="replace") for path in sorted(self.directory.glob("run-*.std*")))

    def _output(self, stream: str) -> Path:
        return self.directory / f"run-{self._runs}.{stream}"

    def __enter__(self):
        return self if self.is_running else self.start()

    def __exit__(self, *_):
        if self.is_running:
            self.stop()
