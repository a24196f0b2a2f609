"""Continues a recorded episode with another model: `gwray fork`. Recorded *actions* lead to the state, so the first
model is not asked: its environment steps become the *prefix* of the new episode, which is part of its identity and
stored in its run directory. The fork is resumed, verified and shown without the run that it was forked from."""

import json
from collections.abc import Sequence
from itertools import groupby

from gwray.catalog import Game, load_catalog
from gwray.errors import UsageError
from gwray.pipelines import Plan, make_plan, reply_ends
from gwray.records import PrefixStep, StepRecord
from gwray.settings import EpisodeSpec, RunSpec
from gwray.store import RunDir, encode_prefix
from gwray.verification.manifest_check import episode_specs, refuse_other_protocol


def plan_fork(jobs: Sequence[RunSpec], run: RunDir, key: str, at: int | None) -> Plan:
    """Makes a plan of episodes that continue a recorded one.

    Args:
        jobs: models and settings; game, task, seed and libraries are those of the recorded episode, and `limit.steps`
            unless a job sets another.
        run: its run; nothing is written there, and no code that it names is imported.
        key: the episode, or a prefix of its key.
        at: number of environment steps to keep, including the episode's own prefix; None: all.

    Raises:
        UsageError: there is no such finished episode or step, the step is inside a reply, the budget is used up, or the
            recorded actions would have another effect with the new settings.
    """
    manifest = run.manifest()
    refuse_other_protocol(manifest)
    parent = _episode(run, key)
    for job in jobs:
        _refuse_other_time(parent, job)
    steps = _prefix_until(_recorded(run, parent), at, parent.key)
    same = {"game": (parent.game,), "task": (parent.task,), "seed": parent.seed, "seed_policy": "fixed"}
    limit = parent.cell.limit
    jobs = [
        job.model_copy(
            update={
                **same,
                "libraries": tuple(dict.fromkeys((*run.libraries, *job.libraries))),
                "limit": limit if job.limit.steps is None else job.limit,
            }
        )
        for job in jobs
    ]
    plan = make_plan(jobs, encode_prefix(steps))
    task = plan.library.game(parent.game).task(parent.task, plan.settings.limit.steps)
    decisions = steps[-1].decision + steps[-1].last_of_reply
    if task.remaining(len(steps), decisions) <= 0:
        counted = f"{decisions} decisions" if task.max_decisions else f"{len(steps)} steps"
        raise UsageError(
            f"after {counted} nothing is left of the budget of {task.budget} that {task.id} has. Choose an earlier "
            f"step with --at (fewer than {len(steps)})."
        )
    return plan


def _episode(run: RunDir, key: str) -> EpisodeSpec:
    specs = episode_specs(run)
    return specs[run.find(key, specs)]


def _refuse_other_time(parent: EpisodeSpec, job: RunSpec) -> None:
    """Raises `UsageError` if recorded actions would last longer or shorter than in the recording: they would lead to
    another state."""
    if "wallclock" in (parent.cell.timing.mode, job.timing.mode):
        raise UsageError(
            "timing=wallclock cannot be forked: the clock ran by itself, so the recorded actions need not lead to the "
            "recorded state again. Allowed: timing=paused, timing=realtime, timing=adaptive."
        )
    for name, own, recorded in (
        ("action.hold_scale", job.action.hold_scale, parent.action.hold_scale),
        ("timing.speed", job.timing.speed, parent.cell.timing.speed),
    ):
        if own != recorded:
            raise UsageError(
                f"{name}={own:g}: the recorded actions were played with {recorded:g}, and mean something else "
                f"otherwise. Say {name}={recorded:g}."
            )


def _recorded(run: RunDir, spec: EpisodeSpec) -> list[PrefixStep]:
    """Returns all environment steps of a finished episode, its own prefix first."""
    before = run.read_prefix(spec.prefix) if spec.prefix else []
    if not run.has_episode(spec.key):
        raise UsageError(f"episode {spec.key} has not finished; the command that began its run resumes it")
    own = run.read_steps(spec.key, images=False)
    return [*before, *prefix_steps(own, load_catalog(run.libraries).game(spec.game))]


def prefix_steps(rows: Sequence[StepRecord], game: Game) -> list[PrefixStep]:
    """Returns the rows of an episode of a game as steps that can be replayed."""
    ends, decision, steps = reply_ends(rows), 0, list[PrefixStep]()
    for step, of_step in ((step, list(rows)) for step, rows in groupby(rows, key=lambda row: row.step)):
        decision = max(decision, *(row.decision for row in of_step))
        charged = {row.role: row.charged_ms for row in of_step if row.charged_ms}
        free = game.turns == "free"
        steps.append(
            PrefixStep(
                decision=decision,
                actions={row.role: json.loads(row.action) for row in of_step if row.action is not None},
                charged_ms=0.0 if free else max(charged.values(), default=0.0),
                after_ms=charged if free else {},
                forced=of_step[0].forced,
                last_of_reply=step in ends,
                reset=of_step[0].reset,
                state_hash=of_step[0].state_hash,
            )
        )
    return steps


def _prefix_until(steps: Sequence[PrefixStep], at: int | None, key: str) -> list[PrefixStep]:
    """Returns the first `at` steps. Raises `UsageError` unless `at` ends a reply."""
    at = len(steps) if at is None else at
    if not steps:
        raise UsageError(f"episode {key} has no steps to continue from; choose another episode")
    if not 1 <= at <= len(steps):
        raise UsageError(
            f"--at {at}: episode {key} has {len(steps)} environment steps. Allowed: 1 to {len(steps)}, or end. To "
            "play the task from its start, use gwray run."
        )
    if not steps[at - 1].last_of_reply:
        allowed = [n for n, step in enumerate(steps, 1) if step.last_of_reply]
        near = [*[n for n in allowed if n < at][-1:], *[n for n in allowed if n > at][:1]]
        raise UsageError(
            f"--at {at} is inside a reply: step {at} is another of its actions. Nearest: "
            f"{' and '.join(f'--at {n}' for n in near)}."
        )
    return list(steps[:at])
