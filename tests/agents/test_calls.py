"""Failing requests: error classes, retries, and keys that must not leak."""

from __future__ import annotations

import asyncio
import json
import logging
import threading
import time
import traceback
from typing import Any

import httpx
import pytest
from agents.conftest import Playing, context_at, observation, picture
from standin import Fault, Say, Standin

from gwray import errors
from gwray.agents import ClientPool, Observation, Request
from gwray.agents.clients import CLIENTS, make_client
from gwray.agents.clients.base import MAX_TEXT, Secret, parse_object, stored_text
from gwray.catalog.protocol import read_model
from gwray.records import LoggedReply, Reply
from gwray.settings import AgentSpec, ModelSpec
from gwray.store import ReplyLog, RunDir

ONE_OF_EACH = ["glm-4.6v", "gpt-5.2", "claude-sonnet-4.6", "gemini-3-flash-preview"]
"""A profile per wire."""
WIRES = pytest.mark.parametrize("name", ONE_OF_EACH)
ONCE = {"attempts": 1, "rate_limit_attempts": 1}


async def ask(spec: ModelSpec) -> Reply:
    pool = ClientPool()
    try:
        return await Playing(spec, pool=pool).reply(observation())
    finally:
        await pool.close()


OWNERS = {
    errors.RateLimited: "429", errors.ModelUnavailable: "500 503 truncated reset", errors.BadRequest: "400 404",
    errors.AuthError: "401 403", errors.QuotaExhausted: "402 quota", errors.ContentFiltered: "filtered",
    errors.MalformedResponse: "malformed html wrong_shape",
}  # fmt: skip


@WIRES
@pytest.mark.parametrize(("kind", "expected"), [(k, error) for error, kinds in OWNERS.items() for k in kinds.split()])
async def test_every_failure_has_an_owner(name, kind, expected, standin: Standin, profile):
    standin.fail(Fault(kind, retry_after="7") if kind == "429" else Fault(kind))
    with pytest.raises(errors.ModelError) as caught:
        await ask(profile(name, options=ONCE))
    assert type(caught.value) is expected, caught.value
    assert len(standin.seen) == 1
    assert caught.value.__cause__ is None
    if expected is errors.RateLimited:
        assert caught.value.retry_after_s == 7


@pytest.mark.parametrize(
    ("hosted", "answer_text", "expected"),
    [
        (True, "", errors.ModelUnavailable),
        (True, "Path '/v1/chat/completions' not found.", errors.ModelUnavailable),
        (True, '{"error": {"message": "The model `x` does not exist.", "code": 404}}', errors.ModelNotFound),
        (False, "", errors.ModelNotFound),
    ],
)
async def test_restarted_proxy_without_engine_is_retried(hosted, answer_text, expected, profile):
    client: Any = make_client(profile("glm-4.6v").model_copy(update={"self_hosted": hosted}))
    answer = httpx.Response(
        404, text=answer_text, request=httpx.Request("POST", "http://127.0.0.1:9/v1/chat/completions")
    )
    assert type(client._translate(client._sdk._make_status_error_from_response(answer))) is expected
    await client.close()


@pytest.mark.parametrize("name", ["glm-4.6v", "gemini-3-flash-preview"])  # one of each HTTP library
async def test_a_reply_that_drips_in_byte_by_byte_is_not_waited_for(name, standin: Standin, profile):
    standin.fail("drip")  # each byte comes in time, and with the last one, after 100 s, it is a good reply
    with pytest.raises(errors.ModelUnavailable, match="no reply within 1 s"):
        await ask(profile(name, options=ONCE, timeout_s=1))


@pytest.mark.parametrize("name", ["glm-4.6v", "gemini-3-flash-preview"])  # one of each HTTP library
async def test_reply_that_arrived_during_a_stop_is_read(name, standin: Standin, profile):
    """The process sleeps past the time limit, as after SIGSTOP, while the reply arrives."""
    await ask(profile(name, options=ONCE))  # imports the SDK
    arrived = threading.Event()

    def answer(*_: Any) -> Say:
        arrived.set()
        time.sleep(0.3)
        return Say(text='{"action": "wait"}')

    standin.answer = answer
    began = time.monotonic()
    asking = asyncio.create_task(ask(profile(name, options=ONCE, timeout_s=2)))
    while not arrived.is_set():  # noqa: ASYNC110
        await asyncio.sleep(0.005)
    time.sleep(max(0.5, began + 2.5 - time.monotonic()))  # noqa: ASYNC251
    assert (await asking).requests == 1 and len(standin.seen) == 2


