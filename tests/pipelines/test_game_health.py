"""Games of others: a checkout of the published benchmark is played and verified; a run of dead games fails."""

import io

import pytest
from catalog.test_checkout import checkout
from rich.console import Console

from gwray.cli.launch import _play
from gwray.records import BLANK, UNMOVED
from gwray.verification import verify_run
from pipelines.conftest import plan_of, play

PAGE = """<title>x</title><canvas width=300 height=200></canvas><script>
  let a = 0;
  addEventListener('keydown', () => { a += Math.random(); });
  const draw = () => {
    const g = document.querySelector('canvas').getContext('2d');
    g.clearRect(0, 0, 300, 200);
    g.fillRect(0, 0, 20 + 9 * a, 50);
    requestAnimationFrame(draw);
  };
  draw();
  window.gameAPI = {
    init() { a = 0; }, reset() { a = 0; },
    getState: () => ({ status: 'playing', game_state: { a, b: 0, score: a }, terminal: { isTerminal: false } }),
  };
</script>"""
BLANK_PAGE = PAGE.replace("g.fillRect(0, 0, 20 + 9 * a, 50);", "").replace("a += Math.random()", "a += 0")


@pytest.mark.parametrize("pages", ["games/benchmark", "../gameworld-games"])
async def test_checkout_of_the_benchmark_is_played_and_verified(tmp_path, pages):
    root = checkout(tmp_path / "gameworld", pages, page=PAGE)
    job = {"game": "gameworld/01_2048", "task": "all", "model": "random", "libraries": f"gameworld:{root}"}
    ended = await play(tmp_path / "run", job)
    (record,) = ended.run.results()
    assert (record.game, record.reproducible, record.health) == ("gameworld/01_2048", True, ())
    assert record.progress > 0
    (finding,) = await verify_run(ended.run)
    assert (finding.verdict, finding.pictures) == ("identical", True), finding.detail


async def test_run_of_blank_games_fails_and_says_so(tmp_path):
    root = checkout(tmp_path / "gameworld", "games", page=BLANK_PAGE)
    job = {"game": "gameworld/01_2048", "model": "random", "libraries": f"gameworld:{root}", "repeats": 2}
    job["seed_policy"] = "per_repeat"
    output = Console(file=io.StringIO(), width=300)
    assert await _play(plan_of(tmp_path / "run", job), output) == 1
    said = output.file.getvalue()  # type: ignore[attr-defined]
    assert f"health of gameworld/01_2048: {BLANK} (2×); {UNMOVED} (2×); seeds " in said
    assert "begin in the same state" in said and "no game of this run did anything" in said
