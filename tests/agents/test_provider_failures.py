"""Provider failures are neither replies nor wrong keys: error classes by the provider's words, whatever the status."""

from __future__ import annotations

import asyncio
import io
import json
import time
from typing import Any

import pytest
from agents.conftest import Playing, observation
from rich.console import Console
from standin import Fault, Say, Standin
from standin.wires import REPLIES

from gwray.agents import ClientPool
from gwray.agents.clients import make_client
from gwray.agents.clients.base import Secret
from gwray.agents.clients.failures import error_from_response
from gwray.agents.clients.misplaced import answer_in
from gwray.agents.clients.waits import seconds, wait_from
from gwray.cli.progress import Bar
from gwray.errors import (
    AuthError,
    BadRequest,
    ContentFiltered,
    MalformedResponse,
    ModelError,
    ModelNotFound,
    ModelUnavailable,
    QuotaExhausted,
    RateLimited,
    UsageError,
)
from gwray.pipelines import PlayProgress, Tally
from gwray.pipelines.preflight import require_models
from gwray.records import Reply
from gwray.spec import ModelSpec

ONCE = {"attempts": 1, "rate_limit_attempts": 1}
PROFILES = {
    "openai_chat": "glm-4.6v",
    "openai_responses": "gpt-5.2",
    "anthropic": "claude-sonnet-4.6",
    "gemini": "gemini-3-flash-preview",
}


def in_body(wire: str, body: Any, **more: Any) -> Fault:
    return Fault("raw", body=body, **more)


def empty(wire: str, finish: str, tokens: int = 5, **message: Any) -> dict[str, Any]:
    """A reply without content."""
    body = REPLIES[wire](Say(finish=finish, tokens=(100, 0, tokens, 0)))
    if wire == "openai_chat":
        body["choices"][0]["message"] |= message
    return body


async def failure(profile: Any, wire: str, standin: Standin, *faults: Fault, answered: bool = False) -> ModelError:
    """Returns the error of a request that meets these faults; `answered`: the request before it got a reply."""
    pool = ClientPool()
    try:
        spec = profile(PROFILES[wire], options=ONCE)
        if answered:
            await Playing(spec, pool=pool).reply(observation())
        standin.fail(*faults)
        with pytest.raises(ModelError) as caught:
            await Playing(spec, pool=pool).reply(observation())
        return caught.value
    finally:
        await pool.close()


@pytest.mark.parametrize(
    ("wire", "finish", "expected"),
    [
        ("openai_chat", "error", ModelUnavailable),
        ("openai_chat", "network_error", ModelUnavailable),
        ("openai_chat", "abort", ModelUnavailable),
        ("openai_chat", "sensitive", ContentFiltered),
        ("openai_chat", "content_filter", ContentFiltered),
        ("openai_chat", "never_seen", MalformedResponse),
        ("openai_responses", "content_filter", ContentFiltered),
        ("anthropic", "refusal", ContentFiltered),
        ("gemini", "OTHER", ModelUnavailable),
        ("gemini", "UNEXPECTED_TOOL_CALL", ModelUnavailable),
        ("gemini", "SAFETY", ContentFiltered),
        ("gemini", "IMAGE_PROHIBITED_CONTENT", ContentFiltered),
    ],
)
async def test_finish_reason_of_failure_is_no_reply(wire, finish, expected, standin, profile):
    error = await failure(profile, wire, standin, in_body(wire, empty(wire, finish)))
    assert type(error) is expected and finish in str(error)


async def test_part_of_a_filtered_reply_is_no_reply(standin, profile):
    body = empty("openai_chat", "content_filter", content="I will mo")
    assert type(await failure(profile, "openai_chat", standin, in_body("openai_chat", body))) is ContentFiltered


@pytest.mark.parametrize("wire", ["openai_chat", "anthropic"])
async def test_error_text_without_output_tokens_is_no_reply(wire, standin, profile):
    for text in (
        "Error: upstream connect error or disconnect", "The server is overloaded, please try again.",
        '{"error": {"code": 529}}', "<html>502 Bad Gateway</html>", "Service Unavailable",
    ):  # fmt: skip
        body = REPLIES[wire](Say(text=text, tokens=(100, 0, 0, 0)))
        error = await failure(profile, wire, standin, in_body(wire, body))
        assert type(error) is ModelUnavailable and text[:20] in str(error)


