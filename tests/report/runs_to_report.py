"""Run directories with known contents: a synthetic sweep, and for some episodes steps with drawn pictures."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import polars as pl
from PIL import Image, ImageDraw
from playwright.async_api import Error, Page
from rich.console import Console

from gwray.cli.compose import compose_configs
from gwray.cli.executors import make_executor
from gwray.pipelines.plan import make_plan
from gwray.pipelines.run import run_plan
from gwray.pipelines.settings import run_spec
from gwray.records import EpisodeRecord, LoggedReply, Reply, StepRecord, Usage, digest
from gwray.settings import AgentSpec, CellSpec, ModelSpec, ObservationSpec, TimingSpec
from gwray.store import EpisodeMeta, PlannedEpisode, PlannedEpisodes, RunDir, RunManifest

sys.path.insert(0, str(Path(__file__).parents[1] / "analysis"))
from synthetic_sweep import manifest, sweep

HOSTILE = "</script><script>window.pwned=1</script><img src=x onerror=window.pwned=1>\u202egnp.exe\ud800 <b>&amp;"
"""Markup, a script's end, a right-to-left override and half a character."""


def picture(i: int, size: tuple[int, int] = (1280, 720)) -> bytes:
    image = Image.new("RGB", size, (24, 30, 44))
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 620, 1280, 720), fill=(70, 92, 60))
    x = 80 + 11 * i
    draw.ellipse((x, 520 - (i * 37) % 160, x + 60, 580 - (i * 37) % 160), fill=(236, 196, 90))
    for k in range(4):
        draw.rectangle((300 + 250 * k, 380 + 40 * (k % 3), 340 + 250 * k, 620), fill=(60, 130, 110))
    out = io.BytesIO()
    image.save(out, "JPEG", quality=70)
    return out.getvalue()


ACTIONS = (
    {"action": "press_key", "key": "ArrowRight", "duration_ms": 200},
    {"action": "press_keys", "keys": ["ArrowRight", "Space"]},
    {"action": "click", "x": 640, "y": 360, "count": 1},
    {"action": "drag", "x": 300, "y": 300, "to_x": 700, "to_y": 500},
    {"action": "scroll", "x": 500, "y": 300, "dy": 200},
    {"action": "wait"},
)


