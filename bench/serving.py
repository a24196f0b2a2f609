"""What Ray Serve costs: image chats per second through it against the same engine's own server, in one run.

    .venv-vllm/bin/python bench/serving.py [--rounds 3] [--requests 48] [--classic]

Both servers are up at once and measured in turn, round by round, so that a machine that is busy with other things is
equally busy for both; the other's engine is frozen meanwhile, since an idle engine still polls. Reports the median
over rounds. Needs the CPU engine (make setup-vllm).
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import io
import json
import os
import statistics
import subprocess
import sys
import time

import httpx
import psutil
from PIL import Image, ImageDraw

from gwray.catalog.models import read_model
from gwray.serving import RayServing, read_serving
from gwray.serving.environment import free_port
from gwray.serving.probe import ready
from gwray.serving.weights import resolve

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
    spec = read_serving("tiny-vl")
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


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--requests", type=int, default=48, help="per round and level")
    parser.add_argument("--classic", action="store_true", help="Serve's plain proxy instead of HAProxy")
    parser.add_argument("--nice", type=int, default=0, help="priority while measuring; negative needs root")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    bodies = [json.dumps(request(n)).encode() for n in range(args.requests)]
    port = free_port()
    bare = start_bare(port)
    serving = RayServing(direct=not args.classic, sample_every_s=0)
    try:
        endpoint = await serving.deploy(read_model("tiny-vl"))
        urls = {"bare": f"http://127.0.0.1:{port}/v1", "ray": endpoint.base_url}
        await ready(urls["bare"], "tiny-vl", 400)
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
            if not args.json:
                print(f"{concurrency:3d} concurrent: {out[concurrency]}", flush=True)
        if args.json:
            print(json.dumps(out))
    finally:
        bare.terminate()
        await serving.close()
        bare.wait(120)


if __name__ == "__main__":
    asyncio.run(main())