def read_below(log: ReplyLog, calls: int) -> list[LoggedReply]:
    """Reads the log with little stack left."""
    return read_below(log, calls - 1) if calls else log.read()


@WIRES
async def test_deeply_nested_arguments_stay_readable_in_the_log(name, standin, profile, pool, tmp_path):
    log = RunDir.create(tmp_path).log("k")
    playing = Playing(profile(name, options=ONCE), pool=pool)
    for depth in (30, 300, 900, 960, 985, 990, 5000):
        standin.fail(Fault("deep", depth=depth))
        try:
            decision = await playing.turn(observation())
        except errors.MalformedResponse:
            assert depth > 900
            continue
        assert decision.reply is not None and decision.reply.tool_calls
        reply = decision.reply.model_copy(update={"in_flight": 0, "waited_s": 0.0})  # in the line, not in the reply
        line = LoggedReply(decision=depth, role="p", words_hash="h", reply=reply, at="t")
        log.append(line)
        assert log.read()[-1] == line and read_below(log, calls=300)[-1] == line


@WIRES
async def test_what_may_pass_is_tried_again_and_requests_are_counted(name, standin: Standin, profile):
    standin.fail("malformed", Fault("429", retry_after="0.1"), Fault("503", retry_after="0.1"))
    reply = await ask(profile(name, options={"attempts": 4}))
    assert reply.requests == 4 == len(standin.seen)


@pytest.mark.parametrize(("kind", "expected"), [("500", errors.ModelUnavailable), ("429", errors.RateLimited)])
async def test_tries_are_bounded_by_the_profile(kind, expected, standin: Standin, profile):
    standin.fail(*[Fault(kind, retry_after="0.01")] * 20)
    with pytest.raises(expected):
        await ask(profile("glm-4.6v", options={"attempts": 3, "rate_limit_attempts": 4}))
    assert len(standin.seen) == (3 if kind == "500" else 4)


async def test_a_model_that_is_sent_no_pictures_says_what_to_set(profile):
    with pytest.raises(errors.UsageError, match=r"observation\.format"):
        await Playing(profile("glm-4.6v")).request(Observation(0))


async def test_the_latency_of_a_reply_is_that_of_its_last_request_only(standin: Standin, profile):
    standin.fail(Fault("429", retry_after="0.5"))
    standin.latency_s = 0.1
    began = time.perf_counter()
    reply = await ask(profile("glm-4.6v"))
    took_ms = 1e3 * (time.perf_counter() - began)
    assert 90 < reply.latency_ms <= took_ms - 500, "what was waited for before is not in it"
    assert 0.45 < reply.waited_s < took_ms / 1000


@WIRES
async def test_what_cannot_pass_is_sent_once(name, standin: Standin, profile):
    for kind in ("400", "401", "quota", "filtered"):
        standin.seen.clear()
        standin.fail(kind)
        with pytest.raises(errors.ModelError):
            await ask(profile(name))
        assert len(standin.seen) == 1, kind


@WIRES
async def test_empty_and_megabyte_replies_have_no_call(name, standin, profile, pool):
    for kind in ("empty", *["huge"] * (name == ONE_OF_EACH[0])):  # a megabyte takes the same path on every wire
        playing = Playing(profile(name), AgentSpec(memory_rounds=1), pool=pool)
        standin.fail(kind)
        decision = await playing.turn(observation())
        assert decision.validity == "no_tool_call"
        assert decision.reply is not None and len(decision.reply.text) <= MAX_TEXT
        assert len(str((await playing.request(observation(1))).turns)) < 6000


async def test_text_that_cannot_be_encoded_is_made_storable(standin: Standin, profile):
    standin.say(Say(text="lone \ud800 surrogate"))
    reply = await ask(profile("glm-4.6v"))
    assert reply.model_dump_json().encode()


