"""Coordinates: the size of the image that a model gets, and the mapping of its answers to the viewport. This is the
only module that scales images or points: providers get images in their final size."""

import io
import math
from dataclasses import dataclass
from typing import Literal

from gwray.settings import ImageGrid


def sent_size(width: int, height: int, grid: ImageGrid) -> tuple[int, int]:
    """Returns the size in pixels of the image to send for a screenshot of this size. Both sides are multiples of
    `factor`, the area lies between `min_pixels` and `max_pixels` if possible, and the aspect ratio is kept as well as
    the factor allows."""
    f = max(1, grid.factor)
    w, h = max(f, round(width / f) * f), max(f, round(height / f) * f)
    if grid.max_pixels is not None and w * h > grid.max_pixels:
        scale = math.sqrt(width * height / grid.max_pixels)
        w, h = max(f, math.floor(width / scale / f) * f), max(f, math.floor(height / scale / f) * f)
    elif grid.min_pixels is not None and w * h < grid.min_pixels:
        scale = math.sqrt(grid.min_pixels / (width * height))
        w, h = math.ceil(width * scale / f) * f, math.ceil(height * scale / f) * f
    return w, h


def resized(data: bytes, mime: str, size: tuple[int, int]) -> bytes:
    """Returns an image file at `size`, in the same file format; unchanged if it already has that size."""
    from PIL import Image

    with Image.open(io.BytesIO(data)) as image:
        if image.size == size:
            return data
        small = image.convert("RGB").resize(size, Image.Resampling.BICUBIC)
    out = io.BytesIO()
    if mime == "image/png":
        small.save(out, "PNG")
    else:
        small.save(out, "JPEG", quality=90)
    return out.getvalue()


@dataclass(frozen=True)
class Grid:
    """The coordinate system in which one model answers."""

    kind: Literal["viewport", "thousand", "resized"]
    viewport: tuple[int, int]
    sent: tuple[int, int]

    @classmethod
    def from_spec(cls, image: ImageGrid, viewport: tuple[int, int]) -> "Grid":
        """Returns the grid of a profile on a screen of this size."""
        return cls(image.coordinates, viewport, sent_size(*viewport, image))

    @property
    def extent(self) -> tuple[int, int]:
        """The largest coordinate in each direction, for prompts."""
        if self.kind == "thousand":
            return 1000, 1000
        w, h = self.sent if self.kind == "resized" else self.viewport
        return w - 1, h - 1

    def to_viewport(self, x: float, y: float) -> tuple[float, float]:
        """Returns the viewport pixels of a point in the model's coordinates. A point outside the grid stays outside."""
        return self._axis(x, 0), self._axis(y, 1)

    def from_viewport(self, x: float, y: float) -> tuple[float, float]:
        """Returns the model's coordinates, rounded to whole numbers, of a viewport point."""
        return round(x / self._scale(0)), round(y / self._scale(1))

    def is_fraction(self, x: float, y: float) -> bool:
        """Whether a viewport point comes from two numbers from 0 to 1 that are not both whole: the answer of a model
        that gives parts of the screen in place of coordinates."""
        units = [round(n / self._scale(axis), 2) for axis, n in enumerate((x, y))]
        return all(0 <= u <= 1 for u in units) and any(u not in (0, 1) for u in units)

    def _scale(self, axis: int) -> float:
        if self.kind == "viewport":
            return 1.0
        return self.viewport[axis] / (1000 if self.kind == "thousand" else self.sent[axis])

    def _axis(self, value: float, axis: int) -> float:
        """Returns a coordinate of the model in viewport pixels. `axis`: 0 is x, 1 is y."""
        last = self.viewport[axis] - 1
        place = round(value * self._scale(axis), 2)
        # The far edge of a closed grid (1000 of 0–1000) is the last pixel, not the first one outside.
        inside = self.kind == "thousand" and 0 <= value <= 1000
        return float(min(place, last)) if inside else place