def steps(
    n: int, best: float, *, text: str = "I move on.", invalid_every: int = 9, reset_at: int = 30
) -> list[StepRecord]:
    out = []
    for i in range(n):
        bad = invalid_every and i % invalid_every == invalid_every - 1
        p = best * (i + 1) / n
        state = {
            "timestampMs": i,
            "status": "playing",
            "game_state": {"score": i // 2, "player": {"x": 3 * i, "lives": 3}},
        }
        out.append(
            StepRecord(
                step=i,
                attempt=int(i > reset_at),
                role="player",
                screenshot=picture(i),
                screenshot_hash=digest(str(i)),
                text="Hm." if bad else text,
                reasoning="The gap is near, so I hold the key a little longer than before.",
                tool_calls="[]" if bad else '[{"name":"move_right","arguments":{}}]',
                action=None if bad else json.dumps(ACTIONS[i % len(ACTIONS)]),
                control=None if bad or i % 6 else "move_right",
                validity="no_tool_call" if bad else "valid",
                reason="the reply names no control" if bad else "",
                state=json.dumps(state),
                state_hash=digest(str(state)),
                score=i // 2,
                progress=p * (0.2 if i in (reset_at + 1, reset_at + 2) else 1),
                best_progress=p,
                reset=i == reset_at,
                terminal="fail" if i == reset_at else None,
                input_tokens=2100 + i,
                output_tokens=55,
                cost_usd=0.004,
                latency_ms=900.0 + 10 * i,
                game_time_ms=200.0 * (i + 1),
            )
        )
    return out


def rows_of(site: Path, table: str = "main") -> list[dict[str, str]]:
    """A table of a report, from its CSV."""
    with (site / f"tables/{table}.csv").open() as file:
        return list(csv.DictReader(file))


def write_run(
    url: Path,
    frame: pl.DataFrame,
    *,
    replays: int = 0,
    n_steps: int = 12,
    name: str = "study",
    axes: dict | None = None,
    jobs: tuple[dict, ...] = ({"sampling": "published"},),
    **more,
) -> RunDir:
    """All rows as results and failures; the first `replays` finished ones also with steps and pictures."""
    plan = manifest(frame)
    if axes is not None:
        plan = plan.model_copy(update={"cells": tuple(c.model_copy(update={"axes": axes}) for c in plan.cells)})
    run = RunDir.create(url, plan.model_copy(update={"name": name, "git_commit": "0123456789abcdef", "jobs": jobs}))
    lines = {"finished": [], "failed": []}
    written = 0
    for row in frame.iter_rows(named=True):
        record = EpisodeRecord.model_validate({k: v for k, v in row.items() if v is not None})
        lines[record.status].append(record)
        if written < replays and record.status == "finished":
            written += 1
            meta = EpisodeMeta(
                record=record,
                prompts={"player": "# Game Rules\nReach the far side.\n# Output Format\nOne call."},
                final_frame=picture(n_steps),
                console=("ready",),
            )
            run.write_episode(record.key, steps(n_steps, record.progress or 0.0, **more), meta)
            more.pop("text", None)  # long texts once; they take time to write
    run.rewrite_results(lines["finished"])
    for record in lines["failed"]:
        run.append_failure(record)
    return run


def study_frame(repeats: int = 3) -> pl.DataFrame:
    """Published players, people, a player that sees the state, memory and latency studies."""
    skills = {"gpt-5.2": 0.42, "qwen3-vl-235b-a22b": 0.34, "qwen3-vl-30b-a3b": 0.33, "gemini-3-flash-preview": 0.45}
    parts = [
        sweep(skills, repeats=repeats, seed=1),
        sweep({"claude-sonnet-4.6": 0.39, "qwen3-vl-30b-a3b": 0.32}, repeats=repeats, seed=1, interface="computer_use"),
        sweep({"human": 0.7}, seed=1, interface="human", cost_usd=None, input_tokens=0, output_tokens=0),
        sweep({"scripted": 0.85}, seed=1, sees_state=True, cost_usd=0.0, input_tokens=0, output_tokens=0),
    ]
    for n in (1, 2):
        part = sweep({"qwen3-vl-30b-a3b": 0.33 - 0.02 * n}, seed=1, memory_rounds=n, cell=f"memory-{n}",
                     input_tokens=200_000 * (n + 1))  # fmt: skip
        parts.append(part.with_columns(key=pl.col("key") + f"-m{n}"))
    for ms in (0, 250, 1000, 4000):
        part = sweep({"qwen3-vl-30b-a3b": 0.36 - ms / 30000}, seed=2, timing="realtime", latency=f"fixed:{ms}",
                     cell=f"latency-{ms}", charged_ms=ms * 100.0, game_time_ms=20_000.0 + ms * 100)  # fmt: skip
        parts.append(part.with_columns(key=pl.col("key") + f"-l{ms}"))
    return pl.concat(parts)


def asking_run(url: Path) -> RunDir:
    """A run of three cells: one that asks once a decision, one whose agent asks its own helper, and one in
    which two models play; two decisions a role and episode, and known numbers in the logs."""
    a, b, critic = (ModelSpec(name=n, provider="openai_chat") for n in ("a", "b", "critic"))

    def spec(**more) -> CellSpec:
        return CellSpec(model=a, agent=AgentSpec(), timing=TimingSpec(), observation=ObservationSpec(), **more)

    specs = {"plain": spec(), "thinks": spec(helpers={"reflection": critic}), "team": spec(roles={"fireboy": b})}
    episodes = [
        {"key": f"{cell}-{n}", "cell": cell, "game": "g", "task": "g_1", "seed": 1, "repeat": n}
        for cell in specs for n in range(2)
    ]  # fmt: skip
    cells = [
        {"id": c, "name": c, "model": "a", "interface": "semantic", "axes": {}, "spec": s.model_dump(mode="json")}
        for c, s in specs.items()
    ]
    planned = PlannedEpisodes.group(PlannedEpisode(**e) for e in episodes)
    run = RunDir.create(url, RunManifest.model_validate({"name": "asking", "cells": cells, "episodes": planned}))

    def log(key: str, role: str, by: str, module: str, tokens: int, usd: float | None, ms: float) -> None:
        used, served = Usage(input=tokens, output=tokens // 10), f"served-{tokens}"
        reply = Reply(usage=used, cost_usd=usd, latency_ms=ms, served_model=served)
        for decision in range(2):
            line = LoggedReply(decision=decision, role=role, by=by, module=module, words_hash="", reply=reply, at="")
            run.log(key).append(line)

    for e in episodes:
        key, calls = e["key"], 2
        if e["cell"] == "thinks":
            log(key, "player", "reflection", "reflection", 1000, 0.5, 3000)
            log(key, "player", "", "planning", 500, 0.125 if e["repeat"] else None, 2000)
            calls = 6
        if e["cell"] == "team":
            log(key, "fireboy", "", "", 70, 0.25, 400)
        log(key, "player", "", "", 100, 0.25, 1000 if e["repeat"] else 500)
        row = {k: e[k] for k in ("key", "cell", "game", "task", "seed", "repeat")}
        run.append_result(
            EpisodeRecord(**row, model="a", interface="semantic", progress=0.5, steps=2, proposals=2, calls=calls)
        )
    return run


def ask(url: str, **how: Any) -> httpx.Response:
    """Returns the response of a local server, with a timeout for a busy machine."""
    return httpx.get(url, timeout=120, **how)


async def until(page: Page, js: str) -> None:
    """Wait until an expression is true, asked from outside: the pages' policy forbids polling with eval inside."""
    for _ in range(2400):
        with suppress(Error):  # between two pages
            if await page.evaluate(js):
                return
        await asyncio.sleep(0.05)
    raise AssertionError(f"never true: {js}")


async def play_demo(folder: Path, **more: Any) -> RunDir:
    """`experiment=demo` with the first task of its games, played by real browsers."""
    configs = compose_configs(["experiment=demo"])
    ours = {
        "task": ["1"], "run_dir": str(folder), "tracking": {"mode": "disabled"},
        "executor": {"name": "inline", "lanes": 4}, "report": False, **more,
    }  # fmt: skip
    plan = make_plan([run_spec(config | ours) for config in configs])
    ended = await run_plan(plan, Console(file=io.StringIO()), make_executor)
    assert ended.complete and not ended.tally.failed
    return ended.run
