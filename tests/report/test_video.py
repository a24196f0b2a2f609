"""Videos: made by replaying an episode, and only if it verifies."""

from __future__ import annotations

import io
from itertools import pairwise
from pathlib import Path

import pytest
from PIL import Image
from pipelines.conftest import play

from gwray.cli import films
from gwray.cli.runs import export
from gwray.errors import UsageError
from gwray.report.video import CARD_S, PAPER, STRIP, VideoFrames, film_cards, side_by_side, write_video
from gwray.store import RunDir, RunManifest


def picture(colour: str, width: int = 64) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (width, 48), colour).save(out, "PNG")
    return out.getvalue()


def reel(*colours: str, width: int = 64) -> VideoFrames:
    made = VideoFrames("who")
    for n, colour in enumerate(colours):
        made.add(picture(colour, width), f"{n} · Space")
    made.flush()
    return made


def test_cards_stand_before_and_after_an_episode():
    made = VideoFrames("who", ["a task that is much too long for so narrow a frame", "seed 42"], ["success"], 2)
    assert len(made) == 0 and [*made] == [], "no cards without an episode"
    made.add(picture("red"), "1 · Space")
    made.flush()
    pictures = [*made]
    assert len(made) == len(pictures) == 5 and {p.size for p in pictures} == {(64, 48 + STRIP)}
    assert pictures[2].getpixel((10, 10)) == (255, 0, 0)
    assert {pictures[i].getpixel((0, 0)) for i in (0, 1, 3, 4)} == {PAPER}
    assert all(len(pictures[i].getcolors()) > 1 for i in (0, 3)), "there is text"


def test_side_by_side_holds_the_shorter_episode():
    pictures = [*side_by_side([reel("red", "lime", "blue"), reel("white", width=32)])]
    assert [p.size for p in pictures] == [(96, 48 + STRIP)] * 3
    assert [p.getpixel((10, 10)) for p in pictures] == [(255, 0, 0), (0, 255, 0), (0, 0, 255)]
    assert {p.getpixel((80, 10)) for p in pictures} == {(255, 255, 255)}


def test_interrupted_video_leaves_no_file(tmp_path):
    def broken():
        yield from reel("red")
        raise KeyboardInterrupt

    for name in ("a.gif", "a.mp4"):
        with pytest.raises(KeyboardInterrupt):
            write_video(tmp_path / name, broken(), 20)
    with pytest.raises(UsageError, match="no game time passes"):
        write_video(tmp_path / "b.gif", iter(()), 20)
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize(
    ("keys", "out", "says"),
    [
        (1, "a.avi", "only .html, .webp, .mp4, .webm, .gif can be written"),
        (2, "a.html", "one or two, side by side; .html and .webp show one"),
        (3, "a.mp4", "3 episodes given. A video"),
    ],
)
def test_unwritable_formats_are_refused(tmp_path, monkeypatch, keys, out, says):
    RunDir.create(tmp_path / "run", RunManifest(name="r"))
    monkeypatch.setattr(RunDir, "find", lambda self, one, among: one)
    with pytest.raises(UsageError, match=says):
        export(str(tmp_path / "run"), ["k"] * keys, tmp_path / out)


@pytest.mark.slow
async def test_video_has_every_frame_of_a_verified_run(tmp_path):
    import asyncio

    import av

    job = {"model": "scripted", "game": "13_flappy-bird", "task": "1", "limit": {"steps": 8}}
    ended = await play(tmp_path, job)
    (record,) = ended.run.results()

    def write(name: str) -> Path:
        out = tmp_path / name
        films.write_episodes(ended.run, [record.key], out, thinking=False, trusted=())
        return out

    with av.open(str(await asyncio.to_thread(write, "a.mp4"))) as film:
        (stream,) = film.streams.video
        frames = [frame.to_ndarray(format="gray8") for frame in film.decode(stream)]
    card = int(CARD_S * 60)
    assert len(frames) == round(record.game_time_ms * 60 / 1000) + 2 * card and stream.average_rate == 60
    played = frames[card:-card]
    assert all((a != b).any() for a, b in pairwise(played)), "the bird flies in every one of them"
    with Image.open(await asyncio.to_thread(write, "a.gif")) as gif:
        assert gif.n_frames >= round(record.game_time_ms * 20 / 1000) + 2  # type: ignore[attr-defined]
    opening, closing = film_cards(ended.run, record)
    assert opening[0].startswith("Gap Flyer: target 1") and "scripted" in opening[1] and opening[3].startswith("seal ")
    assert closing[0] == ("success" if record.success else f"progress {100 * record.progress:.0f} %")
    ended.run.rewrite_results([record.model_copy(update={"score": 99.0})])
    with pytest.raises(UsageError, match=r"no film of .*does not verify \(different"):
        await asyncio.to_thread(write, "b.gif")
    assert not (tmp_path / "b.gif").exists()
