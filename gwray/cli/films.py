"""`gwray export` of videos: replays one or two episodes frame by frame."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import Progress

from gwray.axes import model_of
from gwray.cli.signals import run_to_end

if TYPE_CHECKING:
    from gwray.sandbox import Frame
    from gwray.store import RunDir


def write_episodes(run: RunDir, keys: Sequence[str], out: Path, *, thinking: bool, trusted: Sequence[str]) -> None:
    """Writes a film of one episode, or of two side by side. Each is replayed and verified while it is filmed.

    Args:
        keys: One or two keys of finished episodes.
        out: `.mp4`, `.webm` or `.gif`; it must not exist.
        thinking: Also shows the time in which the game waited for replies.
        trusted: As in `verify_run`.

    Raises:
        UsageError: an episode has no result or does not verify.
    """
    from gwray.pipelines import film_episode
    from gwray.report import CARD_S, VideoFrames, film_cards, side_by_side, video_fps, write_video

    fps = video_fps(out)
    models = {c.id: model_of(c.spec, c.model) for c in run.manifest().cells}
    reels: list[VideoFrames] = []
    with Progress(console=Console(stderr=True), transient=True) as bar:
        try:
            for key in keys:
                record = run.read_meta(key).record
                opening, closing = film_cards(run, record)
                frames = int(CARD_S * fps)
                reel = VideoFrames(models.get(record.cell, record.model), opening, closing, frames)
                reels.append(reel)
                task = bar.add_task(f"playing {key[:8]}", total=max(1, int(record.game_time_ms / 1000 * fps)))

                async def take(frame: Frame, words: str, reel: VideoFrames = reel, task: object = task) -> None:
                    reel.add(frame.data, words)
                    bar.advance(task)  # type: ignore[arg-type]

                run_to_end(film_episode(run, key, take, fps=fps, thinking=thinking, trusted=trusted))
                reel.flush()
            writing = bar.add_task("writing", total=max(len(reel) for reel in reels))
            pictures = side_by_side(reels) if len(reels) > 1 else iter(reels[0])
            write_video(out, (p for p in pictures if bar.advance(writing) is None), fps)
        finally:
            for reel in reels:
                reel.close()
