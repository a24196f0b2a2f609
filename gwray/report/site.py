"""The static report: a folder that opens from the file system and asks the network for nothing."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, TypeVar

import polars as pl

from gwray.agents import NoteSpan
from gwray.analysis import (
    FEW_GAMES,
    LABEL,
    LEAST_GAMES,
    OF_AXIS,
    SOURCE,
    Counts,
    Diagnosis,
    JudgedBy,
    Known,
    Labelled,
    PlannedTasks,
    diagnose,
    read_annotations,
    read_codes,
    scored,
    usage_by_module,
)
from gwray.errors import GwrayError, StoreError, UsageError
from gwray.records import EpisodeRecord, LoggedReply, StepRecord
from gwray.report import figure_export
from gwray.report.agent_notes import read_agent_notes
from gwray.report.bundle import episode_columns, plain_rows, replay_bundle
from gwray.report.cases import case_studies
from gwray.report.ceilings import load_ceilings, measured_ceilings
from gwray.report.content import Figure, Section
from gwray.report.examples import find_examples
from gwray.report.frames import FrameWriter
from gwray.report.notes import Note, read_notes
from gwray.report.pages import ASSETS, SERVED, STATIC, asset, plotly_script, render
from gwray.report.paper import paper_section
from gwray.report.results import Results, make_results
from gwray.report.sanitize import SHORT, safe_text, script_file
from gwray.report.sections import sections
from gwray.report.selection import choose_episodes
from gwray.report.summary import summarize
from gwray.report.task_text import TaskText, task_texts
from gwray.store import Episode, RunDir, results_frame, without_forks
from gwray.version import __version__

Progress = Callable[[str], None]
ReadAnnotations = Callable[[str, Collection[str], str], dict[str, frozenset[str]]]
T = TypeVar("T")
FOLDED = (
    "published",
    "genres-beside",
    *(f"ablation-{axis}-published" for axis in OF_AXIS),
    "games-table",
    "pairs-table",
    "paper-table",
    "town-published",
)
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
    full: bool = False,
    ceilings: Mapping[str, Any] | Path | None = None,
    judged: Sequence[JudgedBy] = (),
    labelled: Sequence[Labelled] = (),
    known: Sequence[Known] = (),
    title: str = "",
    served: bool = False,
    diagnosed: dict[str, Diagnosis] | None = None,
    progress: Progress | None = None,
) -> Path:
    """Write the site of one or several runs into `out`; returns its `index.html`.

    `allow_incomplete`: show headline figures over cells that lack planned episodes, marked as such. `episodes`: which
    ones get a replay. `images`: every figure also as SVG and PNG, for which a browser is needed; without one the report
    says so and has none. `full`: replays with the pictures as they were recorded, not as small ones. `ceilings`:
    {"label", "tasks": {task: {"success", "progress"}}} or a JSON file of it; None: what search reached in these tasks
    of the bundled library, as far as that is measured. `judged`: how judges of these runs agree
    (`gwray.judges.agreements_of`). `labelled`: the labels that they, or people, gave (`labelled_in`). `known`: what
    models knew of the games beforehand (`known_in`). `served`: for the site of one run that `gwray view` serves, which
    has every episode at hand: all are linked, and none is written. `diagnosed`: what was found before of episodes that
    missed their target; what is found now is added.
    """
    say = progress or (lambda _: None)
    if not runs:
        raise UsageError("a report needs at least one run directory")
    target = Path(out)
    if target.exists() and not target.is_dir():
        raise UsageError(f"{target} is a file; a report is a folder. Choose another name.")
    if target.exists() and any(target.iterdir()) and not (target / OURS).exists():
        raise UsageError(f"{target} is not empty and holds no report. Choose another folder, or empty it.")
    manifests = [without_forks(r.manifest()) for r in runs]
    frame = results_frame(runs)
    saved = _Saved(runs, frame)
    say(f"reading {frame.height:,} episodes")
    ceiling = measured_ceilings(manifests) if ceilings is None else load_ceilings(ceilings)
    s = make_results(frame, manifests, allow_incomplete=allow_incomplete, ceilings=ceiling)
    annotations, codes = (_annotations(runs, s.frame, read) for read in (read_annotations, read_codes))
    diagnoses = {} if diagnosed is None else diagnosed
    _diagnose(s.frame, saved, say, annotations, diagnoses)
    if episodes == "none":
        chosen = []
    elif episodes == "all":
        chosen = [k for k in s.frame["key"] if k in saved.runs]
    else:
        there = s.frame.filter(pl.col("key").is_in(list(saved.runs)))
        chosen = choose_episodes(there, diagnoses, s.order)
    _clear(target)
    _write_assets(target)
    told, said = task_texts(manifests), _notes(runs, s.frame)
    cards, bundles = {}, {}
    with FrameWriter(target, full=full) as pictures:
        for i, key in enumerate(chosen):
            say(f"replay {i + 1} of {len(chosen)}")
            if episode := saved.episode(key):
                data = replay_bundle(
                    episode, s.frame, s.plan, watchable=chosen, found=diagnoses.get(key), asked=told,
                    notes=saved.notes(episode.meta.record, s.plan), said=said.get(key),
                )  # fmt: skip
                if not served:
                    pictures.put(episode, data)
                    _put_replay(target, episode.meta.record, data)
                cards[key], bundles[key] = _card(episode.meta.record, data, s, told), data
    asking = s.asking
    asked = usage_by_module(saved.replies(asking), asking)
    replays = {k: f"replay/{k}.html" for k in (saved.runs if served else cards)}
    readable = s.frame.filter(pl.col("key").is_in(list(saved.runs)))
    examples = find_examples(readable, s.order, saved.steps, replays)
    s = replace(s, diagnoses=diagnoses, annotations=annotations, asked=asked, replays=replays, examples=examples)
    s = replace(s, codes=codes, judged=judged, labelled=labelled, known=known)
    columns = episode_columns(s.frame, s.plan, diagnoses, replays, notes=said)
    _put(target / "data/episodes.js", script_file("episodes", columns))
    parts = sections(s)
    titles = {task: f"{a.title}, {safe_text(task, 80)}" for task, a in told.items()}
    if cases := case_studies(s.frame, s.plan.cells, bundles, lambda task: titles.get(task) or safe_text(task, 80)):
        parts.append(Section("cases", "Case studies", "", tuple(cases)))
    parts.append(paper_section(parts))
    _write_data(target, parts)
    name = safe_text(title or " + ".join(dict.fromkeys(str(m.get("name") or "run") for m in manifests)), SHORT)
    common: dict[str, Any] = {"title": name, "root": "", **(SERVED if served else STATIC)}
    rows = plain_rows(columns)
    _put(target / "episodes.html", render("episodes", **common, current="Episodes", plain=rows, n=s.frame.height))
    common["current"] = "Results"
    common["caveats"] = _caveats(s.frame, saved.damaged)
    common["lead"] = summarize(s, manifests, runs)
    page = _index(s, parts, [*cards.values()], manifests, common)
    _put(target / "index.html", render("index", **page, pictures=False, picture_note=NO_PICTURES))
    if images:
        note = _pictures(target, parts, say)
        _put(target / "index.html", render("index", **page, pictures=note == PICTURES, picture_note=note))
    say(f"report: {target / 'index.html'}")
    return target / "index.html"


OURS = "assets/viewer.js"
"""Written first: a folder that holds it may be written over, and nobody else's."""


