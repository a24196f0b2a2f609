"""Failures of providers through the real SDKs: the error class, the message, the wait, and replies that are none."""

from __future__ import annotations

import asyncio
import gzip
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from agents.conftest import Playing, observation
from standin import Fault, Say, Standin
from standin.wires import REPLIES

from gwray import errors as e
from gwray.agents import ClientPool
from gwray.agents.clients import make_client
from gwray.agents.clients.openai_api import OpenAIChat
from gwray.agents.clients.waits import seconds
from gwray.pipelines.preflight import require_models
from gwray.settings import ModelSpec

ONCE = {"attempts": 1, "rate_limit_attempts": 1}
PROFILES = {
    "openai_chat": "glm-4.6v",
    "openai_responses": "gpt-5.2",
    "anthropic": "claude-sonnet-4.6",
    "gemini": "gemini-3-flash-preview",
}
CHAT = "openai_chat"


def empty(wire: str, finish: str, tokens: int = 5, **message: Any) -> dict[str, Any]:
    """A reply without content."""
    body = REPLIES[wire](Say(finish=finish, tokens=(100, 0, tokens, 0)))
    if wire == CHAT:
        body["choices"][0]["message"] |= message
    return body


async def failure(profile: Any, wire: str, standin: Standin, fault: Fault, answered: bool = False) -> e.ModelError:
    """Returns the error of a request that meets this fault; `answered`: the request before it got a reply."""
    pool = ClientPool()
    try:
        spec = profile(PROFILES[wire], options=ONCE)
        if answered:
            await Playing(spec, pool=pool).reply(observation())
        standin.fail(fault)
        with pytest.raises(e.ModelError) as caught:
            await Playing(spec, pool=pool).reply(observation())
        return caught.value
    finally:
        await pool.close()


@pytest.mark.parametrize(
    ("wire", "finish", "expected"),
    [
        (CHAT, "network_error", e.ModelUnavailable),
        (CHAT, "content_filter", e.ContentFiltered),
        (CHAT, "never_seen", e.MalformedResponse),
        ("openai_responses", "content_filter", e.ContentFiltered),
        ("anthropic", "refusal", e.ContentFiltered),
        ("gemini", "OTHER", e.ModelUnavailable),
        ("gemini", "SAFETY", e.ContentFiltered),
    ],
)
async def test_finish_reason_of_failure_is_no_reply(wire, finish, expected, standin, profile):
    error = await failure(profile, wire, standin, Fault("raw", body=empty(wire, finish)))
    assert type(error) is expected and finish in str(error)


@pytest.mark.parametrize("text", ["Error: upstream connect error", '{"error": {"code": 529}}', "<html>502</html>"])
async def test_error_text_without_output_tokens_is_no_reply(text, standin, profile):
    body = REPLIES[CHAT](Say(text=text, tokens=(100, 0, 0, 0)))
    error = await failure(profile, CHAT, standin, Fault("raw", body=body))
    assert type(error) is e.ModelUnavailable and text in str(error)


@pytest.mark.parametrize("wire", PROFILES)
async def test_empty_reply_without_output_tokens_is_retried_then_fails(wire, standin: Standin, profile):
    fault = Fault("raw", body=empty(wire, "", tokens=0))
    standin.fail(fault, fault)
    spec = profile(PROFILES[wire], options={"attempts": 3})
    pool = ClientPool()
    reply = await Playing(spec, pool=pool).reply(observation())
    assert reply.requests == 3 and reply.text
    assert type(await failure(profile, wire, standin, fault)) is e.MalformedResponse
    await pool.close()


def error(message: str = "m", **more: Any) -> dict[str, Any]:
    return {"error": {"message": message, **more}}


def html(title: str, text: str = "", start: str = "<!DOCTYPE html>\n") -> bytes:
    return f"{start}<html><head><title>{title}</title><style>a{{}}</style></head><body>{text}</body></html>".encode()


