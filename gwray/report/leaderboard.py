"""A leaderboard: one static page of packs, on which only what was played again and proven is ranked.

Packs are strangers' texts: each is read on its own, so that none can stand in for another's episodes, and whatever it
says is shown as text. Players are ranked among those that had the same test: the same tasks and seeds, under the same
timing, interface, observation, actions and nudges. Others stand in tables of their own.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from gwray.analysis import LEAST_GAMES, Interval, MainRow, episode_frame, main_table, plan_of
from gwray.axes import axes, axis_words, family
from gwray.catalog import Catalog
from gwray.errors import UsageError
from gwray.pages import STATIC_POLICY
from gwray.pipelines import Proof
from gwray.report.pages import asset, render
from gwray.spec import CellSpec
from gwray.version import __version__
from gwray.visible_text import SHORT, csv_text, safe_text

OURS = ".gwray-leaderboard"
"""Written first: a folder that holds it may be written over, and nobody else's."""
PLAYERS = ("agent", "memory_rounds", "memory_format", "sampling", "thinking")
"""Families of axes that are how a player plays; all others are the test that it is given."""
NO_RANK = "–"
COLUMNS = ("test", "rank", "player", "success %", "low", "high", "progress %", "low", "high", "invalid %", "finished",
           "planned", "verified", "when", "gwray", "pack", "sha256", "seal", "note")  # fmt: skip


@dataclass(frozen=True)
class Entry:
    """One pack, as it was read."""

    name: str
    frame: pl.DataFrame
    manifest: Mapping[str, Any]
    """Without forks."""
    proof: Proof


@dataclass(frozen=True)
class Line:
    """One player in one test."""

    rank: str
    player: str
    sr: Interval | None
    pg: Interval | None
    iar: float | None
    finished: int
    planned: int
    verified: bool
    unproven: str
    """Why it is not verified."""
    note: str
    entry: Entry

    @property
    def replayed(self) -> str:
        """When and by what it was played again."""
        p = self.entry.proof
        return (
            f"{p.at[:10]}, gwray {p.gwray} (code {p.code}), Chromium {', '.join(safe_text(b, 80) for b in p.browsers)}"
        )

    @property
    def seal(self) -> str:
        return safe_text(str(self.entry.manifest.get("seal") or ""), 80)


@dataclass(frozen=True)
class Test:
    """What several players were given alike, and how they did."""

    title: str
    settings: tuple[str, ...]
    tasks: str
    """How many of each library's tasks."""
    lines: tuple[Line, ...]


def leaderboard_folder(out: Path) -> Path:
    """The folder of a leaderboard, made if need be. `UsageError` if something else is there."""
    if out.exists() and (not out.is_dir() or (any(out.iterdir()) and not (out / OURS).is_file())):
        raise UsageError(f"{out} is there and holds no leaderboard. Choose another folder, or empty it.")
    (out / "assets").mkdir(parents=True, exist_ok=True)
    (out / OURS).write_text("Written by gwray leaderboard, which may write over it.\n", encoding="utf-8")
    return out


def build_leaderboard(
    entries: Sequence[Entry], out: Path, catalog: Catalog, *, title: str = "Leaderboard", refused: Sequence[str] = ()
) -> Path:
    """Write the page into a folder that `leaderboard_folder` made; returns its `index.html`. `refused`: what could not
    be read of other packs, a sentence each."""
    tests = comparison_groups(entries, catalog)
    page = render(
        "leaderboard", title=safe_text(title, SHORT), root="", policy=STATIC_POLICY, pages=(), tests=tests,
        refused=[safe_text(r, SHORT) for r in refused], version=__version__, least_games=LEAST_GAMES,
        packs=len(entries),
    )  # fmt: skip
    for name in ("style.css", "theme.js"):
        (out / "assets" / name).write_bytes(asset(name))
    (out / "leaderboard.csv").write_text(_csv(tests), encoding="utf-8")
    (out / "index.html").write_text(page, encoding="utf-8")
    return out / "index.html"


def comparison_groups(entries: Sequence[Entry], catalog: Catalog) -> list[Test]:
    """Players by what they were given; the test with most tasks first. Raises `UsageError` as `episode_frame`."""
    apart = [_apart(n, entry) for n, entry in enumerate(entries)]
    if not apart:
        return []
    frame = episode_frame(pl.concat([f for f, _ in apart], how="diagonal_relaxed"))
    whole = plan_of(frame, [m for _, m in apart])
    tasks = {
        cell: frozenset(rows.select("game", "task", "seed", "repeat").iter_rows())
        for (cell,), rows in whole.episodes.group_by("cell")
    }
    same: dict[Any, list[str]] = {}
    for cell in whole.cells.values():
        test = {a: v for a, v in cell.axes.items() if family(a) not in PLAYERS}
        given = (tasks.get(cell.id, frozenset()), cell.equals, tuple(sorted((a, str(v)) for a, v in test.items())))
        same.setdefault(given, []).append(cell.id)
    ordered = sorted(same, key=lambda g: (-len(g[0]), -len(same[g]), g[1], g[2]))
    return [_test(entries, apart, frame, same[given], given, catalog) for given in ordered]


