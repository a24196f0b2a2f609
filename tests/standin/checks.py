"""Strict checks of request bodies: each wire against the SDK's own types, and the order of its parts.

Each check returns what is wrong, or an empty string. Nothing here is lenient: a request that one of the real services
might refuse is refused.
"""

from __future__ import annotations

import base64
import binascii
import io
import itertools
import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from PIL import Image
from pydantic import TypeAdapter, ValidationError

_NAME = re.compile(r"^[a-zA-Z0-9_-]{1,64}$")
_SERVERS_OWN = {"top_k", "min_p", "repetition_penalty", "chat_template_kwargs", "thinking", "enable_thinking"}
"""Fields that Chat-compatible servers accept in addition to OpenAI's."""


@cache
def _adapter(wire: str) -> tuple[TypeAdapter[Any], frozenset[str]]:
    if wire == "openai_chat":
        from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming as Params
    elif wire == "openai_responses":
        from openai.types.responses.response_create_params import ResponseCreateParamsNonStreaming as Params
    elif wire == "anthropic":
        from anthropic.types.message_create_params import MessageCreateParamsNonStreaming as Params
    else:
        from anthropic.types.beta.message_create_params import MessageCreateParamsNonStreaming as Params
    names = frozenset(k for base in Params.__mro__ for k in getattr(base, "__annotations__", {}))
    return TypeAdapter(Params), names | frozenset(Params.__required_keys__ | Params.__optional_keys__)


def _typed(wire: str, body: dict[str, Any], extra: set[str]) -> str:
    adapter, names = _adapter(wire)
    if unknown := sorted(set(body) - names - extra):
        return f"unknown field {unknown[0]}"
    try:
        _exhaust(adapter.validate_python({k: v for k, v in body.items() if k in names}))
    except ValidationError as e:
        first = e.errors()[0]
        return f"{'.'.join(map(str, first['loc']))[:200]}: {first['msg']}"
    return ""


def _exhaust(value: Any) -> None:
    """pydantic checks iterables only as they are read."""
    if isinstance(value, Mapping):
        for v in value.values():
            _exhaust(v)
    elif isinstance(value, list | tuple | Iterator) or type(value).__name__ == "ValidatorIterator":
        for v in value:
            _exhaust(v)


def _picture(data: str, mime: str) -> tuple[str, tuple[int, int]]:
    try:
        raw = base64.b64decode(data, validate=True)
        with Image.open(io.BytesIO(raw)) as image:
            image.load()
            kind = {"JPEG": "image/jpeg", "PNG": "image/png"}.get(image.format or "", "?")
            return ("" if kind == mime else f"the picture is {kind}, not {mime}"), image.size
    except (binascii.Error, OSError, ValueError) as e:
        return f"the picture cannot be read: {e}", (0, 0)


def _data_url(url: Any) -> tuple[str, tuple[int, int]]:
    found = re.fullmatch(r"data:(image/\w+);base64,(.+)", url if isinstance(url, str) else "", re.DOTALL)
    return _picture(found[2], found[1]) if found else ("the picture is no data URL", (0, 0))


def _order(roles: list[str]) -> str:
    if not roles or roles[-1] != "user":
        return "the last message must be the user's"
    if any(a == b for a, b in itertools.pairwise(roles)):
        return "user and assistant must alternate"
    return "" if roles[0] == "user" else "the first message must be the user's"


def _schema(schema: Any, strict: bool) -> str:
    if not isinstance(schema, dict) or schema.get("type") != "object":
        return "a tool's parameters must be an object schema"
    if strict and (
        schema.get("additionalProperties") is not False
        or set(schema.get("required", [])) != set(schema.get("properties", {}))
    ):
        return "strict tools need additionalProperties: false and every property required"
    return ""


def _tools(tools: list[tuple[Any, Any, bool]]) -> str:
    names = [name for name, _, _ in tools]
    if len(set(names)) != len(names):
        return "two tools share a name"
    for name, schema, strict in tools:
        if not isinstance(name, str) or not _NAME.match(name):
            return f"'{name}' is no tool name"
        if problem := _schema(schema, strict):
            return f"{name}: {problem}"
    return ""


def _last_is_image(kinds: list[str], image: str) -> str:
    """A message may be text only; an image in it comes last."""
    return "" if kinds and (image not in kinds or kinds[-1] == image) else "a message with a picture must end with it"


def openai_chat(body: dict[str, Any], headers: Mapping[str, str]) -> str:
    """Chat Completions."""
    if problem := _typed("openai_chat", body, _SERVERS_OWN):
        return problem
    messages = body["messages"]
    if messages[0]["role"] not in ("system", "developer"):
        return "the first message must be the system's"
    if problem := _order([m["role"] for m in messages[1:]]):
        return problem
    for message in messages[1:]:
        for part in message["content"]:
            if part["type"] == "image_url" and (problem := _data_url(part["image_url"]["url"])[0]):
                return problem
    if problem := _last_is_image([p["type"] for p in messages[-1]["content"]], "image_url"):
        return problem
    if "tool_choice" in body and not body.get("tools"):
        return "tool_choice without tools"
    return _tools([(t["function"]["name"], t["function"].get("parameters"), False) for t in body.get("tools", [])])


