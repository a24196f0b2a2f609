"""Asks a judge through the same `ask` and the same reply log as an agent, so that its verdict can be verified."""

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
from gwray.agents import Observation as AgentObservation
from gwray.catalog import Game, Task
from gwray.judges.spec import JudgeSpec
from gwray.pipelines import Replies, RoleAsk
from gwray.records import Reply, View
from gwray.settings import AgentSpec, EpisodeSpec, PlayerSpec


class JudgeSession:
    """The questions of one judge about one episode, numbered in their order."""

    def __init__(self, judge: JudgeSpec, spec: EpisodeSpec, game: Game, task: Task, replies: Replies, pool: ClientPool):
        """Opens no connection. Raises `UsageError` for a model that cannot be asked like this."""
        model = judge.model
        if model.provider == "scripted":
            # Without a model a judge gives each question's neutral answer, which is derived from the record.
            model = model.model_copy(update={"provider": "noop"})
        interface = "semantic" if "semantic" in model.interfaces else model.interfaces[0]
        player = PlayerSpec(model=model, agent=AgentSpec(interface=interface))
        role = game.roles[0]
        session = f"{spec.key}-{judge.name}"
        role_context = RoleContext(game, role, task, spec.seed, spec.repeat, session, spec.action)
        self.role = role.name
        self.context = AgentContext(role_context, player)
        self._ask = RoleAsk(role.name, player, make_responders(player, role_context, pool), replies, session)
        self.replies: list[Reply] = []

    async def ask(self, prompt: Prompt) -> Reply:
        """Returns the reply to one question. Raises what `Ask` raises, and `LogEnded` where only the log may answer."""
        self._ask.begin(Situation(AgentObservation(len(self.replies))))
        (reply,) = await self._ask(prompt)
        self.replies.append(reply)
        return reply

    async def ask_json(self, system: str, parts: list[Part | str], neutral: str) -> dict[str, Any] | None:
        """Returns the last JSON object of the reply; None if it has none.

        Args:
            system: The system prompt.
            parts: Texts and images of the question.
            neutral: The answer of `judge.model=scripted`, as JSON.
        """
        content = tuple(Text(p) if isinstance(p, str) else p for p in parts)
        reply = await self.ask(Prompt(system, content, module="judge", neutral=neutral))
        return next(reversed(json_objects(reply.text)), None)

    def image(self, data: bytes, mime: str) -> Part:
        """Returns an image file as a part of a question."""
        return self.context.image(View("front", data, mime, *self.context.viewport))
