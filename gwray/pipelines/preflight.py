"""What would fail every episode of a model is said before anything starts: its SDK, its key, its address."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import httpx

from gwray.agents import make_client
from gwray.errors import AuthError, UsageError
from gwray.local_players import LOCAL_PLAYERS
from gwray.redaction import names_user
from gwray.spec import ModelSpec

KNOCK_S = 5.0


async def require_models(models: Sequence[ModelSpec], *, knock: bool) -> None:
    """`UsageError` that names every model that cannot be asked, and why; players without a model and models that are
    about to be hosted can. `knock`: also see whether anybody listens at each `base_url`."""
    asked = [m for m in models if m.provider not in LOCAL_PLAYERS and not (m.self_hosted and not m.base_url)]
    problems = await asyncio.gather(*(_problem(m, knock) for m in asked))
    if found := list(dict.fromkeys(p for p in problems if p)):
        raise UsageError("\n".join(found))


async def _problem(model: ModelSpec, knock: bool) -> str:
    if model.base_url and not model.base_url.startswith(("http://", "https://")) and not names_user(model.base_url):
        return f"model.base_url '{model.base_url}' of {model.name} is no address: it begins with http:// or https://"
    if not model.model_id:
        return f"model.model_id of {model.name} is empty: give the name by which its server knows it"
    if not model.base_url and not model.api_key_env:
        return (
            f"{model.name} names neither a server (model.base_url=http://HOST:PORT/v1) nor, for the provider's own, "
            "the environment variable with a key (model.api_key_env=NAME)"
        )
    try:
        client = make_client(model)
    except (AuthError, UsageError) as e:
        return str(e)
    await client.close()
    return await _silence(model) if knock and model.base_url else ""


async def _silence(model: ModelSpec) -> str:
    """Why nobody can be reached at the model's address. Any answer will do, and a slow one too."""
    try:
        async with httpx.AsyncClient(timeout=KNOCK_S) as client:
            await client.get(f"{model.base_url}".rstrip("/") + "/models")
    except httpx.ConnectError:
        return (
            f"nobody answers at {model.base_url}, where {model.name} is asked. Is the server up, and the port right? "
            "knock=false starts without looking."
        )
    except (httpx.HTTPError, httpx.InvalidURL):
        return ""
    return ""
