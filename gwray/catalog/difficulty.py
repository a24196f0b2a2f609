"""Reads and writes the measured difficulty of the bundled tasks: `docs/library.json`, one line per task.
`gwray.plugins.authoring.measure` measures it, `scripts/library_docs.py` makes tables of it."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from statistics import fmean

from pydantic import BaseModel, ConfigDict, ValidationError

from gwray.catalog.game import Game
from gwray.errors import GwrayError
from gwray.places import BUNDLED

DIFFICULTY_FILE = BUNDLED / "docs" / "library.json"


class Difficulty(BaseModel):
    """Results of simple players and of a search in one task."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    task: str
    identity: str
    """Identity of the measured game and task (`task_identity`)."""
    random_progress: tuple[float, ...]
    """Best progress of the random player, per game seed."""
    random_success: tuple[bool, ...]
    noop_progress: float
    """Best progress of a player that only waits."""
    blind_pattern: str = ""
    """The strongest list of actions that is played without a look at the game; it repeats. Empty if none is known."""
    blind_progress: tuple[float, ...] = ()
    """Its best progress, per game seed."""
    blind_success: tuple[bool, ...] = ()
    blind_lists: int = 0
    """Number of lists that were tried."""
    blind_steps: int = 0
    """Environment steps of that search, which the tasks of a page share."""
    search_progress: float | None = None
    """Best progress of an uninformed search within `search_expansions` played steps."""
    search_expansions: int = 0

    @property
    def random_sr(self) -> float:
        """Success rate in percent."""
        return 100 * sum(self.random_success) / len(self.random_success)

    @property
    def random_pg(self) -> float:
        """Mean progress in percent."""
        return 100 * sum(self.random_progress) / len(self.random_progress)

    @property
    def floor_sr(self) -> float:
        """Success rate in percent of the best player that does not look at the game: random, waiting or a list."""
        return max(self.random_sr, 100 * fmean(self.blind_success or (0,)), 100.0 * (self.noop_progress >= 1))

    @property
    def floor_pg(self) -> float:
        """The same for the mean progress in percent."""
        return max(self.random_pg, 100 * fmean(self.blind_progress or (0,)), 100 * self.noop_progress)

    def line(self) -> str:
        """Returns one line of text for terminals."""
        blind = f"  blind PG {100 * fmean(self.blind_progress):5.1f}" if self.blind_progress else ""
        reach = "" if self.search_progress is None else f"  search {100 * self.search_progress:5.1f}"
        return (
            f"{self.task}  random SR {self.random_sr:3.0f}  PG {self.random_pg:5.1f}  "
            f"noop PG {100 * self.noop_progress:5.1f}{blind}{reach}"
        )


def is_typed(game: Game) -> bool:
    """Whether a game is played by typing, so that there are no patterns of its actions."""
    return any(control.type_text for role in game.roles for control in role.controls)


def read_difficulties(file: Path = DIFFICULTY_FILE) -> dict[str, Difficulty]:
    """Returns all measurements by task; empty without a file."""
    if not file.is_file():
        return {}
    try:
        rows = [Difficulty.model_validate(row) for row in json.loads(file.read_text(encoding="utf-8"))]
    except (ValueError, ValidationError) as e:
        raise GwrayError(f"{file}: {e}; delete it and measure again") from e
    return {row.task: row for row in rows}


def write_difficulties(rows: Mapping[str, Difficulty], file: Path = DIFFICULTY_FILE) -> None:
    """Writes one line per task, sorted. Replaces the file atomically."""
    lines = [" " + json.dumps(rows[task].model_dump(mode="json")) for task in sorted(rows)]
    file.parent.mkdir(parents=True, exist_ok=True)
    fresh = file.with_name(f".{file.name}.{os.getpid()}")
    fresh.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")
    fresh.replace(file)
