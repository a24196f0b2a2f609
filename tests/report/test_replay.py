"""Data of replays, and the choice of episodes."""

import io
import json
from pathlib import Path
from typing import Any

import polars as pl
from PIL import Image
from runs_to_report import HOSTILE, picture, steps, sweep

from gwray.records import EpisodeRecord, StepRecord
from gwray.report.cases import choose_episodes
from gwray.report.frames import FrameWriter
from gwray.report.replay import DIFF_ROWS, frames, replay_data, state_diff, state_text
from gwray.store import Episode, EpisodeMeta

RECORD = EpisodeRecord(key="k", cell="c", game="g", task="t", progress=0.5, steps=12)


def test_state_diff_names_paths_without_wall_clock():
    rows, more = state_diff({"a": {"x": 1, "y": [1, 2]}, "timestampMs": 1}, {"a": {"x": 2, "y": [1]}, "timestampMs": 2})
    assert rows == [["a.x", "1", "2"], ["a.y[1]", "2", None]] and more == 0


def test_huge_state_diff_is_bounded():
    rows, more = state_diff({"n": [0] * 500}, {"n": [1] * 500})
    assert (len(rows), more) == (DIFF_ROWS, 500 - DIFF_ROWS)
    deep: object = 1
    for _ in range(3000):
        deep = [deep]
    assert state_diff(deep, 1)[0]


def test_fractions_are_rounded_unless_that_hides_a_change():
    rows, _ = state_diff({"x": 571.8000000000004, "y": 0.123456}, {"x": 614, "y": 0.123457})
    assert rows == [["x", "571.800", "614"], ["y", "0.123456", "0.123457"]]


def test_no_state_diff_across_a_reset():
    data = replay_data(Episode(steps(6, 0.5, reset_at=2), EpisodeMeta(record=RECORD)))
    assert data["steps"][2]["reset"] and data["steps"][2]["diff"]
    assert data["steps"][3]["diff"] == []


def test_first_step_of_an_attempt_is_compared_with_the_state_before_it():
    first = StepRecord(step=0, attempt=0, role="p", before='{"score": 0}', state='{"score": 47}', reset=True)
    again = StepRecord(step=1, attempt=1, role="p", before='{"score": 3}', state='{"score": 5}')
    data = replay_data(Episode([first, again], EpisodeMeta(record=RECORD)))
    assert [s["diff"] for s in data["steps"]] == [[["score", "0", "47"]], [["score", "3", "5"]]]


def test_states_share_their_lines():
    wide = [{"name": "x" * 40, "n": n, "more": "y" * 40} for n in (1, 2, 1)]
    rows = [StepRecord(step=i, attempt=0, role="p", state=json.dumps(s)) for i, s in enumerate(wide)]
    data = replay_data(Episode(rows, EpisodeMeta(record=RECORD)))
    shown = ["\n".join(data["state_lines"][n] for n in s["state"]) for s in data["steps"]]
    assert shown == [state_text(s) for s in wide] and len(data["state_lines"]) == 6


def test_roles_share_a_step_and_its_screenshot():
    rows = [
        StepRecord(step=i, attempt=0, role=r, screenshot=b"p" if r == "ember" else None, state='{"x":1}')
        for i in range(2) for r in ("ember", "drop")
    ]  # fmt: skip
    episode = Episode(rows, EpisodeMeta(record=RECORD))
    data = replay_data(episode)
    assert [len(s["roles"]) for s in data["steps"]] == [2, 2]
    assert [s["frame"] for s in data["steps"]] == [True, True]
    assert frames(episode) == [b"p", b"p", None]


def test_hostile_records_are_bounded():
    row = StepRecord(
        step=0, attempt=0, role=HOSTILE, text=HOSTILE + "x" * 1_000_000, reasoning="\ud800", tool_calls="<" * 100_000,
        action=json.dumps({"action": "press_key", "key": HOSTILE}), control=HOSTILE, state="{" * 100_000,
    )  # fmt: skip
    text = json.dumps(replay_data(Episode([row], EpisodeMeta(record=RECORD))), allow_nan=False)
    assert len(text) < 80_000 and "\\ud800" not in text and "1,000," in text


