"""Generates `docs/faults.md` from the counts of `cluster_faults.py`."""

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
    "actor": "`kill -9` of an actor that plays, on any node",
    "renderer": "`kill -9` of a browser's renderer process",
    "browser": "`kill -9` of a browser",
    "node": "`kill -9` of Playwright's driver, a node process",
    "driver": "`kill -9` of the command itself",
    "raylet": "`kill -9` of a node's raylet; Ray is restarted there",
    "host": "a worker node dies with everything on it; it joins again",
    "drain": "a worker node is drained with 10 s notice (`ray drain-node`), then dies; it joins again",
    "stopped": "an actor is stopped (SIGSTOP) for 20 s",
    "link": "a node's network link is down for 15 s",
    "partition": "a worker node's network link is down for 100 s, so that Ray considers it dead while it still plays",
    "store": "the S3 server does not respond for 60 s",
    "store-slow": "the S3 server responds for 0.1 s of each 0.9 s, for 15 s",
    "disk-full": "a node's disk is full for 15 s",
    "tracker": "`kill -9` of the process that sends to W&B, or W&B's server does not respond for 15 s",
    "gcs": "`kill -9` of Ray's GCS; two seconds later all nodes restart",
    "head": "the head node dies with GCS and command; all nodes restart",
    "clock": "the clock of every process on the nodes jumps by up to 6 hours in either direction",
    "engine": "`kill -9` of vLLM's engine of a hosted model",
    "replica": "`kill -9` of the replica that runs that engine",
    "proxy": "`kill -9` of Serve's proxy, or of its controller",
}
HOSTED = ("engine", "replica", "proxy")
"""Fault types of `engine_faults.py`."""
COLUMNS = {
    "faults": "strikes",
    "episodes": "planned",
    "lost": "lost",
    "different": "different",
    "requested again": "again",
    "most after a fault": "most_again",
    "verified": "verified",
    "left": "left",
}
"""Columns of the table, and the key of a count that each shows."""
PAGE_HEAD = """# Fault tests

No fault lost an episode in these tests, and no result differed from an undisturbed run where the two can be compared.

A sweep plays on three nodes (`scripts/cluster.sh`: each with its own address, processes and temporary folders; runs in
an S3 server) and asks a model that answers four requests at a time. One part is broken at random moments, chosen by
the seed as a number of replies after the previous fault. The broken part is repaired at once, and the same command is
started again whenever it has ended. The complete run is compared with an undisturbed one.

"""
PAGE_TAIL = """
- **Lost**: planned episodes without a result.
- **Different**: episodes whose outcome, states or screenshots differ from the undisturbed run. An accidental score of 0
  would count here.
- **Requested again**: replies that the model had to generate a second time. When the requesting process dies, replies
  in flight or not yet written are lost, at most one for each role of each episode that it played.
- **Verified**: episodes that replay identically from their logs.
- **Left**: processes on any node half a minute after the last command ended.

If a fault type finds a bug, its count restarts after the fix. `driver` and `head` end the command, so it is given again
after each fault.

Ray itself does not survive the end of its GCS or head node, unless the GCS stores its state in Redis: restart Ray on
all nodes, then give the same command. A node that is unreachable for 15 s or more may be considered dead; its raylet
then ends itself, and Ray must be restarted on that node. The run continues on the remaining nodes.

`engine`, `replica` and `proxy` run on one computer, with the tiny model on vLLM's CPU engine. Its replies are random,
so no two runs are alike: *requested again* are replies that took the client more than one request.

To repeat a row: `sudo python bench/cluster_faults.py --line TYPE --seed SEED --count N` makes the same random draws,
though the timing of everything else differs. `bench/results/cluster_faults.jsonl` has the seeds, dates and loads of all
runs. The last three types need `make setup-vllm` and `.venv-vllm/bin/python bench/engine_faults.py`, same options.

`sudo make test-cluster` injects `driver`, `actor`, `host`, `link`, `store-slow` and `disk-full` once each.
"""


def counted() -> list[dict[str, Any]]:
    """All runs, oldest first."""
    lines = RESULTS.read_text().splitlines() if RESULTS.exists() else []
    return [json.loads(line) for line in lines]


def latest(runs: Iterable[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """Of each line, in the order of `LINES`, its runs since the last one that found an error, which was then fixed;
    that one, if it is the last. A run that was over before it was struck shows nothing."""
    kept: dict[str, list[dict[str, Any]]] = {line: [] for line in LINES}
    for run in (run for run in runs if run["strikes"]):
        so_far = kept[run["line"]]
        if run["wrong"] or any(one["wrong"] for one in so_far):
            so_far.clear()
        so_far.append(run)
    return {line: some for line, some in kept.items() if some}


def row(line: str, runs: Sequence[dict[str, Any]]) -> list[str]:
    """Returns a row of the table: sums over the runs of a fault type, and the largest `most_again`."""
    total: Counter[str] = Counter()
    for run in runs:
        total.update({key: value for key, value in run.items() if isinstance(value, int | float)})
    total["lost"] = total["planned"] - total["finished"]
    if "most_again" in total:
        total["most_again"] = max(run["most_again"] for run in runs)
    found = "".join(f"; **{error}**" for run in runs for error in run["wrong"])
    numbers = (f"{total[key]:,}" if key in total else "–" for key in COLUMNS.values())
    return [f"`{line}`: {LINES[line]}{found}", *numbers]


def page() -> str:
    """Returns the text of `docs/faults.md`."""
    shown = latest(counted())
    runs = [run for some in shown.values() for run in some]
    days = sorted({run["date"].partition(" ")[0] for run in runs})
    table = [["fault type", *COLUMNS], ["---", *["---:"] * len(COLUMNS)]]
    table += [row(line, some) for line, some in shown.items()]
    missing = [line for line in LINES if line not in shown]
    when = f"\nCounted from {days[0]} to {days[-1]}, at a load of up to {max(run['load'] for run in runs):.0f}.\n"
    not_yet = f"Not counted yet: {', '.join(missing)}.\n" if missing else ""
    return PAGE_HEAD + "".join(f"| {' | '.join(cells)} |\n" for cells in table) + when + not_yet + PAGE_TAIL


def write_page() -> None:
    PAGE.write_text(page())
