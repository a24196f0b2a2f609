"""Planning ceilings and blind floors: results of search, and of the best player that does not look at the game (random,
waiting, or a pattern of actions). Shown below the players and never ranked with them. Read from the bundled library's
measurements (`gwray dev library measure`) for tasks that have not changed since and that all cells played with their
whole budget. Nothing is measured here."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gwray.catalog import DIFFICULTY_FILE, Difficulty, load_catalog, read_difficulties, task_identity
from gwray.places import GAMES
from gwray.report.task_texts import step_limits, whole_budget
from gwray.store import RunManifest


@dataclass(frozen=True)
class CeilingAverage:
    """Averages of a ceiling or floor over some tasks."""

    label: str
    sr: float
    pg: float
    known: int
    tasks: int

    @property
    def complete(self) -> bool:
        return self.known == self.tasks

    def __str__(self) -> str:
        return f"all {self.tasks:,} tasks" if self.complete else f"{self.known:,} of {self.tasks:,} tasks"


@dataclass(frozen=True)
class Ceilings:
    """Results of planning, or of blind players, by task id: (success rate, progress), both 0–1."""

    label: str
    tasks: Mapping[str, tuple[float, float]]

    def average_over(self, tasks: Iterable[str]) -> CeilingAverage | None:
        """Averages over the tasks with a known result; None if there are none."""
        wanted = list(tasks)
        known = [self.tasks[t] for t in wanted if t in self.tasks]
        if not known:
            return None
        n = len(known)
        return CeilingAverage(self.label, sum(s for s, _ in known) / n, sum(p for _, p in known) / n, n, len(wanted))


NONE = Ceilings("", {})


def measured_ceilings(manifests: Sequence[RunManifest], file: Path = DIFFICULTY_FILE) -> Ceilings:
    """Results of search in the tasks of these runs, if measured on the same game files."""
    found = _measured(manifests, file, lambda d: d.search_progress is not None)
    if not found:
        return NONE
    steps = {d.search_expansions for d in found.values()}
    most = f"{max(steps):,} steps" if len(steps) == 1 else f"up to {max(steps):,} steps"
    reached = {t: d.search_progress or 0.0 for t, d in found.items()}
    tasks = {t: (float(progress >= 1), progress) for t, progress in reached.items()}
    return Ceilings(f"search: a program that tried {most} per task", tasks)


def measured_floors(manifests: Sequence[RunManifest], file: Path = DIFFICULTY_FILE) -> Ceilings:
    """Results of the best player that does not look at the game, in the tasks of these runs, if measured on the same
    game files."""
    found = _measured(manifests, file, lambda d: bool(d.blind_pattern))
    return Ceilings(
        "blind floor: the best of many plays that never look (random, waiting, fixed lists), task by task",
        {t: (d.floor_sr / 100, d.floor_pg / 100) for t, d in found.items()},
    )


def _measured(
    manifests: Sequence[RunManifest], file: Path, wanted: Callable[[Difficulty], bool]
) -> dict[str, Difficulty]:
    """Returns the wanted measurements of the tasks of these runs, if made on the same game files and budgets."""
    measured = {t: d for t, d in read_difficulties(file).items() if wanted(d)}
    if not measured:
        return {}
    games = {g.id: g for g in load_catalog().games.values() if g.folder.parent.parent == GAMES}
    limits = step_limits(manifests)
    recorded = [m.games for m in manifests]
    out: dict[str, Difficulty] = {}
    for game_id, task_id in sorted(limits):
        game, d = games.get(game_id), measured.get(task_id)
        if game is None or d is None:
            continue
        same = all(known.get(game_id, game.files_hash) == game.files_hash for known in recorded)
        task = next((t for t in game.tasks if t.id == task_id), None)
        if task is None or not same or d.identity != task_identity(game, task):
            continue
        if whole_budget(task, limits[game_id, task_id]):
            out[task_id] = d
    return out
