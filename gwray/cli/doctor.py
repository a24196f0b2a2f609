"""`gwray doctor`: checks this machine for what gwray needs and prints the fix of each problem. Changes nothing."""

from __future__ import annotations

import asyncio
import difflib
import importlib.util
import os
import shutil
import subprocess
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

import psutil
from rich.console import Console
from rich.table import Table

from gwray.catalog import load_catalog, read_models
from gwray.errors import AuthError, GwrayError, QuotaExhausted
from gwray.ray_connection import path_problem
from gwray.spec import LOCAL_PLAYERS, ModelSpec

if TYPE_CHECKING:
    from gwray.serving import ClusterResources

LIST_S = 10.0
"""Seconds in which a provider must list its models: the list may have no end."""
SANDBOX_FIX = (
    "to run games that you do not trust: sysctl kernel.apparmor_restrict_unprivileged_userns=0 (Ubuntu), or in Docker "
    "--security-opt seccomp=unconfined"
)


@dataclass(frozen=True)
class Check:
    """Result of one check."""

    what: str
    good: bool
    detail: str
    fix: str = ""
    needed: bool = False
    """Whether runs are impossible without it: all runs, or only those with `model`."""
    model: str = ""
    """The only model that needs it; empty if all do."""


async def examine(address: str | None = None, models: bool = False) -> list[Check]:
    """Runs all checks; a check that raises is reported as failed.

    Args:
        address: Ray cluster whose nodes are checked for hosting models; None: this machine.
        models: Whether to ask each provider whose API key is set if it still lists the models of the profiles.
    """
    checks: list[tuple[str, Callable[[], Awaitable[list[Check]]]]] = [
        ("machine", _machine), ("games", _games), ("browser", _browser), ("ray", _ray), ("gpu", _gpu),
        ("engine", _engine), ("models", lambda: _models(address)), ("keys", _keys), ("w&b", _check_wandb),
    ]  # fmt: skip
    if models:
        checks.append(("providers", lambda: check_provider_models(read_models())))
    needed = ("games", "browser", "ray", *(("models",) if address else ()))
    out: list[Check] = []
    for what, check in checks:
        try:
            out += await check()
        except Exception as e:
            out.append(Check(what, False, f"{type(e).__name__}: {e}", needed=what in needed))
    return out


async def _machine() -> list[Check]:
    memory = psutil.virtual_memory()
    disk = shutil.disk_usage(".")
    detail = f"{os.cpu_count()} CPUs, {memory.available / 2**30:.1f} of {memory.total / 2**30:.1f} GiB memory free"
    low = disk.free < 2 * 2**30
    return [
        Check("machine", memory.available > 2**30, detail, "end other programs: one browser needs about 0.5 GiB"),
        Check("disk", not low, f"{disk.free / 2**30:.1f} GiB free here", "free some space, or set run_dir= elsewhere"),
    ]


async def _games() -> list[Check]:
    games = load_catalog().games.values()
    tasks = sum(len(g.tasks) for g in games)
    detail = f"{len(games)} games, {tasks} tasks"
    return [
        Check(
            "games",
            bool(games),
            detail,
            "the games/ folder is missing: install gwray again, or clone the complete repository",
            True,
        )
    ]


async def _browser() -> list[Check]:
    from gwray.sandbox import Browser, find_browser, install_command, missing_libraries

    path = None
    try:
        choice = find_browser()
        path = choice.path
        browser = await Browser.launch()
        try:
            detail, sandboxed = f"{browser.version} at {path} ({choice.how})", browser.sandboxed
        finally:
            await browser.close()
    except GwrayError as e:
        problem = missing_libraries(path) if path else None
        detail = (problem or str(e)).splitlines()[0].partition(". Install them")[0]
        return [Check("libraries" if problem else "browser", False, detail, install_command(), True)]
    detail_of_sandbox = "user namespaces and seccomp" if sandboxed else "none: the kernel grants no user namespaces"
    return [
        Check("browser", True, detail, needed=True),
        Check("page sandbox", sandboxed, detail_of_sandbox, SANDBOX_FIX),
    ]


async def _ray() -> list[Check]:
    if problem := path_problem():
        detail, _, fix = problem.partition(". ")
        return [Check("ray", False, detail, fix, True)]
    shm = shutil.disk_usage("/dev/shm").free if os.access("/dev/shm", os.W_OK) else 2**30
    small = shm < 128 * 2**20
    detail = f"ray {version('ray')}" + (f", only {shm / 2**20:.0f} MiB of shared memory" if small else "")
    fix = "use executor=inline, which does not start Ray; in a container, set --shm-size=1g"
    return [Check("ray", not small, detail, fix)]


async def _gpu() -> list[Check]:
    smi = shutil.which("nvidia-smi")
    if smi is None:
        return [Check("gpu", False, "none", "only needed to host models yourself")]
    query = [smi, "--query-gpu=name,memory.total", "--format=csv,noheader"]
    out = await asyncio.to_thread(subprocess.run, query, capture_output=True, text=True, timeout=20)
    gpus = [line.strip() for line in out.stdout.splitlines() if line.strip()]
    return [Check("gpu", bool(gpus), "; ".join(gpus) or out.stderr.strip()[:200], "check the NVIDIA driver")]


