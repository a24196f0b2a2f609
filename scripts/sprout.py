"""A small player of pixels: one convolutional network for several games, trained on `gwray dataset` folders.

It sees the two screenshots of a request (now and one decision before) at an eighth of their size, and of the text only
which controls the game has. Its answers are the replies of the dataset, one class each.

    sprout.py MODEL DATA...

`scripts/sprout_play.py` plays with the weights, and `scripts/sprout.sh` has the complete recipe. Needs .venv-train.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import torch  # pyright: ignore[reportMissingImports]
from safetensors.torch import save_file
from sprout_play import allowed, pixels  # beside this file
from torch import nn  # pyright: ignore[reportMissingImports]
from torch.nn import functional as F  # pyright: ignore[reportMissingImports]

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
    """Two screenshots → one score per reply. Beside coarse maps, it computes the mean place of each of 64 learned
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
        self.find = nn.Conv2d(32, 64, 1)
        self.map = nn.Sequential(layer(32, 24, 3, 2), layer(24, 16, 3, 2), nn.Dropout2d(0.2), nn.Flatten())
        y, x = torch.meshgrid(torch.linspace(-2, 2, 23), torch.linspace(-2, 2, 40), indexing="ij")
        self.register_buffer("places", torch.stack([x.flatten(), y.flatten()], 1), persistent=False)
        self.read = nn.Linear(16 * 60 + 128, facts)
        self.choose = nn.Sequential(
            nn.Dropout(0.4), nn.Linear(16 * 60 + 128 + facts, 128), nn.ReLU(), nn.Linear(128, len(replies))
        )

    def forward(self, images: torch.Tensor, allowed: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        seen = self.see((images.float() / 255 - 0.5).contiguous(memory_format=torch.channels_last))
        found = self.find(seen).flatten(2).softmax(2) @ self.places
        features = torch.cat([self.map(seen), found.flatten(1)], 1)
        facts = self.read(features)
        return self.choose(torch.cat([features, facts], 1)).masked_fill(~allowed, -1e9), facts


def train(file: Path, folders: Sequence[str]) -> None:
    """Trains a network with AdamW on the replies, and on the facts of the states."""
    torch.manual_seed(0)
    samples = read(folders)
    facts, images = fact_table(samples), torch.from_numpy(samples.pixels)
    network = Network(sorted(set(samples.answers)), facts.shape[1])
    masks = {prompt: allowed(network.replies, prompt) for prompt in set(samples.prompts)}
    may = torch.from_numpy(np.stack([masks[prompt] for prompt in samples.prompts]))
    wanted = torch.tensor([network.replies.index(answer) for answer in samples.answers])
    steps = EPOCHS * len(wanted) // BATCH
    optimizer = torch.optim.AdamW(network.parameters(), RATE, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=steps + 1, pct_start=0.1)
    for step in range(steps):
        chosen = torch.randint(len(wanted), (BATCH,))
        scores, read_facts = network(images[chosen], may[chosen])
        known = ~facts[chosen].isnan()
        reading = F.mse_loss(read_facts[known], facts[chosen][known])
        loss = F.cross_entropy(scores, wanted[chosen]) + reading
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        if step % 100 == 0:
            print(f"step {step} of {steps} · loss {loss.item():.3f}, of facts {reading.item():.3f}", flush=True)
    save(network, file)


def save(network: Network, file: Path) -> None:
    """Writes the weights for `scripts/sprout_play.py`, in half precision, with each normalisation as part of its
    convolution."""
    network.eval()
    layers = {"see.0": network.see[0], "see.1": network.see[1], "map.0": network.map[0], "map.1": network.map[1]}
    weights = {"find.weight": network.find.weight}
    for name, layer in layers.items():
        scale = layer[1].weight / (layer[1].running_var + layer[1].eps).sqrt()
        weights[f"{name}.weight"] = layer[0].weight * scale[:, None, None, None]
        weights[f"{name}.bias"] = layer[1].bias - layer[1].running_mean * scale
    for name, linear in {"read": network.read, "first": network.choose[1], "last": network.choose[3]}.items():
        weights |= {f"{name}.weight": linear.weight, f"{name}.bias": linear.bias}
    halves = {name: value.detach().half().contiguous() for name, value in weights.items()}
    save_file(halves, str(file), {"replies": json.dumps(network.replies)})


if __name__ == "__main__":
    train(Path(sys.argv[1]), sys.argv[2:])
