"""A small player of pixels: one convolutional network for several games, trained on `gwray dataset` folders.

It sees the two screenshots of a request (now and one decision before) at an eighth of their size, and of the text only
which controls the game has. Its answers are the replies of the dataset, one class each.

    sprout.py train MODEL DATA...      trains, starting from MODEL if it exists; prints accuracy on held-out episodes
    sprout.py serve MODEL PORT DATA... serves Chat Completions as `sprout`; as `sprout-blind` it sees another moment of
                                       the same game instead, one of the held-out episodes of DATA

`scripts/sprout.sh` has the complete recipe. Runs in .venv-train.
"""

from __future__ import annotations

import base64
import io
import json
import random
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import torch  # pyright: ignore[reportMissingImports]
from PIL import Image
from torch import nn  # pyright: ignore[reportMissingImports]
from torch.nn import functional as F  # pyright: ignore[reportMissingImports]

SIZE = (160, 90)
BATCH, RATE, EPOCHS = 64, 2e-3, 10
"""A network that is trained further has half the epochs."""


@dataclass
class Samples:
    """Questions of one or more datasets: screenshots (N × 6 × 90 × 160, bytes), the prompt and the answer of each."""

    pixels: np.ndarray
    prompts: list[str]
    answers: list[str]
    games: list[str]


def pixels(images: Sequence[bytes]) -> np.ndarray:
    """Returns the previous and the current screenshot as 6 × 90 × 160 bytes; at the first moment both are the same."""
    frames = []
    for data in (images[0], images[-1]):
        image = Image.open(io.BytesIO(data))
        image.draft("RGB", SIZE)  # JPEG is decoded at an eighth of its size
        frames.append(np.asarray(image.convert("RGB").resize(SIZE)).transpose(2, 0, 1))
    return np.concatenate(frames)


def read(folders: Sequence[str], part: str) -> Samples:
    """Returns the samples of a part (`train` or `test`) of datasets, without duplicates."""
    found: dict[Any, tuple[np.ndarray, str, str, str]] = {}
    for folder in folders:
        file = Path(folder) / "data" / f"{part}-00000-of-00001.parquet"
        if not file.exists():
            continue
        columns = ["prompt", "completion", "images", "game"]
        for batch in pq.ParquetFile(file).iter_batches(256, columns=columns):
            for row in batch.to_pylist():
                images = [i["bytes"] for i in row["images"]]
                key = (hash(images[0]), hash(images[-1]))
                if key not in found:
                    system, answer = row["prompt"][0]["content"][0]["text"], row["completion"][0]["content"][0]["text"]
                    found[key] = pixels(images), system, answer, row["game"]
    rows = list(found.values())
    return Samples(np.stack([r[0] for r in rows]), [r[1] for r in rows], [r[2] for r in rows], [r[3] for r in rows])


