"""Checks, before a run starts, that every model can be asked: its SDK, its API key and its address."""

import asyncio
from collections.abc import Sequence

import httpx

from gwray.agents import connection_problem, make_client
from gwray.errors import AuthError, UsageError
from gwray.records import names_user
from gwray.settings import LOCAL_PLAYERS, ModelSpec

ENDPOINT_TIMEOUT_S = 5.0


async def require_models(models: Sequence[ModelSpec], *, check_endpoints: bool) -> None:
    """Raises `UsageError` naming every model that cannot be asked, and why. Players without a model and models that
    gwray will host are not checked. `check_endpoints`: also check that a server answers at each `base_url`."""
    asked = [m for m in models if m.provider not in LOCAL_PLAYERS and not (m.self_hosted and not m.base_url)]
    problems = await asyncio.gather(*(_model_problem(m, check_endpoints) for m in asked))
    if found := list(dict.fromkeys(p for p in problems if p)):
        raise UsageError("\n".join(found))


async def _model_problem(model: ModelSpec, check_endpoints: bool) -> str:
    """Returns why a model cannot be asked; empty if it can."""
    if model.base_url and not model.base_url.startswith(("http://", "https://")) and not names_user(model.base_url):
        return f"model.base_url '{model.base_url}' of {model.name} is not a URL: it must start with http:// or https://"
    if model.provider == "mcp":
        return f"model={model.name} plays as an MCP client of `gwray mcp game GAME TASK`, not by gwray run"
    if not model.model_id:
        return f"model.model_id of {model.name} is empty: set it to the model's name on its server"
    if not model.base_url and not model.api_key_env and "." not in model.provider:  # your own class may need neither
        return (
            f"{model.name} has neither a server (model.base_url=http://HOST:PORT/v1) nor the name of the environment "
            "variable with the provider's key (model.api_key_env=NAME); set one of them"
        )
    try:
        client = make_client(model)
    except (AuthError, UsageError) as e:
        return str(e)
    await client.close()
    return await _endpoint_problem(model) if check_endpoints and model.base_url else ""


async def _endpoint_problem(model: ModelSpec) -> str:
    """Returns why no server can be reached at the model's address; any response, even a late one, counts. The response
    is not read: it may have no end."""
    url = f"{model.base_url}".rstrip("/") + "/models"
    try:
        async with (
            httpx.AsyncClient(timeout=ENDPOINT_TIMEOUT_S, follow_redirects=True, max_redirects=10) as client,
            asyncio.timeout(4 * ENDPOINT_TIMEOUT_S),
            client.stream("GET", url),
        ):
            return ""
    except (httpx.ConnectError, httpx.TooManyRedirects) as e:
        return (
            f"no server answers at {model.base_url} for {model.name}: {connection_problem(e)}. Check that it runs "
            "and the address is right; check_endpoints=false skips this check."
        )
    except (httpx.HTTPError, httpx.InvalidURL, TimeoutError):
        return ""
