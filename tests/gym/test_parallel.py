"""Games whose roles act at once as PettingZoo parallel environments, checked by PettingZoo's own checker."""

import gymnasium
import numpy as np
import pytest
from pettingzoo.test import parallel_api_test

import gwray.gym
from gwray.catalog import load_catalog, read_solutions
from gwray.errors import UsageError

PAIR = "12_fireboy-and-watergirl"


@pytest.fixture
def pair():
    env = gwray.gym.parallel_env(f"gwray/{PAIR}", task=1)
    yield env
    env.close()


def test_solution_rewards_and_terminates_all_agents(pair):
    game = load_catalog().game(PAIR)
    solution = read_solutions(game)[game.tasks[0].id]
    with pytest.raises(gymnasium.error.ResetNeeded):
        pair.step({agent: 0 for agent in pair.possible_agents})
    screens, infos = pair.reset(seed=42)
    assert pair.agents == [role.name for role in game.roles] and len(pair.agents) == 2
    assert {s.shape for s in screens.values()} == {(720, 1280, 3)} and len(infos) == 2
    total = dict.fromkeys(pair.agents, 0.0)
    for n in range(solution.steps):
        chosen = {a: pair.action_names[a].index(solution.roles[a][n]) for a in pair.agents}
        _, rewards, terminations, truncations, infos = pair.step(chosen)
        total = {a: total[a] + rewards[a] for a in total}
    assert total == pytest.approx(dict.fromkeys(total, 1.0))
    assert {*terminations.values()} == {True} and {*truncations.values()} == {False} and pair.agents == []
    assert {info["ended_by"] for info in infos.values()} == {"target"}
    with pytest.raises(gymnasium.error.ResetNeeded):
        pair.step(chosen)


@pytest.mark.slow
def test_an_action_of_each_role_is_played_over_the_same_frames(pair):
    def screen(**moves):
        pair.reset(seed=5)
        wait = {a: pair.action_names[a].index("wait") for a in pair.agents}
        others = {a: pair.action_names[a].index(move) for a, move in moves.items()}
        (first, *_), *_ = (list(o.values()) for o in pair.step(wait | others)[:1])
        return first

    one, two = pair.possible_agents
    moves = [n for n in pair.action_names[one] if n != "wait"]
    both = screen(**{one: moves[1], two: moves[1]})
    assert np.array_equal(both, screen(**{one: moves[1], two: moves[1]}))
    assert not np.array_equal(both, screen(**{one: moves[1]})) and not np.array_equal(both, screen(**{two: moves[1]}))


def test_a_task_that_does_not_exist_is_refused():
    with pytest.raises(UsageError, match="task '9'"):
        gwray.gym.parallel_env(PAIR, task=9)


@pytest.mark.slow
@pytest.mark.filterwarnings("error::UserWarning")
def test_pettingzoos_own_checker_finds_nothing(pair):
    parallel_api_test(pair, num_cycles=5)
