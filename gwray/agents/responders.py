"""Who answers an agent's questions: a model behind a provider, or a player that needs none.

Both complete a `Prompt` into the `Request` of the model behind it, whose hashes the log keeps. A local player gets,
beside the question, a `Situation` that no agent ever sees.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from gwray.agents.base import Prompt
from gwray.agents.messages import Message, Request
from gwray.agents.model_caller import ClientPool
from gwray.agents.players import Fixed, Human, HumanInputs, Noop, Player, Random, Scripted
from gwray.agents.role_context import RoleContext, Situation
from gwray.errors import UsageError, choose
from gwray.local_players import LOCAL_PLAYERS
from gwray.records import Reply
from gwray.spec import AgentSpec, ModelSpec

UNHASHED_OPTIONS = frozenset(
    {"attempts", "rate_limit_attempts", "give_up_s", "headers", "price_ref", "price_provider", "deployment"}
)
"""Options of a profile that cannot influence a reply: no part of a request's hash, nor of an episode's identity."""


def build_request(prompt: Prompt, model: ModelSpec, interface: str, session: str) -> Request:
    """The request of this model for that question."""
    options = {k: v for k, v in model.options.items() if k not in UNHASHED_OPTIONS}
    return Request(
        model_id=str(options.get(f"{interface}_model_id", model.model_id)),
        provider=model.provider,
        system=prompt.system,
        turns=(Message("user", prompt.parts),),
        tools=prompt.tools,
        computer=prompt.computer,
        sampling=model.sampling,
        response_schema=prompt.schema,
        options=options,
        session=session,
    )


def _refuse_forced(model: ModelSpec) -> None:
    """`UsageError` for what Anthropic refuses at every request: a forced call beside thinking or the newer toolset, and
    a temperature beside thinking."""
    options = model.options
    kind = options["thinking"].get("type") if isinstance(options.get("thinking"), Mapping) else None
    toolset = str(options.get("computer_tool", "")).startswith("computer_toolset")
    forced = options.get("tool_choice", "any") not in ("auto", "none")
    if forced and (toolset or kind in ("enabled", "adaptive")):
        why = "its computer toolset cannot be forced" if toolset else "a model that thinks cannot be forced"
        raise UsageError(
            f"model.options.tool_choice '{options.get('tool_choice', 'any')}' of {model.name}: {why}. "
            "Set model.options.tool_choice=auto."
        )
    if kind in ("enabled", "adaptive") and model.sampling.temperature not in (None, 1):
        raise UsageError(
            f"model.sampling.temperature '{model.sampling.temperature:g}' of {model.name}: a model that thinks has its "
            "own. Leave it out, or sampling=published, which says one, or thinking=max."
        )


class Responder(Protocol):
    """Answers the questions that one role asks under one name."""

    async def answer(self, request: Request, prompt: Prompt, situation: Situation) -> Reply:
        """One reply, with all retries and waiting for limits inside. Raises `ModelError`."""
        ...


class ModelResponder:
    """A model behind a provider, through the connections of `pool`."""

    def __init__(self, model: ModelSpec, pool: ClientPool):
        self._caller = pool.caller(model)

    async def answer(self, request: Request, prompt: Prompt, situation: Situation) -> Reply:
        return await self._caller.ask(request)


PLAYERS: Mapping[str, type[Player]] = {
    "random": Random,
    "noop": Noop,
    "scripted": Scripted,
    "fixed": Fixed,
}


def sees_state(model: ModelSpec) -> bool:
    """Whether it reads the game's state, which nobody behind a provider ever does."""
    return model.provider in PLAYERS and PLAYERS[model.provider].sees_state


def make_responder(
    model: ModelSpec,
    agent: AgentSpec,
    role_context: RoleContext,
    pool: ClientPool,
    human_inputs: HumanInputs | None = None,
) -> Responder:
    """Who answers for this model. `human_inputs`: where a person's replies are put down; they are the worker's.

    Opens no connection and reads no key. Raises `UsageError` for a provider that nobody speaks to.
    """
    from gwray.agents.clients import CLIENTS

    if model.provider in PLAYERS:
        return PLAYERS[model.provider](model, agent, role_context)
    if model.provider == "human":
        return Human(model, agent, role_context, human_inputs or {})
    if model.provider == "anthropic":
        _refuse_forced(model)
    if model.provider not in CLIENTS:
        raise choose("provider", model.provider, sorted([*LOCAL_PLAYERS, *CLIENTS]), "See conf/model/.")
    return ModelResponder(model, pool)
