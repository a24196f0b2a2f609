"""Search finds solutions, the same ones each time, and they hold on the real path."""

from __future__ import annotations

import io
import itertools
import json
import runpy
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from statistics import fmean

import pytest
from PIL import Image

from gwray.agents import ClientPool
from gwray.catalog import load_catalog
from gwray.catalog.game import Game
from gwray.catalog.library import read_game
from gwray.catalog.solutions import Solution, read_solutions, write_solutions
from gwray.environments import Opening, open_environment
from gwray.pipelines.episode import play
from gwray.pipelines.inputs import EpisodeInputs, make_role_agents
from gwray.pipelines.replies import Replies
from gwray.plugins.authoring.blind import strongest_lists
from gwray.plugins.authoring.check import check_solutions
from gwray.plugins.authoring.lab import LAB_JS, Labs, moves, open_labs, rules, timeline
from gwray.plugins.authoring.lists import cycles, drawn, runs
from gwray.plugins.authoring.measure import measure, play_in_lab
from gwray.plugins.authoring.search import search
from gwray.sandbox import BrowserOnDemand
from gwray.settings import AgentSpec, CellSpec, EpisodeSpec, ModelSpec, ObservationSpec, TimingSpec

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


def test_cycles_and_runs_are_complete_for_few_actions():
    two = [p.actions for p in cycles("ab")]
    assert two[:3] == [(0,), (1,), (0, 1)] and len(set(two)) == len(two)
    assert {tuple(p[i % len(p)] for i in range(12)) for p in two} == {
        tuple(p[i % len(p)] for i in range(12)) for n in range(1, 5) for p in itertools.product((0, 1), repeat=n)
    }
    assert [p.name for p in itertools.islice(runs("ab"), 3)] == ["a, b ×2", "b, a ×2", "a ×2, b"]
    six = [p.actions for p in cycles("abcdef")]
    assert len(six) == 6 + 30 + 210 + 1260 and six[6:21] == list(itertools.combinations(range(6), 2))


def test_drawn_lists_depend_on_their_number_only():
    names, steps = "abcdefgh", 50
    found = list(itertools.islice(drawn(names, steps), 200))
    assert found == list(itertools.islice(drawn(names, steps), 200))
    assert {len(p.actions) for p in found} == {steps} and {len(set(p.actions)) for p in found} >= {2, 3, 8}
    kept = fmean(a == b for p in found if p.name.endswith("90 %") for a, b in itertools.pairwise(p.actions))
    fresh = fmean(a == b for p in found if p.name.endswith("all actions; keeps an action with 0 %")
                  for a, b in itertools.pairwise(p.actions))  # fmt: skip
    assert kept > 0.9 and fresh < 0.2
    assert list(itertools.islice(cycles(names), 50)) == list(itertools.islice(cycles(names), 50))


async def test_strongest_list_reproduces_in_an_episode(labs: Labs):
    """Tasks of one page share the plays; each result is that of the list played alone."""
    lab = await labs.open(BIRD)
    tasks = BIRD.tasks[1:3]
    found = await strongest_lists(lab, BIRD, tasks, (43, 44, 45), budget=1500)
    assert found.keys() == {t.id for t in tasks}
    easy, hard = (found[t.id] for t in tasks)
    assert fmean(easy.progress) >= fmean(hard.progress) > 0 and len(easy.success) == 3
    assert easy.lists > 40 and easy.steps > 3 * 1500
    names = [m.names[0] for m in moves(BIRD)]
    known = [*cycles(names), *runs(names), *itertools.islice(drawn(names, tasks[0].max_steps), 99)]
    pattern = next(p for p in known if p.name == easy.pattern).actions
    lines = [list(timeline(BIRD, [names[pattern[i % len(pattern)]]])) for i in range(tasks[0].max_steps)]
    script = f"([task, seed, lines]) => {{ {LAB_JS}\nreturn playEpisode(gameAPI.lab, task, seed, lines); }}"
    alone = [await lab.call(script, [rules(tasks[0]), seed, lines]) for seed in (43, 44, 45)]
    assert [(round(p["progress"], 4), p["success"]) for p in alone] == list(
        zip(easy.progress, easy.success, strict=True)
    )
    await lab.close()


async def test_solutions_and_known_lists_count_as_blind(labs: Labs, tmp_path: Path):
    """The solution of another seed solves a level that no seed varies; a typed game has lists of words."""
    words = load_catalog().game("32_wordle")
    lab = await labs.open(words, words.tasks[0].options)
    found = await strongest_lists(lab, words, words.tasks[:1], (43,))
    assert found["32_01"].pattern in ("known list: 100 common words", "solution of seed 42")
    assert found["32_01"].lists == 2
    await lab.close()
    lab = await labs.open(BIRD)
    copy = copy_of(BIRD, tmp_path)
    perfect = read_solutions(BIRD)["13_05"]
    (copy.folder / "blind.json").write_text(json.dumps({"13_05": {"found": "words", "roles": perfect.roles}}))
    known = await strongest_lists(lab, copy, [copy.task("13_05")], (42,), budget=100)
    assert known["13_05"].pattern == "known list: words" and known["13_05"].success == (True,)
    await lab.close()


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
    """Copies the folder of a game, without its solutions."""
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
