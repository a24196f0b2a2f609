"""What a run costs in an object store: requests and time of an append, a put, a resume and `gwray status`, by its size.

The store is moto's S3 server in a process of its own, with an index for listings (moto itself goes through all keys
for each page). Runs are synthetic: planned as usual, then filled with a log and an episode file per finished episode,
without requests. Further episodes of 20 replies are then stored as a lane stores them.

    python bench/store.py [--sizes 10 10000 300000] [--episodes 20]   # half an hour: moto takes up to a second a page
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import time
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import count
from multiprocessing.connection import Connection
from typing import Any

import s3fs

from gwray.cli.console import terminal
from gwray.cli.terminal import print_table
from gwray.pipelines import make_plan, run_spec
from gwray.pipelines.manifest import open_run
from gwray.pipelines.plan import Plan
from gwray.pipelines.repair import find_damage
from gwray.records import EpisodeRecord, LoggedReply, Reply
from gwray.store import EpisodeMeta, RunDir
from gwray.store.status import status_of

BUCKET = "runs"
REPLIES = 20
"""Replies of an episode."""
READ = 500
"""Logs that are read in one go, as the seal reads all."""
BATCH = 300
"""Results per append: about one part of a file."""


def serve(pipe: Connection) -> None:
    """Runs the S3 server; fills it with (keys, content) from the pipe."""
    from moto.core import DEFAULT_ACCOUNT_ID
    from moto.s3 import models
    from moto.server import ThreadedMotoServer

    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # its log of requests
    names: list[str] = []
    put = models.S3Backend.put_object

    def put_indexed(self: Any, bucket_name: str, key_name: str, *args: Any, **options: Any) -> Any:
        at = bisect_left(names, key_name)
        if names[at : at + 1] != [key_name]:
            names.insert(at, key_name)
        return put(self, bucket_name, key_name, *args, **options)

    def page(
        self: Any, bucket: Any, prefix: Any, delimiter: Any, continuation_token: Any, start_after: Any, max_keys: int
    ) -> tuple[list[Any], bool, str | None]:
        prefix = prefix or ""
        found: list[Any] = []
        last = ""
        at = bisect_right(names, continuation_token or start_after or "")
        at = max(at, bisect_left(names, prefix))
        while at < len(names) and names[at].startswith(prefix):
            if len(found) == max_keys:
                return found, True, last
            last = names[at]
            cut = last.find(delimiter, len(prefix)) if delimiter else -1
            if cut >= 0:  # all that is below a folder is one entry
                found.append(last[: cut + 1])
                last = found[-1] + "\U0010ffff"
            else:
                found.append(bucket.keys[last])
            at = bisect_right(names, last)
        return found, False, None

    models.S3Backend.put_object, models.S3Backend.list_objects_v2 = put_indexed, page  # type: ignore[method-assign]
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    pipe.send(server.get_host_and_port()[1])
    backend = models.s3_backends[DEFAULT_ACCOUNT_ID]["aws"]
    while (fill := pipe.recv()) is not None:
        keys, content = fill
        bucket = backend.get_bucket(BUCKET)
        for key in keys:
            bucket.keys[key] = models.FakeKey(key, content, DEFAULT_ACCOUNT_ID, "us-east-1")
        names[:] = sorted({*names, *keys})
        pipe.send(len(names))
    server.stop()


@contextmanager
def s3() -> Iterator[Callable[[list[str], bytes], None]]:
    """The server, and a function that stores content under keys without requests."""
    here, there = multiprocessing.get_context("spawn").Pipe()
    process = multiprocessing.get_context("spawn").Process(target=serve, args=(there,), daemon=True)
    process.start()
    port = here.recv()
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_DEFAULT_REGION"):
        os.environ[name] = "us-east-1"
    os.environ["AWS_ENDPOINT_URL"] = f"http://127.0.0.1:{port}"
    s3fs.S3FileSystem().mkdir(BUCKET)

    def fill(keys: list[str], content: bytes) -> None:
        here.send((keys, content))
        here.recv()

    yield fill
    here.send(None)
    process.join(10)


class Requests(Counter[str]):
    """HTTP requests of this process since the last `measure`, by S3 operation."""

    def __init__(self) -> None:
        fs = s3fs.S3FileSystem()
        fs.connect()
        fs.s3.meta.events.register("before-send.s3", lambda event_name, **_: self.update([event_name.split(".")[-1]]))

    def measure(self, what: Callable[[], Any], times: int = 1) -> tuple[str, float, float]:
        """Returns the requests, processor ms of this process and ms of one of `times` calls."""
        self.clear()
        began, cpu = time.perf_counter(), time.process_time()
        for _ in range(times):
            what()
        ms, cpu_ms = (1e3 * s / times for s in (time.perf_counter() - began, time.process_time() - cpu))
        made = (
            f"{n / times:.3g} {name.removesuffix('sV2').removesuffix('Object')}" for name, n in sorted(self.items())
        )
        return ", ".join(made) or "none", cpu_ms, ms


def reply(decision: int) -> LoggedReply:
    text = "The runner is near the edge, so I jump now. " * 8
    return LoggedReply(decision=decision, role="player", words_hash="0" * 16, at="", reply=Reply(text=text))


def record(plan: Plan, number: int) -> EpisodeRecord:
    spec = plan.episodes[number]
    return EpisodeRecord(
        key=spec.key, cell=spec.cell_id, game=spec.game, task=spec.task, model=spec.cell.model.name,
        interface=spec.cell.agent.interface, seed=spec.seed, repeat=spec.repeat, progress=0.5, steps=REPLIES,
        calls=1, ended_by="budget", state_chain="0" * 16, frame_chain="0" * 16, row_chain="0" * 16,
        finished_at=datetime.now(UTC).isoformat(),
    )  # fmt: skip


def planned(size: int, further: int) -> Plan:
    """A plan of at least this many episodes and further ones."""
    many = size > 170
    job = {
        "game": "all" if many else "01_2048", "task": "all" if many else "1", "model": "random",
        "run_dir": f"s3://{BUCKET}/of-{size}", "name": "bench", "tracking": {"mode": "disabled"},
        "repeats": -(-(size + further) // (170 if many else 1)),
    }  # fmt: skip
    return make_plan([run_spec(job)])


def filled(plan: Plan, size: int, fill: Callable[[list[str], bytes], None]) -> RunDir:
    """The plan's run, with `size` finished episodes."""
    run = open_run(plan)
    root = f"of-{size}"
    sample = RunDir(f"s3://{BUCKET}/sample-{size}")
    sample.create(sample.url)
    log = sample.log("k")
    log.append(reply(0))
    sample.write_episode("k", [], EpisodeMeta(record=record(plan, 0)))
    read = s3fs.S3FileSystem().cat_file
    keys = [plan.episodes[n].key for n in range(size)]
    fill([f"{root}/replies/{key}.jsonl" for key in keys], read(f"{BUCKET}/sample-{size}/replies/k.jsonl"))
    fill([f"{root}/episodes/{key}.parquet" for key in keys], read(f"{BUCKET}/sample-{size}/episodes/k.parquet"))
    for at in range(0, size, BATCH):
        run.append_result(*(record(plan, n) for n in range(at, min(size, at + BATCH))))
    return run


