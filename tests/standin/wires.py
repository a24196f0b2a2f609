"""Replies and errors in the form of each provider."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Say:
    """A scripted reply. A call named `computer` uses the provider's own computer tool."""

    text: str = ""
    reasoning: str = ""
    calls: Sequence[tuple[str, Any]] = ()
    """Name and arguments; a string is sent unchanged if the wire has arguments as text."""
    finish: str | None = None
    """The provider's finish reason; None: the usual one."""
    model: str = "standin-1"
    tokens: tuple[int, int, int, int] = (1000, 200, 50, 10)
    """Input, of it cached, output, of it reasoning."""


def openai_chat(say: Say) -> dict[str, Any]:
    """`chat.completion`."""
    calls = [
        {
            "id": f"call_{i}",
            "type": "function",
            "function": {"name": n, "arguments": a if isinstance(a, str) else json.dumps(a)},
        }
        for i, (n, a) in enumerate(say.calls)
    ]
    message: dict[str, Any] = {"role": "assistant", "content": say.text or None}
    if calls:
        message["tool_calls"] = calls
    if say.reasoning:
        message["reasoning_content"] = say.reasoning
    given, cached, out, thought = say.tokens
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": say.model,
        "choices": [
            {"index": 0, "message": message, "finish_reason": say.finish or ("tool_calls" if calls else "stop")}
        ],
        "usage": {
            "prompt_tokens": given,
            "completion_tokens": out,
            "total_tokens": given + out,
            "prompt_tokens_details": {"cached_tokens": cached},
            "completion_tokens_details": {"reasoning_tokens": thought},
        },
    }


def openai_responses(say: Say) -> dict[str, Any]:
    """`response`."""
    output: list[dict[str, Any]] = []
    if say.reasoning:
        summary = [{"type": "summary_text", "text": say.reasoning}]
        output.append({"type": "reasoning", "id": "rs_1", "summary": summary})
    if say.text:
        part = {"type": "output_text", "text": say.text, "annotations": []}
        output.append({"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [part]})
    for i, (name, arguments) in enumerate(say.calls):
        call: dict[str, Any] = {"id": f"fc_{i}", "call_id": f"call_{i}", "status": "completed"}
        if name == "computer":
            output.append({**call, "type": "computer_call", "action": arguments, "pending_safety_checks": []})
        else:
            text = arguments if isinstance(arguments, str) else json.dumps(arguments)
            output.append({**call, "type": "function_call", "name": name, "arguments": text})
    given, cached, out, thought = say.tokens
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "status": "incomplete" if say.finish else "completed",
        "incomplete_details": {"reason": say.finish} if say.finish else None,
        "model": say.model,
        "output": output,
        "parallel_tool_calls": False,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            "input_tokens": given,
            "input_tokens_details": {"cached_tokens": cached, "cache_write_tokens": 0},
            "output_tokens": out,
            "output_tokens_details": {"reasoning_tokens": thought},
            "total_tokens": given + out,
        },
    }


def anthropic(say: Say) -> dict[str, Any]:
    """`message`. Cached input is counted separately."""
    content: list[dict[str, Any]] = []
    if say.reasoning:
        content.append({"type": "thinking", "thinking": say.reasoning, "signature": "s"})
    if say.text:
        content.append({"type": "text", "text": say.text})
    for i, (name, arguments) in enumerate(say.calls):
        content.append({"type": "tool_use", "id": f"toolu_{i}", "name": name, "input": arguments})
    given, cached, out, thought = say.tokens
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": say.model,
        "content": content,
        "stop_reason": say.finish or ("tool_use" if say.calls else "end_turn"),
        "stop_sequence": None,
        "usage": {
            "input_tokens": given - cached,
            "cache_read_input_tokens": cached,
            "cache_creation_input_tokens": 0,
            "output_tokens": out,
            "output_tokens_details": {"thinking_tokens": thought},
        },
    }


def gemini(say: Say) -> dict[str, Any]:
    """`GenerateContentResponse`."""
    parts: list[dict[str, Any]] = []
    if say.reasoning:
        parts.append({"text": say.reasoning, "thought": True})
    if say.text:
        parts.append({"text": say.text})
    parts += [{"functionCall": {"name": name, "args": arguments}} for name, arguments in say.calls]
    given, cached, out, thought = say.tokens
    return {
        "candidates": [
            {"content": {"role": "model", "parts": parts}, "finishReason": say.finish or "STOP", "index": 0}
        ],
        "usageMetadata": {
            "promptTokenCount": given,
            "cachedContentTokenCount": cached,
            "candidatesTokenCount": out - thought,
            "thoughtsTokenCount": thought,
            "totalTokenCount": given + out,
        },
        "modelVersion": say.model,
    }


REPLIES = {"openai_chat": openai_chat, "openai_responses": openai_responses, "anthropic": anthropic, "gemini": gemini}


def error(wire: str, status: int, message: str, code: str = "") -> dict[str, Any]:
    """An error body in the provider's form."""
    if wire == "anthropic":
        kind = code or {400: "invalid_request_error", 401: "authentication_error", 429: "rate_limit_error"}.get(
            status, "api_error"
        )
        return {"type": "error", "error": {"type": kind, "message": message}}
    if wire == "gemini":
        state = code or {400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 429: "RESOURCE_EXHAUSTED"}.get(
            status, "INTERNAL"
        )
        return {"error": {"code": status, "message": message, "status": state}}
    return {"error": {"message": message, "type": "error", "param": None, "code": code or None}}