def _apart(n: int, entry: Entry) -> tuple[pl.DataFrame, dict[str, Any]]:
    """A pack's rows and plan under keys of its own."""
    own = [pl.format("{}.{}", pl.lit(n), pl.col(name)).alias(name) for name in ("cell", "key")]
    m = entry.manifest
    cells = []
    for c in m["cells"]:  # what run.json says beside a specification is not looked at
        spec = CellSpec.model_validate(c["spec"])
        about = {"model": spec.model.name, "interface": spec.agent.interface, "axes": axes(spec), "spec": c["spec"]}
        cells.append({"id": f"{n}.{c['id']}", **about})
    episodes = [{**e, "key": f"{n}.{e['key']}", "cell": f"{n}.{e['cell']}"} for e in m["episodes"]]
    rows = entry.frame.filter(pl.col("key").is_in([e["key"] for e in m["episodes"]]))
    return rows.with_columns(own), {"cells": cells, "episodes": episodes}


def _test(
    entries: Sequence[Entry],
    apart: Sequence[tuple[pl.DataFrame, Mapping[str, Any]]],
    frame: pl.DataFrame,
    ids: Sequence[str],
    given: tuple[frozenset[tuple], tuple[bool, str, str], tuple[tuple[str, str], ...]],
    catalog: Catalog,
) -> Test:
    proven = {id: entries[int(id.partition(".")[0])].proof.cells.get(id.partition(".")[2], "unknown") for id in ids}

    def table(some: Sequence[str]) -> list[MainRow]:
        manifests = [
            {
                **m,
                "cells": [c for c in m["cells"] if c["id"] in some],
                "episodes": [e for e in m["episodes"] if e["cell"] in some],
            }
            for _, m in apart
        ]
        rows = frame.filter(pl.col("cell").is_in(list(some)))
        return main_table(rows, plan_of(rows, manifests)) if some else []

    verified = table([id for id in ids if not proven[id]])
    ranks = [r.shared_rank for r in verified if r.shared_rank]
    lines = [_line(entries, r, _rank(r.shared_rank, ranks), "") for r in verified]
    lines += [_line(entries, r, NO_RANK, proven[r.cell.id]) for r in table([id for id in ids if proven[id]])]
    tasks, (text, timing, interface), said = given
    words = axis_words({a: safe_text(v, 80) for a, v in said if a != "timing"})
    settings = (timing, interface.replace("_", " "), *(("told in words",) if text else ()), *words)
    games = {game for game, *_ in tasks}
    title = f"{_n(len({t[:2] for t in tasks}), 'task')} of {_n(len(games), 'game')}"
    return Test(title, tuple(safe_text(s, 120) for s in settings), _share(tasks, catalog), tuple(lines))


def _line(entries: Sequence[Entry], row: MainRow, rank: str, unproven: str) -> Line:
    notes = [row.note]
    measured = row.cell.latency == "measured"
    if row.cell.timing == "wallclock" or measured:
        notes.append("how long replies took is as its log says: no replay can prove that")
    return Line(
        rank=rank,
        player=safe_text(row.cell.name, SHORT),
        sr=row.sr,
        pg=row.pg,
        iar=row.iar,
        finished=row.counts.finished,
        planned=row.counts.planned,
        verified=not unproven,
        unproven=safe_text(unproven, SHORT),
        note=safe_text("; ".join(filter(None, notes)), SHORT),
        entry=entries[int(row.cell.id.partition(".")[0])],
    )


def _rank(rank: int | None, all_ranks: Sequence[int]) -> str:
    return NO_RANK if rank is None else f"{rank}{' =' if all_ranks.count(rank) > 1 else ''}"


def _share(tasks: frozenset[tuple], catalog: Catalog) -> str:
    """Of which libraries these are how many tasks."""
    out = []
    for library in catalog.libraries.values():
        its = {(g.id, t.id) for g in catalog.games.values() for t in g.tasks if catalog.library_of(g.id) is library}
        there = {t[:2] for t in tasks} & its
        if there:
            out.append(f"{len(there)} of the {len(its)} tasks of {library.title or library.id}")
    known = {(g.id, t.id) for g in catalog.games.values() for t in g.tasks}
    if other := len({t[:2] for t in tasks} - known):
        out.append(f"{_n(other, 'task')} of no library that is here")
    repeats = len(tasks) / max(1, len({t[:2] for t in tasks}))
    return f"{', '.join(out)}; {repeats:g} {'episode' if repeats == 1 else 'episodes'} a task"


def _n(n: int, what: str) -> str:
    return f"{n:,} {what}{'' if n == 1 else 's'}"


def _csv(tests: Sequence[Test]) -> str:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for n, test in enumerate(tests, 1):
        for line in test.lines:
            ends = [None if e is None or v is None else round(100 * v, 1)
                    for e in (line.sr, line.pg) for v in ((e.value, e.low, e.high) if e else (None,) * 3)]  # fmt: skip
            p = line.entry.proof
            row = [
                f"{n}: {test.title}, {', '.join(test.settings)}", line.rank, line.player, *ends,
                None if line.iar is None else round(100 * line.iar, 1), line.finished, line.planned, line.verified,
                p.at, p.gwray, line.entry.name, p.pack, line.seal, line.unproven or line.note,
            ]  # fmt: skip
            writer.writerow([csv_text(v) for v in row])
    return out.getvalue()
