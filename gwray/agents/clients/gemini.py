"""Client of Google Gemini (generateContent): function declarations, and Gemini's own computer tool."""

from __future__ import annotations

from typing import Any

import httpx2
import pydantic
from google import genai
from google.genai import errors, types

from gwray.agents.calls import MAX_CALLS
from gwray.agents.clients.base import (
    MAX_BODY,
    BaseClient,
    as_text,
    child,
    connection_error,
    count,
    endpoint,
    error_from_response,
    parse_object,
    session_header,
    tool_call,
)
from gwray.agents.clients.bounded import bounded
from gwray.agents.coordinates import resized
from gwray.agents.messages import Image, Part, Request
from gwray.errors import ContentFiltered, MalformedResponse, ModelError, ModelUnavailable
from gwray.records import Reply, Usage
from gwray.settings import ModelSpec

_BROWSER_FUNCTIONS = ["open_web_browser", "navigate", "search", "go_back", "go_forward"]
"""Predefined functions that make no sense in a game of one page."""
_MALFORMED_ERRORS = (ValueError, AttributeError, TypeError, KeyError, RecursionError)
"""Errors of the SDK for a response of another form, or one that is nested too deeply."""


class Gemini(BaseClient):
    """Gemini generateContent. `sampling.reasoning_effort` sets the thinking level.

    Options of the profile (defaults in brackets): `function_mode` (ANY), `thinking_level` or `thinking_budget`,
    `include_thoughts`, `excluded_functions`, `media_resolution`, `api_version` (v1beta), `headers`.
    """

    def __init__(self, spec: ModelSpec):
        super().__init__(spec)
        self._http = bounded(httpx2.AsyncClient, follow_redirects=True)
        self._sdk = genai.Client(
            vertexai=False,
            api_key=self._secret.value or "none",
            http_options=types.HttpOptions(
                base_url=endpoint(spec, None),
                api_version=str(spec.options.get("api_version", "v1beta")),
                headers=spec.options.get("headers"),
                retry_options=types.HttpRetryOptions(attempts=1),
                httpx_async_client=self._http,
            ),
        )

    def _body(self, request: Request) -> tuple[list[types.Content], types.GenerateContentConfig]:
        config = generate_config(request)
        config.http_options = types.HttpOptions(headers=session_header(request))
        return _contents(request), config

    async def _post(self, body: Any, request: Request) -> str:
        contents, config = body
        config.should_return_http_response = True  # the SDK's own reading drops an error inside HTTP 200
        answer = await self._sdk.aio.models.generate_content(model=request.model_id, contents=contents, config=config)
        return (answer.sdk_http_response.body if answer.sdk_http_response else None) or ""

    def _translate(self, error: Exception) -> ModelError:
        match error:
            case errors.APIError():
                headers = getattr(error.response, "headers", None) or {}
                return error_from_response(
                    error.code if isinstance(error.code, int) else 500,
                    _own_body(error.details),
                    dict(headers),
                    self._secret,
                    accepted=self._accepted,
                )
            case errors.UnknownApiResponseError() | pydantic.ValidationError():
                return MalformedResponse("the response does not have Gemini's form")
            case TimeoutError():
                return ModelUnavailable("the request timed out")
            case _:
                name = type(error).__name__
                if "JSON" in name or isinstance(error, _MALFORMED_ERRORS):
                    return MalformedResponse(f"the response does not have Gemini's form ({name})")
                return connection_error(error, self._secret)

    def _reply(self, answer: str, latency_ms: float) -> Reply:
        body = parse_object(answer, self._secret)
        candidate = child(body, "candidates", 0)
        self._raise_errors(body, candidate)
        if not isinstance(candidate, dict):
            if blocked := as_text(child(body, "promptFeedback", "blockReason")):
                words = as_text(child(body, "promptFeedback", "blockReasonMessage"))
                raise ContentFiltered(
                    self._secret.scrub(f"the prompt was blocked: {blocked} {words[:MAX_BODY]}".strip())
                )
            raise self._no_reply(body, "candidates")
        found = child(candidate, "content", "parts")
        parts = [p for p in (found if isinstance(found, list) else []) if isinstance(p, dict)]
        texts = [(as_text(p.get("text")) or _code(p), p.get("thought") is True) for p in parts]
        given = [p.get("functionCall", p.get("function_call")) for p in parts]
        calls = [c for c in given if isinstance(c, dict)]
        usage = body.get("usageMetadata")
        thoughts = count(usage, "thoughtsTokenCount")
        return self._make_reply(
            latency_ms,
            text="".join(text for text, thought in texts if not thought),
            reasoning="\n".join(text for text, thought in texts if thought and text),
            calls=[tool_call(c.get("name"), c.get("args") or {}, self._secret) for c in calls[:MAX_CALLS]],
            finish=candidate.get("finishReason"),
            message=candidate.get("finishMessage"),
            usage=Usage(
                input=count(usage, "promptTokenCount"),
                cached=count(usage, "cachedContentTokenCount"),
                # Thoughts are billed as output but counted separately.
                output=count(usage, "candidatesTokenCount") + thoughts,
                reasoning=thoughts,
            ),
            model=body.get("modelVersion"),
        )

    async def close(self) -> None:
        await self._sdk.aio.aclose()
        await self._http.aclose()


