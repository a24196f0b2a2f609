"""The games as Gymnasium environments, checked by Gymnasium's own checker."""

import subprocess
import sys

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from gwray.catalog import load_catalog, read_solutions
from gwray.errors import UsageError
from gwray.plugins.gym import register_games


@pytest.fixture
def flappy():
    env = gymnasium.make("gwray/13_flappy-bird", task=1, disable_env_checker=True)
    yield env
    env.close()


def test_every_game_is_registered_once_it_is_imported():
    register_games()
    named = {name.removeprefix("gwray/") for name in gymnasium.registry if name.startswith("gwray/")}
    assert set(load_catalog().games) <= named


def test_solution_gets_full_reward_and_terminates(flappy):
    names = flappy.unwrapped.action_names
    assert names == ("wait", "flap") and flappy.action_space.n == 2
    (task, *_) = load_catalog().game("13_flappy-bird").tasks
    solution = read_solutions(load_catalog().game("13_flappy-bird"))[task.id]
    screen, info = flappy.reset(seed=42)
    assert screen.shape == (720, 1280, 3) and info["instruction"].startswith("Fly through")
    total = 0.0
    for control in solution.roles["player"]:
        screen, reward, terminated, truncated, info = flappy.step(names.index(control))
        total += reward
    assert (terminated, truncated, info["success"], info["ended_by"]) == (True, False, True, "target")
    assert total == pytest.approx(1.0)
    with pytest.raises(gymnasium.error.ResetNeeded):
        flappy.unwrapped.step(0)


def test_episodes_are_reproducible_by_seed(flappy):
    def screens(seed):
        first, _ = flappy.reset(seed=seed)
        return [first, *(flappy.step(a)[0] for a in (1, 0, 1, 0))]

    one, same, other = screens(5), screens(5), screens(6)
    assert all(np.array_equal(a, b) for a, b in zip(one, same, strict=True))
    assert not all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def test_games_for_several_players_and_unknown_tasks_are_refused():
    with pytest.raises(UsageError, match=r"has 2 roles .* has one"):
        gymnasium.make("gwray/12_fireboy-and-watergirl")
    with pytest.raises(UsageError, match="task '9'"):
        gymnasium.make("gwray/13_flappy-bird", task=9)


def test_cells_and_numbers_are_actions_of_their_own():
    env = gymnasium.make("gwray/19_minesweeper", disable_env_checker=True)
    assert "reveal_cell a1" in env.unwrapped.action_names
    env.close()


@pytest.mark.slow
@pytest.mark.filterwarnings("error::UserWarning")
def test_gymnasiums_own_checker_finds_nothing():
    env = gymnasium.make("gwray/13_flappy-bird", render_mode="rgb_array", disable_env_checker=True)
    check_env(env.unwrapped)


def test_environment_is_made_without_an_import_of_gwray():
    """Gymnasium imports the part before the colon, in a process that has imported nothing else."""
    code = "import gymnasium; print(gymnasium.make('gwray.plugins.gym:gwray/13_flappy-bird', task=1).spec.id)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "gwray/13_flappy-bird"
