"""What a long episode costs in memory: decisions with a 60 kB picture each, written one by one and read back.

    python bench/long_episode.py

Each number is the peak resident memory of a process of its own, beside what the same process has after an episode of
one decision. "streamed" goes through `EpisodeWriter` and `iter_steps`; "whole" builds the list and reads it. Exit code
1 when streaming 1,000 decisions takes more than 32 MB over 100.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time

from gwray.records import EpisodeRecord, StepRecord
from gwray.store import EpisodeMeta, RunDir

PICTURE_BYTES = 60_000
STATE = '{"game_state": {"score": 1, "board": [' + ", ".join(["0"] * 500) + "]}}"
ALLOWED_MB = 32


def decisions(n: int):
    for i in range(n):
        picture = os.urandom(PICTURE_BYTES)
        yield StepRecord(step=i, decision=i, attempt=0, role="player", screenshot=picture, state=STATE, text="a" * 800)


def work(how: str, n: int, url: str) -> None:
    """One process: write or read an episode of n decisions, then print its peak memory in MB and its seconds."""
    run = RunDir(url) if RunDir.is_run(url) else RunDir.create(url)
    meta = EpisodeMeta(record=EpisodeRecord(key="k", cell="c", game="g", task="t"))
    start = time.perf_counter()
    if how == "write streamed":
        with run.episode_writer("k") as writer:
            for row in decisions(n):
                writer.append([row])
            writer.finish(meta)
    elif how == "write whole":
        run.write_episode("k", list(decisions(n)), meta)
    elif how == "read streamed":
        assert sum(len(row.screenshot or b"") for row in run.iter_steps("k")) == n * PICTURE_BYTES
    else:
        assert len(run.read_episode("k").steps) == n
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, time.perf_counter() - start)


def main() -> int:
    peaks: dict[tuple[str, int], float] = {}
    print(f"{'':16}{'decisions':>10}{'peak MB':>10}{'over 1':>10}{'seconds':>10}")
    with tempfile.TemporaryDirectory() as folder:
        for how in ("write streamed", "read streamed", "write whole", "read whole"):
            for n in (1, 100, 1000):
                where = f"{folder}/{n}"
                done = subprocess.run(
                    [sys.executable, __file__, how, str(n), where], check=True, capture_output=True, text=True
                )
                peak, seconds = map(float, done.stdout.split())
                peaks[how, n] = peak
                print(f"{how:16}{n:>10}{peak:>10.0f}{peak - peaks[how, 1]:>10.0f}{seconds:>10.2f}")
    worst = max(peaks[how, 1000] - peaks[how, 100] for how in ("write streamed", "read streamed"))
    return int(worst > ALLOWED_MB)


if __name__ == "__main__":
    if len(sys.argv) == 4:
        work(sys.argv[1], int(sys.argv[2]), sys.argv[3])
    else:
        sys.exit(main())