def _clear(target: Path) -> None:
    """Make the site's folders, without what an earlier report left in them: it would be taken for this one's."""
    (target / "index.html").unlink(missing_ok=True)
    for folder in ("data/replay", "figures", "frames", "replay", "tables"):
        shutil.rmtree(target / folder, ignore_errors=True)
    for folder in ("assets", "data/replay", "figures", "frames", "replay", "tables"):
        (target / folder).mkdir(parents=True, exist_ok=True)


class _Saved:
    """The episode files and reply logs of all runs. One that cannot be read costs its replay, labels and replies,
    not the report."""

    def __init__(self, runs: Sequence[RunDir], frame: pl.DataFrame):
        # Several runs may have played an episode, and not all of them to its end: the one whose row counts is read.
        rows = frame.sort(pl.col("status") != "finished", maintain_order=True).unique("key", keep="first")
        where = dict(rows.select("key", "run").iter_rows())
        self.runs = {k: run for run in runs for k in run.episode_keys() if where.get(k) == run.url}
        by_url = {run.url: run for run in runs}
        self._played = [(key, cell, by_url[url]) for key, cell, url in rows.select("key", "cell", "run").iter_rows()]
        self.damaged: dict[str, str] = {}

    def steps(self, key: str) -> list[StepRecord] | None:
        return self._read(key, lambda run: run.read_steps(key, images=False))

    def episode(self, key: str) -> Episode | None:
        return self._read(key, lambda run: run.read_episode(key))

    def notes(self, record: EpisodeRecord, plan: PlannedTasks) -> Sequence[NoteSpan]:
        """What the agents of an episode kept in mind."""
        return read_agent_notes(self.runs[record.key], record.key, plan.cells[record.cell].spec)

    def replies(self, cells: Collection[str]) -> Iterator[tuple[str, LoggedReply]]:
        """What was answered in these cells, each with its cell; one reply log in memory at a time."""
        for key, cell, run in self._played:
            if cell not in cells:
                continue
            try:
                lines = run.log(key).read()
            except StoreError as e:
                self.damaged[key] = str(e)
                continue
            yield from ((cell, line) for line in lines)

    def _read(self, key: str, how: Callable[[RunDir], T]) -> T | None:
        try:
            return how(self.runs[key])
        except StoreError as e:
            self.damaged[key] = str(e)
            return None


