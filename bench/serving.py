"""What Ray Serve costs, and whether a sweep keeps the engine busy. Needs the CPU engine (make setup-vllm).

    .venv-vllm/bin/python bench/serving.py chats [--rounds 3] [--requests 48]
    .venv-vllm/bin/python bench/serving.py sweep [--seconds 90] [--lanes 8] [--layers 256]

`chats`: image chats per second through Ray Serve against the same engine's own server, in one run. Both servers are up
at once and measured in turn, round by round, so that a machine that is busy with other things is equally busy for both;
the other's engine is frozen meanwhile, since an idle engine still polls. Reports the median over rounds.

`sweep`: `launch.py` plays with a model of so many layers that it is slower than the browsers, and is stopped after a
while. Reports the share of time in which the engine had a request, from the first reply of the last lane on: by the
times of the requests in the reply logs, and as the run itself has it (`engines.jsonl`).
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import io
import itertools
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import datetime
from pathlib import Path

import httpx
import psutil
import yaml
from PIL import Image, ImageDraw

from gwray.catalog.protocol import read_model
from gwray.serving import RayServing, read_deployment, serving_files
from gwray.serving.environment import free_port
from gwray.serving.probe import wait_until_ready
from gwray.serving.weights import resolve
from gwray.store import RunDir

ROOT = Path(__file__).resolve().parents[1]
CONCURRENCY = (1, 8, 32)


def request(n: int) -> dict:
    """A chat as an episode sends it: static text first, one fresh 1280×720 screenshot last, a short answer."""
    import base64

    picture = Image.new("RGB", (1280, 720), (30, 40, 50))
    ImageDraw.Draw(picture).rectangle(
        (n * 13 % 900, n * 7 % 400, n * 13 % 900 + 300, n * 7 % 400 + 250), fill=(n % 256, 60, 40)
    )
    data = io.BytesIO()
    picture.save(data, "JPEG", quality=80)
    url = "data:image/jpeg;base64," + base64.b64encode(data.getvalue()).decode()
    text = "Game Rules: tiles slide and merge. " * 20
    return {
        "model": "tiny-vl",
        "max_tokens": 24,
        "temperature": 0,
        "ignore_eos": True,
        "messages": [
            {"role": "system", "content": text},
            {"role": "user", "content": [{"type": "image_url", "image_url": {"url": url}}]},
        ],
    }


async def measure(url: str, bodies: list[bytes], concurrency: int) -> tuple[float, float, int]:
    """Requests per second, median latency in ms, and requests that failed."""
    waiting, latencies, failed = list(enumerate(bodies)), [], 0

    async def lane(client: httpx.AsyncClient, lane_id: int) -> None:
        nonlocal failed
        headers = {"content-type": "application/json", "x-session-id": f"episode-{lane_id}"}
        while waiting:
            _, body = waiting.pop()
            start = time.perf_counter()
            answer = await client.post(f"{url}/chat/completions", content=body, headers=headers)
            failed += answer.status_code != 200
            latencies.append(time.perf_counter() - start)

    limits = httpx.Limits(max_connections=concurrency)
    async with httpx.AsyncClient(timeout=300, limits=limits) as client:
        start = time.perf_counter()
        await asyncio.gather(*(lane(client, i) for i in range(concurrency)))
        wall = time.perf_counter() - start
    return len(bodies) / wall, 1000 * statistics.median(latencies), failed


def start_bare(port: int) -> subprocess.Popen:
    spec = read_deployment("tiny-vl")
    command = [sys.executable, "-m", "vllm.entrypoints.cli.main", "serve", resolve(spec).source]
    command += ["--served-model-name", "tiny-vl", "--host", "127.0.0.1", "--port", str(port), "--dtype", "bfloat16"]
    command += ["--max-model-len", str(spec.max_model_len), "--enforce-eager", "--max-num-seqs", str(spec.max_num_seqs)]
    command += ["--limit-mm-per-prompt", json.dumps({"image": spec.images_per_prompt, "video": 0})]
    command += ["--structured-outputs-config", json.dumps(spec.structured_outputs)]
    env = os.environ | spec.env | {"HF_HUB_OFFLINE": "1", "VLLM_NO_USAGE_STATS": "1"}
    return subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def engines(root: psutil.Process) -> list[psutil.Process]:
    """The engine's own processes below a server: those that work, not those that hand requests on."""
    return [p for p in root.children(recursive=True) if "VLLM::" in " ".join(p.cmdline())]


