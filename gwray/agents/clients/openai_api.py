"""OpenAI's two APIs: Chat Completions, which many servers offer (vLLM, Qwen, Kimi, GLM, Seed, …), and Responses."""

from __future__ import annotations

import base64
from typing import Any

import openai

from gwray.agents.calls import MAX_CALLS
from gwray.agents.clients.base import (
    BaseClient,
    as_text,
    child,
    connection,
    count,
    parse_object,
    sampling_fields,
    sdk_error,
    session_header,
    tool_call,
)
from gwray.agents.clients.bounded import bounded
from gwray.agents.coordinates import resized
from gwray.agents.formats.native import COMPUTER
from gwray.agents.messages import Image, Part, Request
from gwray.errors import ModelError, ModelUnavailable
from gwray.records import Reply, ToolCall, Usage
from gwray.settings import ModelSpec

ENDPOINT = "https://api.openai.com/v1"


class _OpenAI(BaseClient):
    """Connection and errors of the `openai` SDK."""

    def __init__(self, spec: ModelSpec):
        super().__init__(spec)
        self._self_hosted = spec.self_hosted
        self._sdk = openai.AsyncOpenAI(
            **connection(spec, self._secret, ENDPOINT), http_client=bounded(openai.DefaultAsyncHttpxClient)
        )

    def _translate(self, error: Exception) -> ModelError:
        if isinstance(error, openai.NotFoundError) and self._self_hosted and not isinstance(error.body, dict):
            # The proxy in front of the engines answers without a JSON body while no replica is up.
            return ModelUnavailable("HTTP 404: no engine is behind this address now", status=404)
        return sdk_error(openai, error, self._secret, accepted=self._accepted)

    async def close(self) -> None:
        await self._sdk.close()


class OpenAIChat(_OpenAI):
    """Chat Completions.

    Options of the profile (defaults in brackets): `tool_choice` (required), `max_tokens_field` (max_tokens),
    `parallel_tool_calls`, `image_detail`, `system_role` (system), `headers`.
    """

    def _body(self, request: Request) -> dict[str, Any]:
        return chat_body(request)

    async def _post(self, body: dict[str, Any], request: Request) -> bytes:
        create = self._sdk.chat.completions.with_raw_response.create
        return (await create(**body, extra_headers=session_header(request))).content

    def _reply(self, answer: bytes, latency_ms: float) -> Reply:
        secret = self._secret
        body = parse_object(answer, secret)
        choice = child(body, "choices", 0)
        message = child(choice, "message")
        self._raise_errors(body, choice, message)
        if not isinstance(message, dict):
            raise self._no_reply(body, "choices[0].message")
        calls = _calls(message)
        return self._make_reply(
            latency_ms,
            text=_content(message.get("content")) or as_text(message.get("refusal")),
            reasoning=_reasoning(message),
            calls=[tool_call(name, arguments, secret) for name, arguments in calls[:MAX_CALLS]],
            finish=child(choice, "finish_reason"),
            usage=_usage(body, "prompt_tokens", "completion_tokens"),
            model=body.get("model"),
        )


def _usage(body: dict[str, Any], given: str, made: str) -> Usage:
    """Returns the token counts of a response, from the names of its input and output tokens."""
    usage = body.get("usage")
    return Usage(
        input=count(usage, given),
        cached=count(usage, f"{given}_details", "cached_tokens"),
        output=count(usage, made),
        reasoning=count(usage, f"{made}_details", "reasoning_tokens"),
    )


def _content(value: Any) -> str:
    """Returns the text of a message, which some servers send as a list of parts, or as one part."""
    if isinstance(value, list):
        return "".join(_content(p) for p in value)
    return as_text(value) or as_text(child(value, "text"))


_REASONING = ("reasoning_content", "reasoning", "thinking", "reasoning_text", "thinking_content", "reasoning_details")