def openai_responses(body: dict[str, Any], headers: Mapping[str, str]) -> str:
    """Responses."""
    if problem := _typed("openai_responses", body, set()):
        return problem
    if not isinstance(body["input"], list):
        return "input must be a list"
    if problem := _order([m["role"] for m in body["input"]]):
        return problem
    size = (0, 0)
    for message in body["input"]:
        for part in message["content"]:
            if part["type"] == "input_image":
                problem, size = _data_url(part["image_url"])
                if problem:
                    return problem
    if problem := _last_is_image([p["type"] for p in body["input"][-1]["content"]], "input_image"):
        return problem
    tools = body.get("tools", [])
    for tool in tools:
        if tool["type"] == "computer_use_preview":
            if body.get("truncation") != "auto":
                return "computer_use_preview needs truncation: auto"
            if (tool["display_width"], tool["display_height"]) != size:
                return "the display does not have the picture's size"
        elif tool["type"] not in ("function", "computer"):
            return f"unknown tool {tool['type']}"
    return _tools([(t["name"], t["parameters"], t["strict"]) for t in tools if t["type"] == "function"])


def anthropic(body: dict[str, Any], headers: Mapping[str, str]) -> str:
    """Messages, and its beta with the computer tool."""
    tools = body.get("tools", [])
    computers = [t for t in tools if str(t.get("type", "")).startswith("computer_")]
    if computers and headers.get("anthropic-beta") != "computer-use-2025-11-24":
        return "the computer tool needs its beta header"
    # Versions since 2026-10-21 take no sampling parameters, and the SDK's types have none.
    older = {"temperature", "top_p", "top_k"} if headers.get("anthropic-version") == "2023-06-01" else set()
    if problem := _typed("anthropic_beta" if computers else "anthropic", body, older):
        return problem
    if "anthropic-version" not in headers:
        return "anthropic-version is missing"
    if problem := _order([m["role"] for m in body["messages"]]):
        return problem
    size = (0, 0)
    for message in body["messages"]:
        for part in message["content"]:
            if part["type"] == "image":
                problem, size = _picture(part["source"]["data"], part["source"]["media_type"])
                if problem:
                    return problem
    if problem := _last_is_image([p["type"] for p in body["messages"][-1]["content"]], "image"):
        return problem
    for tool in computers:
        if tool["type"].startswith("computer_toolset"):
            if body.get("tool_choice", {}).get("type") in ("any", "tool"):
                return "the toolset does not go with a forced tool"
        elif (tool["display_width_px"], tool["display_height_px"]) != size:
            return "the display does not have the picture's size"
    if body.get("thinking") and body.get("tool_choice", {}).get("type") in ("any", "tool"):
        return "thinking does not go with a forced tool"
    if body.get("thinking", {}).get("type") in ("enabled", "adaptive") and body.get("temperature", 1) != 1:
        return "thinking does not go with a temperature"
    return _tools([(t["name"], t["input_schema"], False) for t in tools if t not in computers])


def gemini(body: dict[str, Any], headers: Mapping[str, str]) -> str:
    """generateContent."""
    from google.genai import types

    kinds = {
        "contents": list[types.Content],
        "systemInstruction": types.Content,
        "tools": list[types.Tool],
        "toolConfig": types.ToolConfig,
        "generationConfig": types.GenerationConfig,
        "safetySettings": list[types.SafetySetting],
    }
    if unknown := sorted(set(body) - set(kinds)):
        return f"unknown field {unknown[0]}"
    try:
        typed = {k: TypeAdapter(kinds[k]).validate_json(json.dumps(v)) for k, v in body.items()}
    except ValidationError as e:
        first = e.errors()[0]
        return f"{'.'.join(map(str, first['loc']))[:200]}: {first['msg']}"
    contents = typed.get("contents") or []
    if problem := _order([("assistant" if c.role == "model" else c.role) for c in contents]):
        return problem
    for content in contents:
        for part in content.parts:
            if part.inline_data is not None:
                data = base64.b64encode(part.inline_data.data).decode()
                if problem := _picture(data, part.inline_data.mime_type)[0]:
                    return problem
    if problem := _last_is_image(["text" if p.inline_data is None else "image" for p in contents[-1].parts], "image"):
        return problem
    declarations = [d for t in typed.get("tools", []) for d in t.function_declarations or []]
    computers = [t for t in typed.get("tools", []) if t.computer_use]
    if computers and "computer-use" not in headers.get(":path", ""):
        return "this model has no computer tool"
    config = typed.get("toolConfig")
    if config and config.function_calling_config.mode == "ANY" and not declarations:
        return "mode ANY needs function declarations"
    schema = {"type": "object", "properties": {}}
    return _tools([(d.name, d.parameters_json_schema or schema, False) for d in declarations])


CHECKS = {"openai_chat": openai_chat, "openai_responses": openai_responses, "anthropic": anthropic, "gemini": gemini}