def test_commands_show_their_arguments_and_the_games_answer():
    action = json.dumps({"action": "command", "name": "play", "args": {"clip": 3, "word": HOSTILE}})
    row = StepRecord(step=0, attempt=0, role="p", action=action, control="play_clip", ok=False, feedback="No clip 3.")
    data = replay_data(Episode([row], EpisodeMeta(record=RECORD.model_copy(update={"sees_text": True}))))
    (role,) = data["steps"][0]["roles"]
    assert role["action"]["args"].startswith("clip=3, word=") and data["record"]["sees_text"]
    assert (role["ok"], role["feedback"]) == (False, "No clip 3.")


def test_descriptions_that_the_agent_got_are_shown_once_per_line():
    rows = [StepRecord(step=i, attempt=0, role="p", observed=f"Archive: {HOSTILE}\nClips: {i}") for i in range(3)]
    data = replay_data(Episode(rows, EpisodeMeta(record=RECORD)))
    told = [[data["state_lines"][n] for n in step["roles"][0]["observed"]] for step in data["steps"]]
    assert [lines[1] for lines in told] == ["Clips: 0", "Clips: 1", "Clips: 2"]
    assert len({step["roles"][0]["observed"][0] for step in data["steps"]}) == 1


def test_chosen_episodes_ignore_row_order():
    frame = sweep({"a": 0.4, "b": 0.5}, n_games=4)
    stuck = frame.filter(pl.col("model") == "a")["key"][3]
    found = {stuck: {"stuck": 4}}
    cells = ["a-semantic", "b-semantic"]
    chosen = choose_episodes(frame, found, cells)
    best = frame.sort("progress").group_by("cell").last()["key"].to_list()
    assert set(best) <= set(chosen) and stuck in chosen and len(set(chosen)) == len(chosen)
    assert choose_episodes(frame.sample(fraction=1, shuffle=True, seed=1), found, cells) == chosen
    assert len(choose_episodes(frame, found, cells, limit=3)) == 3
    tasks = frame.filter(pl.col("key").is_in(chosen)).group_by("task").agg(pl.col("cell").n_unique())
    assert tasks["cell"].max() == 2  # a case study: one task, both cells


def test_state_text_keeps_short_values_on_one_line():
    state = {"board": [[0, 2, 4, 8]] * 8, "player": {"x": 1, "y": None}, "text": "x" * 80, "none": []}
    text = state_text(state)
    assert json.loads(text) == state
    assert text.startswith('{\n "board": [\n  [0, 2, 4, 8],\n') and '\n "player": {"x": 1, "y": null},\n' in text
    deep = json.loads("[" * 300 + "1" + "]" * 300)
    assert json.loads(state_text(deep)) == deep


def put(site: Path, pictures: list[bytes | None], *, small: bool = True) -> dict[str, Any]:
    """An episode's pictures, stored in a report."""
    rows = [StepRecord(step=i, attempt=0, role="player", screenshot=p) for i, p in enumerate(pictures[:-1])]
    data: dict[str, Any] = {"frames": pictures}
    (site / "frames").mkdir(exist_ok=True)
    FrameWriter(site, small=small).put(Episode(rows, EpisodeMeta(record=RECORD, final_frame=pictures[-1])), data)
    return data


def test_screenshots_are_stored_once_and_smaller(tmp_path):
    one, other = picture(1), picture(2)
    data = put(tmp_path, [one, other, one, None, b"x", one])
    first, second, again, none, broken, end = data["frames"]
    assert first == again == end and second not in (first, None) and none is None
    assert data["wide"] == [1280, 1280, 1280, None, None, 1280]
    assert len([*(tmp_path / "frames").iterdir()]) == 3, "two pictures, and what is none"
    kept = tmp_path / first
    with Image.open(kept) as image:
        assert (image.format, image.size) == ("JPEG", (640, 360))
    assert kept.stat().st_size < 0.6 * len(one) and (tmp_path / broken).read_bytes() == b"x"


def test_report_keeps_recorded_screenshots(tmp_path):
    one = picture(1)
    full = put(tmp_path, [one, one], small=False)
    assert (tmp_path / full["frames"][0]).read_bytes() == one and full["wide"] == [1280, 1280]
    out = io.BytesIO()
    Image.effect_noise((64, 36), 90).save(out, "WEBP", quality=1)
    kept = put(tmp_path, [out.getvalue(), None])
    assert (tmp_path / kept["frames"][0]).read_bytes() == out.getvalue() and kept["wide"] == [64, None]
