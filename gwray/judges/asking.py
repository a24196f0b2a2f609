"""How a judge is asked: through the same `ask` and the same log as a player, so that a verdict can be made again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gwray.agents import (
    AgentContext,
    ClientPool,
    Part,
    Prompt,
    RoleContext,
    Situation,
    Text,
    json_objects,
    make_responders,
)
from gwray.agents import Observation as Looking
from gwray.catalog import Game, Task
from gwray.judges.profile import JudgeSpec
from gwray.pipelines import Replies, RoleAsk
from gwray.records import Reply
from gwray.spec import PROMPT_VERSION, AgentSpec, EpisodeSpec, PlayerSpec

PICTURES = {b"\xff\xd8": "image/jpeg", b"\x89P": "image/png"}
"""Beginnings of picture files, and what they are."""


class Asking:
    """One judge's questions about one episode, numbered in their order."""

    def __init__(self, judge: JudgeSpec, spec: EpisodeSpec, game: Game, task: Task, replies: Replies, pool: ClientPool):
        """Opens no connection. Raises `UsageError` for a model that cannot be asked like this."""
        model = judge.model
        if model.provider == "scripted":
            # Without a model a judge says what is neutral to each question, which is what the record itself knows.
            model = model.model_copy(update={"provider": "noop"})
        interface = "semantic" if "semantic" in model.interfaces else model.interfaces[0]
        player = PlayerSpec(model=model, agent=AgentSpec(interface=interface, prompt_version=PROMPT_VERSION))
        role = game.roles[0]
        session = f"{spec.key}-{judge.name}"
        role_context = RoleContext(game, role, task, spec.seed, spec.repeat, session, spec.action)
        self.role = role.name
        self.context = AgentContext(role_context, player)
        self._ask = RoleAsk(role.name, player, make_responders(player, role_context, pool), replies, session)
        self.replies: list[Reply] = []

    async def ask(self, prompt: Prompt) -> Reply:
        """The answer to one question. Raises what `Ask` raises, and `LogEnded` where nobody may be asked."""
        self._ask.begin(Situation(Looking(len(self.replies))))
        (reply,) = await self._ask(prompt)
        self.replies.append(reply)
        return reply

    async def say(self, system: str, parts: list[Part | str], neutral: str) -> dict[str, Any] | None:
        """The JSON object of an answer; None if it has none."""
        told = tuple(Text(p) if isinstance(p, str) else p for p in parts)
        reply = await self.ask(Prompt(system, told, module="judge", neutral=neutral))
        return next(reversed(json_objects(reply.text)), None)


def mime_of(data: bytes) -> str:
    """What kind of picture file this is; empty if it is none that models take."""
    return PICTURES.get(data[:2], "")


def numbers(found: Mapping[str, Any] | None, name: str, most: int) -> list[int] | None:
    """The list of whole numbers from 1 to `most` in an answer, each once; None if there is no such list, or if anything
    else is in it."""
    given = found.get(name) if found else None
    if not isinstance(given, list):
        return None
    return sorted({*given}) if all(type(n) is int and 1 <= n <= most for n in given) else None
