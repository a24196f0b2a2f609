"""A small player of pixels: one convolutional network for several games, trained on `gwray dataset` folders.

It sees the two screenshots of a request (now and one decision before) at an eighth of their size, and of the text only
which controls the game has. Its answers are the replies of the dataset, one class each.

    sprout.py train MODEL DATA...      trains on all samples of DATA
    sprout.py serve MODEL PORT DATA... serves Chat Completions: `sprout`, and `sprout-blind`, which is shown another
                                       moment of the same game, from DATA

`scripts/sprout.sh` has the complete recipe. Runs in .venv-train.
"""

from __future__ import annotations

import base64
import io
import json
import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import torch  # pyright: ignore[reportMissingImports]
import uvicorn  # pyright: ignore[reportMissingImports]
from fastapi import FastAPI  # pyright: ignore[reportMissingImports]
from PIL import Image
from torch import nn  # pyright: ignore[reportMissingImports]
from torch.nn import functional as F  # pyright: ignore[reportMissingImports]

SIZE = (160, 90)
MOST_FACTS = 40  # numbers of a game's state that are learned
BATCH, RATE, EPOCHS = 64, 2e-3, 10


@dataclass
class Samples:
    """Questions of datasets: screenshots (N × 6 × 90 × 160, bytes), and of each the prompt, answer, game and state."""

    pixels: np.ndarray
    prompts: list[str]
    answers: list[str]
    games: list[str]
    facts: list[dict[str, float]]


def numbers(value: Any, path: str = "") -> dict[str, float]:
    """Returns the numbers inside a state by their paths."""
    if isinstance(value, (int, float)):
        return {path: float(value)}
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return {k: v for key, one in inner for k, v in numbers(one, f"{path}/{key}").items()}


def fact_table(of: Samples) -> torch.Tensor:
    """Returns the numbers that all states of a game have, scaled by game; NaN in the columns of the other games."""
    columns: list[np.ndarray] = []
    for game in sorted(set(of.games)):
        mine = [n for n, g in enumerate(of.games) if g == game]
        for path in sorted(set.intersection(*(set(of.facts[n]) for n in mine)))[:MOST_FACTS]:
            values = np.array([of.facts[n][path] for n in mine])
            if values.std() > 0:
                column = np.full(len(of.games), np.nan)
                column[mine] = np.clip((values - values.mean()) / values.std(), -3, 3)
                columns.append(column)
    return torch.from_numpy(np.stack(columns, 1).astype(np.float32))


def pixels(images: Sequence[bytes]) -> np.ndarray:
    """Returns the previous and the current screenshot as 6 × 90 × 160 bytes; at the first moment both are the same."""
    frames = []
    for data in (images[0], images[-1]):
        image = Image.open(io.BytesIO(data))
        image.draft("RGB", SIZE)  # JPEG is decoded at an eighth of its size
        frames.append(np.asarray(image.convert("RGB").resize(SIZE)).transpose(2, 0, 1))
    return np.concatenate(frames)


def read(folders: Sequence[str]) -> Samples:
    """Returns the samples of datasets, without duplicates."""
    found: dict[Any, tuple[np.ndarray, str, str, str, dict[str, float]]] = {}
    columns = ["prompt", "completion", "images", "game", "state"]
    for file in (file for folder in folders for file in sorted(Path(folder, "data").glob("*.parquet"))):
        for batch in pq.ParquetFile(file).iter_batches(64, columns=columns):
            for row in batch.to_pylist():
                images = [image["bytes"] for image in row["images"]]
                key = hash(images[0]), hash(images[-1])
                if key not in found:
                    facts = numbers(json.loads(row["state"])["game_state"])
                    system, answer = (row[part][0]["content"][0]["text"] for part in ("prompt", "completion"))
                    found[key] = pixels(images), system, answer, row["game"], facts
    frames, *others = zip(*found.values(), strict=True)
    return Samples(np.stack(frames), *map(list, others))


