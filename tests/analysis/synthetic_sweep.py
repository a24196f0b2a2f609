"""A sweep with known truth: who plays how well is set, the episodes are drawn."""

from __future__ import annotations

import numpy as np
import polars as pl

from gwray.analysis import episode_frame
from gwray.store import ManifestCell, PlannedEpisode, PlannedEpisodes, RunManifest

GENRES = (("arcade", 7), ("platformer", 8), ("puzzle", 7), ("runner", 8), ("simulation", 4))


def games() -> list[tuple[str, str, int]]:
    """34 games with genre and level."""
    out = []
    for genre, n in GENRES:
        for i in range(n):
            k = len(out) + 1
            out.append((f"{k:02d}_{genre}-{i + 1}", genre, 1 + (k * 7) % 5))
    return out


def sweep(
    skills: dict[str, float],
    *,
    repeats: int = 1,
    seed: int = 0,
    interface: str = "semantic",
    tasks_per_game: int = 5,
    n_games: int = 34,
    **columns,
) -> pl.DataFrame:
    """`skills`: model → mean progress. Games and tasks shift everybody alike; noise is per episode."""
    rng = np.random.default_rng(seed)
    chosen = games()[:n_games]
    rows = []
    game_shift = {g: rng.normal(0, 0.15) for g, _, _ in chosen}
    task_shift = {(g, t): rng.normal(0, 0.1) for g, _, _ in chosen for t in range(tasks_per_game)}
    for model, skill in skills.items():
        for g, genre, level in chosen:
            for t in range(tasks_per_game):
                for r in range(repeats):
                    p = float(np.clip(skill + game_shift[g] + task_shift[g, t] + rng.normal(0, 0.08), 0, 1))
                    win = p > 0.75
                    rows.append(
                        {
                            "key": f"{model}-{interface}-{g}-{t}-{r}-{seed}",
                            "cell": f"{model}-{interface}",
                            "game": g,
                            "task": f"{g[:2]}_{t + 1:02d}",
                            "genre": genre,
                            "level": level,
                            "model": model,
                            "interface": interface,
                            "timing": "paused",
                            "seed": 42,
                            "repeat": r,
                            "status": "finished",
                            "success": win,
                            "progress": 1.0 if win else p,
                            "steps": 100 if not win else 60,
                            "proposals": 100 if not win else 60,
                            "no_tool_call": 2,
                            "out_of_space": 1,
                            "input_tokens": 200_000,
                            "output_tokens": 5_000,
                            "cost_usd": 0.5,
                            "latency_ms": 150_000.0,
                            "game_time_ms": 20_000.0,
                            **columns,
                        }
                    )
    return episode_frame(rows)


def manifest(frame: pl.DataFrame) -> RunManifest:
    """The plan that these rows fulfil."""
    cells = frame.group_by("cell", maintain_order=True).agg(
        pl.col("model", "interface", "timing", "latency", "memory_rounds").first(), pl.len().alias("planned")
    )
    rows = frame.select("key", "cell", "game", "task", "seed", "repeat").iter_rows()
    return RunManifest(
        name="synthetic",
        cells=tuple(ManifestCell(id=c["cell"], name=c["cell"], **c) for c in cells.to_dicts()),
        episodes=PlannedEpisodes.group(PlannedEpisode(*row) for row in rows),
    )
