"""Screenshots of a report's replays: each distinct one is stored once, under the hash of the recorded one; half of the
screenshots of a run are duplicates. Scaling them down is an option, because it takes longer than all else."""

import hashlib
import io
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
Saved = tuple[str, int | None]
"""Path of a screenshot below the root of the site, and its recorded width, to which actions' coordinates refer; None if
the file is no image."""


class FrameWriter:
    """Writes the screenshots of episodes into the folder of a site, as recorded or, if `small`, `WIDE` pixels wide."""

    def __init__(self, site: Path, *, small: bool = False):
        self._site, self._small = site, small
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
            try:
                with Image.open(io.BytesIO(picture)) as image:
                    wide = image.width
                    kept = _scaled(image, picture) if self._small and wide > WIDE else picture
            except OSError:  # Pillow: not an image; the page shows a blank
                wide, kept = None, picture
            (self._site / path).write_bytes(kept)
            self._stored[name] = path, wide
        return self._stored[name]


def _scaled(image: Image.Image, picture: bytes) -> bytes:
    """Returns an image `WIDE` pixels wide in its format; `picture`, its file, if that would not be smaller."""
    out, kind = io.BytesIO(), image.format
    size = WIDE, max(1, round(image.height * WIDE / image.width))
    image.draft("RGB", size)  # a JPEG is decoded at half or a quarter of its size, but not smaller than this
    fits = image.size == size and image.mode == "RGB"
    (image if fits else image.convert("RGB").resize(size)).save(out, kind, quality=QUALITY)
    return min(picture, out.getvalue(), key=len)
