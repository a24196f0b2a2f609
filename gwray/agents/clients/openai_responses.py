"""OpenAI Responses: strict function tools (GPT, Grok) and OpenAI's own computer tool."""

from __future__ import annotations

from typing import Any

from gwray.agents.calls import MAX_CALLS
from gwray.agents.clients.base import (
    blame,
    child,
    count,
    kept,
    parsed,
    session_header,
    text_of,
    tool_call,
)
from gwray.agents.clients.openai_sdk import OpenAISdk, data_url
from gwray.agents.formats.native import COMPUTER
from gwray.agents.messages import Image, Part, Request
from gwray.errors import ContentFiltered, MalformedResponse
from gwray.records import Reply, ToolCall, Usage


class OpenAIResponses(OpenAISdk):
    """Options: `strict` (true), `tool_choice` (required), `computer_tool` (computer_use_preview, or computer for the
    newer tool without a size), `reasoning_summary`, `truncation`, `image_detail` (auto), `headers`."""

    def _body(self, request: Request) -> dict[str, Any]:
        return responses_body(request)

    async def _post(self, body: dict[str, Any], request: Request) -> bytes:
        create = self._sdk.responses.with_raw_response.create
        return (await create(**body, extra_headers=session_header(request))).content

    def _reply(self, answer: bytes, latency_ms: float) -> Reply:
        secret = self._secret
        body = parsed(answer, secret)
        output = body.get("output")
        if isinstance(error := body.get("error"), dict):
            raise blame(None, text_of(error.get("message")), secret, code=str(error.get("code", "")))
        if not isinstance(output, list):
            raise MalformedResponse("the response has no output")
        text, reasoning, calls = [], [], []
        for item in output:
            match child(item, "type"):
                case "message":
                    parts = child(item, "content")
                    text += [text_of(child(p, "text")) or text_of(child(p, "refusal")) for p in _list(parts)]
                case "reasoning":
                    reasoning += [text_of(child(p, "text")) for p in _list(child(item, "summary"))]
                    reasoning += [text_of(child(p, "text")) for p in _list(child(item, "content"))]
                case "function_call":
                    calls.append(tool_call(child(item, "name"), child(item, "arguments"), secret))
                case "computer_call":
                    calls += self._computer_calls(item)
        reason = text_of(child(body, "incomplete_details", "reason"))
        if reason == "content_filter" and not calls:
            raise ContentFiltered("the provider's content filter removed the reply")
        usage = body.get("usage")
        return Reply(
            latency_ms=latency_ms,
            text=kept("".join(text), secret),
            reasoning=kept("\n".join(reasoning), secret),
            tool_calls=tuple(calls[:MAX_CALLS]),
            finish_reason=kept(reason or body.get("status"), secret)[:40],
            usage=Usage(
                input=count(usage, "input_tokens"),
                cached=count(usage, "input_tokens_details", "cached_tokens"),
                output=count(usage, "output_tokens"),
                reasoning=count(usage, "output_tokens_details", "reasoning_tokens"),
            ),
            served_model=kept(body.get("model"), secret)[:200],
        )

    def _computer_calls(self, item: Any) -> list[ToolCall]:
        """A call holds one action, or a list of them with the newer tool. What is no action is kept as an empty one: it
        was proposed."""
        actions = _list(child(item, "actions")) or [child(item, "action")]
        return [tool_call(COMPUTER, a if isinstance(a, dict) else {}, self._secret) for a in actions]


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def responses_body(request: Request) -> dict[str, Any]:
    """The request's body, as keyword arguments of the SDK."""
    options, sampling = request.options, request.sampling
    body: dict[str, Any] = {
        "model": request.model_id,
        "instructions": request.system,
        "input": [{"role": t.role, "content": [_part(p, options) for p in t.parts]} for t in request.turns],
        "max_output_tokens": sampling.max_output_tokens,
        "store": False,
        "extra_body": sampling.extra or None,
    }
    if sampling.temperature is not None:
        body["temperature"] = sampling.temperature
    if sampling.top_p is not None:
        body["top_p"] = sampling.top_p
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
        body["parallel_tool_calls"] = False
    if request.computer is not None:
        tool: dict[str, Any] = {"type": options.get("computer_tool", "computer_use_preview")}
        if tool["type"] == "computer_use_preview":
            width, height = request.computer
            tool |= {"display_width": width, "display_height": height, "environment": "browser"}
        body["tools"] = [tool]
        body["tool_choice"] = options.get("tool_choice", "required")
    if request.response_schema is not None:
        body["text"] = {"format": {"type": "json_schema", "name": "action", "schema": request.response_schema}}
    return body


def _part(part: Part, options: dict[str, Any]) -> dict[str, Any]:
    if isinstance(part, Image):
        return {
            "type": "input_image",
            "image_url": data_url(part),
            "detail": str(options.get("image_detail", "auto")),
        }
    return {"type": "input_text", "text": part.text}
