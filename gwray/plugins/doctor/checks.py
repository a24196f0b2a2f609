"""`gwray doctor`: checks this machine for what gwray needs and prints the fix of each problem. Changes nothing."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import shutil
from dataclasses import asdict, dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from gwray.errors import GwrayError
from gwray.ray_connection import path_problem

if TYPE_CHECKING:
    from gwray.serving import ClusterResources

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
    """Whether runs are impossible without it."""


async def examine(address: str | None = None) -> list[Check]:
    """Runs all checks; a check that raises is reported as failed.

    Args:
        address: Ray cluster whose nodes are checked for hosting models; None: this machine.
    """
    out: list[Check] = []
    for what, checking, needed in (("browser", _browser(), True), ("ray", _ray(), True),
                                   ("models", _models(address), address is not None)):  # fmt: skip
        try:
            out += await checking
        except Exception as e:
            out.append(Check(what, False, f"{type(e).__name__}: {e}", needed=needed))
    return out


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


async def _models(address: str | None) -> list[Check]:
    """Checks which models can be hosted. Without `address`, this machine also needs the engine."""
    from gwray.serving import capacity_problem, read_deployment, serving_files, this_machine

    available = this_machine() if address is None else await asyncio.to_thread(_cluster, address)
    problems = {name: capacity_problem(read_deployment(name), available) for name in sorted(serving_files())}
    good = [name for name, problem in problems.items() if problem is None]
    where = address or f"this machine ({available.gpus:g} GPUs)"
    others = ", ".join(n for n, problem in problems.items() if problem)
    fix = f"{others}: more GPUs, a cluster (executor.address=…), or serving=external" if others else ""
    if address is None and importlib.util.find_spec("vllm") is None:
        fix = "to host models: pip install 'gwray[serving]' on a GPU machine, or make setup-vllm for the CPU engine"
    return [Check("models", not fix, f"can be hosted on {where}: {', '.join(good) or 'none'}", fix)]


def _cluster(address: str) -> ClusterResources:
    """Returns the resources of the Ray cluster at `address`."""
    from gwray.ray_connection import connect, disconnect
    from gwray.serving import cluster_resources

    connect(address)
    try:
        return cluster_resources()
    finally:
        disconnect()


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
    ready = all(f.good for f in findings if f.needed)
    console.print("gwray can run." if ready else "gwray cannot run yet.", style="bold")
