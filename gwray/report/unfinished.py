"""Episodes that have started but not ended: their logged replies, shown as they are."""

import math
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from gwray.accounting import UsageTotals
from gwray.records import LoggedReply, StepRecord
from gwray.store import Episode, EpisodeMeta, RunDir, RunManifest

COUNTED = 200
"""Most logs read to count the steps of unfinished episodes."""


@dataclass(frozen=True)
class UnfinishedEpisode:
    """An episode with replies and without a result."""

    key: str
    cell: str
    game: str
    task: str
    seed: int
    repeat: int
    steps: int | None
    """Steps that have all their replies; None: not counted."""


def unfinished_episodes(
    run: RunDir, manifest: RunManifest, ended: Collection[str]
) -> list[UnfinishedEpisode]:  # fmt: skip
    """Returns the planned episodes that have replies and whose keys are not in `ended`."""
    planned = {e.key: e for e in manifest.episodes}
    keys = [k for k in run.logged_keys() if k in planned and k not in ended]
    out = []
    for i, key in enumerate(keys):
        e = planned[key]
        steps = _steps_logged(run.log(key).read()) if i < COUNTED else None
        out.append(UnfinishedEpisode(key, e.cell, e.game, e.task, e.seed, e.repeat, steps))
    return out


def _steps_logged(lines: list[LoggedReply]) -> int:
    """Steps for which every role has a reply; of the last one a reply may still be pending."""
    per_role: dict[str, int] = {}
    for line in lines:
        per_role[line.role] = max(per_role.get(line.role, 0), line.decision + 1)
    return min(per_role.values(), default=0)


def read_unfinished(run: RunDir, key: str) -> Episode | None:
    """Returns the replies of an unfinished episode, one step a decision; states and scores are unknown (NaN). None if
    it has no log or is not planned."""
    from gwray.pipelines import episode_specs, label

    lines = run.log(key).read()
    spec = episode_specs(run).get(key) if lines else None
    if spec is None:
        return None
    turns: dict[tuple[int, str], list[LoggedReply]] = {}
    for line in lines:
        turns.setdefault((line.decision, line.role), []).append(line)
    steps = [_step(turn) for _, turn in sorted(turns.items())]
    facts: dict[str, Any] = {
        "steps": len({s.step for s in steps}), "proposals": len(turns), "calls": len(lines),
        **UsageTotals.from_replies(line.reply for line in lines).fields(),
    }  # fmt: skip
    return Episode(steps, EpisodeMeta(record=label(spec).model_copy(update=facts)))


def _step(turn: list[LoggedReply]) -> StepRecord:
    """Returns the step of a turn, whose last reply is the one that acts."""
    from gwray.pipelines import reply_fields

    line, unknown = turn[-1], math.nan
    return StepRecord(
        step=line.decision, attempt=0, role=line.role, words_hash=line.words_hash, **reply_fields(line.reply),
        progress=unknown, best_progress=unknown, calls=len(turn),
        **UsageTotals.from_replies(t.reply for t in turn).fields(),
        charged_ms=unknown, game_time_ms=unknown,
    )  # fmt: skip
