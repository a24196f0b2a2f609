"""The contract of an agent: observation in, questions through `ask`, decision out.

> An agent is deterministic code whose only effect is `ask`; the loop owns `ask` and the log.

An episode can therefore be replayed without a model: the same agent gets the same observations, asks the same questions
in the same order and gets the logged replies. An agent with other effects or inputs (its own HTTP requests, `random`,
the clock) is detected at its next replay: the first question with different text ends the episode with an error that
names the decision, call and module.

Example, an agent in one file, chosen with `agent._target_=my_agent.MyAgent`:

    class MyAgent:
        def __init__(self, context, spec):
            self.context = context

        async def act(self, observation, ask):
            (reply,) = await ask(self.context.action_prompt(observation))
            return self.context.decide(reply)
"""

from collections.abc import Awaitable
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from gwray.agents.messages import Image, Part, Text, Tool
from gwray.records import Action, Reply, Validity, View


@dataclass(frozen=True)
class Observation:
    """The input of one decision of one role."""

    decision: int
    """Number of the turn in the episode, counted from 0."""
    views: tuple[View, ...] = ()
    """Images of this instant. Clicks refer to the first one."""
    text: str = ""
    """The screen as text; empty unless the observation setting includes it."""
    notes: tuple[str, ...] = ()
    """Additional text for the agent: hints and interventions."""


@dataclass(frozen=True)
class Decision:
    """The result of one turn. `AgentContext.decide` makes one from a reply."""

    validity: Validity
    """valid; no_tool_call: the reply has no action; out_of_space: it asks for an action that is not possible."""
    actions: tuple[Action, ...] = ()
    """The actions to play, in order. With `out_of_space`: those before the first impossible one, which costs its step
    and does nothing."""
    controls: tuple[str | None, ...] = ()
    """For each action the semantic control that it came from."""
    reason: str = ""
    """Why the reply was invalid, or what was normalized or ignored."""
    repaired_from: Literal["", "no_tool_call", "out_of_space"] = ""
    """Validity of the strict reading, if the repair made the decision; empty: the reply was played as its format reads
    it."""
    ignored: int = 0
    """Number of actions in the reply beyond `action.per_reply`."""
    finish: bool = False
    """Whether the agent declares the task done; counts only in tasks that allow it."""
    reply: Reply | None = field(default=None, repr=False)
    """The reply that led to this decision; must be one of this turn's replies, unmodified. Its text is stored in the
    episode. None: the last reply of the turn."""

    @property
    def steps(self) -> int:
        """Number of environment steps that the decision costs: one per action, and one without effect if it is invalid
        or empty."""
        return len(self.actions) + (self.validity != "valid" or not self.actions)


@dataclass(frozen=True)
class Prompt:
    """One question, independent of the model that answers it.

    Put static text first and the newest image last: providers cache prefixes.

    Example:

        Prompt("You name colours.", (Text("Which colour is the door?"), image), module="look", neutral="none")
    """

    system: str
    parts: tuple[Part, ...]
    schema: dict[str, Any] | None = None
    """JSON schema of the reply, for models with structured output."""
    tools: tuple[Tool, ...] = ()
    """Functions that the model may call."""
    computer: tuple[int, int] | None = None
    """Screen size in pixels for which to offer the provider's own computer tool."""
    module: str = ""
    """Name in the log of the part of the agent that asks; empty for the one that acts."""
    neutral: str | None = None
    """Answer of players without a model (`random`, `scripted`, …). None: the prompt asks for an action, so they act."""
    pattern: str = ""
    """Regular expression of the reply, for self-hosted models with structured output; empty: none."""
    text_and_call: bool = False
    """Whether the reply must have text beside its calls, so that the model is not forced to call a tool."""
    several_calls: bool = False
    """Whether the reply may have more than one call."""


def prompt_problem(prompt: Any) -> str:
    """Returns what is wrong with the argument of an `ask`, as a sentence; empty if it is a valid `Prompt`."""
    if not isinstance(prompt, Prompt):
        return f"`ask` takes questions, Prompt(system, parts), not {prompt!r:.80}"
    if not isinstance(prompt.parts, tuple | list):
        return f"the parts of a Prompt are a tuple, not {prompt.parts!r:.80}"
    if wrong := [part for part in prompt.parts if not isinstance(part, Text | Image)]:
        return f"the parts of a Prompt are Text('…') and images (context.observation_parts), not {wrong[0]!r:.80}"
    fields = {
        "system": (isinstance(prompt.system, str), "a text"),
        "module": (isinstance(prompt.module, str), "a text"),
        "neutral": (isinstance(prompt.neutral, str | None), "a text or None"),
        "pattern": (isinstance(prompt.pattern, str), "a text"),
        "text_and_call": (isinstance(prompt.text_and_call, bool), "true or false"),
        "several_calls": (isinstance(prompt.several_calls, bool), "true or false"),
        "schema": (isinstance(prompt.schema, dict | None), "a JSON schema or None"),
        "tools": (all(isinstance(t, Tool) for t in prompt.tools), "a tuple of Tool(…)"),
    }
    for name, (valid, expected) in fields.items():
        if not valid:
            return f"the {name} of a Prompt is {expected}, not {getattr(prompt, name)!r:.80}"
    return ""


class Ask(Protocol):
    """The function that the loop passes to `act`: an agent's only way to reach a model."""

    def __call__(self, *prompts: Prompt, by: str = "") -> Awaitable[tuple[Reply, ...]]:
        """Asks one or more questions and waits for the replies.

        Args:
            prompts: questions to ask concurrently. In real time the role is charged for the slowest of them.
            by: name of a helper model (`agent.models.NAME=…`); empty for the role's own model.

        Returns:
            The replies, in the order of the prompts.

        Raises:
            AgentError: another call is still open, the turn asks more than `agent.max_calls` questions, or a question
                differs from the one that the log has an answer to.
            ModelError: the provider gave no reply.

        Example:

            first, second = await ask(look, remember, by="critic")
        """
        ...


class Agent(Protocol):
    """Plays one role during one episode. Created as `Class(context, spec)` with an `AgentContext` and an `AgentSpec`.

    Optional members of the class:

    - `calls_per_decision`: expected number of questions per turn, for dry runs and budgets; 1 by default. An `int`, or
      a class method that takes the `AgentSpec`.
    - `notes(spec, replies)`: class method that shows what the agent remembers (the viewer). It
      gets the `AgentSpec` and the `LoggedReply`s of one role in order, and yields `(decision, notes)` after each reply
      that may have changed the notes, where `notes` maps a kind such as "clue" to `Note`s. Subclasses of `Modular`
      inherit it.

    Example of `notes`:

        @classmethod
        def notes(cls, spec, replies):
            store = NoteStore(limit=3)
            for line in replies:
                if line.module == "look":
                    store.add(line.reply.text)
                    yield line.decision, {"notice": store}
    """

    async def act(self, observation: Observation, ask: Ask, /) -> Decision:
        """Decides what to do. May use nothing but `observation`, `ask`, and attributes from earlier turns. Must not
        raise for anything that a model wrote: `context.decide` makes a decision from any reply.

        Args:
            observation: what the role sees now.
            ask: asks a model; may be called any number of times, one call after the other.

        Returns:
            The decision, usually from `context.decide(reply)`.

        Raises:
            Exception: any exception ends the episode as the agent's error, without a score and without a retry.
        """
        ...
