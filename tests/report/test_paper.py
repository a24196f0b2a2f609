"""Every table and figure of the paper has its counterpart, from small stored runs and from the smoke presets."""

import asyncio
import io
import re
from collections.abc import Collection

import polars as pl
import pytest
from rich.console import Console
from runs_to_report import sweep, write_run

from gwray.cli.compose import compose_configs
from gwray.cli.executors import make_executor
from gwray.pipelines.plan import make_plan
from gwray.pipelines.run import run_plan
from gwray.pipelines.settings import run_spec
from gwray.places import CONF
from gwray.report import build_report
from gwray.report.sections import PAPER
from gwray.store import RunDir

NUMBERED = [f"Table {n}" for n in range(1, 14)] + [f"Figure {n}" for n in range(1, 9)]
RESULTS = {c.paper for c in PAPER if c.preset}


def test_paper_list_is_complete_and_places_exist():
    listed = [c.paper for c in PAPER]
    assert [x for x in listed if not x.startswith("Section")] == NUMBERED
    assert {c.preset for c in PAPER if c.preset} <= {f.stem for f in (CONF / "experiment").glob("*.yaml")}
    assert all(bool(c.preset) != bool(c.elsewhere) for c in PAPER)
    for place in {c.elsewhere for c in PAPER if c.elsewhere} - {"gwray models"}:
        assert (CONF.parent / place).exists(), place


def counterparts(page: str) -> set[str]:
    """Returns the tables and figures of papers that the parts of a report reproduce."""
    return set(re.findall(r'<figure class="[a-z]+" id="[^"]+" data-paper="([^"]+)"', page))


def assert_complete(page: str, missing: Collection[str] = ()) -> None:
    """Every result of the paper but the missing ones is there, and the list of them leads to each."""
    assert counterparts(page) == RESULTS - {*missing}
    rows = page[page.index('id="paper-table"') :]
    rows = rows[: rows.index("</figure>")]
    assert ("not in these runs" in rows) == bool(missing)
    ids = set(re.findall(r'id="([^"]+)"', page))
    links = re.findall(r'href="#([^"]+)"', rows)
    assert len(links) == len(RESULTS) - len(missing) and set(links) <= ids


def stored(tmp_path) -> RunDir:
    """Rows such as the presets leave, few of them."""
    small = {"n_games": 5, "tasks_per_game": 1}

    def cell(name: str, model: str, interface: str, **more) -> pl.DataFrame:
        frame = sweep({model: 0.3}, interface=interface, cell=name, **small, **more)
        return frame.with_columns(key=pl.col("key") + name)

    frame = pl.concat([
        cell("main-s", "a", "semantic", repeats=2), cell("main-c", "a", "computer_use", repeats=2),
        *(cell(f"memory-{n}", "a", "semantic", memory_rounds=n) for n in (1, 2)),
        cell("slow", "a", "semantic", timing="realtime", latency="fixed:250"),
    ]).sort("task", "repeat", "cell")  # fmt: skip
    return write_run(tmp_path / "run", frame, replays=24)


def test_stored_runs_make_every_table_and_figure(tmp_path):
    assert_complete(build_report([stored(tmp_path)], tmp_path / "site").read_text())


def test_other_protocols_have_no_paper_tab(tmp_path):
    frame = sweep({"a": 0.4, "b": 0.5}, n_games=5, tasks_per_game=1)
    page = build_report([write_run(tmp_path / "run", frame, jobs=())], tmp_path / "site").read_text()
    assert not counterparts(page) and 'href="#paper"' not in page and 'id="published"' not in page
    assert 'href="#results"' in page


def test_missing_tables_name_their_preset(tmp_path):
    run = write_run(tmp_path / "run", sweep({"a": 0.4}, n_games=5, tasks_per_game=1))
    page = build_report([run], tmp_path / "site").read_text()
    assert "Table 7" not in counterparts(page) and "not in these runs: experiment=reruns" in page


def play(folder, name: str, **ours) -> RunDir:
    """A smoke preset in real browsers."""
    configs = compose_configs([f"experiment={name}", "smoke=true"])
    ours = {"run_dir": str(folder / name), "executor": {"name": "inline", "lanes": 2}, **ours}
    plan = make_plan([run_spec(config | ours) for config in configs])
    ended = asyncio.run(run_plan(plan, Console(file=io.StringIO()), make_executor))
    assert ended.complete and not ended.tally.failed, name
    return ended.run


NAMES = sorted({f.stem for f in (CONF / "experiment").glob("*.yaml")} - {"demo"})
VIEWS = {n for n in NAMES if "  - main" in (CONF / f"experiment/{n}.yaml").read_text()}


def test_views_show_the_run_of_main():
    assert {"action_validity", "cost", "curriculum"} == VIEWS


@pytest.mark.slow
def test_smoke_preset_makes_its_tables(tmp_path):
    run = play(tmp_path, "latency", game=["13_flappy-bird"], limit={"steps": 10})
    page = build_report([run], tmp_path / "site").read_text()
    assert counterparts(page) >= {c.paper for c in PAPER if c.preset == "latency"}


@pytest.mark.slow
@pytest.mark.whole
def test_smoke_presets_make_every_table_and_figure(tmp_path):
    # The same games for the two that have the same cells; levels that are no genres, so that there is a profile.
    games = {n: ["13_flappy-bird", "19_minesweeper", "27_stack"] for n in ("main", "reruns")}
    fewer = {"reruns": {"repeats": 2}}
    runs = [
        play(tmp_path, n, game=games.get(n, ["13_flappy-bird"]), **fewer.get(n, {})) for n in NAMES if n not in VIEWS
    ]
    # The causes are those of models, and no model plays here.
    assert_complete(build_report(runs, tmp_path / "site").read_text(), {"Section 4.5.4"})
