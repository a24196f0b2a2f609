"""What a run cannot know is no silent result: unknown finish reasons are counted, unsteady replays are named."""

import random
from pathlib import Path

import pytest
from environments.grid_world import STEP, GridWorld
from standin import Say, Standin

from gwray.agents.formats import get_format
from gwray.analysis import episode_frame
from gwray.cli.results import read_results
from gwray.environments import Reading
from gwray.pipelines import unpack_run
from gwray.pipelines.verify import verify_run
from gwray.records import Reply, canonical, digest
from gwray.report.site import _caveats
from gwray.store import pack_run, results_frame
from pipelines.conftest import play

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


@pytest.mark.parametrize("finish", ["model_context_window_exceeded", "model_length", "MAX_TOKENS", "length"])
def test_every_name_of_a_cut_off_reply_is_known_to_the_newest_reading_only(finish):
    """The call is complete but for a number that may go on: only a reply that was cut off has no call."""
    text = '<tool_call>{"name": "click", "arguments": {"x": 10, "y": 5}'
    found = {r: get_format("qwen", "").parse_calls(Reply(text=text, finish_reason=finish, reading=r)) for r in (2, 3)}
    assert not isinstance(found[3], list)
    assert isinstance(found[2], list) == (finish in ("model_context_window_exceeded", "model_length"))


STEADY = GridWorld.read


async def loose_read(world: GridWorld) -> Reading:
    """Returns a state that depends on the process's random numbers."""
    reading = await STEADY(world)
    state = {**reading.state, "game_state": {**reading.state["game_state"], "noise": random.random()}}
    return Reading(state, digest(canonical(state)), 0.0)


@pytest.mark.parametrize("loose", [True, False])
async def test_two_replays_that_differ_are_not_reproducible_here(tmp_path, monkeypatch, loose):
    """An honest world that moved one step further since is *different*."""
    game = {"game": "grid", "libraries": str(WORLDS), "observation": {"views": ["front"], "text": True}}
    ended = await play(tmp_path, game)
    pack_run(ended.run, tmp_path / "pack.gwray")
    if loose:
        monkeypatch.setattr(GridWorld, "read", loose_read)
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
