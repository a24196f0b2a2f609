"""Client of Anthropic Messages: function tools, and Claude's own computer tool."""

from __future__ import annotations

import base64
from typing import Any

import anthropic

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
from gwray.errors import ModelError
from gwray.records import Reply, Usage
from gwray.settings import ModelSpec

SAMPLING_VERSION = "2023-06-01"
"""The last version of the API that takes temperature and top_p (platform.claude.com, release notes of 2026-10-21). The
SDK refuses them as arguments and sends a newer version by default."""


class Claude(BaseClient):
    """Anthropic Messages.

    Options of the profile (defaults in brackets): `computer_tool` (computer_20251124; computer_toolset_20260801 needs
    `tool_choice: auto`), `beta` (computer-use-2025-11-24), `tool_choice` (any), `thinking` (passed on unchanged),
    `cache` (mark the static text for the prompt cache), `headers`.
    """

    def __init__(self, spec: ModelSpec):
        super().__init__(spec)
        self._sdk = anthropic.AsyncAnthropic(
            **connection(spec, self._secret, "https://api.anthropic.com"),
            http_client=bounded(anthropic.DefaultAsyncHttpxClient),
        )

    def _body(self, request: Request) -> dict[str, Any]:
        return messages_body(request)

    async def _post(self, body: dict[str, Any], request: Request) -> bytes:
        headers = session_header(request)
        if sampling_fields(request.sampling):
            headers = {**headers, "anthropic-version": SAMPLING_VERSION}
        if request.computer is not None:
            betas = [str(request.options.get("beta", "computer-use-2025-11-24"))]
            create = self._sdk.beta.messages.with_raw_response.create
            response = await create(**body, betas=betas, extra_headers=headers)
        else:
            response = await self._sdk.messages.with_raw_response.create(**body, extra_headers=headers)
        return response.http_response.content

    def _translate(self, error: Exception) -> ModelError:
        return sdk_error(anthropic, error, self._secret, accepted=self._accepted)

    def _reply(self, answer: bytes, latency_ms: float) -> Reply:
        secret = self._secret
        body = parse_object(answer, secret)
        blocks = body.get("content")
        self._raise_errors(body)
        if not isinstance(blocks, list):
            raise self._no_reply(body, "content")
        text, reasoning, calls = [], [], []
        for block in blocks:
            match child(block, "type"):
                case "text":
                    text.append(as_text(child(block, "text")))
                case "thinking":
                    reasoning.append(as_text(child(block, "thinking")))
                case "tool_use" | "server_tool_use" | "mcp_tool_use":
                    calls.append(tool_call(child(block, "name"), child(block, "input"), secret))
        usage = body.get("usage")
        cached = count(usage, "cache_read_input_tokens")
        return self._make_reply(
            latency_ms,
            text="".join(text),
            reasoning="\n".join(reasoning),
            calls=calls,
            finish=body.get("stop_reason"),
            usage=Usage(
                # Anthropic counts cached input separately; other providers include it.
                input=count(usage, "input_tokens") + cached + count(usage, "cache_creation_input_tokens"),
                cached=cached,
                output=count(usage, "output_tokens"),
                reasoning=count(usage, "output_tokens_details", "thinking_tokens"),
            ),
            model=body.get("model"),
        )

    async def close(self) -> None:
        await self._sdk.close()


def messages_body(request: Request) -> dict[str, Any]:
    """Returns the body of a request, as keyword arguments of the SDK."""
    options, sampling = request.options, request.sampling
    system: dict[str, Any] = {"type": "text", "text": request.system}
    if options.get("cache"):
        system["cache_control"] = {"type": "ephemeral"}
    extra = {**sampling.extra, **sampling_fields(sampling)}
    if sampling.reasoning_effort is not None:
        extra["output_config"] = {"effort": sampling.reasoning_effort}
    body: dict[str, Any] = {
        "model": request.model_id,
        "system": [system],
        "messages": [{"role": t.role, "content": [_part(p) for p in t.parts]} for t in request.turns],
        "max_tokens": sampling.max_output_tokens,
        "extra_body": extra or None,  # what the SDK refuses as arguments, such as temperature
    }
    if "thinking" in options:
        body["thinking"] = options["thinking"]
    if request.tools:
        body["tools"] = [
            {"name": t.name, "description": t.description, "input_schema": t.parameters} for t in request.tools
        ]
    if request.computer is not None:
        width, height = request.computer
        kind = str(options.get("computer_tool", "computer_20251124"))
        size = {"name": COMPUTER, "display_width_px": width, "display_height_px": height}
        # The newer toolset has a tool for each action; it takes its screen size from the images.
        computer = {"type": kind, **({} if kind.startswith("computer_toolset") else size)}
        body["tools"] = [computer, *body.get("tools", [])]
    if "tools" in body:
        several = bool(options.get("parallel_tool_calls"))
        body["tool_choice"] = {"type": options.get("tool_choice", "any"), "disable_parallel_tool_use": not several}
    return body


def _part(part: Part) -> dict[str, Any]:
    if isinstance(part, Image):
        data = base64.b64encode(resized(part.data, part.mime, part.size)).decode()
        return {"type": "image", "source": {"type": "base64", "media_type": part.mime, "data": data}}
    return {"type": "text", "text": part.text}
