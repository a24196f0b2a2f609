"""Makes `docs/faults.md` of what `cluster_faults.py` has counted."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
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
    "drain": "a worker host is drained with 10 s notice (`ray drain-node`), then dead; it joins again",
    "stopped": "an actor is stopped (SIGSTOP) for 20 s",
    "link": "a host's cable is out for 15 s",
    "partition": "a worker host's cable is out for 100 s, so that Ray takes the host for dead while it still plays",
    "link-slow": "a host's cable has 200 ms more of a round trip and loses 5 % of all packets for 15 s",
    "store": "the S3 server answers nobody for 60 s",
    "store-slow": "the S3 server answers for 0.1 s of each 0.9 s, for 15 s",
    "disk-full": "a host's disk is full for 15 s",
    "tracker": "`kill -9` of the process that feeds W&B, or W&B's server answers nobody for 15 s",
    "gcs": "`kill -9` of Ray's GCS; two seconds later all hosts start anew",
    "head": "the head host is dead at once, with GCS and command; all hosts start anew",
    "clock": "the clock of every process on the hosts jumps to up to 6 hours before or after",
    "engine": "`kill -9` of vLLM's engine of a hosted model",
    "replica": "`kill -9` of the replica in which that engine is",
    "proxy": "`kill -9` of Serve's proxy, or of what looks after it",
}
HOSTED = ("engine", "replica", "proxy")
"""Those of `engine_faults.py`."""
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
had given them before: when an asker dies, the replies that were on their way to it, or that it had not yet written
down, are nobody's: at most one for each role of each episode that it played.
*Verified* are episodes that play again identically from their logs. *Left* are processes on any host half a minute
after the last command ended.

A line at which something was found is counted anew from the mend on. What stopped a run and was begun again by the same
command is in *commands*: `driver` and `head` need one more after each strike, the others one for each run.

What Ray does not bear by itself: without a GCS that keeps its state outside (Redis), the end of the GCS or of the head
host is the end of that cluster; start it again on all hosts, then give the same command. A host that is cut off for
15 s or more may be taken for dead; its raylet then ends itself, and Ray has to be started on that host again. The run
goes on with the hosts that are left.

`engine`, `replica` and `proxy` play on one machine, with the tiny model on vLLM's engine for CPUs. Its replies are its
own, so no two runs are alike; *asked again* are replies that took the client more than one request.

`sudo python bench/cluster_faults.py --line LINE --seed SEED --count STRIKES` repeats a row: the same draws. What else
the cluster was doing at such a moment is never quite the same twice. The last three need `make setup-vllm`, and are
`.venv-vllm/bin/python bench/engine_faults.py --line LINE --seed SEED --count STRIKES`.

`sudo make test-cluster` strikes `driver`, `actor`, `host`, `link`, `store-slow` and `disk-full` once each, at moments
from one seed.
"""


def counted() -> list[dict[str, Any]]:
    """All runs, oldest first."""
    lines = RESULTS.read_text().splitlines() if RESULTS.exists() else []
    return [json.loads(line) for line in lines]


def latest(runs: Iterable[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """Of each line, in the order of `LINES`, its runs since the last one that found something, which was mended then;
    that one, if it is the last. A run that was over before it was struck shows nothing."""
    kept: dict[str, list[dict[str, Any]]] = {line: [] for line in LINES}
    for run in (run for run in runs if run["strikes"]):
        so_far = kept[run["line"]]
        if run["wrong"] or any(one["wrong"] for one in so_far):
            so_far.clear()
        so_far.append(run)
    return {line: some for line, some in kept.items() if some}


def row(line: str, runs: Sequence[dict[str, Any]]) -> list[str]:
    """Of the table: sums, but for what was the most."""
    total: Counter[str] = Counter({"runs": len(runs)})
    for run in runs:
        numbers = {key: value for key, value in run.items() if isinstance(value, int | float) and key != "run"}
        total.update(numbers)
    total["lost"] = total["planned"] - total["finished"]
    if "most_again" in total:
        total["most_again"] = max(run["most_again"] for run in runs)
    seeds = ", ".join(str(seed) for seed in sorted({run["seed"] for run in runs}))
    days = sorted({run["date"].partition(" ")[0] for run in runs})
    load = max(run["load"] for run in runs)
    found = "".join(f"; **{what}**" for run in runs for what in run["wrong"])
    return [
        f"{line}: {LINES[line]}",
        *(f"{total[key]:,}" if key in total else "–" for key in ROWS.values()),
        f"{days[-1]}, seed {seeds}, {total['seconds'] / 60:.0f} min, load up to {load:.0f}{found}",
    ]


def page() -> str:
    """`docs/faults.md`."""
    shown = latest(counted())
    table = [["fault", *ROWS, "counted"], ["---", *["---:"] * len(ROWS), "---"]]
    table += [row(line, runs) for line, runs in shown.items()]
    missing = [line for line in LINES if line not in shown]
    not_yet = f"\nNot counted yet: {', '.join(missing)}.\n" if missing else ""
    return PAGE_HEAD + "".join(f"| {' | '.join(words)} |\n" for words in table) + not_yet + PAGE_TAIL


def write_page() -> None:
    PAGE.write_text(page())