@pytest.mark.parametrize("wire", PROFILES)
async def test_empty_reply_without_output_tokens_is_retried_then_fails(wire, standin: Standin, profile):
    fault = in_body(wire, empty(wire, "", tokens=0))
    standin.fail(fault, fault)
    spec = profile(PROFILES[wire], options={"attempts": 3})
    pool = ClientPool()
    reply = await Playing(spec, pool=pool).reply(observation())
    assert reply.requests == 3 and reply.text
    assert type(await failure(profile, wire, standin, fault)) is MalformedResponse
    await pool.close()


@pytest.mark.parametrize(
    ("wire", "body", "expected", "words"),
    [
        ("openai_chat", empty("openai_chat", "error") | {"error": {"code": 502, "message": "Upstream"}},
         ModelUnavailable, "Upstream"),
        ("openai_chat", {"error": {"code": 400, "message": "Provider returned error"}}, BadRequest, "Provider"),
        ("openai_chat", {"error": {"code": "429", "message": "slow down"}}, RateLimited, "slow down"),
        ("openai_chat", {"error": {"code": 401, "message": "No auth"}}, AuthError, "No auth"),
        ("openai_chat", {"error": {"code": 403, "message": "input was flagged", "metadata": {"reasons": ["violence"]}}},
         ContentFiltered, "violence"),
        ("openai_chat", {"error": {"code": 400, "message": "Provider returned error", "metadata": {"raw": "too long"}}},
         BadRequest, "too long"),
        ("openai_chat", {"code": 1302, "msg": "High concurrency", "success": False}, RateLimited, "High concurrency"),
        ("openai_chat", {"error": "engine died"}, ModelUnavailable, "engine died"),
        ("openai_chat", {"object": "nothing", "value": 17}, MalformedResponse, "17"),
        ("openai_responses", {"output": [], "error": {"code": "rate_limit_exceeded", "message": "m"}},
         RateLimited, "rate_limit_exceeded"),
        ("openai_responses", {"status": "failed", "output": [], "error": {"code": "server_error", "message": "m"}},
         ModelUnavailable, "server_error"),
        ("anthropic", {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}},
         ModelUnavailable, "Overloaded"),
        ("anthropic", {"type": "error", "error": {"type": "invalid_request_error", "message": "bad image"}},
         BadRequest, "bad image"),
        ("gemini", {"error": {"code": 400, "message": "Image too large", "status": "INVALID_ARGUMENT"}},
         BadRequest, "Image too large"),
    ],
)  # fmt: skip
async def test_error_inside_http_200_keeps_its_own_meaning(wire, body, expected, words, standin, profile):
    error = await failure(profile, wire, standin, in_body(wire, body))
    assert type(error) is expected and words in str(error), error


XAI = {"code": "permission-denied", "error": "Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_X"}
NO_KEY = {"error": {"message": "Your API key was revoked", "type": "permission_error"}}


@pytest.mark.parametrize(
    ("status", "body", "answered", "expected"),
    [
        (403, XAI, False, ContentFiltered),
        (403, {"error": {"message": "Request rejected by rule 17"}}, True, BadRequest),
        (403, {"error": {"message": "Request rejected by rule 17"}}, False, AuthError),
        (403, NO_KEY, True, AuthError),
        (401, {"detail": "nope"}, True, AuthError),
    ],
)
async def test_403_of_a_prompt_is_told_from_a_wrong_key(status, body, answered, expected, standin, profile):
    error = await failure(profile, "openai_chat", standin, in_body("", body, status=status), answered=answered)
    assert type(error) is expected and error.stops_model == (expected is AuthError)


def said(status: int, body: Any, **headers: str) -> ModelError:
    return error_from_response(status, body, headers, Secret("the-secret-key"))


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (400, {"code": "data_inspection_failed", "message": "Input data may contain inappropriate content."}),
        (400, {"error": {"code": "InputImageSensitiveContentDetected", "message": "The request failed because …"}}),
        (400, {"error": {"code": "OutputTextSensitiveContentDetected.SevereViolation", "message": "…"}}),
        (400, {"error": {"code": "1301", "message": "系统检测到输入或生成内容可能包含不安全或敏感内容"}}),
        (400, {"error": {"type": "content_filter", "message": "The request was rejected: considered high risk"}}),
        (400, {"error": {"code": "invalid_prompt", "message": "your prompt was flagged"}}),
        (400, {"error": {"code": "content_policy_violation", "message": "safety system"}}),
        (400, {"error": {"code": "content_filter", "innererror": {"code": "ResponsibleAIPolicyViolation"}}}),
        (400, {"type": "error", "error": {"message": "Output blocked by content filtering policy"}}),
        (451, {"detail": "not here"}),
    ],
)  # fmt: skip
def test_content_filters_of_all_providers_are_one_class(status, body):
    assert type(said(status, body)) is ContentFiltered


