"""Search finds solutions, the same ones each time, and they hold on the real path."""

from __future__ import annotations

import io
import runpy
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from statistics import fmean

import pytest
from PIL import Image

from gwray.agents import ClientPool
from gwray.authoring.blind import best_patterns, loops, patterns
from gwray.authoring.check import check_solutions
from gwray.authoring.lab import LAB_JS, Labs, moves, open_labs, rules, timeline
from gwray.authoring.measure import measure, play_in_lab
from gwray.authoring.search import search
from gwray.catalog import load_catalog
from gwray.catalog.game import Game
from gwray.catalog.library import read_game
from gwray.catalog.solutions import Solution, write_solutions
from gwray.environments import Opening, open_environment
from gwray.errors import UsageError
from gwray.pipelines.episode import play
from gwray.pipelines.inputs import EpisodeInputs, make_role_agents
from gwray.pipelines.replies import Replies
from gwray.sandbox import BrowserOnDemand
from gwray.spec import AgentSpec, CellSpec, EpisodeSpec, ModelSpec, ObservationSpec, TimingSpec

BIRD = load_catalog().game("13_flappy-bird")


@pytest.fixture(scope="module")
async def labs() -> AsyncIterator[Labs]:
    async with open_labs() as opened:
        yield opened


async def test_search_is_deterministic(labs: Labs):
    first = await search(BIRD, BIRD.task("13_03"), expansions=4000, labs=labs)
    assert first.solution is not None and first.best_progress == 1
    assert 0 < first.steps <= 100 and first.solution.steps == first.steps
    assert await search(BIRD, BIRD.task("13_03"), expansions=4000, labs=labs) == first
    other = await search(BIRD, BIRD.task("13_03"), seed=7, expansions=4000, labs=labs)
    assert other.solution is not None and other.solution != first.solution


async def test_small_search_budget_returns_the_best_path(labs: Labs):
    found = await search(BIRD, BIRD.task("13_05"), expansions=700, labs=labs)
    assert found.solution is None and 0 < found.best_progress < 1
    assert found.best.steps == found.steps > 0
    assert found.expansions <= 710


def test_blind_patterns_are_constants_pairs_and_runs():
    assert list(patterns(2, 2)) == [(0,), (1,), (0, 1), (1, 0), (0, 0, 1), (1, 1, 0)]


def test_blind_loops_are_different_and_the_same_every_time():
    found = loops(3, 50)
    assert found == loops(3, 50) and len(set(found)) == 50 and {len(set(loop)) for loop in found} == {2, 3}
    assert loops(1) == []


async def test_best_blind_pattern_reproduces_in_an_episode(labs: Labs):
    """Tasks of one page share the plays; each result is that of the pattern played alone."""
    lab = await labs.open(BIRD)
    tasks = BIRD.tasks[:2]
    found = await best_patterns(lab, BIRD, tasks, (42, 43, 44), budget=1500, drawn=4)
    assert found.keys() == {t.id for t in tasks}
    easy, hard = (found[t.id] for t in tasks)
    assert fmean(easy.progress) >= fmean(hard.progress) > 0 and len(easy.success) == 3
    runs = [part.split(" ×") for part in easy.pattern.split(", ")]
    names = [name for name, *times in runs for _ in range(int(times[0]) if times else 1)]
    lines = [list(timeline(BIRD, [names[i % len(names)]])) for i in range(tasks[0].max_steps)]
    script = f"([task, seed, lines]) => {{ {LAB_JS}\nreturn playEpisode(gameAPI.lab, task, seed, lines); }}"
    alone = [await lab.call(script, [rules(tasks[0]), seed, lines]) for seed in (42, 43, 44)]
    assert [(round(p["progress"], 4), p["success"]) for p in alone] == list(
        zip(easy.progress, easy.success, strict=True)
    )
    await lab.close()


async def test_search_can_be_stopped_by_callback(labs: Labs):
    seen: list[int] = []

    def stop(expansions: int, best: float) -> bool:
        seen.append(expansions)
        return True

    await search(BIRD, BIRD.task("13_05"), expansions=20_000, labs=labs, on_progress=stop)
    assert len(seen) == 1 and seen[0] < 2000


async def test_a_beam_solves_a_board_game_with_cells(labs: Labs):
    mines = load_catalog().game("19_minesweeper")
    found = await search(mines, mines.task("19_04"), expansions=3000, beam=True, width=4, labs=labs)
    assert found.solution is not None
    assert any(e.startswith("flag_cell ") for e in found.solution.roles["player"])


