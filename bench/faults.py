"""Breaks one part of a run at a random moment, resumes with the same command, and counts the cost.

A line is one kind of fault: `driver` (kill -9), `terminate` (SIGTERM), `browser`, `renderer` and `node` (kill -9 of the
browser's main process, of one that draws a page, of Playwright's driver). After each trial the results must be those of
an undisturbed run (no episode lost, none scored 0 by accident), no reply asked for again that was not in flight, no
process left, and every episode must verify.

    python bench/faults.py [--line driver browser …] [--count 20] [--seed 1] [--minutes 60]

Lines take turns, so that a count that is broken off by `--minutes` has about as many trials of each.

Exit code 1 if anything is lost, asked again without need, different or left running.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import psutil

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests")]

from pipelines.conftest import MARK, gone  # noqa: E402
from pipelines.test_survival import answer, command, results  # noqa: E402
from standin import Standin  # noqa: E402

from gwray.cli.console import terminal  # noqa: E402
from gwray.cli.terminal import print_table  # noqa: E402
from gwray.store import RunDir  # noqa: E402
from gwray.verification.verify import verify_run  # noqa: E402

IN_FLIGHT = 4
"""The model's limit in `command`: replies that a fault may cost."""
SWEEP = ("executor=inline", "executor.lanes=2", "repeats=1", "task=[1,2]")
LATENCY_S = 0.03
LINES = ["driver", "terminate", "browser", "renderer", "node"]


@dataclass
class Tally:
    trials: int = 0
    late: int = 0
    """Trials whose run had ended before the fault."""
    finished: int = 0
    planned: int = 0
    asked_again: int = 0
    most_at_once: int = 0
    verified: int = 0
    left: int = 0
    wrong: list[str] = field(default_factory=list)


def target(line: str, driver: int) -> psutil.Process | None:
    """The process that is killed, or None if it is not there (any more)."""
    try:
        family = psutil.Process(driver).children(recursive=True)
        words = {p: p.cmdline() for p in family}
    except psutil.Error:
        return None
    browsers = {p: w for p, w in words.items() if any("headless" in x for x in w[:1])}
    match line:
        case "renderer":
            found = [p for p, w in browsers.items() if any("--type=renderer" in x for x in w)]
        case "browser":
            found = [p for p, w in browsers.items() if not any("--type=" in x for x in w)]
        case _:
            found = [p for p, w in words.items() if "run-driver" in w]
    return found[0] if found else None


def strike(line: str, driver: subprocess.Popen[bytes]) -> bool:
    """Do it; whether there was something to break."""
    if line in ("driver", "terminate"):
        driver.send_signal(signal.SIGKILL if line == "driver" else signal.SIGTERM)
        return True
    process = target(line, driver.pid)
    if process is None:
        return False
    process.kill()
    return True


def trial(line: str, folder: Path, standin: Standin, calm: list[tuple], needed: int, at: int, tally: Tally) -> None:
    """One run, broken after `at` replies, and the same command until it is complete."""
    os.environ[MARK] = mark = uuid.uuid4().hex
    standin.seen.clear()
    words = command(standin, folder, *SWEEP)
    driver = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while standin.answered < at and driver.poll() is None:
        time.sleep(0.002)
    struck = False
    while driver.poll() is None and not (struck := strike(line, driver)):
        time.sleep(0.01)
    tally.late += not struck
    driver.wait(timeout=600)
    done = subprocess.run(words, capture_output=True, text=True, timeout=600)
    run = RunDir.open(str(folder))
    tally.trials += 1
    tally.planned += len(calm)
    tally.finished += len(run.results())
    again = standin.answered - needed
    tally.asked_again += again
    tally.most_at_once = max(tally.most_at_once, again)
    found = asyncio.run(verify_run(run))
    tally.verified += sum(f.verdict == "identical" for f in found)
    left = asyncio.run(gone(mark))
    tally.left += len(left)
    where = f"{line} after {at} replies: "
    if done.returncode:
        tally.wrong.append(where + f"the same command ended with {done.returncode}: {done.stdout[-300:]}")
    if results(folder) != calm:
        tally.wrong.append(where + "the results are not those of an undisturbed run")
    if not 0 <= again <= IN_FLIGHT:
        tally.wrong.append(where + f"{again} replies were asked for again")
    if len(found) != len(calm) or any(f.verdict != "identical" for f in found):
        tally.wrong.append(where + f"not verified: {[f for f in found if f.verdict != 'identical']}")


def show(tallies: dict[str, Tally], seed: int) -> int:
    """Print the table; the exit code."""
    counts = [
        ("trials", lambda t: t.trials),
        ("  whose run had ended before", lambda t: t.late),
        ("episodes planned · finished", lambda t: f"{t.planned} · {t.finished}"),
        (f"replies asked for again (most after one fault, {IN_FLIGHT} in flight)",
         lambda t: f"{t.asked_again} ({t.most_at_once})"),
        ("episodes verified", lambda t: t.verified),
        ("processes left running", lambda t: t.left),
        ("lost, different or asked for again without need", lambda t: len(t.wrong)),
    ]  # fmt: skip
    rows = [(what, *(str(count(t)) for t in tallies.values())) for what, count in counts]
    load = " ".join(f"{x:.0f}" for x in os.getloadavg())
    title = f"{datetime.now(UTC):%Y-%m-%d}, seed {seed}, load at the end {load}"
    print_table(("", *tallies), rows, terminal(), title)
    for problem in (problem for tally in tallies.values() for problem in tally.wrong):
        print(problem, file=sys.stderr)
    return int(any(t.wrong or t.left for t in tallies.values()))


def measure(options: argparse.Namespace) -> int:
    draw, tallies = random.Random(options.seed), {line: Tally() for line in options.line}
    ends = time.monotonic() + options.minutes * 60
    with tempfile.TemporaryDirectory() as temporary, Standin(keep_bodies=False) as standin:
        standin.answer = answer
        folder = Path(temporary)
        subprocess.run(command(standin, folder / "calm", *SWEEP), check=True, capture_output=True, timeout=600)
        calm, needed = results(folder / "calm"), standin.answered
        standin.latency_s = LATENCY_S
        for n, line in ((n, line) for n in range(options.count) for line in options.line):
            if time.monotonic() > ends:
                break
            at = draw.randrange(1, needed * 3 // 4)
            trial(line, folder / f"{line}-{n}", standin, calm, needed, at, tallies[line])
            print(f"{datetime.now(UTC):%H:%M} {line}: {n + 1} of {options.count}", file=sys.stderr, flush=True)
    return show(tallies, options.seed)


def options(lines: list[str], doc: str | None) -> argparse.ArgumentParser:
    """Parses the options of a count of faults."""
    p = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--line", nargs="+", default=lines, choices=lines, metavar="LINE", help=", ".join(lines))
    p.add_argument("--count", type=int, default=20, help="trials of each line")
    p.add_argument("--minutes", type=float, default=float("inf"), help="no trial begins later")
    p.add_argument("--seed", type=int, default=1, help="of the moments")
    return p


def main() -> int:
    return measure(options(LINES, __doc__).parse_args())


if __name__ == "__main__":
    sys.exit(main())