@WIRES
async def test_the_key_appears_in_no_error_no_log_and_no_record(name, standin: Standin, monkeypatch, caplog):
    spec = read_model(name).model_copy(update={"base_url": standin.base_url(read_model(name).provider)})
    key = "planted-key-4711-abcdefgh"
    monkeypatch.setenv(spec.api_key_env or "", key)
    caplog.set_level(logging.DEBUG)
    standin.key = key
    seen: list[str] = []
    for status in ("400", "401", "500"):
        standin.fail(*[Fault(status, echo_key=True)] * 5)
        with pytest.raises(errors.ModelError) as caught:
            await ask(spec.model_copy(update={"options": {**spec.options, "attempts": 1}}))
        seen += [str(caught.value), repr(caught.value), "".join(traceback.format_exception(caught.value))]
        standin._faults.clear()
    standin.say(Say(text=f"your key is {key}", calls=[("move_left", {"note": key})]))
    reply = await ask(spec)
    assert reply.text == "your key is ***"
    seen += [reply.model_dump_json(), caplog.text, repr(make_client(spec).__dict__["_secret"])]
    assert not [s for s in seen if key in s]
    assert standin.answered == 1  # the right key did arrive


BODIES = {
    "glm-4.6v": {"choices": [{"message": {"content": "."}, "finish_reason": "KEY\ud800"}]},
    "claude-sonnet-4.6": {"content": [{"type": "text", "text": "."}], "stop_reason": "KEY\ud800"},
    "gpt-5.2": {
        "output": [{"type": "message", "content": [{"type": "output_text", "text": "."}]}],
        "status": "KEY\ud800",
    },
}


@pytest.mark.parametrize("name", BODIES)
def test_why_a_reply_ended_is_kept_without_the_key(name, monkeypatch):
    spec = read_model(name)
    monkeypatch.setenv(spec.api_key_env or "", "planted/key")
    body = json.dumps(BODIES[name]).replace("KEY", "planted/key, planted%2Fkey")
    client: Any = make_client(spec)
    assert client._reply(body, 1.0).finish_reason == "***, ***?"


async def test_a_missing_key_says_which_variable_to_set(monkeypatch):
    monkeypatch.delenv("ZAI_API_KEY", raising=False)
    with pytest.raises(errors.AuthError, match="ZAI_API_KEY is not set"):
        await ask(read_model("glm-4.6v"))


async def test_self_hosted_model_without_endpoint_error():
    with pytest.raises(errors.UsageError, match=r"gwray serve ui-tars.*base_url"):
        make_client(read_model("ui-tars-1.5-7b"))


async def test_a_missing_sdk_says_what_to_install(monkeypatch):
    import sys

    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    monkeypatch.setitem(sys.modules, "anthropic", None)
    monkeypatch.delitem(sys.modules, CLIENTS.builtin["anthropic"].partition(":")[0], raising=False)
    with pytest.raises(errors.UsageError, match=r"anthropic: pip install 'gwray\[providers\]'"):
        make_client(read_model("claude-sonnet-4.6"))


async def test_request_hashes_ignore_only_the_destination(profile):
    spec = profile("glm-4.6v")

    async def asked(spec: ModelSpec, key: str = "key", **changes: Any) -> Request:
        return await Playing(spec, role_context=context_at("slide", episode_key=key)).request(observation(**changes))

    async def hash_of(spec: ModelSpec, key: str = "key", **changes: Any) -> str:
        return (await asked(spec, key, **changes)).words_hash

    same = await hash_of(spec)
    assert await hash_of(spec, key="of another episode") == same
    for elsewhere in (
        {"base_url": "http://x/v1"},
        {"api_key_env": "OTHER"},
        {"timeout_s": 5},
        {"max_in_flight": 2},
        {"options": {**spec.options, "attempts": 9, "headers": {"a": "b"}}},
    ):
        assert await hash_of(spec.model_copy(update=elsewhere)) == same, elsewhere
    for other in (
        {"model_id": "glm-5"},
        {"sampling": spec.sampling.model_copy(update={"temperature": 1})},
        {"options": {"tool_choice": "required"}},
        {"semantic_format": "json"},
    ):
        assert await hash_of(spec.model_copy(update=other)) != same, other
    assert await hash_of(spec, decision=1) != same
    another_picture = await asked(spec, data=picture("red"))
    assert another_picture.words_hash == same, "another browser still proves every word"
    assert another_picture.pictures_hash != (await asked(spec)).pictures_hash


def test_a_key_is_taken_out_before_a_reply_is_cut():
    secret = Secret("a-key-without-a-known-shape")
    assert "a-key" not in stored_text("x" * (MAX_TEXT - 5) + secret.value, secret)
    with pytest.raises(errors.MalformedResponse) as e:
        parse_object(b"x" * 59 + b" " + secret.value.encode(), secret)
    assert "a-key" not in str(e.value)
