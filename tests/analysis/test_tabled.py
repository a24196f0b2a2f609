"""The table of a run is made of some fields of its episodes, and of no copies: a laptop reads a million of them."""

from typing import Any, get_args, get_origin

import numpy as np
import pytest

from gwray.analysis import TABLED, episode_frame, main_table, plan_of, scores_by, usage
from gwray.cli.results import read_results
from gwray.records import EpisodeRecord
from gwray.store import PlannedEpisode, PlannedEpisodes, RunDir, RunManifest, results_frame

MOST_BYTES = 400
"""Of memory, an episode; with all fields it is more than twice as much."""
CELLS, GAMES, REPEATS = "ab", 25, 40


def value(name: str, n: int) -> Any:
    """Something that another episode has not, of the field's type."""
    kind = EpisodeRecord.model_fields[name].annotation
    if get_origin(kind) is tuple:
        return ("a sentence of some length",) * 2
    kinds = get_args(kind) or (kind,)
    if bool in kinds:
        return n % 3 == 0
    if int in kinds or float in kinds:
        return 1 + n % 17
    return f"{name}-{n:032x}"


def episode(n: int) -> EpisodeRecord:
    game = n // 2 % GAMES
    known = {
        "cell": CELLS[n % 2] * 12, "game": f"{game:02d}_a-game-of-its-own", "task": f"{game:02d}_01",
        "model": f"model-{n % 2}", "interface": "semantic", "timing": "realtime", "latency": f"fixed:{n % 2}",
        "memory_rounds": 3 + n % 2, "agent": f"agent-{n % 2}", "genre": "puzzle", "level": 1 + game % 4,
        "seed": 42, "repeat": n // 2 // GAMES, "status": "finished", "progress": n % 13 / 13, "ended_by": "budget",
        "prefix": "", "caveats": (),
        "served_model": f"model-{n % 2}-2026-11-{n % 9:02d}", "sees_state": False, "sees_text": False,
    }  # fmt: skip
    others = [name for name in EpisodeRecord.model_fields if name not in known and name != "metrics"]
    return EpisodeRecord(**{name: value(name, n) for name in others}, **known, metrics={"movement.moves": n})


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunDir:
    records = [episode(n) for n in range(len(CELLS) * GAMES * REPEATS)]
    plan = [{name: getattr(r, name) for name in ("key", "cell", "game", "task", "seed", "repeat")} for r in records]
    cells = [{"id": c * 12, "name": c, "model": f"model-{n}", "interface": "semantic"} for n, c in enumerate(CELLS)]
    planned = PlannedEpisodes.group(PlannedEpisode(**e) for e in plan)
    manifest = RunManifest.model_validate({"name": "n", "cells": cells, "episodes": planned})
    made = RunDir.create(tmp_path_factory.mktemp("made") / "run", manifest)
    made.rewrite_results(records)
    return made


def test_table_fields_give_the_same_values(run):
    complete, some = (episode_frame(results_frame(run, only=only)) for only in (None, TABLED))
    plan_of_complete, plan_of_some = plan_of(complete), plan_of(some)
    assert plan_of_some.cells == plan_of_complete.cells and plan_of_some.episodes.equals(plan_of_complete.episodes)
    assert [c.axes for c in plan_of_some.cells.values()] == [c.axes for c in plan_of_complete.cells.values()]
    assert all(len(c.axes) == 4 for c in plan_of_some.cells.values())
    assert main_table(some, plan_of_some) == main_table(complete, plan_of_complete)
    for by in ("task", "game", "genre", "level"):
        assert scores_by(some, plan_of_some, by) == scores_by(complete, plan_of_complete, by)
    for cell in plan_of_complete.cells:
        used = usage(some, plan_of_some, cell)
        assert used == usage(complete, plan_of_complete, cell) and [k for k, v in vars(used).items() if v is None] == [
            "efficiency"  # none of these tasks is a bundled one
        ]


def test_table_needs_few_bytes_per_episode(run, monkeypatch):
    kept = []

    def watched(rows):
        kept.extend([rows, frame := episode_frame(rows)])
        return frame

    monkeypatch.setitem(read_results.__globals__, "episode_frame", watched)
    assert read_results(run) is not None
    assert len(kept) == 2 and all(f.height == 2000 and f.estimated_size() < MOST_BYTES * 2000 for f in kept)
    assert results_frame(run).estimated_size() > 2 * MOST_BYTES * 2000


def test_normalized_rows_are_not_copied(run):
    frame = episode_frame(results_frame(run, only=TABLED))
    again = episode_frame(frame)
    assert again.equals(frame)
    assert np.shares_memory(again["progress"].to_numpy(), frame["progress"].to_numpy())
