"""An agent's view of its episode: facts, the baseline prompt for an action, and how a reply becomes a decision.

`action_prompt` and `decide` together are the baseline agent (`modular.Direct`): static text, memory of past rounds,
observation; then the reply is parsed in the profile's format and checked against what the role may do. Any
other agent asks what it likes and ends with `decide`.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from gwray.agents.base import Decision, Observation, Prompt
from gwray.agents.coordinates import Grid
from gwray.agents.formats import Format, add_reasoning, get_format
from gwray.agents.memory import Round, RoundMemory, one_line
from gwray.agents.messages import Image, Part, Text
from gwray.agents.prompts import part_text, system_prompt, user_line
from gwray.agents.reply_parser import ReplyParser
from gwray.agents.role_context import RoleContext
from gwray.agents.sections import actions_pattern
from gwray.agents.spaces import FINISH, ActionSpace, get_space
from gwray.errors import AgentError, UsageError
from gwray.records import Reply, View
from gwray.settings import LOCAL_PLAYERS, ImageGrid, PlayerSpec


class AgentContext:
    """The context of one role during one episode. Everything here is computed locally; nothing asks a model.

    Attributes:
        game, role, task, seed, repeat, episode_key, viewport: facts of the episode.
        instructions: static text of the prompt for an action: rules, role and controls, task, output format.
        space: the action space of the role.

    Args:
        role_context: the role, game, task and seed.
        player: the agent, its model and its helpers.
        trusted: names of user-defined code that may be imported; None: all.
        space: action space to use instead of the configured interface.
        format: format to use instead of the one of the model profile.

    Raises:
        UsageError: the format or action space does not exist.

    Example:

        system = context.instructions_for("Say in one sentence what matters most on the screen now.")
        (reply,) = await ask(Prompt(system, tuple(context.observation_parts(observation)), neutral="Nothing."))
    """

    def __init__(
        self,
        role_context: RoleContext,
        player: PlayerSpec,
        *,
        trusted: Collection[str] | None = None,
        space: type[ActionSpace] | None = None,
        format: Format | None = None,
    ):
        self.game, self.role, self.task = role_context.game, role_context.role, role_context.task
        self.seed, self.repeat, self.episode_key, self.viewport = (
            role_context.seed, role_context.repeat, role_context.episode_key, role_context.viewport,
        )  # fmt: skip
        self.role_context, self._player = role_context, player
        model, agent = player.model, player.agent
        local = model.provider in LOCAL_PLAYERS
        self._grid = self.grid()
        durations = role_context.action.durations or ("free" if local else "fixed")
        self.space = (space or get_space(agent.interface, trusted=trusted))(
            role_context.role, role_context.viewport, self._grid, durations, may_finish=role_context.task.finish
        )
        name = self.space.format_name(model)
        if local and name != "sections":
            name = "json"
        read_by = format or get_format(name, model.provider, trusted=trusted)
        self._parser = ReplyParser(self.space, read_by, repair=agent.repair)
        self._memory = RoundMemory(agent)
        self._per_reply = role_context.action.per_reply or 1
        self._exact = bool(role_context.action.exact) and not local
        self.text_only = player.text_only
        """Whether the prompts never speak of a screen, because the agent gets no images."""
        self.space.plain_calls = self.text_only
        self.instructions = self.instructions_for()
        self._tools = self.space.offered_tools() if self._parser.format.offers == "tools" else ()
        if self.space.may_finish and self._parser.format.offers == "computer":  # a provider's tool has no such action
            self._tools = (FINISH,)
        self._tools = tuple(add_reasoning(tool) for tool in self._tools)
        self._computer = self._grid.sent if self._parser.format.offers == "computer" else None
        by_schema = model.structured and self._parser.format.guided == "schema"
        self._schema = self.space.schema(self._per_reply, self._exact) if by_schema else None
        by_pattern = model.structured and self._parser.format.guided == "pattern"
        self._pattern = actions_pattern(self.space, self._per_reply, self._exact) if by_pattern else ""
        self._needs_senses = not local
        self._observation: Observation | None = None

    def instructions_for(self, part: str = "", **facts: Any) -> str:
        """Returns the static text of a question: rules, role and controls, task, then `part` as the output format.

        Args:
            part: text, or the name of a file in `prompts/`; a Jinja template that can use `facts` and the variables
                listed in `gwray.agents.prompts`. Empty: the output format of an action.
            facts: variables for the template.
        """
        return system_prompt(
            self.role_context,
            self.space,
            self._parser.format,
            self._per_reply,
            part,
            facts,
            exact=self._exact,
            text_only=self.text_only,
        )

    def text_for(self, part: str, by: str = "", **facts: Any) -> str:
        """Returns the static text of a question without rules, role and task.

        Args:
            part: as for `instructions_for`; the template can use `facts`, and `grid` of the model.
            by: name of the helper model that will be asked; empty for the role's own model.
            facts: variables for the template.
        """
        return part_text(part, {"grid": self.grid(by), **facts}, self.text_only)

    def with_space(self, space: type[ActionSpace], format: Format) -> "AgentContext":
        """Returns a context of the same episode with another space and format, and its own memory."""
        return AgentContext(self.role_context, self._player, space=space, format=format)

    def grid(self, by: str = "") -> Grid:
        """Returns the coordinate grid in which the model behind `by` answers."""
        model = self._player.model_for(by)
        return Grid.from_spec(ImageGrid() if model.provider in LOCAL_PLAYERS else model.image, self.viewport)

    def image(self, view: View, by: str = "") -> Image:
        """Returns a view as an image for a prompt, in the size that the model behind `by` takes."""
        model = self._player.model_for(by)
        grid = self._grid if model is self._player.model else Grid.from_spec(model.image, (view.width, view.height))
        return Image(view.data, view.mime, grid.sent)

    def check_observation(self, observation: Observation) -> None:
        """Raises `UsageError` if a model would get neither an image nor text."""
        if self._needs_senses and not observation.views and not observation.text:
            raise UsageError(
                f"{self._player.model.name} would see nothing: set observation=image, text or both "
                "(observation.format=none is for players that read the state)"
            )

    def observation_parts(self, observation: Observation, by: str = "") -> list[Part]:
        """Returns the observation as parts of a prompt: text, then notes, then images. Several images have titles: the
        previous screen, the current one, then the game's further views."""
        parts: list[Part] = []
        if observation.text:
            title = "The state of the game" if self.text_only else "What the screen shows, in words"
            parts.append(Text(f"{title}:\n{observation.text}"))
        parts += [Text(note) for note in observation.notes]
        views = sorted(observation.views, key=lambda v: v.name != "previous")
        for view in views:
            if len(views) > 1:
                parts.append(Text(f"Picture: {_VIEW_TITLES.get(view.name, view.name)}"))
            parts.append(self.image(view, by))
        return parts

    def screen_parts(self, title: str, observation: Observation, by: str = "") -> list[Part | str]:
        """Returns the title, the text and the first image of an observation, to compare two turns in one prompt."""
        images = [self.image(view, by) for view in observation.views[:1]]
        return [f"{title}:" + (f"\n{observation.text}" if observation.text else ""), *images]

    def action_prompt(self, observation: Observation, more: Sequence[Part] = ()) -> Prompt:
        """Returns the baseline prompt for an action: static text, memory of past rounds, `more`, observation.

        Args:
            observation: what the role sees now.
            more: parts to add before the observation, such as notes of the agent.

        Raises:
            UsageError: a model would get neither an image nor text.
        """
        self.check_observation(observation)
        self._observation = observation
        images = len(observation.views)
        line = Text(user_line(observation.decision, self._per_reply, self._exact, images, self.text_only))
        parts = (*self._memory.parts(), line, *more, *self.observation_parts(observation))
        several = bool(self._tools) and self._per_reply > 1
        made = Prompt(self.instructions, parts, self._schema, self._tools, self._computer, pattern=self._pattern)
        return replace(made, several_calls=several)

    def describe(self, decision: Decision) -> str:
        """Returns a decision in one short line, as the model would write it, or why it was not possible."""
        return self._parser.describe(decision.reply or Reply(), decision)

    def thought(self, decision: Decision) -> str:
        """Returns the reasoning of a decision's reply in one line; empty if it has none."""
        return one_line(self._parser.format.parse_reasoning(decision.reply or Reply()))

    def decide(self, reply: Reply, report: str = "", *, keep_report: bool = False) -> Decision:
        """Returns the decision of a reply, and adds the round to the memory.

        Never raises for anything that a model wrote.

        Args:
            reply: a reply of `ask` to an action prompt.
            report: a part of its text that the agent reads itself; it is neither an action nor reasoning.
            keep_report: whether the memory repeats the report with the reasoning.

        Raises:
            AgentError: `reply` is not a `Reply`.
        """
        if not isinstance(reply, Reply):
            raise AgentError(f"`context.decide` takes a reply of `ask`, not {reply!r:.80}")
        original = reply
        if report:
            reply = reply.model_copy(update={"text": reply.text.replace(report, "", 1).strip()})
        decision = self._parser.decide(reply, self._per_reply, exact=self._exact)
        if self._observation is not None and self._player.agent.memory_rounds:
            static = f"{self.instructions}\n\n" if self._player.agent.memory_prompt == "full" else ""
            self._memory.add(
                Round(
                    user_prompt=f"{static}Step {self._observation.decision + 1}.\n{self._observation.text}".rstrip(
                        "\n"
                    ),
                    image=self.image(self._observation.views[0]) if self._observation.views else None,
                    reasoning=self._parser.format.parse_reasoning(original if keep_report else reply),
                    action=self._parser.describe(reply, decision),
                )
            )
        return replace(decision, reply=original) if report else decision


_VIEW_TITLES = {
    "previous": "previous (the screen before the actions of your last reply)",
    "front": "front (the screen now)",
    "left": "left (what is to your left now)",
    "right": "right (what is to your right now)",
}
