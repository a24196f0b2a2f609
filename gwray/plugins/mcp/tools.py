"""Makes an MCP server of functions: arguments are checked against their schema, and gwray's errors become errors of the
tool, which a model can read and correct."""

import base64
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match
from mcp.server import Server, ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ContentBlock,
    ImageContent,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
    ToolAnnotations,
)

from gwray import __version__
from gwray.agents import Image, Part
from gwray.agents import Tool as Function
from gwray.errors import GwrayError, UsageError, cut

Progress = Callable[[float, float | None, str], Awaitable[None]]
"""Reports progress to the caller of a tool: done, total, and what is going on. Does nothing unless the caller asked for
it."""


@dataclass(frozen=True)
class Result:
    """What a tool returns: blocks for the model, and the same facts as data for programs."""

    parts: Sequence[Part | str]
    data: dict[str, Any]
    error: bool = False


@dataclass(frozen=True)
class ServedTool:
    """A function that clients may call.

    Attributes:
        function: name, description and JSON schema of its arguments.
        call: runs it.
        checked: refuse arguments that do not fit the schema. False for actions of a game: those cost their step.
        read_only: changes nothing.
    """

    function: Function
    call: Callable[[Mapping[str, Any], Progress], Awaitable[Result]]
    checked: bool = True
    read_only: bool = False


def make_server(name: str, instructions: str, tools: Sequence[ServedTool]) -> Server[Any]:
    """Returns an MCP server with these tools. `instructions`: what clients show their model when they connect."""
    by_name = {tool.function.name: tool for tool in tools}
    listed = ListToolsResult(tools=[_listed(tool) for tool in tools])

    async def list_tools(context: ServerRequestContext[Any], params: PaginatedRequestParams | None) -> ListToolsResult:
        return listed

    async def call_tool(context: ServerRequestContext[Any], params: CallToolRequestParams) -> CallToolResult:
        tool = by_name.get(params.name)
        if tool is None:
            raise MCPError(INVALID_PARAMS, f"there is no tool '{cut(params.name, 80)}'. Allowed: {', '.join(by_name)}.")
        arguments = params.arguments or {}
        try:
            if tool.checked:
                _check(arguments, tool.function)
            result = await tool.call(arguments, context.session.report_progress)
        except GwrayError as e:
            result = Result([str(e)], {"error": str(e), **e.error_fields()}, error=True)
        return CallToolResult(
            content=[_block(part) for part in result.parts], structured_content=result.data, is_error=result.error
        )

    return Server(
        name, version=__version__, instructions=instructions, on_list_tools=list_tools, on_call_tool=call_tool
    )


def _listed(tool: ServedTool) -> Tool:
    function = tool.function
    hints = ToolAnnotations(read_only_hint=tool.read_only, destructive_hint=False, open_world_hint=False)
    return Tool(
        name=function.name, description=function.description, input_schema=function.parameters, annotations=hints
    )


def _check(arguments: Mapping[str, Any], function: Function) -> None:
    """Raises `UsageError` for arguments that do not fit a tool's schema."""
    validator = Draft202012Validator(function.parameters)
    problem = best_match(validator.iter_errors(dict(arguments)))
    if problem is not None:
        where = ".".join(map(str, problem.absolute_path))
        allowed = cut(json.dumps(function.parameters.get("properties", {})), 600)
        raise UsageError(
            f"{function.name}{f', argument {where}' if where else ''}: {cut(problem.message, 300)}. Allowed: {allowed}"
        )


def _block(part: Part | str) -> ContentBlock:
    if isinstance(part, Image):
        return ImageContent(data=base64.b64encode(part.data).decode(), mime_type=part.mime)
    return TextContent(text=part if isinstance(part, str) else part.text)
