"""What a lane shows while it plays: its latest frame and where it is, for `gwray view --live`.

Best effort and never read back by a run; only for run directories on a local disk.
"""

from __future__ import annotations

import contextlib
import json
from datetime import UTC, datetime
from pathlib import Path

from gwray.environments import View
from gwray.spec import EpisodeSpec
from gwray.store import RunDir


class LiveLane:
    """Writes `live/<lane>.jpg` and `live/<lane>.json`, each whole or not at all."""

    def __init__(self, run: RunDir, lane: str):
        self._folder = run.local_path / "live" if run.local_path else None
        self._lane = lane

    def show(self, spec: EpisodeSpec, step: int, best: float, view: View | None) -> None:
        if self._folder is None:
            return
        facts = {
            "episode": spec.key,
            "game": spec.game,
            "task": spec.task,
            "model": spec.cell.model.name,
            "step": step + 1,
            "progress": best,
            "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
        }
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