@pytest.mark.parametrize(
    "message",
    [
        "Unknown parameter: 'safety_identifier'.",
        "Unrecognized request argument supplied: content_filter",
        'Invalid JSON payload received. Unknown name "safetySettings": Cannot find field.',
        "moderation: Extra inputs are not permitted",
        "safety_settings: field not allowed",
    ],
)
def test_refused_parameter_is_no_content_filter(message):
    assert type(said(400, {"error": {"message": message}})) is BadRequest


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"error": {"message": "words here", "code": 1}}, "words here"),
        ({"error": "words here"}, "words here"),
        ({"message": "words here"}, "words here"),
        ({"detail": "words here"}, "words here"),
        ({"detail": [{"loc": ["body"], "msg": "words here"}]}, "words here"),
        ({"errors": [{"message": "words here"}]}, "words here"),
        ({"error": {"msg": "words here"}}, "words here"),
        ({"msg": "words here"}, "words here"),
        ([{"error": {"message": "words here"}}], "words here"),
        ("<html><head><title>413 words here</title></head></html>", "413 words here"),
        ("<style>" + "x" * 500 + "</style><h1>words here</h1>", "words here"),
        ("words here", "words here"),
        ('"words here"', "words here"),
        ("words here: the-secret-key", "words here: ***"),
        ("", "an empty body"),
    ],
)
@pytest.mark.parametrize("wire", ["openai_chat", "gemini"])
async def test_the_words_of_a_provider_are_shown_whatever_the_body(wire, body, words, standin, profile):
    error = await failure(profile, wire, standin, in_body(wire, body, status=422))
    assert words.replace(": ***", "") in str(error) and len(str(error)) < 600
    assert words in str(said(422, body))


FREE = "Rate limit exceeded: free-models-per-day. Add credits to unlock 1000 free model requests per day"
RPD = "Rate limit reached for gpt on requests per day (RPD): Limit 200, Used 200. Please try again in 7m12s."


@pytest.mark.parametrize(
    ("body", "headers", "expected", "wait"),
    [
        ({"error": {"message": FREE, "code": 429}}, {}, QuotaExhausted, None),
        ({"error": {"message": RPD}}, {}, QuotaExhausted, 432),
        ({"error": {"message": "Too many requests"}}, {"retry-after": "7200"}, QuotaExhausted, 7200),
        ({"error": {"message": "Too many requests"}}, {"retry-after-ms": "1500"}, RateLimited, 1.5),
        ({"error": {"message": "Too many requests"}}, {"x-ratelimit-reset-requests": "6m0s"}, RateLimited, 360),
        ({"error": {"message": "m"}},
         {"x-ratelimit-reset-requests": "9h", "x-ratelimit-remaining-requests": "12",
          "x-ratelimit-reset-tokens": "2s", "x-ratelimit-remaining-tokens": "0"}, RateLimited, 2),
        ({"error": {"message": "m", "metadata": {"headers": {"X-RateLimit-Remaining": "0",
          "X-RateLimit-Reset": "4102444800000"}}}}, {}, RateLimited, None),
        ({"error": {"message": "Please try again in 26 hours and 3 minutes."}}, {}, QuotaExhausted, 93_780),
        ({"error": {"message": "m", "details": [{"quotaResetDelay": "5h16m44s"}]}}, {}, QuotaExhausted, 19004),
        ({"error": {"message": "Rate limit: 10 per minute, 9000 per day. Retry in 20s"}}, {}, RateLimited, 20),
        ({"error": {"message": "已达到每日上限"}}, {}, QuotaExhausted, None),
        ("daily limit reached", {}, QuotaExhausted, None),
    ],
)  # fmt: skip
def test_limit_that_lasts_stops_the_model_with_its_reset(body, headers, expected, wait):
    error = said(429, body, **headers)
    assert type(error) is expected, error
    if expected is RateLimited:
        assert error.retry_after_s == wait
    else:
        assert ("resets at" in str(error)) == (wait is not None)


