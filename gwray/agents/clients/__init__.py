"""Provider clients by name. Each module is imported at first use, because its SDK may not be installed."""

from __future__ import annotations

import logging

from gwray.agents.clients.base import BaseClient, Client, Secret
from gwray.errors import GwrayError, UsageError, choose
from gwray.places import Registry
from gwray.settings import ModelSpec

CLIENTS = Registry(
    "provider",
    {
        "openai_chat": "gwray.agents.clients.openai_api:OpenAIChat",
        "openai_responses": "gwray.agents.clients.openai_api:OpenAIResponses",
        "anthropic": "gwray.agents.clients.claude:Claude",
        "gemini": "gwray.agents.clients.gemini:Gemini",
    },
    "gwray.clients",
)
"""Client classes by the `provider` of a model profile, which may also be the path of your own: `my_client.MyClient`."""

_VERBOSE_LOGGERS = ("openai", "anthropic", "google_genai", "httpx", "httpx2", "httpcore", "httpcore2", "aiohttp")
"""Loggers that print requests and response headers, and thereby keys, below the level WARNING."""


def make_client(spec: ModelSpec) -> Client:
    """Creates the client of a model profile.

    Raises:
        AuthError: the environment variable with its key is not set.
        UsageError: the provider is unknown, its class is not a client, or its SDK is not installed.
    """
    if "." not in spec.provider and spec.provider not in CLIENTS.names():
        raise choose("provider", spec.provider, CLIENTS.names(), "Or the path of your own client: package.Class.")
    Secret.from_env(spec)  # check the key first: importing an SDK takes a second
    try:
        made = CLIENTS.get(spec.provider)
    except ModuleNotFoundError as e:
        if e.name and e.name.startswith("gwray"):
            raise
        raise UsageError(f"model '{spec.name}' needs the package {e.name}: pip install 'gwray[providers]'") from None
    if not isinstance(made, type) or not all(callable(getattr(made, m, None)) for m in ("send", "close")):
        raise UsageError(f"provider '{spec.provider}' is not a client: a class with async send(request) and close()")
    for logger in _VERBOSE_LOGGERS:
        logging.getLogger(logger).setLevel(logging.WARNING)
    try:
        return made(spec)
    except GwrayError:
        raise
    except Exception as e:  # of your own class
        raise UsageError(f"model '{spec.name}' cannot start its client {spec.provider}: {type(e).__name__}: {e}") from e
