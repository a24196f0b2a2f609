"""OpenAI Chat Completions, and the many servers that speak it (vLLM, Qwen, Kimi, GLM, Seed, …)."""

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
from gwray.agents.messages import Image, Part, Request
from gwray.errors import ContentFiltered, MalformedResponse
from gwray.records import Reply, Usage


class OpenAIChat(OpenAISdk):
    """Options: `tool_choice` (required), `max_tokens_field` (max_tokens), `parallel_tool_calls`, `image_detail`,
    `system_role` (system), `headers`."""

    def _body(self, request: Request) -> dict[str, Any]:
        return chat_body(request)

    async def _post(self, body: dict[str, Any], request: Request) -> bytes:
        create = self._sdk.chat.completions.with_raw_response.create
        return (await create(**body, extra_headers=session_header(request))).content

    def _reply(self, answer: bytes, latency_ms: float) -> Reply:
        secret = self._secret
        body = parsed(answer, secret)
        choice = child(body, "choices", 0)
        message = child(choice, "message")
        if not isinstance(message, dict):
            if isinstance(error := body.get("error"), dict):
                raise blame(500, text_of(error.get("message")), secret, code=str(error.get("code", "")))
            raise MalformedResponse("the response has no choices[0].message")
        finish = text_of(child(choice, "finish_reason"))
        calls = message.get("tool_calls")
        text = _content(message.get("content")) or text_of(message.get("refusal"))
        if finish == "content_filter" and not text and not calls:
            raise ContentFiltered("the provider's content filter removed the reply")
        usage = body.get("usage")
        return Reply(
            latency_ms=latency_ms,
            text=kept(text, secret),
            reasoning=kept(message.get("reasoning_content") or message.get("reasoning"), secret),
            tool_calls=tuple(
                tool_call(child(c, "function", "name"), child(c, "function", "arguments"), secret)
                for c in (calls if isinstance(calls, list) else [])[:MAX_CALLS]
            ),
            finish_reason=kept(finish, secret)[:40],
            usage=Usage(
                input=count(usage, "prompt_tokens"),
                cached=count(usage, "prompt_tokens_details", "cached_tokens"),
                output=count(usage, "completion_tokens"),
                reasoning=count(usage, "completion_tokens_details", "reasoning_tokens"),
            ),
            served_model=kept(body.get("model"), secret)[:200],
        )


def _content(value: Any) -> str:
    """A message's text, which some servers send as a list of parts."""
    if isinstance(value, list):
        return "".join(text_of(child(p, "text")) for p in value)
    return text_of(value)


def chat_body(request: Request) -> dict[str, Any]:
    """The request's body, as keyword arguments of the SDK."""
    options, sampling = request.options, request.sampling
    messages: list[dict[str, Any]] = [{"role": options.get("system_role", "system"), "content": request.system}]
    for turn in request.turns:
        messages.append({"role": turn.role, "content": [_part(p, options) for p in turn.parts]})
    body: dict[str, Any] = {
        "model": request.model_id,
        "messages": messages,
        options.get("max_tokens_field", "max_tokens"): sampling.max_output_tokens,
        "extra_body": sampling.extra or None,
    }
    if sampling.temperature is not None:
        body["temperature"] = sampling.temperature
    if sampling.top_p is not None:
        body["top_p"] = sampling.top_p
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


def _part(part: Part, options: dict[str, Any]) -> dict[str, Any]:
    if isinstance(part, Image):
        url = {"url": data_url(part)}
        if "image_detail" in options:
            url["detail"] = str(options["image_detail"])
        return {"type": "image_url", "image_url": url}
    return {"type": "text", "text": part.text}
