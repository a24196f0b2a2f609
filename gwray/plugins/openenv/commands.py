"""`gwray openenv`: a task as a server of OpenEnv environments."""

from contextlib import suppress
from functools import partial
from typing import Annotated, Any

import typer

from gwray.cli.options import console
from gwray.errors import UsageError

FIXED = {"model": "mcp", "model.semantic_format": "json", "executor": "inline", "tracking.mode": "disabled"}


def openenv(
    game: Annotated[str, typer.Argument(help="Game id.")],
    task: Annotated[str, typer.Argument(help="Task id, or its number.")] = "1",
    words: Annotated[list[str] | None, typer.Argument(help="Settings as for gwray run, such as run_dir=…")] = None,
    host: Annotated[str, typer.Option(help="Address to listen on. The server has no authentication.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port.")] = 8000,
    sessions: Annotated[int, typer.Option(min=1, help="Clients at once, each with a browser of its own.")] = 4,
) -> None:
    """Serve a task as OpenEnv environments, for reinforcement learning; episodes land in a run directory and verify.

    Reward: progress (0 to 1) that an action added. reset(seed=N) sets the game's seed. Any client of OpenEnv connects.
    Needs pip install 'gwray[openenv]'.

    Example: gwray openenv p02_up-and-over 1 observation=text run_dir=runs/rl
    """
    for word in words or ():
        if (name := word.lstrip("+~").partition("=")[0]) in FIXED:
            raise UsageError(f"setting {name} is fixed by gwray openenv: omit {word}")
    try:
        import uvicorn
        from openenv.core.env_server import create_app  # pyright: ignore[reportMissingImports]
        from starlette.websockets import WebSocketDisconnect
    except ImportError as e:
        raise UsageError(f"gwray openenv needs the package {e.name}: pip install 'gwray[openenv]'") from e
    from gwray.cli.compose import job_specs
    from gwray.plugins.openenv.arena import Arena
    from gwray.plugins.openenv.environment import GameAction, GameEnvironment, GameObservation
    from gwray.store import RunDir

    settings = {"game": game, "task": task, "seed_policy": "per_repeat", **FIXED}
    (job,) = job_specs([*(f"{name}={value}" for name, value in settings.items()), *(words or ())])
    arena = Arena(job)
    app = create_app(
        partial(GameEnvironment, arena), GameAction, GameObservation, env_name="gwray", max_concurrent_envs=sessions
    )

    async def until_disconnected(scope: Any, receive: Any, send: Any) -> None:
        with suppress(WebSocketDisconnect):  # the package closes the connections of killed clients, too
            await app(scope, receive, send)

    with RunDir(arena.run_dir).lock():
        console.print(f"{arena.task.id} at http://{host}:{port}, {sessions} sessions, run directory {arena.run_dir}")
        uvicorn.run(until_disconnected, host=host, port=port, log_level="warning")
