"""The report: static pages that open from the file system and load nothing from the network."""

import re
import shutil
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import polars as pl

from gwray import __version__
from gwray.analysis import (
    FACTS,
    LABEL,
    PEOPLE,
    RULES,
    SOURCE,
    TESTED_GAMES,
    Counts,
    LabelSet,
    diagnose,
    find_labels,
    read_annotations,
    scored,
    spent_cell,
    usage_by_module,
    verdict,
)
from gwray.errors import GwrayError, UsageError
from gwray.pages import SHORT, counted, safe_text
from gwray.records import EpisodeRecord, unknown_notes
from gwray.report.agent_notes import read_agent_notes
from gwray.report.bundle import episode_columns, replay_bundle
from gwray.report.cases import (
    case_studies,
    choose_episodes,
    failure_films,
    find_examples,
    judged_examples,
    label_studies,
)
from gwray.report.ceilings import measured_ceilings, measured_floors
from gwray.report.content import Figure, Section
from gwray.report.frames import FrameWriter
from gwray.report.pages import ASSETS, SERVED, STATIC, asset, plotly_script, render, script_file
from gwray.report.results import JudgeResults, Results, make_results
from gwray.report.saved_episodes import SavedEpisodes
from gwray.report.sections import by_tab, make_sections, paper_section, without_paper
from gwray.report.summary import summarize
from gwray.report.task_texts import game_titles, task_texts
from gwray.settings import CellSpec
from gwray.store import Episode, RunDir, RunManifest, pack_run, read_seal, results_frame

Progress = Callable[[str], None]
Write = Callable[[str, str | bytes], None]
"""Stores a file of the site, by its path."""
FOLDED = ("games-table", "pairs-table", "paper-table")
MOST_ROWS = 12
"""With more rows, these tables and the second and further ones of a section are collapsed at first."""
MOST_HEIGHT = 1200
"""A figure of more pixels is collapsed at first."""
DIAGNOSED = 5000
"""Most unsuccessful episodes whose steps are read for the failure tables."""
MARKER = "assets/viewer.js"
"""Written first: only a folder that contains it may be overwritten."""
EXPORTED = "Every figure is available as SVG, PDF and PNG, and its values as CSV."
NOT_EXPORTED = "Every figure's values are available as CSV. For SVG, PDF and PNG: gwray report --images."


def build_report(
    runs: Sequence[RunDir],
    out: Path | str,
    *,
    allow_incomplete: bool = False,
    episodes: Literal["chosen", "all", "none"] = "chosen",
    images: bool = False,
    small: bool = False,
    pack: bool = True,
    judges: JudgeResults | None = None,
    sections: Sequence[str] = (),
    progress: Progress | None = None,
) -> Path:
    """Writes the report of one or several runs into the folder `out`; returns its `index.html`.

    Args:
        allow_incomplete: Show headline values of cells that lack planned episodes, marked as such.
        episodes: Which episodes get a replay.
        images: Export every figure as SVG, PDF and PNG. Takes a browser and seconds; without one, the report says so.
        small: Scale the screenshots down: a third of the size, in twice the time.
        pack: Add a pack of each sealed run, with which readers can verify the report.
        judges: Results of the judges of these runs.
        sections: Names of further sections, such as `my_package.my_section` (see `gwray.report.sections`).
        progress: Called with a line of text at each step.

    Raises:
        UsageError: there is no run, `out` is no report and not empty, or a packed run changed while it was read.
    """
    say = progress or (lambda _: None)
    target, digests_before = _report_folder(runs, Path(out)), [run.digest() for run in runs]
    report = _Report(runs, allow_incomplete, judges or JudgeResults(), {}, say)
    _clear(target)
    for name in (Path(MARKER).name, *(n for n in ASSETS if n not in ("live.js", "newer.js"))):
        (target / "assets" / name).write_bytes(asset(name))  # the others serve live pages
    (target / "assets/plotly.min.js").write_bytes(plotly_script())

    def write(path: str, text: str | bytes) -> None:
        (target / path).write_bytes(text.encode() if isinstance(text, str) else text)

    frames = FrameWriter(target, small=small)

    def keep(replay: Replay) -> None:
        frames.put(replay.episode, replay.data)
        r = replay.record
        write(f"data/replay/{r.key}.js", script_file(f"replay:{r.key}", replay.data))
        page = {"key": r.key, "title": report.titled(r.task), "root": "../", "headline": report.headline}
        write(replay.href, render("replay", **page, **STATIC))

    replays = report.replays(report.choose(episodes), keep)
    links = {r.record.key: r.href for r in replays}
    packs = _write_packs(runs, target) if pack else {}
    for run, read in zip(runs, digests_before, strict=True):
        if run.url in packs and run.digest() != read:
            raise UsageError(f"{run.url} was changed while it was read. Run the same command again once it rests.")
    pages = report.render(write, replays, links, STATIC, sections, packs)
    pages.write_index(NOT_EXPORTED)
    if images:
        pages.write_index(_export(target, pages.figures, say))
    return target / "index.html"


