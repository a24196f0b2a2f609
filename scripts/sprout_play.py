"""A small model that plays from pixels, in NumPy: `model.provider=scripts.sprout_play.Sprout`.

It sees the two screenshots of a request (now and one decision before) at an eighth of their size, and of the text only
which controls the game has. A reply is a function of the request and the weights: what is random in it is drawn from
the question's hash. `scripts/sprout.py` trains the weights. Options:

    weights   file of the weights; default: scripts/sprout.safetensors
    blind     folder of `gwray dataset`: another moment of the same game is shown instead
"""

from __future__ import annotations

import asyncio
import functools
import hashlib
import io
import json
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
from numpy.lib.stride_tricks import sliding_window_view
from PIL import Image as Picture
from safetensors import safe_open

from gwray.agents import Image
from gwray.errors import BadRequest, UsageError
from gwray.records import Reply, Usage

WEIGHTS = Path(__file__).with_name("sprout.safetensors")
SIZE = (160, 90)
STRIDES = {"see.0": 4, "see.1": 1, "map.0": 2, "map.1": 2}


def pixels(images: Sequence[bytes]) -> np.ndarray:
    """Returns the previous and the current screenshot as 6 × 90 × 160 bytes; at the first moment both are the same."""
    frames = []
    for data in (images[0], images[-1]):
        image = Picture.open(io.BytesIO(data))
        image.draft("RGB", SIZE)  # JPEG is decoded at an eighth of its size
        frames.append(np.asarray(image.convert("RGB").resize(SIZE)).transpose(2, 0, 1))
    return np.concatenate(frames)


def allowed(replies: Sequence[str], prompt: str) -> np.ndarray:
    """Returns which replies name a control that the prompt lists."""
    return np.array([f"\n- {json.loads(reply)['action']}: " in prompt for reply in replies])


class Player:
    """The network of `scripts/sprout.py` for one moment, without training."""

    def __init__(self, file: Path):
        with safe_open(str(file), "np") as saved:
            self.weights = {name: saved.get_tensor(name).astype(np.float32) for name in saved.keys()}  # noqa: SIM118
            self.replies: list[str] = json.loads(saved.metadata()["replies"])
        self.places = np.stack(
            [part.ravel() for part in np.meshgrid(np.linspace(-2, 2, 40), np.linspace(-2, 2, 23))], 1
        )

    def scores(self, seen: np.ndarray) -> np.ndarray:
        """Returns one score per reply for screenshots of 6 × 90 × 160 bytes."""
        found = self._convolve("see.1", self._convolve("see.0", seen / np.float32(255) - np.float32(0.5)))
        heat = self.weights["find.weight"][:, :, 0, 0] @ found.reshape(len(found), -1)
        heat = np.exp(heat - heat.max(1, keepdims=True))
        places = heat / heat.sum(1, keepdims=True) @ self.places
        features = np.concatenate([self._convolve("map.1", self._convolve("map.0", found)).ravel(), places.ravel()])
        features = np.concatenate([features, self._linear("read", features)])
        return self._linear("last", np.maximum(self._linear("first", features), 0))

    def reply(self, seen: np.ndarray, prompt: str, temperature: float, drawn: np.random.Generator) -> str:
        """Returns a reply that the prompt allows. Raises `BadRequest` if it knows none of the prompt's controls."""
        possible = allowed(self.replies, prompt)
        if not possible.any():
            known = ", ".join(dict.fromkeys(json.loads(reply)["action"] for reply in self.replies))
            raise BadRequest(
                f"sprout knows no control of this question, only {known}; play its games, interface=semantic"
            )
        scores = np.where(possible, self.scores(seen), -np.inf) / max(temperature, 1e-6)
        return self.replies[int(np.argmax(scores + drawn.gumbel(size=len(scores))))]

    def _convolve(self, name: str, x: np.ndarray) -> np.ndarray:
        kernel, stride = self.weights[f"{name}.weight"], STRIDES[name]
        wide = kernel.shape[-1]
        padded = np.pad(x, ((0, 0), (wide // 2,) * 2, (wide // 2,) * 2))
        windows = sliding_window_view(padded, (wide, wide), (1, 2))[:, ::stride, ::stride]
        summed = np.tensordot(kernel, windows, ((1, 2, 3), (0, 3, 4)))
        return np.maximum(summed + self.weights[f"{name}.bias"][:, None, None], 0)

    def _linear(self, name: str, x: np.ndarray) -> np.ndarray:
        return self.weights[f"{name}.weight"] @ x + self.weights[f"{name}.bias"]


@functools.cache
def moments(folder: str) -> dict[str, list[np.ndarray]]:
    """Returns the screenshots of a dataset by system prompt."""
    found: dict[str, list[np.ndarray]] = {}
    for file in sorted(Path(folder, "data").glob("*.parquet")):
        for batch in pq.ParquetFile(file).iter_batches(64, columns=["prompt", "images"]):
            for row in batch.to_pylist():
                seen = pixels([image["bytes"] for image in row["images"]])
                found.setdefault(row["prompt"][0]["content"][0]["text"], []).append(seen)
    return found


class Sprout:
    """Provider client of the network; see `gwray.agents.Client`."""

    def __init__(self, spec):
        options = {"weights": str(WEIGHTS), "blind": ""} | spec.options
        if unknown := sorted(options.keys() - {"weights", "blind"}):
            raise UsageError(f"model.options.{unknown[0]} is no option of sprout; it has weights and blind")
        weights = Path(options["weights"])
        if not weights.is_file():
            raise UsageError(f"model.options.weights={weights} is no file; `make sprout` trains weights")
        self.player = Player(weights)
        self.name = f"sprout-{hashlib.sha256(weights.read_bytes()).hexdigest()[:12]}"
        self.blind = options["blind"]
        self.others = moments(self.blind) if self.blind else {}
        if self.blind and not self.others:
            raise UsageError(f"model.options.blind={self.blind} is no folder of `gwray dataset`")

    async def send(self, request):
        began = time.perf_counter()
        text = await asyncio.to_thread(self._answer, request)
        latency = (time.perf_counter() - began) * 1000
        return Reply(text=text, usage=Usage(output=1), latency_ms=latency, served_model=self.name)

    async def close(self):
        pass

    def _answer(self, request) -> str:
        parts = [part for turn in request.turns for part in turn.parts]
        images = [part for part in parts if isinstance(part, Image)]
        if not 1 <= len(images) <= 2:
            raise BadRequest(f'sprout sees 2 pictures, not {len(images)}; set "observation.views=[front,previous]"')
        question = [request.system, *(p.hash if isinstance(p, Image) else p.text for p in parts)]
        drawn = np.random.default_rng(int(hashlib.sha256(json.dumps(question).encode()).hexdigest(), 16))
        seen = pixels([image.data for image in images])
        if self.blind:
            others = self.others.get(request.system)
            if not others:
                raise BadRequest(f"model.options.blind={self.blind} has no moment of this game and its task")
            seen = others[drawn.integers(len(others))]
        return self.player.reply(seen, request.system, request.sampling.temperature or 0, drawn)
