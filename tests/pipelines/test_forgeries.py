"""The table of forgeries in docs/verify.md: each is found where the table says, or is listed as not provable.

The strongest forger edits a run and lets gwray compute everything again: a reply log is edited, and the run's own
command makes rows, results and hashes from it. The world has no page, so no browser is started.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from gwray.pipelines import prove_pack, verify_run, verify_stored
from gwray.pipelines.manifest_check import episode_specs
from gwray.pipelines.plausibility import clock_note, implausible
from gwray.records import LoggedReply, Usage
from gwray.spec import ModelSpec
from gwray.store import UNPROVABLE, RunDir, seal_run
from pipelines.forging import KIND, Forger, packed

DOCS = Path(__file__).parents[2] / "docs"
SERVER = ModelSpec(name="mcp", provider="mcp", options={"command": "agent"})
pytestmark = pytest.mark.usefixtures("own_cache")


def found(run: RunDir) -> str:
    """What is said against a run that was sealed again; empty: it is proven without a remark."""
    seal_run(run)
    findings = [*verify_stored(run), *asyncio.run(verify_run(run, trusted=[KIND]))]
    return " | ".join(f"{f.verdict} {f.detail}" for f in findings if f.detail or not f.proven)


class Trial(NamedTuple):
    name: str
    of: str
    forge: Callable[[Forger], Any]
    found: str
    """Pattern of what is found; empty: not provable."""


def at_once(line: dict[str, Any]) -> None:
    line["reply"]["latency_ms"] = 900.0
    line["at"] = "2026-01-01T00:00:00.000+00:00"


def backwards(line: dict[str, Any]) -> None:
    line["at"] = f"2026-01-01T00:00:0{9 - line['decision']}.000+00:00"


def halved(line: dict[str, Any]) -> None:
    line["reply"]["latency_ms"] /= 2


def halved_elsewhere(line: dict[str, Any]) -> None:
    halved(line)
    line["browser"] = "Chromium 1"


def older_rules(line: dict[str, Any]) -> None:
    if line["decision"] == 2:
        line["reply"]["reading"] = 1


def cheaper(forger: Forger) -> None:
    forger.usage(input=10, cached=0, output=1, reasoning=0)


TRIALS = [
    Trial("latency 0 in real time", "timed", lambda f: f.reply(latency_ms=0), "other screenshots|0 ms"),
    Trial("latency halved in real time", "timed", lambda f: f.line(halved), "other screenshots"),
    Trial("latency halved, as if in another browser", "timed", lambda f: f.line(halved_elsewhere), "another browser"),
    Trial("latency 1 ms in real time", "timed", lambda f: f.reply(latency_ms=1), "other screenshots"),
    Trial("latency 0, no screenshots", "blind", lambda f: f.reply(latency_ms=0), "answered in 0 ms"),
    Trial("latency halved, no screenshots", "blind", lambda f: f.line(halved), ""),
    Trial("latency halved, game paused", "strong", lambda f: f.line(halved), ""),
    Trial("latency below 0", "strong", lambda f: f.reply(latency_ms=-5), "latency is -5 ms"),
    Trial("latency of a year", "strong", lambda f: f.reply(latency_ms=3e10), "latency is 3e"),
    Trial("latency longer than between replies", "strong", lambda f: f.reply(latency_ms=60_000), "but took 60,000"),
    Trial("all replies at one instant", "strong", lambda f: f.line(at_once), "it arrived 0 ms after an earlier one"),
    Trial("replies in reverse order", "strong", lambda f: f.line(backwards), "after an earlier one, but took"),
    Trial("no time of arrival", "strong", lambda f: f.line(lambda line: line.update(at="")), "no time of UTC"),
    Trial("a time without its zone", "strong", lambda f: f.line(lambda line: line.update(at="2026-01-01")), "no time"),
    Trial("fewer than 0 in flight", "strong", lambda f: f.line(lambda line: line.update(in_flight=-1)), "-1 in flight"),
    Trial("no request", "strong", lambda f: f.reply(requests=0), "without a request"),
    Trial("fewer than 0 requests", "strong", lambda f: f.reply(requests=-1), "-1 requests"),
    Trial("more cached than input", "strong", lambda f: f.usage(cached=9999), "9999 of 1000 input tokens are cached"),
    Trial("more reasoning than output", "strong", lambda f: f.usage(reasoning=9999), "output tokens are reasoning"),
    Trial("tokens below 0", "strong", lambda f: f.usage(output=-5, reasoning=-5), "-5 output tokens"),
    Trial("text of no token", "strong", lambda f: f.usage(output=0, reasoning=0), "without an output token"),
    Trial("a price below 0", "strong", lambda f: f.reply(cost_usd=-1.0), "it cost -1 USD"),
    Trial("a reading of the future", "strong", lambda f: f.reply(reading=9), "rules of version 9"),
    Trial("one reply by older rules", "strong", lambda f: f.line(older_rules), "version 1, the reply before"),
    Trial("all replies by the first rules", "strong", lambda f: f.reply(reading=1), ""),
    Trial("fewer tokens", "strong", cheaper, ""),
    Trial("another served model", "strong", lambda f: f.reply(served_model="GPT-5.2"), ""),
    Trial("another finish reason", "strong", lambda f: f.reply(finish_reason="length"), ""),
    Trial("replies of another model", "strong", lambda f: f.relaunch(model_id="GPT-5.2"), "missing|does not plan"),
    Trial("a better random player", "random", lambda f: f.reply(text='{"action": "up"}'), "than its player"),
    Trial("a random player with tokens", "random", lambda f: f.usage(output=5), "without a model has tokens"),
    Trial("a random player with a served model", "random", lambda f: f.reply(served_model="x"), "without a model has"),
    Trial("a random player with a request", "random", lambda f: f.reply(requests=1), "without a model has a request"),
    Trial("results that call themselves irreproducible", "strong",
          lambda f: f.result(success=True, progress=1.0, score=9999.0, reproducible=False, browser="9"), "score"),
    Trial("results of another browser", "strong", lambda f: f.result(score=9999.0, browser="9"), "score"),
    Trial("a failed game left out of the plan", "weak", lambda f: dropped(f), "plans it|does not plan"),
]  # fmt: skip


def dropped(forger: Forger) -> None:
    """The plan, logs and results without one episode."""
    last = forger.run.manifest().episodes[-1].key
    kept = forger.run.manifest().episodes.select(lambda part: last not in part.episode_keys())
    forger.run.write_manifest(forger.run.manifest().model_copy(update={"episodes": kept}))
    forger.run.rewrite_results([r for r in forger.run.results() if r.key != last])
    for file in forger.run.local_path.rglob(f"{last}.*"):
        file.unlink()


def test_server_that_chooses_actions_has_no_tokens(honest):
    key = honest.strong.manifest().episodes[0].key
    lines = honest.strong.log(key).read()
    spec: Any = SimpleNamespace(cell=SimpleNamespace(player=lambda role: SimpleNamespace(model_for=lambda by: SERVER)))
    assert "counts no tokens" in implausible(lines, spec)
    bare = [line.model_copy(update={"reply": line.reply.model_copy(update={"usage": Usage()})}) for line in lines]
    assert implausible(bare, spec) == ""


def test_honest_runs_are_proven(honest):
    for run in honest[2:]:
        assert found(run) == ""


@pytest.mark.parametrize("trial", TRIALS, ids=[t.name.replace(" ", "-") for t in TRIALS])
def test_forged_run_is_found_or_listed_as_unprovable(forger, honest, trial, tmp_path):
    forged = forger(getattr(honest, trial.of))
    trial.forge(forged)
    against = found(forged.run)
    assert re.search(trial.found, against) if trial.found else against == ""
    _, proof = asyncio.run(
        prove_pack(packed(forged.run, tmp_path / "f.gwray"), str(tmp_path / "p"), libraries=[str(honest.library)],
                   trusted=[KIND])
    )  # fmt: skip
    assert any(proof.cells.values()) == bool(trial.found), proof.cells


def test_clock_set_back_once_is_only_a_note(honest):
    """An honest computer's clock is corrected, or the computer sleeps; a forger's times step back again and again."""

    def moved(lines: list[LoggedReply], decision: int, seconds: float) -> list[LoggedReply]:
        later = timedelta(seconds=seconds)
        times = [datetime.fromisoformat(line.at) + (line.decision >= decision) * later for line in lines]
        return [line.model_copy(update={"at": t.isoformat()}) for line, t in zip(lines, times, strict=True)]

    (key, spec), *_ = episode_specs(honest.strong).items()
    lines = honest.strong.log(key).read()
    for log, note, doubt in (
        (lines, False, False),
        (moved(lines, 2, 3600), False, False),
        (moved(lines, 2, -5), True, False),
        (moved(moved(lines, 2, -5), 3, -5), False, True),
    ):
        assert (bool(clock_note(log)), bool(implausible(log, spec))) == (note, doubt)


def test_the_same_sentence_says_what_is_not_provable():
    words = " ".join((DOCS / "verify.md").read_text().split())
    assert UNPROVABLE in words
    table = [line for line in (DOCS / "verify.md").read_text().splitlines() if line.startswith("| ")]
    for trial in TRIALS:
        (row,) = [line for line in table if line.startswith(f"| {trial.name} |")]
        assert ("not provable" in row) == (not trial.found), row