def renice(value: int) -> None:
    """Give this process, both servers and all their threads one priority."""
    for p in [psutil.Process(), *psutil.Process().children(recursive=True)]:
        with contextlib.suppress(OSError, psutil.Error):  # one that ends meanwhile
            for thread in p.threads():
                os.setpriority(os.PRIO_PROCESS, thread.id, value)


@contextlib.contextmanager
def frozen(processes: list[psutil.Process]):
    """Stop the other server's engine for the length of one measurement."""
    for p in processes:
        p.suspend()
    try:
        yield
    finally:
        for p in processes:
            p.resume()


async def chats(args: argparse.Namespace) -> dict:
    bodies = [json.dumps(request(n)).encode() for n in range(args.requests)]
    port = free_port()
    bare = start_bare(port)
    serving = RayServing(sample_every_s=0)
    try:
        endpoint = await serving.deploy(read_model("tiny-vl"))
        urls = {"bare": f"http://127.0.0.1:{port}/v1", "ray": endpoint.base_url}
        await wait_until_ready(urls["bare"], "tiny-vl", 400)
        for url in urls.values():
            await measure(url, bodies[:8], 4)
        of_bare = engines(psutil.Process(bare.pid))
        of_ray = [p for p in engines(psutil.Process()) if p.pid not in {b.pid for b in of_bare}]
        if args.nice:
            renice(args.nice)
        others = {"bare": of_ray, "ray": of_bare}
        out = {}
        for concurrency in CONCURRENCY:
            n = max(args.requests // 4, 8) if concurrency == 1 else args.requests
            runs: dict[str, list[tuple[float, float, int]]] = {"bare": [], "ray": []}
            for i in range(args.rounds):
                for name in ("bare", "ray") if i % 2 == 0 else ("ray", "bare"):
                    with frozen(others[name]):
                        runs[name].append(await measure(urls[name], bodies[:n], concurrency))
            rate = {k: statistics.median(r[0] for r in v) for k, v in runs.items()}
            ms = {k: statistics.median(r[1] for r in v) for k, v in runs.items()}
            out[concurrency] = {
                "bare_per_s": round(rate["bare"], 2),
                "ray_per_s": round(rate["ray"], 2),
                "ratio": round(rate["ray"] / rate["bare"], 3),
                "bare_ms": round(ms["bare"]),
                "ray_ms": round(ms["ray"]),
                "failed": sum(r[2] for v in runs.values() for r in v),
            }
            print(f"{concurrency:3d} concurrent: {out[concurrency]}", file=sys.stderr, flush=True)
        return out
    finally:
        bare.terminate()
        await serving.close()
        bare.wait(120)


def sweep(args: argparse.Namespace) -> dict:
    with tempfile.TemporaryDirectory(prefix="gwray-bench-") as folder:
        profile = yaml.safe_load(serving_files()["tiny-vl"].read_text())
        own = Path(folder) / "conf" / "deployment"
        own.mkdir(parents=True)
        (own / "tiny-vl.yaml").write_text(yaml.safe_dump(profile | {"model_source": f"tiny:0:{args.layers}"}))
        where = Path(folder) / "run"
        command = [sys.executable, "launch.py", "model=tiny-vl", f"model.max_in_flight={args.lanes}", "game=[01_2048]"]
        command += ["task=all", "repeats=8", "tracking.mode=disabled", f"run_dir={where}"]
        command += [f"executor.lanes={args.lanes}", "executor.actors=1"]
        env = os.environ | {"GWRAY_HOME": folder}
        driver = subprocess.Popen(command, cwd=ROOT, env=env, stdout=sys.stderr)
        try:
            asked = _asked_until(driver, where, args.lanes, args.seconds)
        finally:
            driver.send_signal(signal.SIGINT)
            driver.wait(180)
        run = RunDir.open(where)
        begin = max(min(end for _, end in lane) for lane in asked.values())
        until = min(begin + args.seconds, max(end for lane in asked.values() for _, end in lane))
        spans = [(s, e) for lane in asked.values() for s, e in lane if e > begin and s < until]
        apart = [s2 - e1 for lane in asked.values() for (_, e1), (s2, _) in itertools.pairwise(lane)]
        sampled = [r for r in run.engines() if begin <= datetime.fromisoformat(r.at).timestamp() <= until]
        return {
            "lanes": args.lanes,
            "layers": args.layers,
            "seconds": round(until - begin, 1),
            "requests_per_s": round(sum(begin < e <= until for _, e in spans) / (until - begin), 2),
            "request_ms": round(1000 * statistics.median(e - s for s, e in spans)),
            "between_requests_of_a_lane_ms": round(1000 * statistics.median(apart)),
            "requests_in_flight": round(sum(min(e, until) - max(s, begin) for s, e in spans) / (until - begin), 2),
            "engine_had_work": round(_covered(spans, begin, until) / (until - begin), 3),
            "sampled_busy_share": round(sum(r.running + r.waiting > 0 for r in sampled) / max(len(sampled), 1), 3),
            "samples": len(sampled),
        }


def _asked_until(driver: subprocess.Popen, where: Path, lanes: int, seconds: float) -> dict[str, list]:
    """When each request was under way, by episode, read from the reply logs after `seconds` with all lanes playing."""
    end = None
    while driver.poll() is None and (end is None or time.monotonic() < end):
        time.sleep(1)
        logs = list((where / "replies").glob("*.jsonl")) if where.exists() else []
        if end is None and len(logs) >= lanes:
            end = time.monotonic() + seconds + 2
    if driver.poll() is not None:
        raise SystemExit("the sweep ended by itself: see its output above")
    run = RunDir.open(where)
    asked = {}
    for log in (where / "replies").glob("*.jsonl"):
        ends = [(datetime.fromisoformat(r.at).timestamp(), r.reply.latency_ms / 1000) for r in run.log(log.stem).read()]
        asked[log.stem] = [(end - took, end) for end, took in ends]
    return {k: v for k, v in asked.items() if v}


def _covered(spans: list[tuple[float, float]], begin: float, until: float) -> float:
    """Seconds of the window in which at least one span lies."""
    total, reached = 0.0, begin
    for start, end in sorted(spans):
        start, end = max(start, reached), min(end, until)
        if end > start:
            total, reached = total + end - start, end
    return total


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    kinds = parser.add_subparsers(required=True)
    one = kinds.add_parser("chats", help="image chats per second, through Ray Serve and bare")
    one.add_argument("--rounds", type=int, default=3)
    one.add_argument("--requests", type=int, default=48, help="per round and level")
    one.add_argument("--nice", type=int, default=0, help="priority while measuring; negative needs root")
    one.set_defaults(measure=lambda args: asyncio.run(chats(args)))
    two = kinds.add_parser("sweep", help="share of time in which the engine had work")
    two.add_argument("--seconds", type=float, default=90)
    two.add_argument("--lanes", type=int, default=8)
    two.add_argument("--layers", type=int, default=256, help="of the random model: more make it slower")
    two.set_defaults(measure=sweep)
    args = parser.parse_args()
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    print(json.dumps(args.measure(args)))


if __name__ == "__main__":
    main()
