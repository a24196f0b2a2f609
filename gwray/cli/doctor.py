"""What this machine has and what it lacks, with the exact fix: `gwray doctor`. Changes nothing."""

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
from gwray.local_players import LOCAL_PLAYERS
from gwray.spec import ModelSpec

if TYPE_CHECKING:
    from gwray.serving import ClusterResources

BROWSER_FIX = (
    "apt-get install chromium-headless-shell, or .venv/bin/playwright install --only-shell chromium, "
    "or GWRAY_BROWSER=/path/to/chromium"
)

SANDBOX_FIX = (
    "for games that you do not trust: sysctl kernel.apparmor_restrict_unprivileged_userns=0 (Ubuntu), or in Docker "
    "--security-opt seccomp=unconfined"
)


@dataclass(frozen=True)
class Check:
    """One thing looked at."""

    what: str
    good: bool
    detail: str
    fix: str = ""
    needed: bool = False
    """Without it the main job cannot run, or not with `model`."""
    model: str = ""
    """Who cannot play without it, where all others can."""


async def examine(address: str | None = None, models: bool = False) -> list[Check]:
    """Look at everything; a look that fails is itself a finding. `address`: a Ray cluster that is to host models.
    `models`: ask each provider with a key whether its models are still there."""
    looks: list[tuple[str, Callable[[], Awaitable[list[Check]]]]] = [
        ("machine", _machine), ("games", _games), ("browser", _browser), ("ray", _ray), ("gpu", _gpu),
        ("engine", _engine), ("models", lambda: _models(address)), ("keys", _keys), ("w&b", _wandb),
    ]  # fmt: skip
    if models:
        looks.append(("providers", lambda: asked_models(read_models())))
    needed = ("games", "browser", "ray", *(("models",) if address else ()))  # the cluster that was asked for
    out: list[Check] = []
    for what, look in looks:
        try:
            out += await look()
        except Exception as e:
            out.append(Check(what, False, f"{type(e).__name__}: {e}", needed=what in needed))
    return out


async def _machine() -> list[Check]:
    memory = psutil.virtual_memory()
    disk = shutil.disk_usage(".")
    detail = f"{os.cpu_count()} CPUs, {memory.available / 2**30:.1f} of {memory.total / 2**30:.1f} GiB memory free"
    low = disk.free < 2 * 2**30
    return [
        Check("machine", memory.available > 2**30, detail, "close something: one browser needs about 0.5 GiB"),
        Check("disk", not low, f"{disk.free / 2**30:.1f} GiB free here", "free some space, or set run_dir= elsewhere"),
    ]


async def _games() -> list[Check]:
    games = load_catalog().games.values()
    tasks = sum(len(g.tasks) for g in games)
    detail = f"{len(games)} games, {tasks} tasks"
    return [Check("games", bool(games), detail, "install gwray again, or clone all of it: games/ is missing", True)]


async def _browser() -> list[Check]:
    from gwray.sandbox import Browser, find_browser

    try:
        choice = find_browser()
        browser = await Browser.launch()
        try:
            detail, sandboxed = f"{browser.version} at {choice.path} ({choice.how})", browser.sandboxed
        finally:
            await browser.close()
    except GwrayError as e:
        return [Check("browser", False, str(e).splitlines()[0], BROWSER_FIX, True)]
    around = "around every page: namespaces and seccomp" if sandboxed else "none: the kernel grants no user namespaces"
    return [Check("browser", True, detail, needed=True), Check("page sandbox", sandboxed, around, SANDBOX_FIX)]


async def _ray() -> list[Check]:
    shm = shutil.disk_usage("/dev/shm").free if os.access("/dev/shm", os.W_OK) else 2**30
    small = shm < 128 * 2**20
    detail = f"ray {version('ray')}" + (f", only {shm / 2**20:.0f} MiB of shared memory" if small else "")
    fix = "executor=inline needs no Ray; in a container give --shm-size=1g"
    return [Check("ray", not small, detail, fix)]


async def _gpu() -> list[Check]:
    smi = shutil.which("nvidia-smi")
    if smi is None:
        return [Check("gpu", False, "none", "not needed for hosted models, scripted players or the demo")]
    ask = [smi, "--query-gpu=name,memory.total", "--format=csv,noheader"]
    out = await asyncio.to_thread(subprocess.run, ask, capture_output=True, text=True, timeout=20)
    gpus = [line.strip() for line in out.stdout.splitlines() if line.strip()]
    return [Check("gpu", bool(gpus), "; ".join(gpus) or out.stderr.strip()[:200], "check the NVIDIA driver")]