PICTURES = "Every figure lies beside this page as SVG and PNG, and its numbers as CSV."
NO_PICTURES = "Every figure's numbers lie beside this page as CSV; SVG and PNG were not asked for."


def _pictures(target: Path, parts: Sequence[Section], say: Progress) -> str:
    figures = [p for x in parts for p in x.parts if isinstance(p, Figure)]
    if not figures:
        return "This report has no figures."
    try:
        say(f"drawing {len(figures)} figures as SVG and PNG")
        figure_export.export_figures(target, [f.id for f in figures])
    except GwrayError as e:
        reason = str(e).splitlines()[0]
        say(f"no SVG and PNG: {reason}")
        return (
            f"Every figure's numbers lie beside this page as CSV. SVG and PNG were not made: {safe_text(reason, SHORT)}"
        )
    return PICTURES


def _annotations(runs: Sequence[RunDir], frame: pl.DataFrame, read: ReadAnnotations) -> dict[str, frozenset[str]]:
    """What people wrote beside these runs, each in `annotations.csv` of a run directory, as `read` finds it there."""
    out: dict[str, frozenset[str]] = {}
    for run in runs:
        if text := run.read_annotations():
            found = read(text, frame["key"].to_list(), f"{run.url}/annotations.csv")
            out |= {key: out.get(key, frozenset()) | causes for key, causes in found.items()}
    return out


def _notes(runs: Sequence[RunDir], frame: pl.DataFrame) -> dict[str, Note]:
    out: dict[str, Note] = {}
    for run in runs:
        if text := run.read_annotations():
            out |= read_notes(text, frame["key"].to_list())
    return out


def _diagnose(
    frame: pl.DataFrame, saved: _Saved, say: Progress, annotated: Collection[str], out: dict[str, Diagnosis]
) -> None:
    """Add what went wrong in each episode to `out`, where it is not known yet."""
    finished = scored(frame)
    out |= {k: Diagnosis(True, (), {}) for k in finished.filter("success")["key"]}
    lost = [k for k in finished.filter(~pl.col("success"))["key"].sort() if k in saved.runs]
    # Keys are hashes, so the first ones in order are a fair sample, and always the same. What people looked at, too.
    lost = [*lost[:DIAGNOSED], *(k for k in lost[DIAGNOSED:] if k in annotated)]
    lost = [k for k in lost if k not in out or out[k].success]
    for i, key in enumerate(lost):
        if i % 200 == 0:
            say(f"looking at what went wrong: {i:,} of {len(lost):,} episodes")
        if (steps := saved.steps(key)) is not None:
            out[key] = diagnose(steps, success=False)


