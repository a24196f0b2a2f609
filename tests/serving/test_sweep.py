"""Sweeps with served models: two models of which only one fits at a time, a killed engine, and Ctrl-C.

The engine, Ray, Serve and the browsers are real.
"""

import os
import signal

import pytest
from serving.launches import STEPS, launched, profiles, short_library

from gwray.store import RunDir

pytestmark = [pytest.mark.vllm, pytest.mark.slow]
GAME = "game=01_2048-short"
BOTH = {"semantic", "computer_use"}


def arguments(tmp_path, *overrides):
    library = short_library(tmp_path / "library", "01_2048")
    settings = ["task=1", "tracking.mode=disabled", f"libraries=[{library}]", f"run_dir={tmp_path / 'run'}"]
    return ["launch.py", *overrides, *settings]


def half_the_machine(tmp_path):
    """Profiles of which two do not fit beside the browsers, however many cores the machine has."""
    needs = {"gpus": 0, "cpus": max((os.cpu_count() or 2) / 2, 1), "memory_gb": 3}
    return str(profiles(tmp_path / "serving", resources=needs))


def replies(run):
    return {key: run.log(key).read() for key in run.manifest().episodes.episode_keys()}


@pytest.mark.parametrize(
    "models", [["tiny-vl"], pytest.param(["tiny-vl", "tiny-vl-2"], marks=pytest.mark.whole)], ids=len
)
def test_killed_engine_costs_no_episode(tmp_path, models):
    command = arguments(tmp_path, "-m", f"model={','.join(models)}", "interface=semantic,computer_use", GAME)
    with launched(tmp_path, command, GWRAY_HOME=half_the_machine(tmp_path)) as launch:
        launch.until(lambda: RunDir.is_run(tmp_path / "run"))
        run = RunDir.open(tmp_path / "run")
        launch.until(lambda: sum(map(len, replies(run).values())) >= 8)
        (engine,) = launch.engines()
        engine.kill()
        assert launch.ended() == 0, launch.printed
        assert launch.left() == []
        printed = launch.printed

    results, engines = run.results(), run.manifest().engines
    assert sorted(models, key=lambda m: printed.index(f"serving {m} …")) == models, printed
    assert [e["model"] for e in engines] == models
    assert {(r.model, r.interface, r.game) for r in results} == {(m, i, "01_2048-short") for m in models for i in BOTH}
    assert run.failures() == []
    # Nothing that went wrong between agent and engine was taken for a move, and no move was lost.
    assert [(r.steps, r.proposals, r.no_tool_call, r.out_of_space) for r in results] == [
        (STEPS, STEPS, 0, 0)
    ] * 2 * len(models)

    retried = [r for log in replies(run).values() for r in log if r.reply.requests > 1]
    assert retried, "no request met the dead engine"
    killed, *calm = engines
    assert killed["restarts"] >= 1
    for engine in calm:
        assert engine["requests"] >= 2 * STEPS and engine["prefix_cache_hit_rate"] > 0
        assert (engine["restarts"], engine["generation_tokens_per_s"] > 0) == (0, True)


@pytest.mark.whole
@pytest.mark.parametrize("when", ["while it starts", "while it plays"])
def test_ctrl_c_stops_engine_and_keeps_replies(tmp_path, when):
    with launched(tmp_path, arguments(tmp_path, "model=tiny-vl", GAME, "repeats=8")) as launch:
        launch.until(lambda: RunDir.is_run(tmp_path / "run"))
        run = RunDir.open(tmp_path / "run")
        if when == "while it starts":
            launch.until(launch.engines)
        else:
            launch.until(lambda: sum(map(len, replies(run).values())) >= 6)
        os.kill(launch.process.pid, signal.SIGINT)
        code = launch.ended(300)
        assert launch.left() == []
        assert code == 130, launch.printed
        assert "Run the same command again to resume" in launch.printed
        assert "Traceback" not in launch.printed
    assert (sum(map(len, replies(run).values())) > 0) == (when == "while it plays")