async def _engine() -> list[Check]:
    try:
        detail = f"vllm {version('vllm')}"
    except PackageNotFoundError:
        fix = "to host models: pip install 'gwray[serving]' on a GPU machine, or make setup-vllm for the CPU engine"
        return [Check("engine", False, "vllm is not installed here", fix)]
    good = importlib.util.find_spec("ray.serve.llm") is not None
    return [Check("engine", good, detail, "pip install 'gwray[serving]'")]


async def _models(address: str | None) -> list[Check]:
    from gwray.serving import capacity_problem, read_deployment, serving_files, this_machine

    available = this_machine() if address is None else await asyncio.to_thread(_cluster, address)
    problems = {name: capacity_problem(read_deployment(name), available) for name in sorted(serving_files())}
    good = [name for name, problem in problems.items() if problem is None]
    detail = f"can be hosted on {'this machine' if address is None else address}: {', '.join(good) or 'none'}"
    others = ", ".join(n for n, problem in problems.items() if problem)
    fix = f"{others}: more GPUs, a cluster (executor.address=…), or serving=external"
    return [Check("models", len(good) == len(problems), detail, fix)]


def _cluster(address: str) -> ClusterResources:
    """Returns the resources of the Ray cluster at `address`."""
    from gwray.ray_connection import connect, disconnect
    from gwray.serving import cluster_resources

    connect(address)
    try:
        return cluster_resources()
    finally:
        disconnect()


async def _keys() -> list[Check]:
    wanted: dict[str, list[str]] = {}
    for model in read_models():
        optional = model.self_hosted or (model.base_url is None and model.provider in LOCAL_PLAYERS)
        if model.api_key_env and not optional:
            wanted.setdefault(model.api_key_env, []).append(model.name)
    out = []
    for name, used in sorted(wanted.items()):
        models = ", ".join(used[:4]) + (" …" if len(used) > 4 else "")
        present = bool(os.environ.get(name))
        detail = f"{'set' if present else 'not set'}; for {models}"
        out.append(Check(f"key {name}", present, detail, f"export {name}=…"))
    return out


async def check_provider_models(models: Iterable[ModelSpec]) -> list[Check]:
    """Checks that each provider lists the models of the profiles. Providers without an API key are skipped."""
    hosted = [m for m in models if m.api_key_env and not m.self_hosted and os.environ.get(m.api_key_env)]
    return [check for checks in await asyncio.gather(*(_check_provider_model(m) for m in hosted)) for check in checks]


async def _check_provider_model(model: ModelSpec) -> list[Check]:
    from gwray.agents import is_same_model, make_client

    what, model_id, name = f"model {model.name}", model.model_id, model.name
    if model.retired:
        return [Check(what, False, model.retired, model=name)]
    try:
        client = make_client(model)
        try:
            names = await asyncio.wait_for(client.list_models(), LIST_S)
        finally:
            await client.close()
    except (AuthError, QuotaExhausted) as e:
        return [Check(what, False, str(e)[:200], f"check {model.api_key_env}", True, name)]
    except (GwrayError, TimeoutError) as e:
        detail = f"the provider did not list its models: {str(e) or f'no complete list within {LIST_S:g} s'}"[:200]
        return [Check(what, False, detail, "try again, or check model.base_url")]
    if model_id in names:
        return [Check(what, True, f"{model_id} is available")]
    if dated := [n for n in names if is_same_model(model_id, n)]:
        return [Check(what, True, f"{model_id} is available as {', '.join(dated[:3])}")]
    near = difflib.get_close_matches(model_id, names, n=3, cutoff=0)
    nearest = f"; the nearest of its {len(names)} models: {', '.join(near)}" if near else "; it lists no models"
    fix = f"to use another model: model={name} model.model_id={near[0]}" if near else "check model.base_url"
    return [Check(what, False, f"the provider does not list {model_id}{nearest}", fix, True, name)]


async def _check_wandb() -> list[Check]:
    """Checks for a W&B login. Without one, tracking is offline and `gwray sync` uploads later."""
    from gwray.spec import TrackingSpec
    from gwray.tracking import resolve_mode

    mode = resolve_mode(TrackingSpec())
    fix = "wandb login, or export WANDB_API_KEY=…; offline runs are uploaded later with gwray sync"
    return [Check("w&b", mode == "online", f"mode {mode}", fix)]


def show(findings: list[Check], console: Console, as_json: bool) -> None:
    """Prints the checks as a table, or as JSON."""
    from rich.markup import escape

    if as_json:
        from gwray.cli.terminal import print_json

        return print_json([asdict(f) for f in findings])
    table = Table(show_header=False, box=None)
    for f in findings:
        mark = "[green]ok[/]" if f.good else ("[bold red]MISSING[/]" if f.needed else "[yellow]–[/]")
        fix = f"[dim]→ {escape(f.fix)}[/]" if f.fix and not f.good else ""
        table.add_row(mark, f.what, escape(f.detail), fix)
    console.print(table)
    ready = all(f.good for f in findings if f.needed and not f.model)
    unavailable = ", ".join(f.model for f in findings if f.model and not f.good)
    verdict = f"gwray can run, but not with {unavailable}." if unavailable else "gwray can run."
    console.print(verdict if ready else "gwray cannot run yet.", style="bold", markup=False, soft_wrap=True)
