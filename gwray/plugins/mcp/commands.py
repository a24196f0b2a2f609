"""`gwray mcp`: games and agents as servers of the Model Context Protocol."""

from collections.abc import Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape

from gwray.cli.console import terminal
from gwray.cli.signals import run_to_end
from gwray.errors import UsageError

if TYPE_CHECKING:
    from mcp.server import Server

    from gwray.settings import RunSpec

mcp = typer.Typer(
    help="Play games from any MCP client, or use gwray's agents from it; see docs/mcp.md.\n\n"
    "Example: gwray mcp game 01_2048 1 observation=text",
    rich_markup_mode=None,
)
Game = Annotated[str, typer.Argument(help="Game id.")]
Task = Annotated[str, typer.Argument(help="Task id, or its number.")]
Words = Annotated[list[str] | None, typer.Argument(help="Settings as for gwray run, such as observation=text.")]


@mcp.command("game")
def serve_game(game: Game, task: Task = "1", words: Words = None) -> None:
    """Serve a game to an MCP client, whose model plays it; episodes land in a run directory and verify.

    Tools: observe, act, reset, score, and one for each action of the game. The run directory is the one of the same
    `gwray run model=mcp`; run_dir=… and name=… choose another, model.model_id=NAME names the client's model in tables.
    In a game with several roles, the client plays all of them; roles.ROLE=MODEL lets a model play one.

    Example: gwray mcp game 01_2048 1 observation=text
    """
    job = _job(game, task, words)
    from gwray.plugins.mcp.episodes import GameSession
    from gwray.plugins.mcp.game import game_server

    session = GameSession(job, _say)

    async def serve() -> None:
        async with session.running():
            _say(f"Run directory: {session.run_dir}")
            await _serve(game_server(session))

    run_to_end(serve())


@mcp.command("agent")
def serve_agent(
    game: Game,
    task: Task = "1",
    words: Words = None,
    role: Annotated[str, typer.Option(help="Role of the agent, in games with several.")] = "",
) -> None:
    """Serve the modules of an agent, so that a client's own model answers their questions.

    Tools: list_modules, add_observation, module_prompt, send_response, reset. The action that the last response gives
    is the argument of act of `gwray mcp game`.

    Example: gwray mcp agent 01_2048 1 agent=orak_reflection_planning observation=text
    """
    job = _job(game, task, words)
    from gwray.plugins.mcp.agent import AgentSession, agent_server

    async def serve() -> None:
        await _serve(agent_server(AgentSession(job, role)))

    run_to_end(serve())


def _job(game: str, task: str, words: Sequence[str] | None) -> "RunSpec":
    """Returns the job of a command. Raises `UsageError` for wrong settings, and without the package `mcp`."""
    if find_spec("mcp") is None:
        raise UsageError("gwray mcp needs the package mcp: pip install 'gwray[mcp]'")
    from gwray.cli.compose import job_specs

    fixed = {"game": game, "task": task, "executor": "inline", "tracking.mode": "disabled"}
    for word in words or ():
        name = word.lstrip("+~").partition("=")[0]
        if name in fixed:
            raise UsageError(f"setting {name} is fixed by gwray mcp: omit {name}=…; the game and task are arguments")
        if name == "model" and word != "model=mcp":
            raise UsageError(f"{word}: the client's own model plays. Omit it; roles.ROLE=MODEL is a role's.")
    (job,) = job_specs(["model=mcp", *(f"{name}={value}" for name, value in fixed.items()), *(words or ())])
    return job


async def _serve(server: "Server[Any]") -> None:
    """Serves one client over stdin and stdout until it disconnects."""
    from mcp.server.stdio import stdio_server

    async with stdio_server() as (reader, writer):
        await server.run(reader, writer, server.create_initialization_options())


def _say(text: str) -> None:
    """Prints on stderr: stdout belongs to the protocol."""
    terminal(stderr=True).print(escape(text), soft_wrap=True, highlight=False)