def served_report(runs: Sequence[RunDir], judges: JudgeResults, facts: dict[str, dict[str, int]]) -> dict[str, bytes]:
    """Returns the files of the results page that `gwray view` serves, by path. All episodes are linked; none is
    written. `facts`: labels of episodes that were read before; new ones are added."""
    files: dict[str, bytes] = {}

    def write(path: str, text: str | bytes) -> None:
        files[path] = text.encode() if isinstance(text, str) else text

    report = _Report(runs, False, judges, facts, lambda _: None)
    replays = report.replays(report.choose("chosen"), lambda _: None)
    pages = report.render(write, replays, {k: f"replay/{k}.html" for k in report.saved.runs}, SERVED, ())
    pages.write_index(NOT_EXPORTED)
    return files


def _report_folder(runs: Sequence[RunDir], target: Path) -> Path:
    if not runs:
        raise UsageError("a report needs at least one run directory")
    if target.exists() and not target.is_dir():
        raise UsageError(f"{target} is a file; a report is a folder. Choose another name.")
    if not (target / MARKER).exists() and any(not found.is_dir() for found in target.rglob("*")):
        raise UsageError(f"{target} is not empty and contains no report. Choose another folder, or empty it.")
    return target


def _clear(target: Path) -> None:
    """Makes the report's folders and removes an earlier report's files from them."""
    (target / "index.html").unlink(missing_ok=True)
    for folder in ("data/replay", "figures", "frames", "proof", "replay", "tables"):
        shutil.rmtree(target / folder, ignore_errors=True)
    for folder in ("assets", "data/replay", "figures", "frames", "proof", "replay", "tables"):
        (target / folder).mkdir(parents=True, exist_ok=True)


def _write_packs(runs: Sequence[RunDir], target: Path) -> dict[str, str]:
    """Packs the runs whose seal matches; returns their files' paths in the report, by the URL of the run."""
    packs = {}
    for run in runs:
        manifest = run.manifest()
        seal = read_seal(run)
        if seal.recorded and not seal.broken:
            name = re.sub(r"[^A-Za-z0-9._-]+", "-", manifest.name or "run").strip("-.") or "run"
            file = f"proof/{name}{f'-{len(packs)}' if f'proof/{name}.gwray' in packs.values() else ''}.gwray"
            pack_run(run, target / file)
            packs[run.url] = file
    return packs


@dataclass(frozen=True)
class Replay:
    """A replayed episode and the data of its page."""

    episode: Episode
    data: dict[str, Any]

    @property
    def record(self) -> EpisodeRecord:
        return self.episode.meta.record

    @property
    def href(self) -> str:
        return f"replay/{self.record.key}.html"


