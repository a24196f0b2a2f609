"""Starts, feeds and stops the writer process, and removes credentials from its messages."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

import psutil

from gwray.encodings import hide
from gwray.redaction import HIDDEN, environment_secrets
from gwray.store import RunDir
from gwray.tracking import writer


class WriterExited(Exception):
    """The writer process exited early."""


class Unreachable(WriterExited):
    """The writer exited because no online run could be started."""


class WriterProcess:
    """The writer process and its pipes. It has its own session, so Ctrl-C reaches only the driver."""

    def __init__(self, run: RunDir, trouble: Callable[[str], None]):
        self._trouble = trouble
        if (folder := run.local_folder("wandb")) is not None:
            self.folder = folder.parent.resolve()
            folder.mkdir(parents=True, exist_ok=True)
        else:
            self.folder = Path(tempfile.mkdtemp(prefix="gwray-wandb-"))
        # Files of tables are staged here until they are uploaded; those of an earlier writer belong to rebuilt runs.
        staging = self.folder / "wandb" / "staging"
        shutil.rmtree(staging, ignore_errors=True)
        self._cache = tempfile.TemporaryDirectory(prefix="gwray-wandb-cache-")
        self._secrets = environment_secrets()
        self.links: dict[str, str] = {}
        self.workspace = ""
        self.last_message_at = time.monotonic()
        self._reported_problem = False
        self._unreachable = False
        log = self.folder / "wandb" / "writer.log"
        log.parent.mkdir(exist_ok=True)
        with log.open("ab") as errors:
            self._process = subprocess.Popen(
                [sys.executable, "-P", str(Path(writer.__file__).resolve())],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                env=_environment(self._cache.name, str(staging)),
                start_new_session=True,
            )
        self._listener = threading.Thread(target=self._listen, args=(self._process.stdout,), daemon=True)
        self._listener.start()

    def send(self, message: Mapping[str, Any]) -> None:
        text = json.dumps({n: v if n == "pictures" else self._hidden(v) for n, v in message.items()})
        try:
            assert self._process.stdin is not None
            self._process.stdin.write(text.encode() + b"\n")
            self._process.stdin.flush()
        except OSError:
            self._raise_exited()

    def _hidden(self, value: Any) -> Any:
        """Returns a plain value with the secrets of the environment hidden."""
        if isinstance(value, str):
            return hide(value, self._secrets, HIDDEN)
        if isinstance(value, Mapping):
            return {self._hidden(n): self._hidden(v) for n, v in value.items()}
        return [self._hidden(v) for v in value] if isinstance(value, list | tuple) else value

    def end(self) -> None:
        self.send({"do": "end"})
        if self._process.wait() != 0:
            self._raise_exited()

    def _raise_exited(self) -> None:
        self._process.wait()
        self._listener.join(timeout=5)
        if self._unreachable:
            raise Unreachable
        if not self._reported_problem:
            self._trouble(
                f"the writer process ended with code {self._process.returncode}, see {self.folder}/wandb/writer.log"
            )
        raise WriterExited

    def _listen(self, answers: IO[bytes]) -> None:
        for line in answers:
            self.last_message_at = time.monotonic()
            try:
                answer = json.loads(line)
            except ValueError:
                continue
            if "problem" in answer:
                self._reported_problem = True
                self._trouble(answer["problem"])
            if "unreachable" in answer:
                self._unreachable = True
                self._trouble(f"online mode failed ({answer['unreachable']}), continuing offline")
            if "workspace" in answer:
                self.workspace = answer["workspace"]
            if "link" in answer:
                self.links[answer["run"]] = answer["link"]

    def kill(self) -> None:
        """Kills the process and its children (the client's service has its own session)."""
        try:
            family = [psutil.Process(self._process.pid), *psutil.Process(self._process.pid).children(recursive=True)]
        except psutil.NoSuchProcess:
            family = []
        for process in family:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        self._process.wait()
        self._listener.join(timeout=5)
        self._cache.cleanup()
        for link in self.folder.glob("wandb/*/logs/*.log"):
            if link.is_symlink() and not link.exists():  # it led into the temporary folder
                link.unlink(missing_ok=True)


_RESERVED = ("MODE", "DIR", "NAME", "RUN_ID", "RUN_NAME", "RUN_GROUP", "RESUME", "SERVICE", "SWEEP_ID", "PROJECT")
"""W&B settings that gwray sets and that must not come from the environment."""


def _environment(cache: str, staging: str) -> dict[str, str]:
    env = {k: v for k, v in os.environ.items() if k not in {f"WANDB_{name}" for name in _RESERVED}}
    return env | {
        "WANDB_ERROR_REPORTING": "false",  # crash reports to third parties
        "WANDB_CACHE_DIR": cache,
        "WANDB_ARTIFACT_DIR": cache,
        "WANDB_DATA_DIR": staging,
        "TMPDIR": cache,  # the client leaves images and tables in its temporary folder
    }
