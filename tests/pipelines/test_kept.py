"""An interrupted episode goes on without taking again the pictures that were taken."""

from __future__ import annotations

import asyncio
import os
from dataclasses import replace

import pytest

from gwray.errors import StoreError
from gwray.pipelines.kept import KeptPictures
from gwray.pipelines.run import open_run
from gwray.pipelines.worker import Worker
from gwray.records import EpisodeRecord, StepRecord, digest
from gwray.sandbox import GamePage
from gwray.store import EpisodeMeta, RunDir, Taken
from pipelines.conftest import plan_of, short_library

STOP = 9


async def played(folder, job: dict, monkeypatch, *, stop: int | None = None):
    """One episode by a worker of its own, cut off after a step if asked for: (run, key, pictures taken)."""
    taken = 0

    async def counted(self, answer, encoding):
        nonlocal taken
        taken += 1
        return await frame(self, answer, encoding)

    def cut_off(rows):
        if rows[0].step == stop:
            raise asyncio.CancelledError

    plan = plan_of(folder, job)
    run = open_run(plan)
    worker = Worker(plan.run_dir, [short_library()], on_rows=cut_off)
    frame = GamePage._frame
    with monkeypatch.context() as patch:
        patch.setattr(GamePage, "_frame", counted)
        patch.setattr("gwray.store.episodes.HELD_BYTES", 1)
        try:
            await worker.play(plan.episodes[0])
        except asyncio.CancelledError:
            assert stop is not None
        finally:
            await worker.close()
    return run, plan.episodes[0].key, taken


@pytest.mark.parametrize(
    "job",
    [{"game": "short-flight"}, {"game": "short-sums", "interface": "semantic", "observation": {"text": True}}],
    ids=["canvas", "words too"],
)
async def test_only_pictures_that_are_missing_are_taken_and_the_episode_is_the_same(tmp_path, monkeypatch, job):
    calm, key, all_of_them = await played(tmp_path / "calm", job, monkeypatch)
    await played(tmp_path / "cut", job, monkeypatch, stop=STOP)
    (left,) = (tmp_path / "cut" / "run" / "episodes").iterdir()
    run, _, taken = await played(tmp_path / "cut", job, monkeypatch)
    steps = calm.read_steps(key)
    same = {"exclude": {"latency_ms", "replies_hash"}}
    assert [s.model_dump(**same) for s in run.read_steps(key)] == [s.model_dump(**same) for s in steps]
    assert len(steps) > STOP + 3
    assert run.read_meta(key).final_frame == calm.read_meta(key).final_frame
    assert taken <= all_of_them - STOP < len(steps), "those before the cut-off step were not taken again"
    assert not left.exists() and [f.name for f in left.parent.iterdir()] == [f"{key}.parquet"]


def rows(n: int) -> list[StepRecord]:
    pictures = [b"picture %d" % i for i in range(n)]
    return [
        StepRecord(step=i, attempt=0, role="p", screenshot=p, screenshot_hash=digest(p), state_hash=f"after {i}",
                   before="{}" if i == 0 else "")
        for i, p in enumerate(pictures)
    ]  # fmt: skip


@pytest.fixture
def run(tmp_path) -> RunDir:
    return RunDir.create(tmp_path / "run", {})


def left_by_one(run: RunDir) -> None:
    with run.episode_writer("k") as writer:
        writer.renderer = "r"
        for row in rows(4):
            writer.append([row])
            writer.flush()
        writer.leave()


def test_what_an_interrupted_writer_left_is_read_as_far_as_it_is_whole(run):
    left_by_one(run)
    with run.episode_writer("k") as writer:
        writer.renderer = "another"
        assert not [*writer.left()], "pictures of two renderers are no one episode"
        writer.renderer = "r"
        whole = [*writer.left()]
        assert whole == [Taken(i, digest("{}") if i == 0 else f"after {i - 1}", b"picture %d" % i) for i in range(4)]
        (file,) = writer._left
        data = file.read_bytes()
        for size in range(0, len(data), 97):
            file.write_bytes(data[:size])
            found = [*writer.left()]
            assert found == whole[: len(found)]
        file.write_bytes(data.replace(b"picture 2", b"PICTURE 2"))
        assert [*writer.left()] == whole[:2], "what is not what its hash says ends it"
        file.write_bytes(os.urandom(5000))
        assert not [*writer.left()]
    assert not file.exists(), "an episode that failed leaves nothing"


def test_who_finishes_an_episode_clears_what_all_before_left(run):
    left_by_one(run)
    left_by_one(run)
    with run.episode_writer("k") as writer:
        writer.append(rows(1))
        writer.finish(EpisodeMeta(record=EpisodeRecord(key="k", cell="c", game="g", task="t")))
    assert [f.name for f in (run.local_path / "episodes").iterdir()] == ["k.parquet"]


def test_an_error_leaves_nothing_and_a_cancelled_writer_its_rows(run):
    folder = run.local_path / "episodes"
    for error in (StoreError, asyncio.CancelledError):
        with pytest.raises(error), run.episode_writer("k") as writer:
            writer.append(rows(3))
            writer.flush()
            raise error("stop")
        assert len([*folder.iterdir()]) == (error is asyncio.CancelledError)
    with run.episode_writer("k") as writer:
        assert [t.step for t in writer.left()] == [0, 1, 2]


async def test_a_picture_is_for_its_step_and_its_state_alone():
    taken = [Taken(i, f"before {i}", b"%d" % i) for i in (0, 1, 3, 4, 6)]
    kept = await KeptPictures(iter(taken)).open()
    assert kept.reaches(0) and not kept.reaches(1)
    assert await kept.picture(0, "before 0") == b"0" and await kept.picture(1, "before 1") == b"1"
    assert await kept.picture(2, "before 2") is None and kept.reaches(3), "a forced step has none"
    assert await kept.picture(4, "before 4") == b"4"
    assert await kept.picture(6, "elsewhere") is None
    kept = await KeptPictures(iter([replace(taken[0], before="elsewhere"), *taken[1:]])).open()
    assert await kept.picture(0, "before 0") is None and not kept.reaches(1), "from there on it is another episode"
