"""The static report: a folder that opens from the file system and asks the network for nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import polars as pl

import gwray
from gwray.analysis import LABEL, SOURCE, Counts, Diagnosis, diagnose
from gwray.errors import GwrayError, UsageError
from gwray.report import images as pictures_of
from gwray.report.bundle import episode_columns, replay_bundle
from gwray.report.ceilings import bundled_ceilings, given_ceilings
from gwray.report.choose import choose_episodes
from gwray.report.content import Figure, Section, Table
from gwray.report.pages import STATIC_POLICY, asset, plotly_script, render
from gwray.report.replay import frames, suffix, thumbnail
from gwray.report.sections import sections
from gwray.report.study import Study, study
from gwray.report.text import SHORT, script_file, shown
from gwray.store import Episode, RunDir, results_frame

Progress = Callable[[str], None]
FOLDED = ("published", "memory-published", "games-table", "pairs-table")
"""Tables that are closed at first."""
DIAGNOSED = 5000
"""At most so many episodes' steps are read for the failure table."""


def build_report(
    runs: Sequence[RunDir],
    out: Path | str,
    *,
    allow_incomplete: bool = False,
    episodes: Literal["chosen", "all", "none"] = "chosen",
    images: bool = True,
    ceilings: Mapping[str, Any] | Path | None = None,
    title: str = "",
    progress: Progress | None = None,
) -> Path:
    """Write the site of one or several runs into `out`; returns its `index.html`.

    `allow_incomplete`: show headline figures over cells that lack planned episodes, marked as such. `episodes`: which
    ones get a replay. `images`: every figure also as SVG and PNG, for which a browser is needed; without one the report
    says so and has none. `ceilings`: {"label", "tasks": {task: {"success", "progress"}}} or a JSON file of it; None:
    what search reached in these tasks of the bundled library, as far as that is measured.
    """
    say = progress or (lambda _: None)
    if not runs:
        raise UsageError("a report needs at least one run directory")
    target = Path(out)
    if target.exists() and not (target / "index.html").exists() and any(target.iterdir()):
        raise UsageError(f"{target} is not empty and holds no report. Choose another folder, or empty it.")
    manifests = [r.manifest() for r in runs]
    frame = results_frame(runs)
    where = {r["key"]: r["run"] for r in frame.select("key", "run").to_dicts()}
    by_url = {r.url: r for r in runs}

    def read(key: str) -> Episode:
        return by_url[where[key]].read_episode(key)

    say(f"reading {frame.height:,} episodes")
    ceiling = bundled_ceilings(manifests) if ceilings is None else given_ceilings(ceilings)
    s = study(frame, manifests, allow_incomplete=allow_incomplete, ceilings=ceiling)
    diagnoses = _diagnoses(s.frame, by_url, where, say)
    saved = {k for r in runs for k in r.episode_keys()} & set(where)
    if episodes == "none":
        chosen = []
    elif episodes == "all":
        chosen = [k for k in s.frame["key"] if k in saved]
    else:
        there = s.frame.filter(pl.col("key").is_in(list(saved)))
        chosen = choose_episodes(there, diagnoses, s.order)
    s = Study(**{**s.__dict__, "diagnoses": diagnoses, "replays": {k: f"replay/{k}.html" for k in chosen}})
    for folder in ("assets", "data/replay", "figures", "frames", "replay", "tables"):
        (target / folder).mkdir(parents=True, exist_ok=True)
    cards = [_write_replay(target, read(k), s, chosen, say, i) for i, k in enumerate(chosen)]
    _write_assets(target)
    _put(target / "data/episodes.js", script_file("episodes", episode_columns(s.frame, s.plan, diagnoses, chosen)))
    parts = sections(s)
    _write_data(target, parts)
    name = shown(title or " + ".join(dict.fromkeys(str(m.get("name") or "run") for m in manifests)), SHORT)
    common = {"title": name, "root": "", "policy": STATIC_POLICY}
    _put(target / "episodes.html", render("episodes", **common, live_count=False))
    page = _index(s, parts, cards, manifests, common)
    _put(target / "index.html", render("index", **page, pictures=False, picture_note=NO_PICTURES))
    if images:
        note = _pictures(target, parts, say)
        _put(target / "index.html", render("index", **page, pictures=note == PICTURES, picture_note=note))
    say(f"report: {target / 'index.html'}")
    return target / "index.html"


PICTURES = "Every figure lies beside this page as SVG and PNG, and its numbers as CSV."
NO_PICTURES = "Every figure's numbers lie beside this page as CSV; SVG and PNG were not asked for."


def _pictures(target: Path, parts: Sequence[Section], say: Progress) -> str:
    figures = [p for x in parts for p in x.parts if isinstance(p, Figure)]
    if not figures:
        return "This report has no figures."
    try:
        say(f"drawing {len(figures)} figures as SVG and PNG")
        pictures_of.draw_figures(target, [f.id for f in figures])
    except GwrayError as e:
        reason = str(e).splitlines()[0]
        say(f"no SVG and PNG: {reason}")
        return f"Every figure's numbers lie beside this page as CSV. SVG and PNG were not made: {shown(reason, SHORT)}"
    return PICTURES