def _reasoning(message: dict[str, Any]) -> str:
    """Returns the thinking of a message, from the first field of a server that has any."""
    return next((text for name in _REASONING if (text := _content(message.get(name)))), "")


def _calls(message: dict[str, Any]) -> list[tuple[Any, Any]]:
    """Returns names and arguments of the calls of a message, wherever a server of this API puts them: `tool_calls`, a
    list or a single object, with or without a level `function`; the older `function_call`; or parts of the content."""
    given: list[Any] = []
    for field in ("tool_calls", "tool_call", "function_call"):
        value = message.get(field)
        given = given or (value if isinstance(value, list) else [value] if value else [])
    parts = message.get("content")
    given = given or [p for p in (parts if isinstance(parts, list) else []) if child(p, "type") in _CALL_PARTS]
    found = []
    for call in given:
        inner = child(call, "function") if isinstance(child(call, "function"), dict) else call
        arguments = next((inner[k] for k in _ARGUMENTS if k in inner), "") if isinstance(inner, dict) else ""
        found.append((child(inner, "name"), arguments))
    return found


_CALL_PARTS = ("tool_use", "tool_call", "function_call", "function")
_ARGUMENTS = ("arguments", "input", "args", "parameters")


def chat_body(request: Request) -> dict[str, Any]:
    """Returns the body of a request, as keyword arguments of the SDK."""
    options, sampling = request.options, request.sampling
    messages: list[dict[str, Any]] = [{"role": options.get("system_role", "system"), "content": request.system}]
    for turn in request.turns:
        messages.append({"role": turn.role, "content": [_chat_part(p, options) for p in turn.parts]})
    body: dict[str, Any] = {
        "model": request.model_id,
        "messages": messages,
        options.get("max_tokens_field", "max_tokens"): sampling.max_output_tokens,
        "extra_body": {**sampling.extra, **_guided(request)} or None,
    }
    body |= sampling_fields(sampling)
    if sampling.reasoning_effort is not None:
        body["reasoning_effort"] = sampling.reasoning_effort
    if request.tools:
        body["tools"] = [
            {"type": "function", "function": {"name": t.name, "description": t.description, "parameters": t.parameters}}
            for t in request.tools
        ]
        body["tool_choice"] = options.get("tool_choice", "required")
        if "parallel_tool_calls" in options:
            body["parallel_tool_calls"] = options["parallel_tool_calls"]
    if request.response_schema is not None:
        body["response_format"] = {
            "type": "json_schema",
            "json_schema": {"name": "action", "schema": request.response_schema},
        }
    return body


def _guided(request: Request) -> dict[str, Any]:
    """Returns vLLM's field for a reply that matches a regular expression."""
    return {"structured_outputs": {"regex": request.pattern}} if request.pattern else {}


def _chat_part(part: Part, options: dict[str, Any]) -> dict[str, Any]:
    if isinstance(part, Image):
        url = {"url": _data_url(part)}
        if "image_detail" in options:
            url["detail"] = str(options["image_detail"])
        return {"type": "image_url", "image_url": url}
    return {"type": "text", "text": part.text}


