"""Applies the current evaluator and the current tasks to recorded states: `gwray rescore`. Asks no model, opens no
browser. A recorded episode ended where the old rules said; if the new rules would have gone on, that is reported.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import groupby

from gwray.catalog import Task, load_library
from gwray.errors import GwrayError
from gwray.evaluation import Standing, Verdict, judge
from gwray.pipelines.episode import sums
from gwray.records import EpisodeRecord, StepRecord
from gwray.store import EpisodeMeta, RunDir


@dataclass(frozen=True)
class Rescored:
    """One episode before and after."""

    before: EpisodeRecord
    after: EpisodeRecord | None
    note: str = ""

    @property
    def changed(self) -> bool:
        fields = ("success", "progress", "score", "steps", "ended_by", "resets")
        return self.after is not None and any(getattr(self.before, f) != getattr(self.after, f) for f in fields)


NOTE = "rescored: "
"""How the caveat begins that says where the recorded episode and the new rules part."""


def rescore_run(run: RunDir, *, write: bool = True) -> list[Rescored]:
    """Rescore every finished episode; `write` replaces results and the score columns of the step files."""
    library = load_library(run.manifest().get("libraries", ()))
    out: list[Rescored] = []
    for before in run.results():
        try:
            task = library.game(before.game).task(before.task)
            episode = run.read_episode(before.key)
            steps, after, note = rescore_steps(episode.steps, before, task)
        except GwrayError as e:
            out.append(Rescored(before, None, f"{type(e).__name__}: {e}"))
            continue
        done = Rescored(before, after, note)
        out.append(done)
        if write and (after != before or steps != episode.steps):
            # A step's picture is the one before it: the first that is left out shows how the episode ends now.
            cut = episode.steps[len(steps) :]
            last = cut[0].screenshot if cut else episode.meta.final_frame
            meta = EpisodeMeta.model_validate({**dict(episode.meta), "record": after, "final_frame": last})
            run.write_episode(before.key, steps, meta)
    if write:
        run.rewrite_results([r.after or r.before for r in out])
    return out


def rescore_steps(
    steps: list[StepRecord], before: EpisodeRecord, task: Task
) -> tuple[list[StepRecord], EpisodeRecord, str]:
    """Judge recorded states again. Stops where the new rules end the episode."""
    standing, verdict, rows, note = Standing(), None, [], ""
    for step, group in groupby(steps, key=lambda s: s.step):
        of_step = list(group)
        verdict, standing = judge(json.loads(of_step[0].state), task, task.max_steps - step - 1, standing)
        rows += [_row(r, verdict, standing) for r in of_step]
        if (verdict.then == "reset") != of_step[0].reset and verdict.then != "end":
            note = f"step {step}: the new rules would {'reset' if verdict.then == 'reset' else 'not reset'} here"
            break
        if verdict.then == "end":
            break
    else:
        note = "the new rules would have gone on after the last recorded step"
    assert verdict is not None
    after = before.model_copy(
        update={
            "success": standing.success,
            "progress": standing.best,
            "score": standing.best_score,
            "resets": standing.resets,
            "ended_by": verdict.ended_by,
            "caveats": (*(c for c in before.caveats if not c.startswith(NOTE)), *([NOTE + note] if note else [])),
            **sums(rows),
        }
    )
    return rows, after, note


def _row(row: StepRecord, verdict: Verdict, standing: Standing) -> StepRecord:
    scored = {"score": verdict.score, "progress": verdict.progress, "best_progress": standing.best}
    return row.model_copy(update={**scored, "terminal": verdict.terminal, "reset": verdict.then == "reset"})