async def test_a_hint_a_start_and_fewer_controls_are_taken(labs: Labs):
    found = await search(
        BIRD, BIRD.task("13_01"), expansions=2000, labs=labs, start=[["wait", "wait", "wait", "wait", "flap"]],
        hint="s => -Math.abs(s.game_state.player.y - 300)", cell="s => Math.round(s.game_state.player.y / 20)",
    )  # fmt: skip
    assert found.solution is not None
    only = await search(BIRD, BIRD.task("13_05"), expansions=500, labs=labs, only=["wait"])
    assert set(only.best.roles["player"]) <= {"wait"}
    with pytest.raises(UsageError, match="'jump' in `start` is not an action"):
        await search(BIRD, BIRD.task("13_01"), labs=labs, start=[["jump"]])


async def test_roles_act_together():
    two = load_catalog().game("12_fireboy-and-watergirl")
    joint = moves(two)
    assert len(joint) == len(two.roles[0].controls) * len(two.roles[1].controls)
    both = next(m for m in joint if m.names == ("move_left", "move_right"))
    assert {e["key"] for e in both.events if e["kind"] == "key_down"} == {"a", "ArrowRight"}


@pytest.mark.slow
async def test_found_solution_passes_check_and_broken_one_fails(labs: Labs, tmp_path: Path):
    game = copy_of(BIRD, tmp_path)
    found = await search(game, game.task("13_02"), expansions=4000, labs=labs)
    assert found.solution is not None
    early = Solution(found="by hand", roles={"player": ("flap",) * 30})
    write_solutions(game, {"13_02": found.solution, "13_03": early})
    good, bad, missing = await check_solutions([game], tasks={"13_02", "13_03", "13_04"})
    assert (good.verdict, good.steps, good.found) == ("solved", found.steps, "search")
    assert bad.verdict == "not solved" and "the target is 6" in bad.detail
    assert missing.verdict == "missing" and not missing.ok


async def test_a_wrong_solutions_file_is_an_error_of_its_game_only(tmp_path: Path):
    game = copy_of(BIRD, tmp_path)
    (game.folder / "solutions.json").write_text("{")
    (checked,) = await check_solutions([game], tasks={"13_01"})
    assert checked.verdict == "error" and "not valid JSON" in checked.detail


def copy_of(game: Game, to: Path) -> Game:
    """The game with a solutions file of its own."""
    without = shutil.ignore_patterns("solutions.json", "__pycache__")
    copy = shutil.copytree(game.folder, to / game.folder.name, ignore=without)
    return read_game(copy / "game.yaml")


@pytest.mark.slow
async def test_difficulty_measures_chance_and_waiting(labs: Labs):
    lab = await labs.open(BIRD)
    hard = await measure(BIRD, BIRD.task("13_05"), labs, lab, expansions=600)
    again = await measure(BIRD, BIRD.task("13_05"), labs, lab, expansions=600)
    await lab.close()
    assert hard == again
    assert len(hard.random_progress) == 5 and 0 < hard.random_pg < 50 and hard.random_sr == 0
    assert hard.noop_progress == 0
    assert hard.search_progress is not None and hard.search_progress > 0


@pytest.mark.slow
async def test_random_player_is_equal_in_lab_and_episode(labs: Labs):
    task = BIRD.task("13_02")
    lab = await labs.open(BIRD)
    inside = await play_in_lab(lab, BIRD, task, "random", 43)
    spec = EpisodeSpec(
        key="", cell_id="", game=BIRD.id, task=task.id, seed=43, repeat=0,
        cell=CellSpec(
            model=ModelSpec(name="random", provider="random"), agent=AgentSpec(), timing=TimingSpec(),
            observation=ObservationSpec(format="none"),
        ),
    )  # fmt: skip
    await lab.close()
    replies = Replies([], lambda _: None)
    roles = make_role_agents(spec, BIRD, task, replies, ClientPool())
    async with BrowserOnDemand() as browser:
        world = await open_environment(Opening.from_spec(spec, BIRD, task, browser))
        real = (await play(EpisodeInputs(spec, BIRD, task, world, roles, replies))).record
    assert real.resets > 2
    assert (real.success, real.progress, real.steps, real.resets) == tuple(inside.values())


async def test_contact_sheet_shows_games_in_play(labs: Labs):
    script = runpy.run_path(str(Path(__file__).resolve().parents[2] / "scripts" / "contact_sheet.py"))
    picture = await script["screenshot_in_play"](labs, BIRD)
    lab = await labs.open(BIRD)
    begin = (await lab.game_page.observe()).data
    await lab.close()
    assert picture != begin and Image.open(io.BytesIO(picture)).size == BIRD.viewport
    tile = Image.open(io.BytesIO(picture)).convert("RGB")
    sheet = script["draw_sheet"]([(BIRD, tile)] * (script["COLUMNS"] + 1))
    width, height = script["TILE"]
    assert sheet.width > script["COLUMNS"] * width and sheet.height > 2 * height
