"""Videos of episodes, with captions, one or two side by side, as MP4, WebM or GIF."""

import io
import os
import tempfile
from collections.abc import Iterator, Sequence
from itertools import chain, zip_longest
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from gwray.axes import cell_labels
from gwray.errors import UsageError
from gwray.places import complete_file
from gwray.records import EpisodeRecord
from gwray.report.task_texts import task_texts
from gwray.store import RunDir

CODECS = {".mp4": "libx264", ".webm": "libvpx"}
"""By file suffix."""
GIF = ".gif"
GIF_FPS, GIF_WIDTH = 20, 640
"""GIF delays are in hundredths of a second, and GIF frames are large."""
STRIP = 48
"""Height of the caption in pixels."""
PAPER, INK = (16, 18, 24), (235, 238, 245)


CARD_S = 2.5
"""Seconds of the cards before and after an episode."""


class VideoFrames:
    """Frames with captions, in a temporary file instead of memory.

    `opening`, `closing`: lines of the cards before the first and after the last frame, of `card_frames` frames each.
    """

    def __init__(self, title: str, opening: Sequence[str] = (), closing: Sequence[str] = (), card_frames: int = 0):
        self.title = title
        self._cards, self._card_frames = (opening, closing), card_frames
        self._file = tempfile.TemporaryFile()  # noqa: SIM115  (closed by `close`)
        self._at: list[tuple[int, int, str]] = []

    def add(self, picture: bytes, caption: str) -> None:
        self._at.append((self._file.tell(), len(picture), caption))
        self._file.write(picture)

    def __len__(self) -> int:
        return len(self._at) + (self._card_frames * sum(map(bool, self._cards)) if self._at else 0)

    def __iter__(self) -> Iterator[Image.Image]:
        """Each frame with its caption below, between the cards."""
        played = self._played()
        first = last = next(played, None)
        if first is None:
            return
        opening, closing = self._cards
        yield from self._card(opening, first.size)
        yield first
        for last in played:
            yield last
        yield from self._card(closing, last.size)  # type: ignore[union-attr]

    def _card(self, lines: Sequence[str], size: tuple[int, int]) -> Iterator[Image.Image]:
        """Lines in the middle of an empty frame, the first one large."""
        if not lines:
            return
        image = Image.new("RGB", size, PAPER)
        draw, top = ImageDraw.Draw(image), size[1] / 2 - 24 * len(lines)
        for i, line in enumerate(lines):
            font = ImageFont.load_default(24 if i else 40)
            fit = min(1.0, 0.94 * size[0] / max(1.0, draw.textlength(line, font)))
            font = ImageFont.load_default(max(12, int((24 if i else 40) * fit)))
            draw.text((size[0] / 2, top), line, INK, font, anchor="ma")
            top += 44 if i else 64
        yield from (image for _ in range(self._card_frames))

    def _played(self) -> Iterator[Image.Image]:
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


def film_cards(run: RunDir, record: EpisodeRecord) -> tuple[list[str], list[str]]:
    """Returns the lines of the cards before and after an episode: task, model, seed and seal; outcome and score."""
    text = task_texts([run]).get(record.task)
    named = f"{text.title}: {text.goal}" if text else f"{record.game} · {record.task}"
    manifest = run.manifest()
    cell, sealed = cell_labels(manifest.named_cells()).get(record.cell, record.model), manifest.seal
    opening = [
        named,
        cell,
        f"seed {record.seed} · repeat {record.repeat}",
        *([f"seal {sealed[:20]}…"] if sealed else []),
    ]
    outcome = "success" if record.success else f"progress {100 * (record.progress or 0):.0f} %"
    score = [] if record.score is None else [f"score {record.score:g}"]
    return opening, [outcome, *score, f"{record.steps} steps · ended by {record.ended_by or 'the game'}"]


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
    """Writes a video; the file appears when it is complete. `UsageError` if there are no frames."""
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
