"""Cancelling ends every wait of a request."""

from __future__ import annotations

import asyncio
import time

import pytest
from standin import Fault

from gwray.agents import rate_limiter
from gwray.agents.messages import Message, Request, Text

FAULTS = {"back-off": "500", "outage": "500", "rate limit": "429"}


@pytest.mark.parametrize("wait", [*FAULTS, "reply"])
async def test_cancelling_ends_every_wait_of_a_request(wait, standin, profile, pool, monkeypatch):
    monkeypatch.setattr(rate_limiter, "OUTAGE", 1 if wait == "outage" else 5)
    standin.fail(*(Fault(FAULTS[wait], retry_after="60") for _ in range(20 if wait in FAULTS else 0)))
    standin.latency_s = 60 if wait == "reply" else 0
    spec = profile("openai-compatible", model_id="m")
    request = Request(spec.model_id, spec.provider, "Play.", (Message("user", (Text("Go."),)),))
    asking = asyncio.create_task(pool.caller(spec).ask(request))
    await asyncio.sleep(1)
    began = time.monotonic()
    asking.cancel()
    done, _ = await asyncio.wait({asking}, timeout=10)
    assert done and asking.cancelled()
    assert time.monotonic() - began < 5
