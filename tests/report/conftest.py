"""One small report shared by the tests of this package, and a browser that records what pages do."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl
import pytest
from playwright.async_api import Page
from runs_to_report import HOSTILE, play_demo, sweep, write_run
from shared_browser import own_browser, session_loop, shared_browser, viewer

from gwray.report import build_report
from gwray.store import RunDir

__all__ = ["own_browser", "session_loop", "shared_browser"]

CLEAN = HOSTILE.replace("\ud800", "")
"""Without the half character, which Parquet cannot store."""


@dataclass
class Built:
    run: RunDir
    site: Path
    keys: list[str]
    lines: list[str] = field(default_factory=list)


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Two models and one hostile one on six games; one episode failed; some have pictures."""
    folder = tmp_path_factory.mktemp("report")
    frame = pl.concat(
        [
            sweep({"gpt-5.2": 0.55, f"evil {CLEAN}": 0.3}, n_games=6, repeats=2, tasks_per_game=2),
            sweep({"scripted": 0.9}, n_games=6, repeats=2, tasks_per_game=2, sees_state=True),
        ]
    ).with_columns(
        key=pl.col("key").hash(seed=1).cast(pl.String),
        task=pl.when(pl.col("task") == "02_01").then(pl.lit(f"02_01 {CLEAN}")).otherwise("task"),
    )
    failed = frame.filter((pl.col("model") == "scripted") & (pl.col("task") == "03_01") & (pl.col("repeat") == 1))
    broken = failed.with_columns(
        status=pl.lit("failed"),
        success=pl.lit(False),
        progress=pl.lit(None, pl.Float64),
        error_class=pl.lit("GameError"),
        error_message=pl.lit(HOSTILE + "x" * 1_000_000),
    )
    played = pl.col("task").str.starts_with("02_01") | (pl.col("task") == "01_01")
    rest = frame.filter(~pl.col("key").is_in(failed["key"].implode()))
    ordered = pl.concat([rest.filter(played), rest.filter(~played), broken])
    n = rest.filter(played).height
    text = CLEAN + "y" * 1_000_000
    run = write_run(folder / "run", ordered, replays=n, n_steps=14, name=f"study {CLEAN}", text=text, reset_at=9)
    built = Built(run, folder / "site", rest.filter(played)["key"].to_list())
    build_report([run], built.site, images=True, progress=built.lines.append)
    return built


@pytest.fixture(scope="session")
async def demo(tmp_path_factory: pytest.TempPathFactory) -> RunDir:
    """All cells of `experiment=demo` on one task."""
    return await play_demo(tmp_path_factory.mktemp("demo") / "run", game=["13_flappy-bird"])


@dataclass
class Watched:
    """A page with its console problems and requests."""

    page: Page
    problems: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    async def open(self, url: Path | str, ready: str = "ready") -> Page:
        """Opens a page of a site, and waits until its scripts have set `data-{ready}`; "": does not wait."""
        await self.page.goto(url if isinstance(url, str) else url.as_uri())
        if ready:
            await self.page.wait_for_selector(f"html[data-{ready}]")
        return self.page


@pytest.fixture
async def watched() -> AsyncIterator[Watched]:
    page = await (await viewer()).new_page(viewport={"width": 1280, "height": 900})
    page.set_default_timeout(120_000)
    w = Watched(page)
    page.on("console", lambda m: w.problems.append(m.text) if m.type in ("error", "warning") else None)
    page.on("pageerror", lambda e: w.problems.append(str(e)))
    page.on("request", lambda r: w.requests.append(r.url))
    yield w
    await page.close()