async def _engine() -> list[Check]:
    try:
        detail = f"vllm {version('vllm')}"
    except PackageNotFoundError:
        fix = "to host models: pip install 'gwray[serving]' on a GPU machine, or make setup-vllm for the CPU engine"
        return [Check("engine", False, "vllm is not installed here", fix)]
    good = importlib.util.find_spec("ray.serve.llm") is not None
    return [Check("engine", good, detail, "pip install 'ray[llm]'")]


async def _models(address: str | None) -> list[Check]:
    from gwray.serving import fits, serving_files, this_machine

    here = this_machine() if address is None else await asyncio.to_thread(_cluster, address)
    no = {name: fits(name, here) for name in sorted(serving_files())}
    good = [name for name, why in no.items() if why is None]
    detail = f"can host {'here' if address is None else 'there'}: {', '.join(good) or 'none'}"
    others = ", ".join(n for n, why in no.items() if why)
    fix = f"{others}: more GPUs, a cluster (executor.address=…), or serving=external"
    return [Check("models", len(good) == len(no), detail, fix)]


def _cluster(address: str) -> ClusterResources:
    """The machines of a Ray cluster."""
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
        if model.api_key_env and not _optional_key(model):
            wanted.setdefault(model.api_key_env, []).append(model.name)
    out = []
    for name, used in sorted(wanted.items()):
        models = ", ".join(used[:4]) + (" …" if len(used) > 4 else "")
        there = bool(os.environ.get(name))
        out.append(Check(f"key {name}", there, f"{'set' if there else 'not set'}; for {models}", f"export {name}=…"))
    return out


def _optional_key(model: ModelSpec) -> bool:
    return model.self_hosted or (model.base_url is None and model.provider in LOCAL_PLAYERS)


async def asked_models(models: Iterable[ModelSpec]) -> list[Check]:
    """What each provider says of the models of the profiles; those without a key are not asked."""
    hosted = [m for m in models if m.api_key_env and not m.self_hosted and os.environ.get(m.api_key_env)]
    return [check for checks in await asyncio.gather(*(_provider_says(m) for m in hosted)) for check in checks]


async def _provider_says(model: ModelSpec) -> list[Check]:
    from gwray.agents import is_same_model, make_client

    what, asked, name = f"model {model.name}", model.model_id, model.name
    if model.retired:
        return [Check(what, False, model.retired, model=name)]
    try:
        client = make_client(model)
        try:
            names = await asyncio.wait_for(client.list_models(), 30)
        finally:
            await client.close()
    except (AuthError, QuotaExhausted) as e:
        return [Check(what, False, str(e)[:200], f"look at {model.api_key_env}", True, name)]
    except (GwrayError, TimeoutError) as e:
        fix = "ask again, or look at model.base_url"
        return [Check(what, False, f"the provider did not say: {str(e) or type(e).__name__}"[:200], fix)]
    if asked in names:
        return [Check(what, True, f"{asked} is there")]
    if dated := [n for n in names if is_same_model(asked, n)]:
        return [Check(what, True, f"{asked} is there, as {', '.join(dated[:3])}")]
    near = difflib.get_close_matches(asked, names, n=3, cutoff=0)
    told = f"; of its {len(names)} names the nearest are {', '.join(near)}" if near else ", nor any other"
    fix = f"if one of them takes its place: model={name} model.model_id={near[0]}" if near else "look at model.base_url"
    return [Check(what, False, f"the provider does not list {asked}{told}", fix, True, name)]


async def _wandb() -> list[Check]:
    from gwray.spec import TrackingSpec
    from gwray.tracking import resolve_mode

    mode = resolve_mode(TrackingSpec())
    fix = "wandb login, or export WANDB_API_KEY=…; offline runs can be uploaded later by gwray sync"
    return [Check("w&b", mode == "online", f"mode {mode}", fix)]


def show(findings: list[Check], console: Console, as_json: bool) -> None:
    """As a table, or as JSON."""
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
    gone = ", ".join(f.model for f in findings if f.model and not f.good)
    can = f"The main job can run, but not with {gone}." if gone else "The main job can run."
    console.print(can if ready else "The main job cannot run yet.", style="bold", markup=False, soft_wrap=True)
