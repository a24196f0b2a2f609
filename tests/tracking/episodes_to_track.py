"""Episodes as a driver would have played and written them."""

import io

from PIL import Image

from gwray.records import EpisodeRecord, StepRecord
from gwray.store import EpisodeMeta, ManifestCell, RunDir

FAKE_KEY = "0123456789abcdef0123456789abcdef01234567"


def cell(name: str, planned: int) -> ManifestCell:
    """Returns a cell in the form of a run's manifest."""
    return ManifestCell(
        id=f"id-{name}",
        name=name,
        planned=planned,
        model=name,
        interface="semantic",
        axes={"memory_rounds": 2, "fog": 0.5} if name == "random" else {},
        spec={"agent": {"interface": "semantic"}, "timing": {"mode": "paused"}},
    )


def episode(number: int, model: str = "random", **fields) -> EpisodeRecord:
    games = ("01_2048", "13_flappy-bird")
    game = games[number % 2]
    values = {
        "key": f"{model}{number}",
        "cell": f"id-{model}",
        "game": game,
        "task": f"{game}_{number // 2}",
        "genre": ("puzzle", "runner")[number % 2],
        "level": 1 + number % 2,
        "model": model,
        "success": number % 3 == 0,
        "progress": number / 10,
        "steps": 10,
        "proposals": 10,
        "no_tool_call": 1,
        "out_of_space": 2,
        "input_tokens": 1000,
        "output_tokens": 50,
        "latency_ms": 500.0,
        "cost_usd": 0.01,
    }
    return EpisodeRecord(**{**values, **fields})


def picture(color: tuple[int, int, int]) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (64, 36), color).save(out, "JPEG")
    return out.getvalue()


def play(run: RunDir, record: EpisodeRecord) -> EpisodeRecord:
    """Write the episode as the driver would."""
    if record.status == "failed":
        run.append_failure(record)
        return record
    shade = sum(record.key.encode()) % 200
    steps = [StepRecord(step=0, attempt=0, role="player", screenshot=picture((shade, 0, 0)))]
    meta = EpisodeMeta(record=record, final_frame=picture((0, shade, 0)))
    run.write_episode(record.key, steps, meta)
    run.append_result(record)
    return record
