"""Provider clients, one file each, loaded when first used: their SDKs may not be installed."""

from __future__ import annotations

import logging
from importlib import import_module

from gwray.agents.clients.base import Client, Secret
from gwray.errors import UsageError, choose
from gwray.spec import ModelSpec

CLIENTS = {
    "openai_chat": "gwray.agents.clients.openai_chat:OpenAIChat",
    "openai_responses": "gwray.agents.clients.openai_responses:OpenAIResponses",
    "anthropic": "gwray.agents.clients.claude:Claude",
    "gemini": "gwray.agents.clients.gemini:Gemini",
}
"""Client class by the provider a profile names."""

_TALKATIVE = ("openai", "anthropic", "google_genai", "httpx", "httpx2", "httpcore", "httpcore2", "aiohttp")
"""Loggers that, at their lower levels, print requests and the headers of responses, and with them keys."""

__all__ = ["CLIENTS", "Client", "make_client"]


def make_client(spec: ModelSpec) -> Client:
    """The client of a profile. Raises `AuthError` if its key is missing, `UsageError` if its SDK is."""
    if spec.provider not in CLIENTS:
        raise choose("provider", spec.provider, sorted(CLIENTS))
    Secret.from_env(spec)  # before its SDK, which takes a second to load
    module, _, name = CLIENTS[spec.provider].partition(":")
    try:
        made = getattr(import_module(module), name)
    except ModuleNotFoundError as e:
        if e.name and e.name.startswith("gwray"):
            raise
        raise UsageError(f"model '{spec.name}' needs the package {e.name}: pip install 'gwray[providers]'") from None
    for logger in _TALKATIVE:
        logging.getLogger(logger).setLevel(logging.WARNING)
    return made(spec)