def play(plan: Plan, number: int) -> None:
    """Stores one episode as a lane does, in a process that has not seen it before."""
    run = RunDir(plan.run_dir)
    key = plan.episodes[number].key
    log = run.log(key)
    log.read_for_resume()
    for decision in range(REPLIES):
        log.append(reply(decision))
    run.write_episode(key, [], EpisodeMeta(record=record(plan, number)))


def measured(requests: Requests, plan: Plan, run: RunDir, size: int, episodes: int) -> list[list[str]]:
    """Returns rows of the table for a run of this size."""
    number, turns = count(size), count()
    log, meta, done = run.log(plan.episodes[0].key), EpisodeMeta(record=record(plan, 0)), run.recorded()
    log.read_for_resume()
    log.append(reply(next(turns)))
    found = {
        "append": requests.measure(lambda: log.append(reply(next(turns))), 20),
        "put": requests.measure(lambda: run.write_episode(plan.episodes[1].key, [], meta), 10),
        f"episode of {REPLIES} replies": requests.measure(lambda: play(plan, next(number)), episodes),
        "result": requests.measure(lambda: run.append_result(record(plan, 0)), 10),
    }
    found |= {
        "check of finished episodes": requests.measure(lambda: find_damage(run, plan.episodes, done)),
        "status": requests.measure(lambda: status_of(run)),
        f"read {READ:,} logs": requests.measure(lambda: [*run.logs(run.logged_keys()[:READ])]),
    }
    return [[f"{size:,}", what, made, f"{cpu:,.1f}", f"{ms:,.1f}"] for what, (made, cpu, ms) in found.items()]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10, 10_000, 300_000], help="finished episodes")
    parser.add_argument("--episodes", type=int, default=20, help="played into each run (default: %(default)s)")
    args = parser.parse_args()
    with s3() as fill:
        requests = Requests()
        for size in args.sizes:
            began = time.perf_counter()
            plan = planned(size, args.episodes)
            run = filled(plan, size, fill)
            print(f"{size:,} finished episodes made in {time.perf_counter() - began:.0f} s", file=sys.stderr)
            rows = measured(requests, plan, run, size, args.episodes)
            title = f"load {os.getloadavg()[0]:.0f}, {datetime.now(UTC):%Y-%m-%d}"
            columns = ("finished episodes", "operation", "requests", "processor ms", "ms")
            print_table(columns, rows, terminal(), title, numbers=2)
    return 0


if __name__ == "__main__":
    sys.exit(main())
