"""`import gwray`: runs from Python, in scripts and notebooks."""

import asyncio
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

import gwray
from gwray.errors import UsageError

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("notebook")
    return gwray.sweep(
        "tracking.mode=disabled", model=["random", "scripted"], game="13_flappy-bird", task=[1, 2], executor="inline",
        executor__lanes=2, run_dir=str(folder / "run"),
    )  # fmt: skip


def test_sweep_is_the_product_of_lists(run):
    assert len(run.episodes) == 4 and len(run.cells) == 2
    again = gwray.load_run(run.path)
    assert again.episodes.equals(run.episodes)
    assert again.episodes.filter(model="scripted")["success"].all()


def test_steps_and_calls_are_frames(run):
    per_episode = dict(run.steps.group_by("key").agg(pl.len()).iter_rows())
    assert per_episode == dict(run.episodes.select("key", "steps").iter_rows())
    assert "screenshot" not in run.steps.columns
    assert dict(run.calls.group_by("key").agg(pl.len()).iter_rows()) == per_episode
    assert {"text", "latency_ms", "input_tokens"} <= set(run.calls.columns)


def test_table_and_comparison_equal_the_report(run):
    table = run.table()
    assert table["finished"].to_list() == [2, 2]
    assert table.filter(model="scripted")["success %"].to_list() == [100.0]
    assert run.episodes.join(table, on="cell").height == len(run.episodes)
    assert {"name", "model", "interface"} <= set(table.columns)
    a, b = run.cells.values()
    found = run.compare(a, b)
    assert found.difference.value == -run.compare(b, a).difference.value != 0 and found.matched == 2
    assert f"{found!r}".startswith(f"{b} minus {a} = +" if found.difference.value < 0 else f"{a} minus {b} = +")
    assert run.compare(*table.sort("success %")["name"]).difference.value < 0, "by the names of the table"
    with pytest.raises(UsageError, match="cell 'randm' does not exist"):
        run.compare("randm", b)


def test_episode_has_screenshots(run):
    key = run.episodes.filter(model="scripted")["key"][0]
    episode = run.episode(key[:8])
    assert len(episode.pictures) == episode.record.steps + 1 == len(episode.frames)
    assert episode.frame(0).size == (1280, 720)
    assert 'src="data:image/jpeg;base64,' in episode._repr_html_()
    assert f"{len(run.episodes)} episodes" in run._repr_html_()
    with pytest.raises(UsageError, match="'' matches 4 episodes"):
        run.episode("")


def test_play_inside_a_running_event_loop(tmp_path):
    async def in_a_notebook():
        return gwray.play("13_flappy-bird", 1, model="scripted", run_dir=str(tmp_path / "one"))

    assert asyncio.run(in_a_notebook()).record.success


def test_invalid_settings_raise_before_playing():
    with pytest.raises(UsageError, match="Did you mean model"):
        gwray.sweep(modle="random")
    with pytest.raises(UsageError, match="Did you mean random"):
        gwray.sweep(model="randm")
    with pytest.raises(AttributeError, match="it has Episode, Run"):
        gwray.load_runs  # noqa: B018


def test_import_gwray_is_lazy():
    code = "import sys, gwray; print(sorted(m for m in sys.modules if m.split('.')[0] in ('gwray', 'polars', 'ray')))"
    message = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True).stdout
    assert message.strip() == "['gwray']"


def test_documented_notebook_runs(tmp_path):
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(ROOT / "docs" / "first-run.ipynb", as_version=4)
    kernel = {"resources": {"metadata": {"path": str(tmp_path)}}}
    NotebookClient(notebook, timeout=300, kernel_name="python3", **kernel).execute()
    shown = [o for cell in notebook.cells for o in cell.get("outputs", ())]
    assert any("text/html" in o.get("data", {}) for o in shown)
