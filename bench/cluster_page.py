"""Makes `docs/faults.md` of what `cluster_faults.py` has counted."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "bench" / "results" / "cluster_faults.jsonl"
PAGE = ROOT / "docs" / "faults.md"
LINES = {
    "actor": "`kill -9` of an actor that plays, on any host",
    "renderer": "`kill -9` of a browser's process that draws a page",
    "browser": "`kill -9` of a browser",
    "node": "`kill -9` of Playwright's driver, a node process",
    "driver": "`kill -9` of the command itself",
    "raylet": "`kill -9` of a host's raylet; the host's Ray is started again",
    "host": "a worker host is dead at once, with all that ran on it; it joins again",
    "stopped": "an actor is stopped (SIGSTOP) for 20 s",
    "link": "a host's cable is out for 15 s",
    "link-slow": "a host's cable has 200 ms more of a round trip and loses 5 % of all packets for 15 s",
    "store": "the S3 server answers nobody for 60 s",
    "store-slow": "the S3 server answers for 0.1 s of each 0.9 s, for 15 s",
    "disk-full": "a host's disk is full for 15 s",
    "tracker": "`kill -9` of the process that feeds W&B, or W&B's server answers nobody for 15 s",
    "gcs": "`kill -9` of Ray's GCS; two seconds later all hosts start anew",
    "head": "the head host is dead at once, with GCS and command; all hosts start anew",
    "clock": "the clock of every process on the hosts jumps to up to 6 hours before or after",
}

ROWS = {
    "strikes": "strikes",
    "runs": "runs",
    "commands": "starts",
    "episodes": "planned",
    "lost": "lost",
    "different": "different",
    "replies": "replies",
    "asked again": "again",
    "most after a strike": "most_again",
    "verified": "verified",
    "left": "left",
}
"""Columns of the table, and what of a count each shows."""
PAGE_HEAD = """# What breaks, and what it costs

A sweep plays on three hosts (`scripts/cluster.sh`: each with an address, processes and temporary folders of its own;
runs in an S3 server) and asks a model that answers four requests at a time. One part is broken at random moments: so
many replies after the strike before as the seed says. What was broken is mended at once, and the same command is
started again whenever it has ended. When a run is complete, it is held against an undisturbed one.

"""
PAGE_TAIL = """
*Lost* are planned episodes without a result. *Different* are episodes whose outcome, states or pictures are not those
of the undisturbed run: a score of 0 by accident would be one. *Asked again* are replies that the model gave although it
had given them before: when an asker dies, the replies that were on their way to it are nobody's, at most four.
*Verified* are episodes that play again identically from their logs. *Left* are processes on any host half a minute
after the last command ended.

`sudo python bench/cluster_faults.py --line LINE --seed SEED --count STRIKES` repeats a row: the same draws. What else
the cluster was doing at such a moment is never quite the same twice.
"""


def counted() -> list[dict[str, Any]]:
    """All counts, oldest first."""
    lines = RESULTS.read_text().splitlines() if RESULTS.exists() else []
    return [json.loads(line) for line in lines]


def latest(counts: Iterable[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Of each line the count that was made last, in the order of `LINES`."""
    by_line = {c["line"]: c for c in counts}
    return {line: by_line[line] for line in LINES if line in by_line}


def page() -> str:
    """`docs/faults.md`."""
    shown = latest(counted())
    table = [["fault", *ROWS, "counted"], ["---", *["---:"] * len(ROWS), "---"]]
    for line, count in shown.items():
        count["lost"] = count["planned"] - count["finished"]
        of = f"{count['date']}, seed {count['seed']}, {count['seconds']} s, load {count['load']:.0f}"
        table.append([f"{line}: {LINES[line]}", *(f"{count[key]:,}" for key in ROWS.values()), of])
    return PAGE_HEAD + "".join(f"| {' | '.join(row)} |\n" for row in table) + PAGE_TAIL


def write_page() -> None:
    PAGE.write_text(page())
