"""A model in a seat: prompt, memory and reader around a client that is shared by all seats of the process."""

from __future__ import annotations

from gwray.agents.base import Decision, Observation, Prompt, Seat
from gwray.agents.calls import Caller
from gwray.agents.coordinates import Grid
from gwray.agents.formats import format_of
from gwray.agents.memory import Memory, Round
from gwray.agents.messages import Image, Request, Text, Tool, Turn
from gwray.agents.prompts import system_text, user_text
from gwray.agents.reading import Reader
from gwray.agents.schema import reply_schema
from gwray.agents.semantic import schema_of
from gwray.errors import UsageError
from gwray.records import Reply
from gwray.spec import AgentSpec, ModelSpec

SILENT_OPTIONS = frozenset(
    {"attempts", "rate_limit_attempts", "give_up_s", "headers", "price_ref", "price_provider", "deployment"}
)
"""Options of a profile that cannot influence a reply: no part of a request's hash, nor of an episode's identity."""


class ModelAgent:
    """One seat's model player during one episode."""

    sees_state = False

    def __init__(self, spec: ModelSpec, agent: AgentSpec, seat: Seat, caller: Caller):
        self._spec, self._agent, self._seat, self._caller = spec, agent, seat, caller
        semantic = agent.interface == "semantic"
        name = spec.semantic_format if semantic else spec.computer_use_format
        self._grid = Grid.of(spec.image, seat.viewport)
        self._reader = Reader(seat, agent.interface, format_of(name, spec.provider), self._grid)
        self._memory = Memory(agent)
        self.instructions = system_text(seat, agent.interface, name, self._grid, agent.prompt_version)
        self._tools = _tools(seat) if semantic and name == "tools" else ()
        self._computer = self._grid.sent if name == "native" else None
        self._schema = reply_schema(seat.role, agent.interface, self._grid) if spec.structured else None
        self._options = {k: v for k, v in spec.options.items() if k not in SILENT_OPTIONS}

    def prepare(self, observation: Observation) -> Prompt:
        """Static text, then history, then the newest picture."""
        if not observation.image:
            raise UsageError(f"{self._spec.name} plays by pictures: set observation.format to jpeg or png")
        line = user_text(observation.step, self._agent.prompt_version)
        parts = (*self._memory.parts(), Text(line), self._image(observation))
        request = Request(
            model_id=str(self._options.get(f"{self._agent.interface}_model_id", self._spec.model_id)),
            provider=self._spec.provider,
            system=self.instructions,
            turns=(Turn("user", parts),),
            tools=self._tools,
            computer=self._computer,
            sampling=self._spec.sampling,
            response_schema=self._schema,
            options=self._options,
            session=self._seat.episode_key,
        )
        return Prompt(request.hash, request)

    async def ask(self, prompt: Prompt) -> Reply:
        """One reply, with all retries and waiting for the model's limits inside."""
        return await self._caller.ask(prompt.body)

    def interpret(self, reply: Reply, observation: Observation) -> Decision:
        """What the reply came to."""
        return self._reader.decide(reply)

    def remember(self, observation: Observation, reply: Reply, decision: Decision) -> None:
        """Append the round."""
        if self._agent.memory_rounds == 0:
            return
        self._memory.add(
            Round(
                user_prompt=f"Step {observation.step + 1}.",
                image=self._image(observation),
                reasoning=self._reader.format.thought(reply),
                action=self._reader.retell(reply, decision),
            )
        )

    async def close(self) -> None:
        """Nothing to do: the client outlives the episode (see `calls.close_clients`)."""

    def _image(self, observation: Observation) -> Image:
        return Image(observation.image, observation.mime, self._grid.sent)


def _tools(seat: Seat) -> tuple[Tool, ...]:
    return tuple(Tool(c.id, c.description.strip(), schema_of(c)) for c in seat.role.controls)