NGINX = html("404 Not Found", "<hr><center>nginx/1.27</center>", "")
FREE = "Rate limit exceeded: free-models-per-day. Add credits to unlock 1000 free model requests per day"
OF_THE_DAY = [{"violations": [{"quotaId": "RequestsPerDayPerProject"}]}, {"retryDelay": "34.5s"}]
OF_THE_MINUTE = [{"violations": [{"quotaId": "RequestsPerMinutePerModel"}]}, {"retryDelay": "34.5s"}]
KEY_INVALID = error("API key not valid", code=400, status="INVALID_ARGUMENT", details=[{"reason": "API_KEY_INVALID"}])
NO_MODEL = error("models/g-9 is not found for API version v1beta", code=404, status="NOT_FOUND")
FLAGGED = error("input was flagged", code=403, metadata={"reasons": ["violence"]})
FAILED = {"status": "failed", "output": [], "error": {"code": "server_error", "message": "m"}}

FAILURES: dict[str, tuple[str, int, Any, dict[str, str], bool, type[e.ModelError], str]] = {
    # wire, status, body, headers, whether the key was accepted before, class, part of the message
    "key": (CHAT, 401, {"detail": "nope"}, {}, True, e.AuthError, "nope"),
    "key in 400": ("gemini", 400, KEY_INVALID, {}, True, e.AuthError, "API key not valid"),
    "key revoked": (CHAT, 403, error("Your API key was revoked"), {}, True, e.AuthError, "revoked"),
    "403 at once": (CHAT, 403, error("Request rejected by rule 17"), {}, False, e.AuthError, "rule 17"),
    "403 later": (CHAT, 403, error("Request rejected by rule 17"), {}, True, e.BadRequest, "rule 17"),
    "proxy": (CHAT, 407, html("Proxy"), {}, True, e.AuthError, "the proxy needs a user"),
    "credit": (CHAT, 429, error("check your plan", code="insufficient_quota"), {}, True, e.QuotaExhausted, "plan"),
    "credit words": ("anthropic", 400, error("Your credit balance is too low"), {}, True, e.QuotaExhausted, "credit"),
    "payment": (CHAT, 402, error("Insufficient Balance"), {}, True, e.QuotaExhausted, "Balance"),
    "day by words": (CHAT, 429, error(FREE), {}, True, e.QuotaExhausted, "per day"),
    "day by quota": ("gemini", 429, error(code=429, details=OF_THE_DAY), {}, True, e.QuotaExhausted, "resets at"),
    "two hours": (CHAT, 429, error(), {"retry-after": "7200"}, True, e.QuotaExhausted, "resets at"),
    "minute": ("gemini", 429, error(code=429, details=OF_THE_MINUTE), {}, True, e.RateLimited, "34.5"),
    "seconds": ("anthropic", 429, error(), {"retry-after": "20"}, True, e.RateLimited, "20.0"),
    "milliseconds": (CHAT, 429, error(), {"retry-after": "2", "retry-after-ms": "1500"}, True, e.RateLimited, "1.5"),
    "date": (CHAT, 429, error("Limit 9 per day."), {"retry-after": "600s"}, True, e.RateLimited, "600.0"),
    "no wait": (CHAT, 429, b"slow down", {}, True, e.RateLimited, "None"),
    "filter by code": (CHAT, 400, error(code="content_filter"), {}, True, e.ContentFiltered, "m"),
    "filter words": (CHAT, 403, {"error": "Content violates usage guidelines"}, {}, False, e.ContentFiltered, "guide"),
    "law": (CHAT, 451, {"detail": "not here"}, {}, True, e.ContentFiltered, "not here"),
    "field": (CHAT, 400, error("Unknown parameter: 'content_filter'."), {}, True, e.BadRequest, "content_filter"),
    "context": (CHAT, 400, error("maximum context length is 4096"), {}, True, e.BadRequest, "4096"),
    "too large": (CHAT, 413, html("413 Request Entity Too Large"), {}, True, e.BadRequest, "Too Large"),
    "model, OpenAI": (CHAT, 404, error(code="model_not_found"), {}, True, e.ModelNotFound, "m"),
    "model, vLLM": (CHAT, 404, error("The model `x` does not exist.", code=404), {}, True, e.ModelNotFound, "`x`"),
    "model, Ollama": (CHAT, 404, {"error": "model 'x' not found"}, {}, True, e.ModelNotFound, "'x'"),
    "model, Claude": ("anthropic", 404, error("model: c-9", type="not_found_error"), {}, True, e.ModelNotFound, "c-9"),
    "model, Gemini": ("gemini", 404, NO_MODEL, {}, True, e.ModelNotFound, "g-9"),
    "other 404": (CHAT, 404, error("image not found"), {}, True, e.BadRequest, "image"),
    "overloaded": ("anthropic", 529, error(type="overloaded_error"), {}, True, e.ModelUnavailable, "None"),
    "no upstream": (CHAT, 503, b"no healthy upstream", {"retry-after": "30"}, True, e.ModelUnavailable, "30.0"),
    "timeout": (CHAT, 408, b"", {}, True, e.ModelUnavailable, "None"),
    "no API here": (CHAT, 404, NGINX, {}, False, e.ModelNotFound, "check model.base_url"),
    "API is gone": (CHAT, 404, NGINX, {}, True, e.ModelUnavailable, "404 Not Found nginx"),
    "sign-in": (CHAT, 403, html("Wi&#45;Fi", start="<!-- x -->\n"), {}, False, e.AuthError, "Wi-Fi"),
    "200: status": (CHAT, 200, error("slow down", code="429"), {}, True, e.RateLimited, "slow down"),
    "200: code": (CHAT, 200, {"code": 1302, "msg": "High concurrency"}, {}, True, e.RateLimited, "High concurrency"),
    "200: filter": (CHAT, 200, FLAGGED, {}, True, e.ContentFiltered, "violence"),
    "200: text": (CHAT, 200, {"error": "engine died"}, {}, True, e.ModelUnavailable, "engine died"),
    "200: no error": (CHAT, 200, {"object": "nothing", "value": 17}, {}, True, e.MalformedResponse, "17"),
    "200: failed": ("openai_responses", 200, FAILED, {}, True, e.ModelUnavailable, "server_error"),
    "200: overloaded": ("anthropic", 200, error(type="overloaded_error"), {}, True, e.ModelUnavailable, "overloaded"),
    "200: invalid": ("gemini", 200, error("too big", status="INVALID_ARGUMENT"), {}, True, e.BadRequest, "too big"),
}  # fmt: skip