def test_waits_in_all_forms():
    now = 1_764_000_000.0
    for value, expected in {
        "90": 90, "1.5s": 1.5, "7m12s": 432, "166h20m30s": 598_830, 30: 30, "2025-11-24T16:10:00Z": 600,
        "2025-11-24 16:10:00": 600, 1_764_000_600: 600, "1764000600000": 600, "soon": None, True: None, "nan": None,
    }.items():  # fmt: skip
        assert seconds(value, now=now) == expected, value
    assert wait_from([("RateLimit", "limit=10, remaining=0, reset=44")], "") == 44


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (404, {"error": "model 'default' not found"}),
        (404, {"error": {"message": "The model `x` does not exist.", "code": 404}}),
        (404, {"type": "error", "error": {"type": "not_found_error", "message": "model: claude-9"}}),
        (404, {"error": {"message": "models/g-9 is not found for API version v1beta", "status": "NOT_FOUND"}}),
        (404, {"error": {"code": "InvalidEndpointOrModel.NotFound", "message": "…"}}),
        (404, {"error": {"message": "No endpoints found for x/y.", "code": 404}}),
        (400, {"error": {"message": "gpt-x.1 is not a valid model ID", "code": 400}}),
        (400, {"error": {"message": "Model Not Exist", "type": "invalid_request_error"}}),
        (400, {"error": {"message": "The model `m-2.5` has been decommissioned", "code": "model_decommissioned"}}),
        (403, {"error": {"message": "Project p does not have access to m", "code": "model_not_found"}}),
    ],
)
def test_unknown_model_stops_the_model(status, body):
    error = said(status, body)
    assert type(error) is ModelNotFound and error.stops_model


@pytest.mark.parametrize(
    "message", ["This model's maximum context length is 4096 tokens.", "image not found", "Not Found"]
)
def test_other_404_and_400_do_not_stop_the_model(message):
    assert not said(404, {"error": {"message": message}}).stops_model


MARKED = 'The best is up.\n<tool_call>\n{"name": "move_up", "arguments": {}}\n</tool_call>'
CALL = {"id": "c", "type": "function", "function": {"name": "move_up", "arguments": "{}"}}


@pytest.mark.parametrize(
    "message",
    [
        {"reasoning_content": MARKED},
        {"reasoning": MARKED},
        {"thinking": MARKED},
        {"reasoning_details": [{"type": "reasoning.text", "text": MARKED}]},
        {"reasoning_content": 'Up is best. {"action": "move_left"} is worse.\n```json\n{"action": "move_up"}\n```'},
        {"tool_calls": CALL},
        {"function_call": {"name": "move_up", "arguments": "{}"}},
        {"content": [{"type": "tool_use", "name": "move_up", "input": {}}]},
    ],
)
async def test_call_in_another_field_is_read_and_noted(message, standin, profile, pool):
    standin.fail(in_body("", empty("openai_chat", "stop", **message)))
    spec = profile("glm-4.6v", semantic_format="json") if "action" in str(message) else profile("glm-4.6v")
    decision = await Playing(spec, pool=pool).turn(observation())
    assert decision.controls == ("move_up",), decision.reason
    assert ("reasoning" in decision.reason) == any("reason" in k or "think" in k for k in message)


async def test_thought_about_a_call_is_no_call(standin, profile, pool):
    thought = 'I could play <tool_call>{"name": "move_up"}</tool_call>, but I am not sure.'
    standin.fail(in_body("", empty("openai_chat", "stop", reasoning_content=thought)))
    decision = await Playing(profile("glm-4.6v"), pool=pool).turn(observation())
    assert decision.validity == "no_tool_call" and isinstance(decision.reply, Reply)


IN_REASONING = [
    "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>move_up<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
    '<｜DSML｜function_calls>\n<｜DSML｜invoke name="move_up">\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
    "[TOOL_CALLS]move_up[ARGS]{}",
    "<|channel|>commentary to=functions.move_up <|constrain|>json<|message|>{}",
]


@pytest.mark.parametrize("call", IN_REASONING)
def test_call_that_ends_a_reasoning_is_its_answer(call):
    assert answer_in(f"Up is best.\n{call}").endswith(f"</think>{call}")
    assert answer_in(f"The example said {call}") == ""
    assert answer_in(f"Maybe {call}\n\nLet me think about it {{again}}") == ""


PARTS = [
    ("openai_responses", {"output": [{"type": "tool_call", "name": "up", "arguments": "{}"}]}),
    ("openai_responses", {"output": [{"type": "message", "content": "up()"}]}),
    ("gemini", {"candidates": [{"content": {"parts": [{"function_call": {"name": "up", "args": {}}}]}}]}),
    ("gemini", {"candidates": [{"content": {"parts": [{"executableCode": {"code": "print(up())"}}]}}]}),
]