def _diagnoses(
    frame: pl.DataFrame, runs: Mapping[str, RunDir], where: Mapping[str, str], say: Progress
) -> dict[str, Diagnosis]:
    finished = frame.filter((pl.col("status") == "finished") & pl.col("progress").is_not_null())
    out = {k: Diagnosis(True, (), {}) for k in finished.filter("success")["key"]}
    saved = {k for run in runs.values() for k in run.episode_keys()}
    lost = [k for k in finished.filter(~pl.col("success"))["key"].sort() if k in saved]
    # Keys are hashes, so the first ones in order are a fair sample, and always the same.
    lost = lost[:DIAGNOSED]
    for i, key in enumerate(lost):
        if i % 200 == 0:
            say(f"looking at what went wrong: {i:,} of {len(lost):,} episodes")
        out[key] = diagnose(runs[where[key]].read_steps(key, images=False), success=False)
    return out


def _write_replay(target: Path, episode: Episode, s: Study, chosen: Sequence[str], say: Progress, i: int) -> dict:
    r = episode.meta.record
    say(f"replay {i + 1} of {len(chosen)}: {shown(r.task, 60)}")
    found = s.diagnoses.get(r.key)
    labels = [x.replace("_", " ") for x in found.labels] if found else []
    data = replay_bundle(episode, s.frame, s.plan, watchable=chosen, labels=labels)
    folder = target / "frames" / r.key
    folder.mkdir(parents=True, exist_ok=True)
    for n, picture in enumerate(frames(episode)):
        if picture is None:
            continue
        (folder / f"{n}.{suffix(episode.meta.mime)}").write_bytes(picture)
        try:
            (folder / f"t{n}.webp").write_bytes(thumbnail(picture))
        except OSError:  # Pillow's word for "not a picture"; the page then shows a blank
            data["thumbs"][n] = None
    _put(target / f"data/replay/{r.key}.js", script_file(f"replay:{r.key}", data))
    page = render(
        "replay", key=r.key, title=f"{shown(r.game, 80)} · {shown(r.task, 80)}", root="../", policy=STATIC_POLICY,
        inline=None, exports=False, has_results=True,
    )  # fmt: skip
    _put(target / f"replay/{r.key}.html", page)
    best = max(data["steps"], key=lambda x: x["best"] or 0, default=None)
    shown_at = data["steps"].index(best) if best else 0
    return {
        "href": f"replay/{r.key}.html#step={shown_at + 1}",
        "picture": data["thumbs"][shown_at] if data["thumbs"] else None,
        "task": shown(r.task, 80),
        "game": shown(r.game, 80),
        "cell": s.plan.cells[r.cell].name,
        "outcome": "success" if r.success else f"progress {100 * (r.progress or 0):.0f} %",
        "labels": labels,
    }


def _write_assets(target: Path) -> None:
    for name in ("style.css", "report.js", "viewer.js"):
        (target / "assets" / name).write_bytes(asset(name))
    (target / "assets/plotly.min.js").write_bytes(plotly_script())


def _write_data(target: Path, parts: Iterable[Section]) -> None:
    figures = {}
    for p in (p for x in parts for p in x.parts):
        if isinstance(p, Figure):
            figures[p.id] = {"data": p.data, "layout": p.layout, "height": p.height, "title": p.title}
            _put(target / f"figures/{p.id}.csv", p.csv())
        elif isinstance(p, Table):
            _put(target / f"tables/{p.id}.csv", p.csv())
    _put(target / "data/figures.js", script_file("figures", figures))


def _index(
    s: Study, parts: Sequence[Section], cards: Sequence[dict], manifests: Sequence[Mapping], common: Mapping
) -> dict[str, Any]:
    n = [r.counts for r in s.main]
    totals = Counts(
        sum(c.planned for c in n), sum(c.finished for c in n), sum(c.failed for c in n), sum(c.excluded for c in n)
    )
    caveats = []
    loose = s.frame.filter(pl.col("reproducible") == False).height  # noqa: E712  (null counts as reproducible)
    if loose:
        caveats.append(f"{loose:,} episodes are not reproducible: they ran on a wall clock or in games that do.")
    return {
        **common,
        "sections": parts,
        "replays": cards,
        "totals": totals,
        "cells": len(s.main),
        "games": s.frame["game"].n_unique(),
        "tasks": s.frame.select("game", "task").n_unique(),
        "allow_incomplete": s.allow_incomplete,
        "caveats": caveats,
        "folded": FOLDED,
        "label": LABEL,
        "source": SOURCE,
        "version": gwray.__version__,
        "runs": [
            {
                "name": shown(m.get("name") or "run", SHORT),
                "id": shown(m.get("id") or "", 40),
                "commit": shown(str(m.get("git_commit") or "")[:12]),
            }
            for m in manifests
        ],
    }


def _put(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