@pytest.mark.parametrize("name", FAILURES)
async def test_class_message_and_wait_of_a_failure(name, standin, profile):
    wire, status, body, headers, answered, expected, part = FAILURES[name]
    caught = await failure(profile, wire, standin, Fault("raw", body=body, status=status, headers=headers), answered)
    assert type(caught) is expected, caught
    assert part in str(caught) or part == str(caught.retry_after_s), (caught, caught.retry_after_s)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"error": {"message": "words here", "code": 1}}, "words here"),
        ({"error": "words here"}, "words here"),
        ({"message": "words here"}, "words here"),
        ({"detail": [{"loc": ["body"], "msg": "words here"}]}, "words here"),
        ([{"error": {"message": "words here"}}], "words here"),
        ("<style>" + "x" * 500 + "</style><h1>words here</h1>", "words here"),
        ("words here", "words here"),
        ("", "an empty body"),
    ],
)
@pytest.mark.parametrize("wire", [CHAT, "gemini"])
async def test_the_words_of_a_provider_are_shown_whatever_the_body(wire, body, words, standin, profile):
    caught = await failure(profile, wire, standin, Fault("raw", body=body, status=422))
    assert words in str(caught) and len(str(caught)) < 600


@pytest.mark.parametrize(("text", "expected"), [("90", 90), ("1.5s", 1.5), ("soon", None)])
def test_waits_in_all_forms(text, expected):
    assert seconds(text) == expected


CALL = {"id": "c", "type": "function", "function": {"name": "move_up", "arguments": "{}"}}


@pytest.mark.parametrize(
    "message",
    [
        {"tool_calls": CALL},
        {"function_call": {"name": "move_up", "arguments": "{}"}},
        {"content": [{"type": "tool_use", "name": "move_up", "input": {}}]},
    ],
)
async def test_call_in_another_field_is_read(message, standin, profile, pool):
    standin.fail(Fault("raw", body=empty(CHAT, "stop", **message)))
    decision = await Playing(profile("glm-4.6v"), pool=pool).turn(observation())
    assert decision.controls == ("move_up",), decision.reason


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
        ("redirect", e.ModelUnavailable, "[rR]edirects"),
        ("dns", e.ModelUnavailable, "gaierror|DNS|resolve"),
        ("tls", e.ModelUnavailable, "SSL|certificate"),
        ("refused", e.ModelUnavailable, "Connect call failed|refused"),
        ("dead redirect", e.ModelUnavailable, r"127\.0\.0\.1', 9"),
        ("cut", e.ModelUnavailable, "5000|payload"),
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
        with pytest.raises(e.ModelError, match=words) as caught:
            await Playing(spec.model_copy(update={"base_url": urls.get(case, spec.base_url)}), pool=pool).reply(
                observation()
            )
    assert type(caught.value) is expected


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


