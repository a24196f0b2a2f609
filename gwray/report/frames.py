"""Screenshots of a report's replays: each distinct one is stored once, under the hash of the recorded one. Half of the
screenshots of a run are duplicates, and all are larger than a page shows them. The run directory keeps the recorded
ones."""

import hashlib
import io
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image

from gwray.report.replay import frames, suffix, thumbnail, thumbnail_of
from gwray.store import Episode

FOLDER = "frames"
WIDE = 640
"""Width in pixels. `full` keeps the recorded width."""
QUALITY = 40
"""Of WebP: small print can be read at this width and quality, and flat colors hardly change."""


@dataclass(frozen=True)
class SavedFrame:
    """Paths of a screenshot, below the root of the site."""

    path: str
    thumb: str | None
    """None if the file is no image."""
    wide: int | None
    """Original width in pixels if it was scaled down: actions' coordinates refer to it."""


class FrameWriter:
    """Writes screenshots. `full`: the recorded files, byte by byte."""

    def __init__(self, site: Path, *, full: bool):
        self._site, self._full = site, full
        self._stored: dict[str, SavedFrame] = {}
        # Pillow lets other threads run while it reads, scales and writes.
        self._pool = ThreadPoolExecutor()

    def __enter__(self) -> "FrameWriter":
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(cancel_futures=True)

    def put(self, episode: Episode, data: dict[str, Any]) -> None:
        """Writes the screenshots of an episode, and their paths into its `replay_bundle`."""
        recorded = [None if p is None else (hashlib.sha256(p).hexdigest()[:20], p) for p in frames(episode)]
        new = {name: p for name, p in filter(None, recorded) if name not in self._stored}
        mimes = [episode.meta.mime] * len(new)
        self._stored |= zip(new, self._pool.map(self._write, new, new.values(), mimes), strict=True)
        found = [None if r is None else self._stored[r[0]] for r in recorded][: len(data["frames"])]
        data["frames"] = [s and s.path for s in found]
        data["thumbs"] = [s and s.thumb for s in found]
        data["wide"] = [s and s.wide for s in found]

    def _write(self, name: str, picture: bytes, mime: str) -> SavedFrame:
        try:
            small, tiny, wide = (None, thumbnail(picture), None) if self._full else shrunk(picture)
        except OSError:  # Pillow: not an image; the page shows a blank
            return SavedFrame(self._file(f"{name}.{suffix(mime)}", picture), None, None)
        thumb = self._file(f"{name}.t.webp", tiny)
        if small is None or len(small) >= len(picture):
            return SavedFrame(self._file(f"{name}.{suffix(mime)}", picture), thumb, None)
        return SavedFrame(self._file(f"{name}.webp", small), thumb, wide)

    def _file(self, name: str, data: bytes) -> str:
        (self._site / FOLDER / name).write_bytes(data)
        return f"{FOLDER}/{name}"


def shrunk(picture: bytes) -> tuple[bytes, bytes, int]:
    """Returns a WebP, a thumbnail and the original width. `OSError` if it is no image."""
    with Image.open(io.BytesIO(picture)) as source:
        wide, size = source.width, (WIDE, max(1, round(source.height * WIDE / source.width)))
        source.draft("RGB", size)  # a JPEG is decoded at half or a quarter of its size, but not smaller than this
        image = source.convert("RGB")
    if image.width > WIDE:
        image = image.resize(size, Image.Resampling.BICUBIC)
    out = io.BytesIO()
    image.save(out, "WEBP", quality=QUALITY, method=2)  # slower methods take 3 to 4 times as long for 7 % fewer bytes
    return out.getvalue(), thumbnail_of(image), wide