@pytest.mark.parametrize(("provider", "body"), PARTS)
def test_call_in_an_unusual_part_is_read(provider, body):
    client: Any = make_client(ModelSpec(name="m", provider=provider, model_id="m", base_url="http://127.0.0.1:9"))
    reply = client._reply(json.dumps(body), 1.0)
    assert [c.name for c in reply.tool_calls] == ["up"] or "up()" in reply.text


async def cut_server(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Announces 5000 bytes and sends 12."""
    await reader.read(100)
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n" + b"{" * 12)
    await writer.drain()
    writer.close()


@pytest.mark.parametrize("name", ["openai-compatible", "gemini-3-flash-preview"])
@pytest.mark.parametrize(
    ("case", "expected", "words"),
    [
        ("redirect", BadRequest, "redirects in a loop"),
        ("dns", ModelUnavailable, "cannot be resolved"),
        ("tls", ModelUnavailable, "encrypted|certificate"),
        ("refused", ModelUnavailable, "refused"),
        ("dead redirect", ModelUnavailable, "connection to 127.0.0.1:9 was refused"),
        ("cut", ModelUnavailable, "cut"),
    ],
)
async def test_broken_connection_names_its_cause(name, case, expected, words, standin: Standin, profile, pool):
    spec = profile(name, options=ONCE, model_id="m", timeout_s=10)
    server = await asyncio.start_server(cut_server, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    urls = {"dns": "http://no-such-host.invalid/v1", "tls": standin.url.replace("http", "https"),
            "refused": "http://127.0.0.1:9/v1", "cut": f"http://127.0.0.1:{port}/v1"}  # fmt: skip
    elsewhere = Fault("raw", status=307, headers={"location": "http://127.0.0.1:9/v1"}, body={})
    standin.fail(*{"redirect": [Fault("redirect")], "dead redirect": [elsewhere]}.get(case, []))
    async with server:
        with pytest.raises(ModelError, match=words) as caught:
            await Playing(spec.model_copy(update={"base_url": urls.get(case, spec.base_url)}), pool=pool).reply(
                observation()
            )
    assert type(caught.value) is expected
    if case == "cut" and name == "openai-compatible":
        assert "12 bytes of 5000" in str(caught.value)


async def endless(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Serves a list of models without end, or a redirect to itself."""
    loop = b"/loop" in await reader.read(1000)
    if loop:
        writer.write(b"HTTP/1.1 302 Found\r\nlocation: /loop/models\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
        await writer.drain()
        writer.close()
        return
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n")
    try:
        while not writer.is_closing():
            writer.write(b"[" * 65536)
            await writer.drain()
            await asyncio.sleep(0.001)
    except OSError:
        pass


@pytest.mark.parametrize(("path", "problem"), [("/v1", ""), ("/loop", "redirects in a loop")])
async def test_preflight_ends_for_every_server(path, problem, profile):
    server = await asyncio.start_server(endless, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}{path}"
    spec = profile("openai-compatible", model_id="m").model_copy(update={"base_url": url})
    checking = require_models([spec], check_endpoints=True)
    if problem:
        with pytest.raises(UsageError, match=problem):
            await asyncio.wait_for(checking, 5)
    else:
        await asyncio.wait_for(checking, 5)
    server.close()


async def test_progress_line_names_the_end_of_a_rate_limit(standin, profile, pool):
    spec = profile("glm-4.6v")
    standin.fail(Fault("429", retry_after="300"))
    asking = asyncio.create_task(Playing(spec, pool=pool).reply(observation()))
    held_back = asyncio.Event()
    pool.on_held_back = held_back.set
    await asyncio.wait_for(held_back.wait(), 10)
    until = pool.held_back[spec.name]
    assert 290 < until - time.time() <= 300
    tally = Tally(planned=1)
    bar = Bar(tally, lambda: asyncio.sleep(0, PlayProgress(0, dict(pool.held_back))), Console(file=io.StringIO()))
    bar._notice(pool.held_back)
    clock = time.strftime("%H:%M", time.localtime(until + 59))
    assert f"{spec.name} rate limited until {clock}" in bar._update(0)[0]
    assert "does not respond" not in bar._console.file.getvalue()
    asking.cancel()
    await asyncio.gather(asking, return_exceptions=True)
