"""What weights have learned from is in `run.json` and below the results; the digest of the weights covers its file."""

import json
from types import SimpleNamespace

import polars as pl

from gwray.analysis import PlannedTasks, training_notes
from gwray.cli.compose import job_specs
from gwray.pipelines import make_plan
from gwray.pipelines.cells import cell_of

LEARNED = {"game": ["01_2048"], "level": ["01_01"], "scenario": ["seen"], "seed": [7]}


def test_cell_of_trained_weights_has_what_they_learned_and_results_count_it(tmp_path):
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "model.safetensors").write_bytes(b"weights")
    words = ["model=tiny-vl", f"deployment.model_source={tmp_path}", "game=01_2048", "task=[1,2]", "seed=7"]
    (before,) = make_plan(job_specs(words)).cells
    (tmp_path / "trained_on.json").write_text(json.dumps(LEARNED))
    plan = make_plan(job_specs(words))
    (cell,) = plan.cells
    assert cell.spec.model.deployment["trained_on"] == LEARNED
    served = {k: v for k, v in cell.spec.model.deployment.items() if k != "trained_on"}
    spec = cell.spec.model_copy(update={"model": cell.spec.model.model_copy(update={"deployment": served})})
    assert cell_of(spec).id == cell.id, "the digest of the weights identifies them"
    assert len(cell.spec.model.deployment["revision"]) == 40
    planned = pl.DataFrame([(cell.id, e.game, e.task, e.seed) for e in plan.episodes],
                           schema=["cell", "game", "task", "seed"], orient="row")  # fmt: skip
    row = SimpleNamespace(cell=SimpleNamespace(id=cell.id, name=cell.name, spec=cell.spec.model_dump(mode="json")))
    (note,) = training_notes([row], PlannedTasks({}, planned))
    assert "trained on the game of 2, the level of 1, the seed of 2 of its 2 episodes (scenario: seen)" in note
    row.cell.spec["model"]["deployment"]["trained_on"] = LEARNED | {"game": ["05_breakout"]}
    (note,) = training_notes([row], PlannedTasks({}, planned))
    assert "the game of 0, the level of 0, the seed of 0 of its 2 episodes" in note, "a seed of another game is unseen"
    untrained = SimpleNamespace(cell=SimpleNamespace(id="c", name="n", spec=before.spec.model_dump(mode="json")))
    assert training_notes([untrained], PlannedTasks({}, planned)) == []