def _card(r: EpisodeRecord, data: Mapping[str, Any], s: Results, asked: Mapping[str, TaskText]) -> dict[str, Any]:
    """A replay on the main page."""
    best = max(data["steps"], key=lambda x: x["best"] or 0, default=None)
    shown_at = data["steps"].index(best) if best else 0
    return {
        "href": f"replay/{r.key}.html#step={shown_at + 1}",
        "picture": data["thumbs"][shown_at] if data["thumbs"] else None,
        "task": safe_text(r.task, 80),
        "game": asked[r.task].title if r.task in asked else safe_text(r.game, 80),
        "cell": s.plan.cells[r.cell].name,
        "outcome": "success" if r.success else f"progress {100 * (r.progress or 0):.0f} %",
        "labels": data["labels"],
    }


def _put_replay(target: Path, r: EpisodeRecord, data: Mapping[str, Any]) -> None:
    _put(target / f"data/replay/{r.key}.js", script_file(f"replay:{r.key}", data))
    name = f"{safe_text(r.game, 80)} · {safe_text(r.task, 80)}"
    page = render("replay", key=r.key, title=name, root="../", **STATIC, inline=None, exports=False)
    _put(target / f"replay/{r.key}.html", page)


def _write_assets(target: Path) -> None:
    for name in (Path(OURS).name, *(n for n in ASSETS if n not in ("live.js", "newer.js"))):
        (target / "assets" / name).write_bytes(asset(name))
    (target / "assets/plotly.min.js").write_bytes(plotly_script())


def _write_data(target: Path, parts: Iterable[Section]) -> None:
    figures = {}
    for p in (p for x in parts for p in x.parts):
        if isinstance(p, Figure):
            figures[p.id] = {"data": p.data, "layout": p.layout, "height": p.height, "title": p.title}
            _put(target / f"figures/{p.id}.csv", p.csv())
        else:
            _put(target / f"tables/{p.id}.csv", p.csv())
    _put(target / "data/figures.js", script_file("figures", figures))


def _caveats(frame: pl.DataFrame, damaged: Mapping[str, str]) -> list[str]:
    caveats = []
    loose = frame.filter(pl.col("reproducible") == False).height  # noqa: E712  (null counts as reproducible)
    if loose:
        caveats.append(f"{_episodes(loose)} not reproducible: played on a wall clock, or in a game that uses one.")
    if damaged:
        first = safe_text(next(iter(damaged.values())), SHORT)
        caveats.append(
            f"{_episodes(len(damaged))} scored, but could not be read to be shown, labelled or counted: {first}"
        )
    return caveats


def _episodes(n: int) -> str:
    return "1 episode is" if n == 1 else f"{n:,} episodes are"


def _index(
    s: Results, parts: Sequence[Section], cards: Sequence[dict], manifests: Sequence[Mapping], common: Mapping
) -> dict[str, Any]:
    n = [r.counts for r in s.main]
    totals = Counts(
        sum(c.planned for c in n), sum(c.finished for c in n), sum(c.failed for c in n), sum(c.excluded for c in n)
    )
    return {
        **common,
        "sections": parts,
        "replays": cards,
        "totals": totals,
        "ended": s.frame.height,
        "cells": len(s.main),
        "games": s.frame["game"].n_unique(),
        "tasks": s.frame.select("game", "task").n_unique(),
        "allow_incomplete": s.allow_incomplete,
        "folded": FOLDED,
        "least_games": LEAST_GAMES,
        "few_games": FEW_GAMES,
        "label": LABEL,
        "source": SOURCE,
        "version": __version__,
        "runs": [
            {
                "name": safe_text(m.get("name") or "run", SHORT),
                "id": safe_text(m.get("id") or "", 40),
                "commit": safe_text(str(m.get("git_commit") or "")[:12]),
            }
            for m in manifests
        ],
    }


def _put(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