class Network(nn.Module):
    """Two screenshots → one score per reply. Beside coarse maps, it sees the mean place of each of 32 learned features,
    so that few samples suffice to learn where a thing is."""

    places: torch.Tensor

    def __init__(self, replies: list[str]):
        super().__init__()

        def layer(before: int, after: int, width: int, stride: int) -> nn.Module:
            convolution = nn.Conv2d(before, after, width, stride, width // 2, bias=False)
            return nn.Sequential(convolution, nn.BatchNorm2d(after), nn.ReLU())

        self.replies = replies
        self.see = nn.Sequential(layer(6, 16, 5, 4), layer(16, 32, 3, 1))
        self.find = nn.Conv2d(32, 32, 1)
        self.map = nn.Sequential(layer(32, 24, 3, 2), layer(24, 16, 3, 2), nn.Flatten())
        y, x = torch.meshgrid(torch.linspace(-2, 2, 23), torch.linspace(-2, 2, 40), indexing="ij")
        self.register_buffer("places", torch.stack([x.flatten(), y.flatten()], 1), persistent=False)
        self.choose = nn.Sequential(
            nn.Dropout(0.1), nn.Linear(16 * 60 + 64, 128), nn.ReLU(), nn.Linear(128, len(replies))
        )

    def forward(self, images: torch.Tensor, allowed: torch.Tensor) -> torch.Tensor:
        seen = self.see(images.float() / 255 - 0.5)
        found = self.find(seen).flatten(2).softmax(2) @ self.places
        return self.choose(torch.cat([self.map(seen), found.flatten(1)], 1)).masked_fill(~allowed, -1e9)

    def allowed(self, prompt: str) -> list[bool]:
        """Returns which replies name a control that the prompt lists."""
        return [f"\n- {json.loads(reply)['action']}: " in prompt for reply in self.replies]


def load(file: Path) -> Network:
    saved = torch.load(file, weights_only=True)
    network = Network(saved["replies"])
    network.load_state_dict(saved["weights"])
    return network.eval()


def train(file: Path, folders: Sequence[str]) -> None:
    """Trains a network with AdamW, and prints its accuracy beside that of the most frequent reply, by game."""
    torch.manual_seed(0)
    samples, held_out = read(folders, "train"), read(folders, "test")
    network = load(file) if file.exists() else Network(sorted({*samples.answers, *held_out.answers}))
    masks = {p: network.allowed(p) for p in {*samples.prompts, *held_out.prompts}}
    numbers = {reply: n for n, reply in enumerate(network.replies)}

    def tensors(of: Samples) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        allowed = torch.tensor([masks[p] for p in of.prompts])
        return torch.from_numpy(of.pixels), allowed, torch.tensor([numbers[a] for a in of.answers])

    images, allowed, wanted = tensors(samples)
    steps = EPOCHS * len(wanted) // BATCH // (2 if file.exists() else 1)
    optimizer = torch.optim.AdamW(network.parameters(), RATE, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=steps + 1, pct_start=0.1)
    started, order = time.process_time(), torch.empty(0, dtype=torch.long)
    for step in range(steps):
        network.train()
        if len(order) < BATCH:
            order = torch.randperm(len(wanted))
        chosen, order = order[:BATCH], order[BATCH:]
        loss = F.cross_entropy(network(images[chosen], allowed[chosen]), wanted[chosen])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        if step % 100 == 0:
            print(
                f"step {step} of {steps} · loss {loss.item():.3f} · {time.process_time() - started:.0f} CPU s",
                flush=True,
            )
    network.eval()
    with torch.no_grad():
        images, allowed, wanted = tensors(held_out)
        parts = zip(images.split(BATCH), allowed.split(BATCH), strict=True)
        right = torch.cat([network(i, a).argmax(1) for i, a in parts]) == wanted
    for game in sorted(set(held_out.games)):
        mine = torch.tensor([g == game for g in held_out.games])
        base = wanted[mine].bincount().max() / mine.sum()
        share, count = float(right[mine].float().mean()), samples.games.count(game)
        print(f"{game}: {count} samples, {mine.sum()} held out, right {share:.0%}, most frequent reply {base:.0%}")
    torch.save({"replies": network.replies, "weights": network.state_dict()}, file)


def serve(file: Path, port: int, folders: Sequence[str]) -> None:
    """Serves `sprout` and `sprout-blind` on loopback until it is ended. A temperature above 0 samples the replies."""
    torch.set_num_threads(1)
    network, lock = load(file), threading.Lock()
    others: dict[tuple[bool, ...], list[np.ndarray]] = {}
    if folders:
        pool = read(folders, "test")
        for prompt, one in zip(pool.prompts, pool.pixels, strict=True):
            others.setdefault(tuple(network.allowed(prompt)), []).append(one)

    def answer(request: dict[str, Any]) -> str:
        texts, images = [], []
        for message in request["messages"]:
            content = message["content"]
            if isinstance(content, str):
                texts.append(content)
            else:
                images += [p["image_url"]["url"] for p in content if p["type"] == "image_url"]
        allowed = network.allowed("\n".join(texts))
        if request["model"] == "sprout-blind":
            seen = random.choice(others[tuple(allowed)])
        else:
            seen = pixels([base64.b64decode(url.partition(",")[2]) for url in images])
        with lock, torch.no_grad():
            scores = network(torch.from_numpy(seen)[None], torch.tensor([allowed]))[0]
        if temperature := request.get("temperature") or 0:
            return network.replies[int(torch.multinomial((scores / temperature).softmax(0), 1))]
        return network.replies[int(scores.argmax())]

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            models = [{"id": name, "object": "model"} for name in ("sprout", "sprout-blind")]
            self.send({"object": "list", "data": models})

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            message = {"role": "assistant", "content": answer(request)}
            self.send({
                "id": "sprout", "object": "chat.completion", "created": 0, "model": request["model"],
                "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
                "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
            })  # fmt: skip

        def send(self, value: dict[str, Any]) -> None:
            data = json.dumps(value).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    print(f"serving sprout on port {port}", flush=True)
    ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()


if __name__ == "__main__":
    command, model, *rest = sys.argv[1:]
    if command == "train":
        train(Path(model), rest)
    else:
        serve(Path(model), int(rest[0]), rest[1:])
