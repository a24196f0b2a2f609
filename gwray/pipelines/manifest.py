"""The manifest of a run directory: what a plan puts there, and what it must agree with when the run is continued."""

from __future__ import annotations

import platform
import shlex
import subprocess
import sys
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from gwray.agents import price_date
from gwray.errors import UsageError
from gwray.pipelines.plan import Plan
from gwray.places import CHECKOUT
from gwray.redaction import redacted, redacted_override
from gwray.store import PlannedEpisodes, RunDir
from gwray.version import __version__


def open_run(plan: Plan) -> RunDir:
    """The plan's run directory, made or continued; its manifest then covers this plan too, and what the plan's episodes
    are made of is in it. For the holder of its lock.

    `UsageError` if it has episodes of this plan that were made of other game files or another protocol: a table of
    both would be no result.
    """
    ours = {**_without_secrets(plan.manifest()), **_circumstances(), "prices": _prices(plan)}
    if RunDir.is_run(plan.run_dir):
        run = _continued(RunDir.open(plan.run_dir), ours)
    else:
        run = RunDir.create(plan.run_dir, ours)
    for module, source in plan.code.items():
        run.write_code(module, source)
    if plan.prefix:
        run.write_prefix(plan.prefix)
    return run


def _continued(run: RunDir, ours: dict[str, Any]) -> RunDir:
    before = run.manifest()
    if changed := changed_since(before, ours):
        raise UsageError(
            f"{run.url} has episodes of {', '.join(changed)} from before the game or the protocol changed; old and new "
            "ones must not share a table. Choose another name=… or run_dir=…, or remove that directory."
        )
    merged = {**before, **ours, "created": before.get("created", ours["created"])}
    cells = {c["id"]: c for c in [*before.get("cells", []), *ours["cells"]]}
    episodes = before.get("episodes", PlannedEpisodes()).and_those_of(ours["episodes"])
    per_cell = episodes.per_cell()
    for cell in cells.values():
        cell["planned"] = per_cell[cell["id"]]
    jobs = [*before.get("jobs", []), *(j for j in ours["jobs"] if j not in before.get("jobs", []))]
    merged |= {"cells": [*cells.values()], "episodes": episodes, "jobs": jobs}
    for name in ("games", "kinds", "prices"):
        merged[name] = {**before.get(name, {}), **ours[name]}
    merged["libraries"] = list(dict.fromkeys([*before.get("libraries", []), *ours["libraries"]]))
    if merged != before:
        run.write_manifest(merged)
    return run


def changed_since(before: dict[str, Any], now: dict[str, Any]) -> list[str]:
    """Games of which two manifests have the same episode under different keys."""
    old, new = before.get("episodes", ()), now.get("episodes", ())
    if old == new:
        return []
    names = ("cell", "game", "task", "seed", "repeat", "prefix")
    keys = {tuple(map(e.get, names)): e["key"] for e in new}
    return sorted({e["game"] for e in old if keys.get(tuple(map(e.get, names)), e["key"]) != e["key"]})


def _without_secrets(manifest: dict[str, Any]) -> dict[str, Any]:
    """What a user can have typed; the rest of a manifest is ours, and its episodes have a `key` that is none."""
    return {**manifest, **{part: redacted(manifest[part]) for part in ("cells", "jobs")}}


def _circumstances() -> dict[str, Any]:
    packages = ("ray", "playwright", "hydra-core", "pydantic", "wandb", "openai")
    return {
        "gwray": __version__,
        "git_commit": _git_commit(),
        "command": _command(),
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "versions": {"python": platform.python_version(), **{p: version(p) for p in packages}},
    }


def _prices(plan: Plan) -> dict[str, str]:
    """By model: where its prices come from and of when they are; models without a price are left out."""
    models = {m.name: m for m in plan.models()}
    return {name: found for name, model in sorted(models.items()) if (found := price_date(model))}


def _command() -> str:
    """What was typed: `python launch.py …`, `gwray run …`."""
    program, *words = sys.argv or [""]
    file = Path(program)
    typed = ["gwray"] if file.stem in ("gwray", "__main__") else ["python", program] if program else []
    return shlex.join([*typed, *map(redacted_override, words)])


def _git_commit() -> str | None:
    if CHECKOUT is None:
        return None
    try:
        out = subprocess.run(
            ["git", "-C", str(CHECKOUT), "rev-parse", "HEAD"], capture_output=True, text=True, timeout=10
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return out.stdout.strip() if out.returncode == 0 else None