class OpenAIResponses(_OpenAI):
    """Responses: strict function tools (GPT, Grok) and OpenAI's computer tool.

    Options of the profile (defaults in brackets): `strict` (true), `tool_choice` (required), `computer_tool`
    (computer_use_preview; computer for the newer tool without a size), `reasoning_summary`, `truncation`,
    `image_detail` (auto), `headers`.
    """

    def _body(self, request: Request) -> dict[str, Any]:
        return responses_body(request)

    async def _post(self, body: dict[str, Any], request: Request) -> bytes:
        create = self._sdk.responses.with_raw_response.create
        return (await create(**body, extra_headers=session_header(request))).content

    def _reply(self, answer: bytes, latency_ms: float) -> Reply:
        secret = self._secret
        body = parse_object(answer, secret)
        output = body.get("output")
        self._raise_errors(body)
        if not isinstance(output, list):
            raise self._no_reply(body, "output")
        text, reasoning, calls = [], [], []
        for item in output:
            match child(item, "type"):
                case "message":
                    parts = child(item, "content")
                    text.append(as_text(parts))
                    text += [as_text(child(p, "text")) or as_text(child(p, "refusal")) for p in _list(parts)]
                    nested = [p for p in _list(parts) if child(p, "type") == "function_call"]
                    calls += [tool_call(child(p, "name"), child(p, "arguments"), secret) for p in nested]
                case "reasoning":
                    reasoning += [as_text(child(p, "text")) for p in _list(child(item, "summary"))]
                    reasoning += [as_text(child(p, "text")) for p in _list(child(item, "content"))]
                case "function_call" | "custom_tool_call" | "tool_call" | "mcp_call":
                    arguments = child(item, "arguments") or child(item, "input")
                    calls.append(tool_call(child(item, "name"), arguments, secret))
                case "computer_call":
                    calls += self._computer_calls(item)
        reason = as_text(child(body, "incomplete_details", "reason"))
        return self._make_reply(
            latency_ms,
            text="".join(text),
            reasoning="\n".join(reasoning),
            calls=calls,
            finish=reason or body.get("status"),
            usage=_usage(body, "input_tokens", "output_tokens"),
            model=body.get("model"),
        )

    def _computer_calls(self, item: Any) -> list[ToolCall]:
        """Returns the actions of a call: one, or a list with the newer tool. A malformed action becomes an empty one,
        because the model did propose one."""
        actions = _list(child(item, "actions")) or [child(item, "action")]
        return [tool_call(COMPUTER, a if isinstance(a, dict) else {}, self._secret) for a in actions]


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def responses_body(request: Request) -> dict[str, Any]:
    """Returns the body of a request, as keyword arguments of the SDK."""
    options, sampling = request.options, request.sampling
    body: dict[str, Any] = {
        "model": request.model_id,
        "instructions": request.system,
        "input": [{"role": t.role, "content": [_responses_part(p, options) for p in t.parts]} for t in request.turns],
        "max_output_tokens": sampling.max_output_tokens,
        "store": False,
        "extra_body": sampling.extra or None,
    }
    body |= sampling_fields(sampling)
    reasoning = {}
    if sampling.reasoning_effort is not None:
        reasoning["effort"] = sampling.reasoning_effort
    if "reasoning_summary" in options:
        reasoning["summary"] = options["reasoning_summary"]
    if reasoning:
        body["reasoning"] = reasoning
    if "truncation" in options:
        body["truncation"] = options["truncation"]
    if request.tools:
        strict = bool(options.get("strict", True))
        body["tools"] = [
            {
                "type": "function",
                "name": t.name,
                "description": t.description,
                "parameters": t.parameters,
                "strict": strict,
            }
            for t in request.tools
        ]
        body["tool_choice"] = options.get("tool_choice", "required")
        body["parallel_tool_calls"] = bool(options.get("parallel_tool_calls"))
    if request.computer is not None:
        tool: dict[str, Any] = {"type": options.get("computer_tool", "computer_use_preview")}
        if tool["type"] == "computer_use_preview":
            width, height = request.computer
            tool |= {"display_width": width, "display_height": height, "environment": "browser"}
        body["tools"] = [tool, *body.get("tools", [])]
        body["tool_choice"] = options.get("tool_choice", "required")
    if request.response_schema is not None:
        body["text"] = {"format": {"type": "json_schema", "name": "action", "schema": request.response_schema}}
    return body


def _responses_part(part: Part, options: dict[str, Any]) -> dict[str, Any]:
    if isinstance(part, Image):
        return {"type": "input_image", "image_url": _data_url(part), "detail": str(options.get("image_detail", "auto"))}
    return {"type": "input_text", "text": part.text}


def _data_url(image: Image) -> str:
    data = base64.b64encode(resized(image.data, image.mime, image.size)).decode()
    return f"data:{image.mime};base64,{data}"
