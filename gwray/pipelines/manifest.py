"""Creates the manifest of a run directory from a plan, and merges it when the run is continued."""

import platform
import shlex
import subprocess
import sys
from collections.abc import Container
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from gwray import __version__
from gwray.agents import price_date
from gwray.errors import UsageError
from gwray.pipelines.plan import Plan
from gwray.places import CHECKOUT
from gwray.records import redacted, redacted_override
from gwray.settings import model_label
from gwray.store import PlannedEpisode, RunDir, RunManifest


def open_run(plan: Plan, *, finished: Container[str] = (), keep_seal: bool = False) -> RunDir:
    """Creates or continues a plan's run directory, so that its manifest covers this plan. The caller holds its lock.

    Args:
        plan: what to play.
        finished: keys of finished episodes. If they are all of the plan's, run.json stays as it is: the labels,
            addresses, versions and command there are those that the episodes were played with.
        keep_seal: keeps the seal of a continued run. Otherwise a change of run.json removes it.

    Raises:
        UsageError: the run has episodes of this plan from other game files or another protocol.
    """
    models = {m.name: m for m in plan.models()}
    prices = {name: found for name, model in sorted(models.items()) if (found := price_date(model))}
    ours = plan.manifest().model_copy(update={**_circumstances(), "prices": prices})
    if RunDir.is_run(plan.run_dir):
        complete = all(key in finished for key in ours.episodes.episode_keys())
        run = _continue_run(RunDir.open(plan.run_dir), ours, complete, keep_seal)
    else:
        run = RunDir.create(plan.run_dir, ours)
    for module, source in plan.code.items():
        run.write_code(module, source)
    if plan.prefix:
        run.write_prefix(plan.prefix)
    return run


def _continue_run(run: RunDir, ours: RunManifest, complete: bool, keep_seal: bool) -> RunDir:
    """Merges the manifest of a plan into that of an existing run."""
    before = run.manifest()
    if before.protocol_version != ours.protocol_version:
        raise UsageError(
            f"{run.url} was played under protocol version {before.protocol_version}, this gwray plays under "
            f"{ours.protocol_version}; choose another name=… or run_dir=…, or remove that directory."
        )
    if changed := changed_since(before, ours):
        raise UsageError(
            f"{run.url} has episodes of {', '.join(changed)} from before the game or the protocol changed; old and new "
            "ones must not share a table. Choose another name=… or run_dir=…, or remove that directory."
        )
    if complete:
        return run
    cells = {c.id: c for c in (*before.cells, *ours.cells)}
    episodes = before.episodes.merge(ours.episodes)
    counts = episodes.per_cell()
    merged = {
        **{name: getattr(ours, name) for name in ours.model_fields_set - {"format", "id"}},
        "created": before.created or ours.created,
        "cells": tuple(c.model_copy(update={"planned": counts[c.id]}) for c in cells.values()),
        "episodes": episodes,
        "jobs": (*before.jobs, *(job for job in ours.jobs if job not in before.jobs)),
        "games": {**before.games, **ours.games},
        "kinds": {**before.kinds, **ours.kinds},
        "prices": {**before.prices, **ours.prices},
        "libraries": tuple(dict.fromkeys((*before.libraries, *ours.libraries))),
    }
    now = before.model_copy(update=merged)
    if now != before:
        # In one write: a command that is killed in between leaves no seal that does not match.
        run.write_manifest(now if keep_seal else now.model_copy(update={"seal": ""}))
    return run


def moved_models(before: RunManifest, plan: Plan) -> list[str]:
    """Returns a notice per model that a continued run asks at another address than before."""
    urls = {c.id: (c.spec.get("model") or {}).get("base_url") for c in before.cells}
    return list(
        dict.fromkeys(
            f"{model_label(cell.spec.model)}: the run has replies from {redacted(str(urls[cell.id]))}, and this "
            f"command asks {redacted(str(cell.spec.model.base_url))}. An address is no part of an "
            "episode's identity, so finished episodes are kept. If another model answers there, set model.model_id or "
            "model.name."
            for cell in plan.cells
            if cell.id in urls and urls[cell.id] != cell.spec.model.base_url
        )
    )


def changed_since(before: RunManifest, now: RunManifest) -> list[str]:
    """Returns the games whose files or protocol changed between two manifests: the same episode has different keys."""
    if before.episodes == now.episodes:
        return []
    keys = {_identity(e): e.key for e in now.episodes}
    return sorted({e.game for e in before.episodes if keys.get(_identity(e), e.key) != e.key})


def _identity(e: PlannedEpisode) -> tuple[Any, ...]:
    return e.cell, e.game, e.task, e.seed, e.repeat, e.prefix


def _circumstances() -> dict[str, Any]:
    """Returns the part of the manifest about this command: versions, commit, command line and time."""
    packages = ("ray", "playwright", "hydra-core", "pydantic", "wandb", "openai")
    return {
        "gwray": __version__,
        "git_commit": _git_commit(),
        "command": _command(),
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "versions": {"python": platform.python_version(), **{p: version(p) for p in packages}},
    }


def _command() -> str:
    """Returns the command line that the user typed: `python launch.py …`, `gwray run …`."""
    program, *words = sys.argv or [""]
    file = Path(program)
    typed = ["gwray"] if file.stem in ("gwray", "__main__") else ["python", program] if program else []
    return shlex.join([*typed, *map(redacted_override, words)])


def _git_commit() -> str | None:
    """Returns the commit of gwray's checkout; None for an installed package."""
    if CHECKOUT is None:
        return None
    try:
        out = subprocess.run(
            ["git", "-C", str(CHECKOUT), "rev-parse", "HEAD"], capture_output=True, text=True, timeout=10
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return out.stdout.strip() if out.returncode == 0 else None
