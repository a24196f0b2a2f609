"""A provider that refuses, under whole episodes in real browsers: refusals must not show in any result."""

from __future__ import annotations

import hashlib
import json
from collections import Counter

import pytest
from standin import Say, Standin
from standin.server import Limit

from gwray.verification.verify import verify_run
from pipelines.conftest import outcomes, play

EPISODES = LANES = 4
PER_S = 12.0


def answer(wire: str, body: dict, session: str) -> Say:
    """A model whose reply is a function of the request alone."""
    names = [t["function"]["name"] for t in body["tools"]]
    pick = hashlib.sha256(json.dumps(body, sort_keys=True).encode()).digest()[0] % len(names)
    return Say(calls=[(names[pick], {})], tokens=(1000, 0, 50, 0))


def sweep(standin: Standin) -> dict:
    model = {"name": "m", "provider": "openai_chat", "base_url": standin.base_url("openai_chat"), "model_id": "x",
             "max_in_flight": 32, "prices": {"input": 1, "output": 1, "as_of": "2026-01-01"}}  # fmt: skip
    return {"game": "short-flight,short-pair", "task": "1,2", "model": model, "limit": {"steps": 8},
            "executor": {"name": "inline", "lanes": LANES}}  # fmt: skip


@pytest.mark.slow
@pytest.mark.whole
async def test_rate_limit_refusals_cost_only_time(tmp_path):
    with Standin(keep_bodies=False) as standin:
        standin.answer = answer
        calm = await play(tmp_path / "calm", sweep(standin))
        needed = len(standin.seen)
        assert calm.complete and len(calm.run.results()) == EPISODES

        standin.seen.clear()
        standin.limit = Limit(per_s=PER_S, retry_after=True)
        for kind in ("429", "429", "503", "429"):
            standin.fail(kind)
        stormy = await play(tmp_path / "stormy", sweep(standin))
        statuses = Counter(s.status for s in standin.seen)

    assert stormy.complete and not stormy.run.failures() and stormy.tally.retried == 0
    same = ("frame_chain", "input_tokens", "output_tokens", "cost_usd")
    assert outcomes(stormy, *same) == outcomes(calm, *same), "neither scores nor costs know of refusals"
    assert statuses[200] == needed, "no reply is asked for twice"
    assert 0 < statuses[429] < needed / 2, f"the limit is learned, not run against: {statuses}"
    assert sum(statuses.values()) == sum(r.requests for r in replies(stormy)), "every request is on record"
    assert {f.verdict for f in await verify_run(stormy.run)} == {"identical"}


def replies(ended) -> list:
    return [line.reply for r in ended.run.results() for line in ended.run.log(r.key).read()]