@pytest.mark.parametrize(("path", "problem"), [("/v1", ""), ("/loop", "[rR]edirects")])
async def test_preflight_ends_for_every_server(path, problem, profile):
    server = await asyncio.start_server(endless, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}{path}"
    spec = profile("openai-compatible", model_id="m").model_copy(update={"base_url": url})
    checking = require_models([spec], check_endpoints=True)
    if problem:
        with pytest.raises(e.UsageError, match=problem):
            await asyncio.wait_for(checking, 5)
    else:
        await asyncio.wait_for(checking, 5)
    server.close()


def completion(message: dict[str, Any], **usage: Any) -> dict[str, Any]:
    """A chat completion whose message has no content."""
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": None, **message}}
    return {"id": "1", "object": "chat.completion", "model": "m", "choices": [choice], **usage}


THOUGHT = {"reasoning_content": "First I would look around."}


@pytest.mark.parametrize(
    ("usage", "generated"),
    [
        ({"usage": {"prompt_tokens": 90, "completion_tokens": 0}}, False),
        ({"usage": {"prompt_tokens": 90, "completion_tokens": 40}}, True),
        ({"usage": {"prompt_tokens": 90, "completion_tokens_details": {"reasoning_tokens": 30}}}, True),
        ({}, True),
    ],
    ids=["counted none", "counted", "counted apart", "not counted"],
)  # fmt: skip
def test_reasoning_without_output_tokens_is_no_reply(usage, generated):
    """A failed generation is not a reply, also if the server sends reasoning with it."""
    client = OpenAIChat(ModelSpec(name="m", provider="openai_chat", model_id="m", base_url="http://127.0.0.1:1/v1"))
    if generated:
        assert client._reply(json.dumps(completion(THOUGHT, **usage)).encode(), 1.0).reasoning
    else:
        with pytest.raises(e.MalformedResponse, match="the reply is empty"):
            client._reply(json.dumps(completion(THOUGHT, **usage)).encode(), 1.0)


LONG = 200 * 2**20
"""Bytes of a response that no model writes."""


class _Long(BaseHTTPRequestHandler):
    """Answers any request with `LONG` bytes: plain, packed, or as an error (by the first part of the path)."""

    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        kind = self.path.split("/")[1]
        self.send_response(500 if kind == "error" else 200)
        self.send_header("content-type", "application/json")
        if kind == "gzip":
            self.send_header("content-encoding", "gzip")
        self.end_headers()
        try:
            self.wfile.write(b'{"x": "')
            for _ in range(LONG // 2**20 if kind != "gzip" else 1):
                self.wfile.write(PACKED if kind == "gzip" else b"x" * 2**20)
        except OSError:
            return  # the client has closed the connection


PACKED = gzip.compress(bytes(LONG), 1)


@pytest.mark.parametrize("wire", PROFILES)
@pytest.mark.parametrize("kind", ["plain", "gzip", "error"])
async def test_long_response_is_cut_off_without_stalling_the_loop(wire: str, kind: str, profile):
    """The loop's time is CPU time of its thread, so that other programs do not count."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Long)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    spec = profile(PROFILES[wire], options=ONCE, base_url=f"http://127.0.0.1:{server.server_port}/{kind}")
    pool, stalls = ClientPool(), [0.0]

    async def tick():
        while True:
            began = time.thread_time()
            await asyncio.sleep(0)
            stalls.append(time.thread_time() - began)

    try:
        for measured in (False, True):  # the first request imports parts of the SDK
            ticking = asyncio.create_task(tick()) if measured else None
            with pytest.raises(e.MalformedResponse, match=r"2,097,152 bytes, the limit|packed by 'gzip'"):
                await Playing(spec, pool=pool).reply(observation())
            if ticking:
                ticking.cancel()
    finally:
        await pool.close()
        await asyncio.to_thread(server.shutdown)
        server.server_close()
    assert max(stalls) < 0.05
