"""Shows verification while it goes on, and its outcome: a line for each episode that is not identical."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Collection
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.progress import Progress

from gwray.pipelines import Verification, changed_games
from gwray.store import RunDir


def show_findings(
    run: RunDir,
    verify: Any,
    console: Console,
    *,
    sample: int | None,
    lanes: int,
    trusted: Collection[str],
    as_json: bool,
) -> list[Verification]:
    """Run `verify` with a progress bar and print what it found."""
    total = len(run.results()) if sample is None else min(sample, len(run.results()))
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("verifying", total=total)
        findings: list[Verification] = asyncio.run(
            verify(run, sample=sample, lanes=lanes, trusted=trusted, on_finding=lambda _: bar.advance(task))
        )
    if as_json:
        from dataclasses import asdict

        from gwray.cli.terminal import print_json

        print_json([asdict(f) for f in findings])
        return findings
    for f in findings:
        if f.verdict != "identical":
            at = f" at step {f.step}" if f.step is not None else ""
            console.print(f"[red]{f.verdict}[/] {f.task} {f.key}{at}: {escape(f.detail)}", highlight=False)
    for detail, n in Counter(f.detail for f in findings if f.verdict == "identical" and f.detail).items():
        console.print(f"[yellow]{n} episodes:[/] {escape(detail)}", highlight=False)
    for game, why in changed_games(run).items():
        console.print(f"[yellow]{game}:[/] {why}", highlight=False)
    count = Counter(f.verdict for f in findings)
    pictures = sum(f.pictures and f.verdict == "identical" for f in findings)
    said = ", ".join(f"{count[v]} {v}" for v in ("identical", "different", "error", "skipped") if count[v])
    console.print(f"{len(findings)} episodes replayed: {said or 'none'}", style="bold", highlight=False)
    if count["identical"]:
        console.print(f"screenshots compared in {pictures} of {count['identical']}", style="dim", highlight=False)
    return findings
