"""What an agent knows of its episode, and what it can do with it: the published question, and reading a reply.

`action_prompt` and `decide` together are the published player (`agents.direct`): static text, the memory of past
rounds, what is seen; then the reply read in the profile's format and checked against what the role may do. An agent of
another shape asks what it likes and ends with `decide`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from gwray.agents.base import Decision, Observation, Prompt
from gwray.agents.coordinates import Grid
from gwray.agents.formats import Format, add_reasoning, get_format
from gwray.agents.memory import Memory, Round
from gwray.agents.messages import Image, Part, Text
from gwray.agents.prompts import part_text, system_prompt, user_line
from gwray.agents.reply_parser import ReplyParser
from gwray.agents.role_context import RoleContext
from gwray.agents.spaces import ActionSpace, get_space
from gwray.errors import AgentError, UsageError
from gwray.local_players import LOCAL_PLAYERS
from gwray.records import Reply
from gwray.spec import ImageGrid, PlayerSpec
from gwray.views import View


class AgentContext:
    """One role's context during one episode. Everything here is computed; nothing asks anybody."""

    def __init__(
        self,
        role_context: RoleContext,
        player: PlayerSpec,
        *,
        trusted: Collection[str] | None = None,
        space: type[ActionSpace] | None = None,
        format: Format | None = None,
    ):
        """`trusted`: names of foreign code that may be imported; None: all. `space`, `format`: in place of those that
        the settings name. Raises `UsageError` for a format or an action space that does not exist, or that the model's
        profile does not play."""
        self.game, self.role, self.task = role_context.game, role_context.role, role_context.task
        self.seed, self.repeat, self.episode_key, self.viewport = (
            role_context.seed, role_context.repeat, role_context.episode_key, role_context.viewport,
        )  # fmt: skip
        self.role_context, self._player = role_context, player
        model, agent = player.model, player.agent
        local = model.provider in LOCAL_PLAYERS
        self._grid = self.grid()
        durations = role_context.action.durations or ("free" if local or agent.prompt_version == 1 else "fixed")
        self.space = (space or get_space(agent.interface, trusted=trusted))(
            role_context.role, role_context.viewport, self._grid, durations, may_finish=role_context.task.finish
        )
        name = "json" if local else self.space.format_name(model)
        self._parser = ReplyParser(self.space, format or get_format(name, model.provider, trusted=trusted))
        self._memory = Memory(agent)
        self._per_reply = role_context.action.per_reply or 1
        self.instructions = self.instructions_for()
        """The static text of the action prompt: rules, role and controls, task, form of the answer."""
        self._tools = self.space.offered_tools() if self._parser.format.offers == "tools" else ()
        if agent.prompt_version > 1:
            self._tools = tuple(add_reasoning(tool) for tool in self._tools)
        self._computer = self._grid.sent if self._parser.format.offers == "computer" else None
        self._schema = self.space.schema(self._per_reply) if model.structured else None
        self._needs_senses = not local
        self._observation: Observation | None = None

    def instructions_for(self, part: str = "", **facts: Any) -> str:
        """The static text of a question: rules, role and controls, task, then `part` in place of the form of an action.

        `part`: the text itself, or the name of a file in `prompts/`; a Jinja template that can name `facts`, and what
        `gwray.agents.prompts` lists.
        """
        version = self._player.agent.prompt_version
        return system_prompt(self.role_context, self.space, self._parser.format, version, self._per_reply, part, facts)

    def text_for(self, part: str, by: str = "", **facts: Any) -> str:
        """The static text of a question that needs neither rules, role nor task, for the model behind `by`: its `grid`
        and `facts` are what the template, named as above, can name."""
        return part_text(part, self._player.agent.prompt_version, {"grid": self.grid(by), **facts})

    def with_space(self, space: type[ActionSpace], format: Format) -> AgentContext:
        """The same episode for who acts through another space, in another format; it has a memory of its own."""
        return AgentContext(self.role_context, self._player, space=space, format=format)

    def grid(self, by: str = "") -> Grid:
        """The coordinates on the screen in which the model behind `by` answers."""
        model = self._player.model_for(by)
        return Grid.from_spec(ImageGrid() if model.provider in LOCAL_PLAYERS else model.image, self.viewport)

    def image(self, view: View, by: str = "") -> Image:
        """A picture for a prompt, in the size that the model behind `by` takes."""
        model = self._player.model_for(by)
        grid = self._grid if model is self._player.model else Grid.from_spec(model.image, (view.width, view.height))
        return Image(view.data, view.mime, grid.sent)

    def check_observation(self, observation: Observation) -> None:
        """`UsageError` when nothing is seen, neither picture nor words, and a model would have to play blind."""
        if self._needs_senses and not observation.views and not observation.text:
            raise UsageError(
                f"{self._player.model.name} would see nothing: set observation=image, text or both "
                "(observation.format=none is for players that read the state)"
            )

    def observation_parts(self, observation: Observation, by: str = "") -> list[Part]:
        """What is seen, as parts of a prompt: words first, then notes, then the pictures, the screen last."""
        parts: list[Part] = []
        if observation.text:
            parts.append(Text(f"What the screen shows, in words:\n{observation.text}"))
        parts += [Text(note) for note in observation.notes]
        for view in reversed(observation.views):
            if len(observation.views) > 1:
                parts.append(Text(f"Picture: {VIEW_WORDS.get(view.name, view.name)}"))
            parts.append(self.image(view, by))
        return parts

    def action_prompt(self, observation: Observation, more: Sequence[Part] = ()) -> Prompt:
        """The question for an action: static text, history, `more`, what is seen.

        Raises what `check_observation` raises.
        """
        self.check_observation(observation)
        self._observation = observation
        line = Text(user_line(observation.decision, self._player.agent.prompt_version, self._per_reply))
        parts = (*self._memory.parts(), line, *more, *self.observation_parts(observation))
        return Prompt(self.instructions, parts, self._schema, self._tools, self._computer)

    def describe(self, decision: Decision) -> str:
        """What was decided in one short line, as the model would write it; why, where it was not possible."""
        return self._parser.describe(decision.reply or Reply(), decision)

    def decide(self, reply: Reply) -> Decision:
        """What a reply comes to; the round is remembered. Never raises for what a model said, and `AgentError` for
        what is no reply."""
        if not isinstance(reply, Reply):
            raise AgentError(f"`context.decide` takes a reply of `ask`, not {reply!r:.80}")
        decision = self._parser.decide(reply, self._per_reply)
        if self._observation is not None and self._player.agent.memory_rounds:
            static = f"{self.instructions}\n\n" if self._player.agent.memory_prompt == "full" else ""
            self._memory.add(
                Round(
                    user_prompt=f"{static}Step {self._observation.decision + 1}.\n{self._observation.text}".rstrip(
                        "\n"
                    ),
                    image=self.image(self._observation.views[0]) if self._observation.views else None,
                    reasoning=self._parser.format.parse_reasoning(reply),
                    action=self._parser.describe(reply, decision),
                )
            )
        return decision


VIEW_WORDS = {"front": "the screen now", "previous": "the screen one decision before"}
