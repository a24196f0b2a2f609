"""Episodes as the viewer gets them, and which ones a report shows."""

import io
import json

import polars as pl
from PIL import Image
from runs_to_report import HOSTILE, picture, steps, sweep

from gwray.analysis import Diagnosis
from gwray.records import EpisodeRecord, StepRecord
from gwray.report.export import animation
from gwray.report.replay import DIFF_ROWS, frames, in_small, replay_data, state_diff, thumbnail
from gwray.report.selection import choose_episodes
from gwray.store import Episode, EpisodeMeta

RECORD = EpisodeRecord(key="k", cell="c", game="g", task="t", progress=0.5, steps=12)


def test_a_state_diff_names_paths_and_leaves_out_the_wall_clock():
    rows, more = state_diff({"a": {"x": 1, "y": [1, 2]}, "timestampMs": 1}, {"a": {"x": 2, "y": [1]}, "timestampMs": 2})
    assert rows == [["a.x", "1", "2"], ["a.y[1]", "2", None]] and more == 0


def test_a_huge_diff_is_bounded_and_says_how_much_more_there_is():
    rows, more = state_diff({"n": [0] * 500}, {"n": [1] * 500})
    assert (len(rows), more) == (DIFF_ROWS, 500 - DIFF_ROWS)
    deep: object = 1
    for _ in range(3000):
        deep = [deep]
    assert state_diff(deep, 1)[0]


def test_long_fractions_are_rounded_unless_that_would_hide_what_changed():
    rows, _ = state_diff({"x": 571.8000000000004, "y": 0.123456}, {"x": 614, "y": 0.123457})
    assert rows == [["x", "571.800", "614"], ["y", "0.123456", "0.123457"]]


def test_the_step_after_a_reset_is_not_compared_with_the_step_before_it():
    data = replay_data(Episode(steps(6, 0.5, reset_at=2), EpisodeMeta(record=RECORD)))
    assert data["steps"][2]["reset"] and data["steps"][2]["diff"]
    assert data["steps"][3]["diff"] == []


def test_two_roles_share_a_step_and_its_picture():
    rows = [
        StepRecord(step=i, attempt=0, role=r, screenshot=b"p" if r == "ember" else None, state='{"x":1}')
        for i in range(2) for r in ("ember", "drop")
    ]  # fmt: skip
    episode = Episode(rows, EpisodeMeta(record=RECORD))
    data = replay_data(episode)
    assert [len(s["roles"]) for s in data["steps"]] == [2, 2]
    assert [s["frame"] for s in data["steps"]] == [True, True]
    assert frames(episode) == [b"p", b"p", None]


def test_hostile_records_become_bounded_plain_values():
    row = StepRecord(
        step=0, attempt=0, role=HOSTILE, text=HOSTILE + "x" * 1_000_000, reasoning="\ud800", tool_calls="<" * 100_000,
        action=json.dumps({"action": "press_key", "key": HOSTILE}), control=HOSTILE, state="{" * 100_000,
    )  # fmt: skip
    text = json.dumps(replay_data(Episode([row], EpisodeMeta(record=RECORD))), allow_nan=False)
    assert len(text) < 80_000 and "\\ud800" not in text and "1,000," in text


def test_thumbnails_are_small():
    with Image.open(io.BytesIO(thumbnail(picture(3)))) as image:
        assert image.format == "WEBP" and image.width <= 128


def test_an_exported_animation_has_a_frame_for_every_step_and_the_end():
    episode = Episode(steps(7, 0.5), EpisodeMeta(record=RECORD, final_frame=picture(7)))
    with Image.open(io.BytesIO(animation(episode, width=320))) as image:
        assert (image.format, image.n_frames, image.width) == ("WEBP", 8, 320)


def test_an_animation_survives_keys_that_cannot_be_drawn():
    row = StepRecord(
        step=0, attempt=0, role="p", screenshot=picture(0), action='{"action":"press_key","key":"漢\u202e"}'
    )
    assert animation(Episode([row], EpisodeMeta(record=RECORD)), width=160)


def test_chosen_episodes_show_every_cells_best_and_each_failure_and_do_not_depend_on_the_order_of_rows():
    frame = sweep({"a": 0.4, "b": 0.5}, n_games=4)
    stuck = frame.filter(pl.col("model") == "a")["key"][3]
    found = {stuck: Diagnosis(False, ("stuck",), {"stuck": 4})}
    cells = ["a-semantic", "b-semantic"]
    chosen = choose_episodes(frame, found, cells)
    best = frame.sort("progress").group_by("cell").last()["key"].to_list()
    assert set(best) <= set(chosen) and stuck in chosen and len(set(chosen)) == len(chosen)
    assert choose_episodes(frame.sample(fraction=1, shuffle=True, seed=1), found, cells) == chosen
    assert len(choose_episodes(frame, found, cells, limit=3)) == 3
    tasks = frame.filter(pl.col("key").is_in(chosen)).group_by("task").agg(pl.col("cell").n_unique())
    assert tasks["cell"].max() == 2  # a case study: one task, both cells


def test_small_pictures_have_the_same_size_and_fewer_bytes_and_what_is_none_stays():
    out = io.BytesIO()
    Image.radial_gradient("L").resize((320, 180)).convert("RGB").save(out, "JPEG", quality=80)
    pictures = (out.getvalue(), b"x", None)
    rows = [StepRecord(step=i, attempt=0, role="player", screenshot=s) for i, s in enumerate(pictures)]
    small = in_small(Episode(rows, EpisodeMeta(record=RECORD, final_frame=out.getvalue())))
    one, broken, none = (s.screenshot for s in small.steps)
    assert one and len(one) < 0.6 * len(out.getvalue()) and small.meta.final_frame == one
    with Image.open(io.BytesIO(one)) as image:
        assert (image.format, image.size, small.meta.mime) == ("WEBP", (320, 180), "image/webp")
    assert (broken, none) == (b"x", None)
