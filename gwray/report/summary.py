"""The first lines of a report: verdict, conditions, and the commands to repeat or verify the runs."""

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from gwray.analysis import score_notes
from gwray.pages import LONG, SHORT, safe_text
from gwray.report.results import Results
from gwray.store import RunDir, RunManifest, read_seal

MOST_NAMED = 6
"""More seeds than this are counted, not named."""


@dataclass(frozen=True)
class Summary:
    sentence: str
    notes: tuple[str, ...]
    """Remarks on the scores in the sentence."""
    facts: tuple[tuple[str, str], ...]
    """Name and value of each run condition."""
    commands: tuple[tuple[str, str], ...]
    """Purpose and command."""
    packs: tuple[str, ...]
    """Files of the packs, relative to the page."""


def summarize(
    results: Results, verdict: str, manifests: Sequence[RunManifest], runs: Sequence[RunDir], packs: Mapping[str, str]
) -> Summary:
    """Returns the first lines of a report. `packs`: pack files beside the page, by the URL of their run."""
    return Summary(
        verdict,
        tuple(_notes(results)),
        tuple((name, text) for name, text in _facts(results, manifests, runs) if text),
        tuple(_commands(manifests, runs, packs)),
        tuple(packs.values()),
    )


def _notes(results: Results) -> Iterable[str]:
    yield from (f"{note[0].upper()}{note[1:]}." for note in score_notes(results.main))
    if (floor := results.floors.average_over(results.tasks()[""])) and floor.complete:
        blind = (
            "the best of many earlier plays that never looked at the game (random, waiting, fixed lists), task by task"
        )
        yield f"For comparison, {blind}: success {100 * floor.sr:.0f} %, progress {100 * floor.pg:.0f} %."


def _facts(results: Results, manifests: Sequence[RunManifest], runs: Sequence[RunDir]) -> Iterable[tuple[str, str]]:
    days = sorted({str(d)[:10] for d in results.frame["finished_at"].drop_nulls() if d})
    yield "played", " – ".join(dict.fromkeys((days[0], days[-1]))) if days else ""
    seeds = sorted(set(results.frame["seed"].drop_nulls()))
    yield "random seeds", ", ".join(map(str, seeds)) if len(seeds) <= MOST_NAMED else str(len(seeds))
    timings = [t for t in results.frame["timing"].unique().sort() if t]
    yield "timing", ", ".join(safe_text(t, SHORT) for t in timings)
    yield "browser", ", ".join(safe_text(b, SHORT) for b in results.frame["browser"].drop_nulls().unique().sort() if b)
    versions = [{**m.versions, "gwray": m.gwray} for m in manifests]
    for name in ("gwray", "python", "ray", "playwright"):
        yield name, " / ".join(dict.fromkeys(v[name] for v in versions if v.get(name)))
    prices = dict.fromkeys(p for m in manifests for p in m.prices.values())
    yield "prices", ", ".join(safe_text(p, SHORT) for p in prices)
    seals = [read_seal(run) for run in runs]
    yield "seal", ", ".join(safe_text(s.sentence if s.broken else s.recorded, LONG) for s in seals if s.recorded)
    yield "code", ", ".join(dict.fromkeys((m.git_commit or "")[:12] for m in manifests)).strip(", ")


def _verify(run: RunDir, packs: Mapping[str, str]) -> str:
    """Returns the command that replays a run: from its pack, which a reader has, or else from its directory."""
    if (file := packs.get(run.url)) is None:
        return safe_text(f"gwray verify {shlex.quote(run.url)}", LONG)
    name = PurePosixPath(file).name
    return f"gwray unpack {name} -o runs/{name.removesuffix('.gwray')}"


def _commands(
    manifests: Sequence[RunManifest], runs: Sequence[RunDir], packs: Mapping[str, str]
) -> Iterable[tuple[str, str]]:
    for m in manifests:
        if m.command:
            yield "Run it again (the same command resumes an unfinished run)", safe_text(m.command, LONG)
    for run in runs:
        yield "Verify every step, without a model", _verify(run, packs)