class _Report:
    """Reads runs and renders their pages."""

    def __init__(
        self,
        runs: Sequence[RunDir],
        allow_incomplete: bool,
        judges: JudgeResults,
        facts: dict[str, dict[str, int]],
        say: Progress,
    ):
        self.runs, self.say = runs, say
        self.manifests = [r.manifest().without_forks() for r in runs]
        frame = results_frame(runs)
        self.saved = SavedEpisodes(runs, frame)
        say(f"reading {frame.height:,} episodes")
        results = make_results(
            frame, self.manifests, allow_incomplete=allow_incomplete, judges=judges,
            ceilings=measured_ceilings(self.manifests), floors=measured_floors(self.manifests),
        )  # fmt: skip
        keys = results.frame["key"].to_list()
        annotated = [x for path, text in _annotation_files(runs).items() for x in read_annotations(text, keys, path)]
        labels = [LabelSet("facts", RULES, facts, FACTS), *annotated]
        self.tasks = task_texts(runs)
        titles = game_titles(results.plan, self.tasks)
        self.results = replace(results, labels=labels, saved=self.saved, titles=titles)
        self.facts = facts
        self.headline = verdict(self.results.main, self.results.comparisons, self.results.arenas)
        _diagnose(self.results.frame, self.saved, say, find_labels(annotated, "cause", PEOPLE).labels, facts)

    def titled(self, task: str) -> str:
        """Returns the title of the game and the goal of a task; its id where they are unknown."""
        found = self.tasks.get(task)
        return f"{found.title}: {found.goal}" if found else safe_text(task, 80)

    @property
    def failure_labels(self) -> list[LabelSet]:
        """Labels of the failure judge, or of people in its place."""
        return [found for found in self.results.judges.labels if found.source == "failure"]

    def choose(self, episodes: Literal["chosen", "all", "none"]) -> list[str]:
        """Keys of the episodes that get a replay."""
        if episodes == "none":
            return []
        frame = self.results.frame.filter(pl.col("key").is_in(list(self.saved.runs)))
        if episodes == "all":
            return frame["key"].to_list()
        examples = judged_examples(frame, self.failure_labels).values()
        return list(dict.fromkeys([*examples, *choose_episodes(frame, self.facts, self.results.order)]))

    def replays(self, keys: Sequence[str], keep: Callable[[Replay], None]) -> list[Replay]:
        """Returns the readable episodes among `keys`; `keep` is called with each."""
        out = []
        for i, key in enumerate(keys):
            self.say(f"replay {i + 1} of {len(keys)}")
            if (episode := self.saved.episode(key)) is None:
                continue
            record, plan = episode.meta.record, self.results.plan
            notes = read_agent_notes(self.saved.runs[key], key, plan.cells[record.cell].spec)
            data = replay_bundle(
                episode, self.results.frame, plan, watchable=keys, found=self.facts.get(key),
                tasks=self.tasks, notes=notes,
            )  # fmt: skip
            out.append(Replay(episode, data))
            keep(out[-1])
        return out

    def render(
        self, write: Write, replays: Sequence[Replay], links: Mapping[str, str], frame: Mapping[str, Any],
        more: Sequence[str], packs: Mapping[str, str] = {},
    ) -> "_Pages":  # fmt: skip
        """Writes all files but the replays and `index.html`. `links`: pages of episodes, by key; `frame`: values of
        the page template (`STATIC` or `SERVED`); `packs`: pack files by run."""
        results, saved = self.results, self.saved
        calling = multi_call_cells(results)
        readable = results.frame.filter(pl.col("key").is_in(list(saved.runs)))
        results = replace(
            results, replays=links, module_usage=usage_by_module(saved.replies(calling), calling),
            examples=find_examples(readable, results.order, saved.steps, links),
        )  # fmt: skip
        columns = episode_columns(results.frame, results.plan, self.facts, links, self.tasks)
        write("data/episodes.js", script_file("episodes", columns))
        sections = make_sections(results, more)
        bundles = {r.record.key: r.data for r in replays}
        cases = case_studies(results.frame, results.plan.cells, bundles, self.titled)
        cases += label_studies(results.frame, results.plan.cells, bundles, self.titled, self.failure_labels)
        if cases:
            sections.append(Section("cases", "Case studies", "", tuple(cases)))
        if any(job.get("sampling") == "published" for m in self.manifests for job in m.jobs):
            sections.append(paper_section(sections, results))
        else:
            sections = without_paper(sections)
        first, tabs = by_tab(sections)
        films = failure_films(results.frame, results.plan.cells, bundles, self.titled)
        figures = [p for x in sections for p in x.parts if isinstance(p, Figure)]
        for part in (p for x in sections for p in x.parts):
            write(f"{'figures' if isinstance(part, Figure) else 'tables'}/{part.id}.csv", part.to_csv())
        write("data/figures.js", script_file("figures", {f.id: f.to_json() for f in figures}))
        name = " + ".join(dict.fromkeys(m.name or "run" for m in self.manifests))
        common: dict[str, Any] = {"title": safe_text(name, SHORT), "root": "", "headline": self.headline, **frame}
        episodes = {"current": "Episodes", "n": results.frame.height}
        write("episodes.html", render("episodes", **common, **episodes))
        index = _index_values(results, self.manifests) | {
            **common, "current": "Results", "first": first, "films": films, "tabs": tabs,
            "replays": [_card(r, results, self.titled(r.record.task)) for r in replays],
            "caveats": _caveats(results.frame, saved.damaged),
            "summary": summarize(results, self.headline, self.manifests, self.runs, packs),
        }  # fmt: skip
        return _Pages(write, index, [f.id for f in figures])


@dataclass(frozen=True)
class _Pages:
    write: Write
    index: Mapping[str, Any]
    """Values of the index page's template."""
    figures: list[str]

    def write_index(self, note: str) -> None:
        """Writes the front page. `note`: about the figure files; their links are shown if they were exported."""
        page = render("index", **self.index, exported=note == EXPORTED, export_note=note)
        self.write("index.html", page)


