"""Screenshots of a report's replays: each distinct one is stored once, under the hash of the recorded one. Half of the
screenshots of a run are duplicates, and all are larger than a page shows them. They are copied as recorded, so that the
pages are complete at once, and scaled down afterwards. The run directory keeps the recorded ones."""

import hashlib
import io
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from PIL import Image

from gwray.report.replay import frames, suffix
from gwray.store import Episode

FOLDER = "frames"
WIDE = 640
"""Width in pixels."""
QUALITY = 50
"""Of JPEG and WebP: small print can be read at this width and quality, and flat colors hardly change."""
EVERY = 100
"""Screenshots between two lines of progress."""

Saved = tuple[str, int | None]
"""Path of a screenshot below the root of the site, and its recorded width, to which actions' coordinates refer; None if
the file is no image."""


class FrameWriter:
    """Writes the recorded screenshots of episodes into the folder of a site."""

    def __init__(self, site: Path):
        self._site = site
        self._stored: dict[str, Saved] = {}

    def put(self, episode: Episode, data: dict[str, Any]) -> None:
        """Writes the screenshots of an episode, and their paths and widths into its `replay_bundle`."""
        shown = frames(episode)[: len(data["frames"])]
        found = [None if p is None else self._save(p, episode.meta.mime) for p in shown]
        data["frames"] = [s and s[0] for s in found]
        data["wide"] = [s and s[1] for s in found]

    def _save(self, picture: bytes, mime: str) -> Saved:
        name = hashlib.sha256(picture).hexdigest()[:20]
        if name not in self._stored:
            path = f"{FOLDER}/{name}.{suffix(mime)}"
            (self._site / path).write_bytes(picture)
            self._stored[name] = path, _width(picture)
        return self._stored[name]


def shrink_frames(site: Path, say: Callable[[str], None]) -> None:
    """Scales the screenshots of a site down to `WIDE`, in their formats; files that would not become smaller stay."""
    files = sorted((site / FOLDER).iterdir())
    with ThreadPoolExecutor() as pool:  # Pillow lets other threads run while it reads, scales and writes
        for i, _ in enumerate(pool.map(_shrink, files)):
            if i % EVERY == 0:
                say(f"shrinking screenshots: {i:,} of {len(files):,}")


def _width(picture: bytes) -> int | None:
    try:
        with Image.open(io.BytesIO(picture)) as image:
            return image.width
    except OSError:  # Pillow: not an image; the page shows a blank
        return None


def _shrink(file: Path) -> None:
    out = io.BytesIO()
    try:
        with Image.open(file) as image:
            size, kind = (WIDE, max(1, round(image.height * WIDE / image.width))), image.format
            if image.width <= WIDE:
                return
            image.draft("RGB", size)  # a JPEG is decoded at half or a quarter of its size, but not smaller than this
            fits = image.size == size and image.mode == "RGB"
            scaled = image if fits else image.convert("RGB").resize(size, Image.Resampling.BICUBIC)
            scaled.save(out, kind, quality=QUALITY)
    except OSError:
        return
    if len(small := out.getvalue()) < file.stat().st_size:
        file.write_bytes(small)
