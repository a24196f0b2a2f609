"""Videos of episodes, with captions, one or two side by side, as MP4, WebM or GIF."""

import io
import os
import tempfile
from collections.abc import Iterator, Sequence
from itertools import chain, zip_longest
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from gwray.errors import UsageError
from gwray.places import complete_file

CODECS = {".mp4": "libx264", ".webm": "libvpx"}
"""By file suffix."""
GIF = ".gif"
GIF_FPS, GIF_WIDTH = 20, 640
"""GIF delays are in hundredths of a second, and GIF frames are large."""
STRIP = 48
"""Height of the caption in pixels."""
PAPER, INK = (16, 18, 24), (235, 238, 245)


class VideoFrames:
    """Frames with captions, in a temporary file instead of memory."""

    def __init__(self, title: str):
        self.title = title
        self._file = tempfile.TemporaryFile()  # noqa: SIM115  (closed by `close`)
        self._at: list[tuple[int, int, str]] = []

    def add(self, picture: bytes, caption: str) -> None:
        self._at.append((self._file.tell(), len(picture), caption))
        self._file.write(picture)

    def __len__(self) -> int:
        return len(self._at)

    def __iter__(self) -> Iterator[Image.Image]:
        """Each frame with its caption below."""
        font = ImageFont.load_default(24)
        for start, size, caption in self._at:
            picture = Image.open(io.BytesIO(os.pread(self._file.fileno(), size, start))).convert("RGB")
            image = Image.new("RGB", (picture.width, picture.height + STRIP), PAPER)
            image.paste(picture)
            draw = ImageDraw.Draw(image)
            draw.text((16, picture.height + 10), caption, INK, font)
            draw.text((picture.width - 16, picture.height + 10), self.title, INK, font, anchor="ra")
            yield image

    def flush(self) -> None:
        self._file.flush()

    def close(self) -> None:
        self._file.close()


def side_by_side(videos: Sequence[VideoFrames]) -> Iterator[Image.Image]:
    """Frames of several videos side by side; the last frame of a shorter one is held."""
    last: list[Image.Image] = []
    for pictures in zip_longest(*videos):
        now = [p or before for p, before in zip_longest(pictures, last)]
        last = [p for p in now if p is not None]
        image = Image.new("RGB", (sum(p.width for p in last), max(p.height for p in last)), PAPER)
        left = 0
        for p in last:
            image.paste(p, (left, 0))
            left += p.width
        yield image


def video_fps(path: Path) -> int:
    """Frames per second of game time for a file type. `UsageError` for an unsupported type, and if the encoder is not
    installed."""
    if path.suffix == GIF:
        return GIF_FPS
    if path.suffix not in CODECS:
        raise UsageError(f"'{path}': unsupported video type. Allowed: {', '.join([*CODECS, GIF])}")
    try:
        import av  # noqa: F401
    except ModuleNotFoundError:
        raise UsageError("videos need the package av: pip install 'gwray[video]', or write a .gif") from None
    return 60


def write_video(path: Path, pictures: Iterator[Image.Image], fps: int) -> None:
    """Write a video; the file appears when it is complete. `UsageError` if there are no frames."""
    first = next(pictures, None)
    if first is None:
        raise UsageError("no game time passes in this episode, so there is no video to write")
    with complete_file(path) as part:
        write = _write_gif if path.suffix == GIF else _write_video
        write(part, first, pictures, fps, path.suffix)


def _write_gif(part: Path, first: Image.Image, pictures: Iterator[Image.Image], fps: int, kind: str) -> None:
    size = (GIF_WIDTH, round(first.height * GIF_WIDTH / first.width))
    rest = (p.resize(size).quantize(128) for p in pictures)
    begin = first.resize(size).quantize(128)
    begin.save(part, "GIF", save_all=True, append_images=rest, duration=1000 // fps, loop=0)


def _write_video(part: Path, first: Image.Image, pictures: Iterator[Image.Image], fps: int, kind: str) -> None:
    import av

    with av.open(str(part), "w", format=kind.lstrip(".")) as file:
        stream = file.add_stream(CODECS[kind], rate=fps)
        assert isinstance(stream, av.VideoStream)
        stream.width, stream.height, stream.pix_fmt = first.width // 2 * 2, first.height // 2 * 2, "yuv420p"
        stream.options = {"crf": "23", "preset": "veryfast"} if kind == ".mp4" else {"deadline": "realtime"}
        if kind == ".webm":
            stream.bit_rate = 3_000_000
        for picture in chain([first], pictures):
            file.mux(stream.encode(av.VideoFrame.from_image(picture.crop((0, 0, stream.width, stream.height)))))
        file.mux(stream.encode())