def multi_call_cells(results: Results) -> dict[str, CellSpec]:
    """Returns the cells whose agents make several calls per decision, or call helpers; in display order."""
    rows = results.frame.filter((pl.col("status") == "finished") & (pl.col("calls") > pl.col("proposals")))
    several, cells = set(rows["cell"]), results.plan.cells
    chosen = [c for c in results.order if c in several or cells[c].spec.get("helpers")]
    return {c: CellSpec.model_validate(cells[c].spec) for c in chosen if cells[c].spec}


def _export(target: Path, figures: Sequence[str], say: Progress) -> str:
    """Exports figures as files; returns a sentence about them."""
    if not figures:
        return "This report has no figures."
    from gwray.report.export import export_figures  # imported late: it needs a browser

    try:
        say(f"exporting {len(figures)} figures as SVG, PDF and PNG")
        export_figures(target, figures)
    except GwrayError as e:
        reason = str(e).splitlines()[0]
        say(f"no SVG, PDF and PNG: {reason}")
        return f"Every figure's values are available as CSV. SVG, PDF and PNG were not made: {safe_text(reason, SHORT)}"
    return EXPORTED


def _annotation_files(runs: Sequence[RunDir]) -> dict[str, str]:
    """Texts of the runs' `annotations.csv`, by path."""
    return {f"{run.url}/annotations.csv": text for run in runs if (text := run.read_annotations())}


def _diagnose(
    frame: pl.DataFrame, saved: SavedEpisodes, say: Progress, annotated: Collection[str], out: dict[str, dict[str, int]]
) -> None:
    """Adds the missing diagnoses of finished episodes to `out`."""
    finished = scored(frame)
    lost = [k for k in finished.filter(~pl.col("success"))["key"].sort() if k in saved.runs]
    # Keys are hashes, so the first ones in order are a fair, reproducible sample. Annotated episodes are added.
    lost = [*lost[:DIAGNOSED], *(k for k in lost[DIAGNOSED:] if k in annotated)]
    lost = [k for k in lost if k not in out]
    for i, key in enumerate(lost):
        if i % 200 == 0:
            say(f"diagnosing failures: {i:,} of {len(lost):,} episodes")
        if (steps := saved.steps(key)) is not None:
            out[key] = diagnose(steps)


def _card(replay: Replay, results: Results, title: str) -> dict[str, Any]:
    """Returns what the main page shows of a replay."""
    r, data = replay.record, replay.data
    best = max(data["steps"], key=lambda x: x["best"] or 0, default=None)
    at = data["steps"].index(best) if best else 0
    return {
        "href": f"{replay.href}#step={at + 1}",
        "picture": data["frames"][at] if data["frames"] else None,
        "task": title,
        "cell": results.name(r.cell),
        "outcome": "success" if r.success else f"progress {100 * (r.progress or 0):.0f} %",
        "labels": data["labels"],
    }


def _caveats(frame: pl.DataFrame, damaged: Mapping[str, str]) -> list[str]:
    caveats = []
    loose = frame.filter(pl.col("reproducible") == False).height  # noqa: E712  (null counts as reproducible)
    if loose:
        caveats.append(f"Not reproducible, played on a wall clock or in a game with one: {counted(loose, 'episode')}.")
    caveats += [safe_text(f"{n}.", SHORT) for n in unknown_notes(frame["caveats"].drop_nulls().to_list())]
    if damaged:
        first = safe_text(next(iter(damaged.values())), SHORT)
        n = counted(len(damaged), "episode")
        caveats.append(f"Scored, but not readable to be shown, labelled or counted: {n}: {first}")
    return caveats


def _index_values(results: Results, manifests: Iterable[RunManifest]) -> dict[str, Any]:
    n = [r.counts for r in results.main]
    totals = Counts(
        sum(c.planned for c in n), sum(c.finished for c in n), sum(c.failed for c in n), sum(c.excluded for c in n)
    )
    return {
        "totals": totals, "ended": results.frame.height, "cells": len(results.main),
        "games": results.frame["game"].n_unique(), "tasks": results.frame.select("game", "task").n_unique(),
        "allow_incomplete": results.allow_incomplete, "folded": FOLDED, "most_rows": MOST_ROWS,
        "most_height": MOST_HEIGHT, "tested_games": TESTED_GAMES,
        "label": LABEL, "source": SOURCE, "version": __version__,
        "missed": sum(c.scored - c.won for c in n), "spent": spent_cell(*results.usages.values()).text,
        "runs": [
            {"name": safe_text(m.name or "run", SHORT), "id": safe_text(m.id, 40),
             "commit": safe_text((m.git_commit or "")[:12])}
            for m in manifests
        ],
    }  # fmt: skip