class Network(nn.Module):
    """Two screenshots → one score per reply. Beside coarse maps, it computes the mean place of each of 32 learned
    features, and from both the numbers of the game's state, which it learns to read: so few samples suffice to learn
    where a thing is. It is never given a state when it plays."""

    places: torch.Tensor

    def __init__(self, replies: list[str], facts: int):
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
        self.read = nn.Linear(16 * 60 + 64, facts)
        self.choose = nn.Sequential(
            nn.Dropout(0.1), nn.Linear(16 * 60 + 64 + facts, 128), nn.ReLU(), nn.Linear(128, len(replies))
        )

    def forward(self, images: torch.Tensor, allowed: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        seen = self.see(images.float() / 255 - 0.5)
        found = self.find(seen).flatten(2).softmax(2) @ self.places
        features = torch.cat([self.map(seen), found.flatten(1)], 1)
        facts = self.read(features)
        return self.choose(torch.cat([features, facts], 1)).masked_fill(~allowed, -1e9), facts

    def allowed(self, prompt: str) -> list[bool]:
        """Returns which replies name a control that the prompt lists."""
        return [f"\n- {json.loads(reply)['action']}: " in prompt for reply in self.replies]


def train(file: Path, folders: Sequence[str]) -> None:
    """Trains a network with AdamW on the replies, and on the facts of the states."""
    torch.manual_seed(0)
    samples = read(folders)
    facts, images = fact_table(samples), torch.from_numpy(samples.pixels)
    network = Network(sorted(set(samples.answers)), facts.shape[1])
    masks = {prompt: network.allowed(prompt) for prompt in set(samples.prompts)}
    allowed = torch.tensor([masks[prompt] for prompt in samples.prompts])
    wanted = torch.tensor([network.replies.index(answer) for answer in samples.answers])
    steps = EPOCHS * len(wanted) // BATCH
    optimizer = torch.optim.AdamW(network.parameters(), RATE, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=steps + 1, pct_start=0.1)
    for step in range(steps):
        chosen = torch.randint(len(wanted), (BATCH,))
        scores, read_facts = network(images[chosen], allowed[chosen])
        known = ~facts[chosen].isnan()
        reading = F.mse_loss(read_facts[known], facts[chosen][known])
        loss = F.cross_entropy(scores, wanted[chosen]) + reading
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        if step % 100 == 0:
            print(f"step {step} of {steps} · loss {loss.item():.3f}, of facts {reading.item():.3f}", flush=True)
    torch.save({"replies": network.replies, "facts": facts.shape[1], "weights": network.state_dict()}, file)


def serve(file: Path, port: int, folders: Sequence[str]) -> None:
    """Serves `sprout` and `sprout-blind` on loopback until it is ended. A temperature above 0 samples the replies."""
    saved = torch.load(file, weights_only=True)
    network = Network(saved["replies"], saved["facts"]).eval()
    network.load_state_dict(saved["weights"])
    others: dict[tuple[bool, ...], list[np.ndarray]] = {}
    pool = read(folders) if folders else None
    for prompt, one in zip(pool.prompts, pool.pixels, strict=True) if pool else ():
        others.setdefault(tuple(network.allowed(prompt)), []).append(one)
    app = FastAPI()

    @app.get("/v1/models")
    def models() -> dict[str, Any]:
        return {"object": "list", "data": [{"id": name, "object": "model"} for name in ("sprout", "sprout-blind")]}

    @app.post("/v1/chat/completions")
    def complete(request: dict[str, Any]) -> dict[str, Any]:
        system, user = (message["content"] for message in request["messages"])
        urls = [part["image_url"]["url"] for part in user if part["type"] == "image_url"]
        allowed = network.allowed(system)
        if request["model"] == "sprout-blind":
            seen = random.choice(others[tuple(allowed)])
        else:
            seen = pixels([base64.b64decode(url.partition(",")[2]) for url in urls])
        with torch.no_grad():
            scores = network(torch.from_numpy(seen)[None], torch.tensor([allowed]))[0][0]
        temperature = request.get("temperature") or 1e-6
        reply = network.replies[int(torch.multinomial((scores / temperature).softmax(0), 1))]
        return {
            "id": "sprout", "object": "chat.completion", "created": 0, "model": request["model"],
            "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": reply}}],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
        }  # fmt: skip

    uvicorn.run(app, port=port, log_level="warning")


if __name__ == "__main__":
    command, model, *rest = sys.argv[1:]
    if command == "train":
        train(Path(model), rest)
    else:
        serve(Path(model), int(rest[0]), rest[1:])