def _code(part: dict[str, Any]) -> str:
    """Returns the program in which a model has written its call, as the block of code that other versions write."""
    code = as_text(child(part, "executableCode", "code"))
    return f"```tool_code\n{code}\n```" if code else ""


def _own_body(details: Any) -> Any:
    """Returns the body of an error, without the object into which the SDK puts a body that is not JSON."""
    return details["message"] if isinstance(details, dict) and set(details) == {"message", "status"} else details


def generate_config(request: Request) -> types.GenerateContentConfig:
    """Returns the configuration of a request, without its contents."""
    options, sampling = request.options, request.sampling
    config = types.GenerateContentConfig(
        system_instruction=request.system,
        max_output_tokens=sampling.max_output_tokens,
        temperature=sampling.temperature,
        top_p=sampling.top_p,
        automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
        **sampling.extra,
    )
    thinking = {k: options[k] for k in ("thinking_level", "thinking_budget", "include_thoughts") if k in options}
    if sampling.reasoning_effort is not None:
        thinking["thinking_level"] = sampling.reasoning_effort
    if thinking:
        config.thinking_config = types.ThinkingConfig(**thinking)
    if "media_resolution" in options:
        config.media_resolution = types.MediaResolution(options["media_resolution"])
    if request.tools:
        declarations = [
            types.FunctionDeclaration(
                name=t.name,
                description=t.description,
                parameters_json_schema=t.parameters if t.parameters["properties"] else None,
            )
            for t in request.tools
        ]
        config.tools = [types.Tool(function_declarations=declarations)]
    if request.tools and request.computer is None:
        mode = types.FunctionCallingConfigMode(options.get("function_mode", "ANY"))
        config.tool_config = types.ToolConfig(function_calling_config=types.FunctionCallingConfig(mode=mode))
    if request.computer is not None:
        computer = types.ComputerUse(
            environment=types.Environment.ENVIRONMENT_BROWSER,
            excluded_predefined_functions=options.get("excluded_functions", _BROWSER_FUNCTIONS),
        )
        config.tools = [types.Tool(computer_use=computer), *(config.tools or [])]
    if request.response_schema is not None:
        config.response_mime_type = "application/json"
        config.response_json_schema = request.response_schema
    return config


def _contents(request: Request) -> list[types.Content]:
    return [
        types.Content(role="user" if t.role == "user" else "model", parts=[_part(p) for p in t.parts])
        for t in request.turns
    ]


def _part(part: Part) -> types.Part:
    if isinstance(part, Image):
        return types.Part.from_bytes(data=resized(part.data, part.mime, part.size), mime_type=part.mime)
    return types.Part(text=part.text)
