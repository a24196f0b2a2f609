"""`gwray mcp`: games and agents as servers of the Model Context Protocol."""

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape

from gwray.cli.console import terminal
from gwray.cli.signals import run_to_end
from gwray.errors import UsageError

if TYPE_CHECKING:
    from gwray.mcp import HttpSettings
    from gwray.spec import RunSpec

mcp = typer.Typer(
    help="Play games from any MCP client, or use gwray's agents from it; see docs/mcp.md.\n\n"
    "Example: gwray mcp game 01_2048 1 observation=text",
    rich_markup_mode=None,
)
Game = Annotated[str, typer.Argument(help="Game id.")]
Task = Annotated[str, typer.Argument(help="Task id, or its number.")]
Words = Annotated[list[str] | None, typer.Argument(help="Settings as for gwray run, such as observation=text.")]
Http = Annotated[bool, typer.Option("--http", help="Serve over HTTP; default: over stdin and stdout.")]
Host = Annotated[str, typer.Option(help="Address to listen on; others than loopback need --token.")]
Port = Annotated[int, typer.Option(min=0, max=65535, help="Port for HTTP; 0: a free one.")]
Token = Annotated[bool, typer.Option("--token", help="Require the bearer token in GWRAY_MCP_TOKEN.")]
Sessions = Annotated[int, typer.Option(min=1, help="Clients connected over HTTP at once.")]


@mcp.command("game")
def serve_game(
    game: Game,
    task: Task = "1",
    words: Words = None,
    http: Http = False,
    host: Host = "127.0.0.1",
    port: Port = 0,
    token: Token = False,
    sessions: Sessions = 8,
) -> None:
    """Serve a game to an MCP client, whose model plays it; episodes land in a run directory and verify.

    Tools: observe, act, reset, score, and one for each action of the game. The run directory is the one of the same
    `gwray run model=mcp`; run_dir=… and name=… choose another, model.model_id=NAME names the client's model in tables.
    In a game with several roles, a client at /mcp plays all of them, and one at /mcp/ROLE plays one (HTTP);
    roles.ROLE=MODEL lets a model play it.

    Example: gwray mcp game 01_2048 1 observation=text
    """
    job = _job(game, task, words)
    settings = _http(http, host, port, token, sessions)
    from gwray.mcp import GameSession, game_server

    session = GameSession(job, _say)
    servers = {"/mcp": game_server(session)}
    if len(session.roles) > 1:
        servers |= {f"/mcp/{role}": game_server(session, [role]) for role in session.roles}

    async def serve() -> None:
        async with session.running():
            _say(f"Run directory: {session.run_dir}")
            await _serve(servers, settings)

    run_to_end(serve())


@mcp.command("agent")
def serve_agent(
    game: Game,
    task: Task = "1",
    words: Words = None,
    role: Annotated[str, typer.Option(help="Role of the agent, in games with several.")] = "",
    http: Http = False,
    host: Host = "127.0.0.1",
    port: Port = 0,
    token: Token = False,
    sessions: Sessions = 8,
) -> None:
    """Serve the modules of an agent, so that a client's own model answers their questions.

    Tools: list_modules, add_observation, module_prompt, send_response, reset. The action that the last response gives
    is the argument of act of `gwray mcp game`.

    Example: gwray mcp agent 01_2048 1 agent=orak_reflection_planning observation=text
    """
    job = _job(game, task, words)
    settings = _http(http, host, port, token, sessions)
    from gwray.mcp import AgentSession, agent_server

    async def serve() -> None:
        await _serve({"/mcp": agent_server(AgentSession(job, role))}, settings)

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


def _http(http: bool, host: str, port: int, token: bool, sessions: int) -> "HttpSettings | None":
    """Returns the settings of HTTP; None for stdin and stdout."""
    if not http:
        if token or port or host != "127.0.0.1":
            raise UsageError("--host, --port and --token are for HTTP: add --http")
        return None
    from gwray.mcp import HttpSettings

    return HttpSettings(host=host, port=port, token=token, max_sessions=sessions)


async def _serve(servers: Mapping[str, Any], http: "HttpSettings | None") -> None:
    from gwray.mcp import serve_http, serve_stdio

    if http is None:
        await serve_stdio(servers["/mcp"])
    else:
        await serve_http(servers, http, _say)


def _say(text: str) -> None:
    """Prints on stderr: stdout belongs to the protocol."""
    terminal(stderr=True).print(escape(text), soft_wrap=True, highlight=False)
