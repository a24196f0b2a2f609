"""Forgeries that gwray itself computed: each is found by a replay, or is listed as not provable.

The strongest forger edits a reply log and lets the run's own command make rows, results and hashes from it. The world
has no page, so no browser is started.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from gwray.plugins.leaderboard.proof import prove_pack
from gwray.store import UNPROVABLE, RunDir, seal_run
from gwray.verification import verify_run, verify_stored
from verification.forging import KIND, Forger, packed

DOCS = Path(__file__).parents[2] / "docs"
pytestmark = pytest.mark.usefixtures("own_cache")


def found(run: RunDir) -> str:
    """Returns the findings of a run that was sealed again; none if it is proven."""
    seal_run(run)
    findings = [*verify_stored(run), *asyncio.run(verify_run(run, trusted=[KIND]))]
    return " | ".join(f"{f.verdict} {f.detail}" for f in findings if f.detail or not f.proven)


class Trial(NamedTuple):
    name: str
    of: str
    forge: Callable[[Forger], Any]
    found: str
    """Pattern of what is found; empty: not provable."""


def halved(line: dict[str, Any]) -> None:
    line["reply"]["latency_ms"] /= 2


def halved_elsewhere(line: dict[str, Any]) -> None:
    halved(line)
    line["browser"] = "Chromium 1"


TRIALS = [
    Trial("latency 0 in real time", "timed", lambda f: f.reply(latency_ms=0), "other screenshots"),
    Trial("latency halved in real time", "timed", lambda f: f.line(halved), "other screenshots"),
    Trial("latency halved, as if in another browser", "timed", lambda f: f.line(halved_elsewhere), "another browser"),
    Trial("latency halved, no screenshots", "blind", lambda f: f.line(halved), ""),
    Trial("another served model", "strong", lambda f: f.reply(served_model="GPT-5.2"), ""),
    Trial("replies of another model", "strong", lambda f: f.relaunch(model_id="GPT-5.2"), "missing|does not plan"),
    Trial("a better random player", "random", lambda f: f.reply(text='{"action": "up"}'), "than its player"),
    Trial("a better random player in another browser", "random",
          lambda f: f.reply_elsewhere(text='{"action": "up"}'), "than its player"),
    Trial("results that call themselves irreproducible", "strong",
          lambda f: f.result(success=True, progress=1.0, score=9999.0, reproducible=False, browser="9"), "score"),
    Trial("results of another browser", "strong", lambda f: f.result(score=9999.0, browser="9"), "score"),
]  # fmt: skip


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


def test_docs_and_commands_say_what_is_not_provable_in_the_same_words():
    assert UNPROVABLE in " ".join((DOCS / "verify.md").read_text().split())
