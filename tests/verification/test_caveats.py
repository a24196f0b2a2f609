"""Uncertainty is reported: unknown finish reasons are counted, unstable replays are listed."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
from environments.grid_world import STEP, GridWorld
from pipelines.conftest import plan_of, play
from standin import Say, Standin

from gwray.agents.formats import get_format
from gwray.analysis import episode_frame, usage
from gwray.analysis import plan_of as plan_of_frame
from gwray.cli.results import read_results
from gwray.cli.terminal import module_usages
from gwray.environments import Reading
from gwray.pipelines.estimate import estimate_episode
from gwray.records import Reply, canonical, digest
from gwray.report.site import _caveats
from gwray.store import pack_run, results_frame
from gwray.verification import unpack_run
from gwray.verification.verify import verify_run

WORLDS = Path(__file__).parents[1] / "environments" / "worlds"


async def test_unknown_finish_reason_is_a_caveat_with_counts(tmp_path):
    with Standin() as standin:
        standin.answer = lambda *_: Say(text="Hmm.", finish="never_seen" if standin.answered % 4 == 1 else "stop")
        model = {"name": "m", "provider": "openai_chat", "base_url": standin.base_url("openai_chat"), "model_id": "x"}
        game = {"game": "grid", "libraries": str(WORLDS), "observation": {"views": ["front"], "text": True}}
        ended = await play(tmp_path, {**game, "model": model})
    (record,) = ended.run.results()
    assert record.caveats == ("unknown finish reason 'never_seen': 5 replies",) and record.reproducible
    reasons = [s.reason for s in ended.run.read_episode(record.key).steps]
    assert sum("unknown finish reason 'never_seen'" in r for r in reasons) == 5 < record.no_tool_call
    assert [f.verdict for f in await verify_run(ended.run, trusted=("environments.grid_world.GridWorld",))] == [
        "identical"
    ]
    note = "5 replies in 1 episode ended with the unknown finish reason 'never_seen'"
    results = read_results(ended.run)
    assert results and note in " ".join(results.notes)
    assert note in " ".join(_caveats(episode_frame(results_frame(ended.run)), {}))


async def test_usage_that_no_provider_counts_is_unknown(tmp_path):
    """Neither 0 tokens nor 0 USD; budgets count what such an episode was estimated to need."""
    with Standin() as standin:
        standin.answer = lambda *_: Say(text="Hmm.", tokens=(0, 0, 0, 0))
        url = standin.base_url("openai_chat")
        prices = {"input": 1, "output": 2, "as_of": "2026-01-01"}
        model = {"name": "m", "provider": "openai_chat", "base_url": url, "model_id": "x", "prices": prices}
        game = {"game": "grid", "libraries": str(WORLDS), "observation": {"views": ["front"], "text": True}}
        job = {**game, "model": model, "repeats": 4}
        plan = plan_of(tmp_path, job)
        need = estimate_episode(plan.episodes[0], plan).tokens
        for _ in range(2):  # the second command counts what the first one has spent
            ended = await play(tmp_path, {**job, "budget": {"tokens": int(2.5 * need)}})
            assert (ended.tally.finished, ended.tally.unpriced) == (2, True)
    first, _ = ended.run.results()
    assert first.cost_usd is None and first.reproducible
    assert first.caveats == (f"usage unknown: {first.calls} replies",)
    frame = episode_frame(results_frame(ended.run))
    found = usage(frame, plan_of_frame(frame, [ended.run.manifest()]), first.cell)
    assert (found.input_tokens, found.output_tokens, found.task_tokens, found.cost_usd) == (None, None, None, None)
    results = read_results(ended.run, allow_incomplete=True)
    assert results and "the tokens and the cost of these episodes are not known" in " ".join(results.notes)
    assert {(u.input_tokens, u.output_tokens, u.cost_usd) for u in module_usages(ended.run)} == {(None, None, None)}


@pytest.mark.parametrize("finish", ["model_context_window_exceeded", "model_length", "MAX_TOKENS", "length"])
def test_every_name_of_a_cut_off_reply_is_known(finish):
    """The call is complete but for a number that may go on: only a reply that was cut off has no call."""
    text = '<tool_call>{"name": "click", "arguments": {"x": 10, "y": 5}'
    assert not isinstance(get_format("qwen", "").parse_calls(Reply(text=text, finish_reason=finish)), list)


STEADY = GridWorld.read


def noisy(noises: list[int]) -> Callable[[GridWorld], Awaitable[Reading]]:
    """Returns a `read` whose states have another noise in each world that is opened, in turn."""
    worlds: list[GridWorld] = []

    async def read(world: GridWorld) -> Reading:
        reading = await STEADY(world)
        if world not in worlds:
            worlds.append(world)
        noise = noises[worlds.index(world) % len(noises)]
        state = {**reading.state, "game_state": {**reading.state["game_state"], "noise": noise}}
        return Reading(state, digest(canonical(state)), 0.0)

    return read


@pytest.mark.parametrize("noises", [[1, 2], [1, 1, 2], []])
async def test_replays_that_differ_are_not_reproducible_here(tmp_path, monkeypatch, noises):
    """Two replays may agree by chance. An honest world that moved one step further since is *different*."""
    loose = bool(noises)
    game = {"game": "grid", "libraries": str(WORLDS), "observation": {"views": ["front"], "text": True}}
    ended = await play(tmp_path, game)
    pack_run(ended.run, tmp_path / "pack.gwray")
    if loose:
        monkeypatch.setattr(GridWorld, "read", noisy(noises))
    else:
        monkeypatch.setitem(STEP, "ArrowRight", (2, 0))
    (finding,) = await verify_run(ended.run, trusted=("environments.grid_world.GridWorld",))
    assert ("not reproducible here" in finding.detail) == loose
    assert finding.verdict == ("error" if loose else "different") and finding.step is not None
    done = await unpack_run(
        tmp_path / "pack.gwray", str(tmp_path / "theirs"), trusted=("environments.grid_world.GridWorld",)
    )
    (one,) = done.skipped if loose else done.refused
    assert ("not reproducible here" in one.why) == loose and not done.holds


@pytest.mark.parametrize("steady", [True, False])
async def test_console_must_differ_in_every_replay_to_count(tmp_path, monkeypatch, steady):
    game = {"game": "grid", "libraries": str(WORLDS), "observation": {"views": ["front"], "text": True}}
    ended = await play(tmp_path, game)
    said = count()
    quiet = GridWorld.diagnostics
    line = lambda world: replace(quiet(world), console=("new" if steady else f"line {next(said)}",))  # noqa: E731
    monkeypatch.setattr(GridWorld, "diagnostics", line)
    (finding,) = await verify_run(ended.run, trusted=("environments.grid_world.GridWorld",))
    assert finding.verdict == ("different" if steady else "error"), finding
