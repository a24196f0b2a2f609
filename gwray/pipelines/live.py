"""Writes a lane's current frame, step and status for `gwray view`. Best effort, never read by the run itself; only for
run directories on a local disk."""

import contextlib
import json
from collections.abc import Collection
from datetime import UTC, datetime
from pathlib import Path

from gwray.environments import View
from gwray.settings import EpisodeSpec, model_label
from gwray.store import RunDir


class LiveLane:
    """Writes `live/<lane>.jpg` and `live/<lane>.json` atomically."""

    def __init__(self, run: RunDir, lane: str, spec: EpisodeSpec):
        self._folder = run.local_folder("live")
        self._lane = lane
        self._models = {model_label(m) for m in spec.cell.models()}
        self._facts: dict[str, object] = {
            "episode": spec.key,
            "game": spec.game,
            "task": spec.task,
            "model": model_label(spec.cell.model),
            "step": 0,
            "progress": 0.0,
        }

    def show(self, step: int, best: float, view: View | None) -> None:
        """Shows an environment step."""
        self._facts |= {"step": step + 1, "progress": best}
        self._write(view)

    def waits(self, held_back: Collection[str]) -> None:
        """Shows which of this lane's models are paused: the provider does not answer, or limits the rate."""
        waiting = sorted(self._models.intersection(held_back))
        if waiting != self._facts.get("waiting_for", []):
            self._facts["waiting_for"] = waiting
            self._write(None)

    def _write(self, view: View | None) -> None:
        """Writes status and, if given, the screenshot."""
        if self._folder is None:
            return
        facts = {**self._facts, "at": datetime.now(UTC).isoformat(timespec="milliseconds")}
        with contextlib.suppress(OSError):
            self._folder.mkdir(exist_ok=True)
            if view is not None:
                self._put(self._folder / f"{self._lane}.jpg", view.data)
            self._put(self._folder / f"{self._lane}.json", json.dumps(facts).encode())

    @staticmethod
    def _put(path: Path, data: bytes) -> None:
        half = path.with_suffix(path.suffix + ".part")
        half.write_bytes(data)
        half.replace(path)
